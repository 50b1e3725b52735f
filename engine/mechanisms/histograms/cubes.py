"""Histograms of cubes that are halved while they hold many points, with exact counts."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np

from engine.data.points import Points
from engine.domain import Box
from engine.histograms.cubes import DEEPEST, Cubes, ShiftedCubes
from engine.histograms.embedding import EmbeddedHistogram, Embedding
from engine.histograms.grow_tree import grow_tree
from engine.histograms.histogram import Histogram
from engine.mechanisms.histograms.base import DrawnBy, HistogramMechanism
from engine.mechanisms.histograms.exact import points_t, too_few_to_hide
from engine.mechanisms.problem import Problem
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent

CUT_ONCE = "the bounds are cut once and no more"
"""What happens to bounds with too few points: they are cut in any case."""


def largest_depth() -> int:
    """Declare how often a cell is cut at most."""
    declared: int = parameter(
        default=20,
        lower=1,
        upper=DEEPEST,
        label="Largest depth",
        help="How often a cell is cut at most; points that are all the same never part.",
        advanced=True,
    )
    return declared


@dataclasses.dataclass(frozen=True)
class RecursiveHistogram(HistogramMechanism):
    """Cubes, cut where the middles are: always the same for the same data.

    Source: Chawla, Dwork, McSherry, Smith, Wee 2005.

    Examples
    --------
    Eight points on a line and t = 2: cells with 4 points or more are cut in the middle.

    >>> from engine import NO_PROMISE, Box, Points
    >>> data = Points([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8]], Box.of([0], [1]))
    >>> histogram = RecursiveHistogram(t=2).run(data, NO_PROMISE).histogram
    >>> histogram.lower[:, 0], histogram.counts
    (array([0.  , 0.25, 0.5 , 0.75]), array([2., 2., 3., 1.]))
    """

    name: ClassVar[str] = "histogram-recursive"
    label: ClassVar[str] = "Recursive histogram"
    summary: ClassVar[str] = "cubes, halved while they hold many points"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Smith, Wee 2005"
    is_private: ClassVar[bool] = False
    is_random: ClassVar[bool] = False

    t: int = points_t()
    max_depth: int = largest_depth()

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_few_to_hide(self.t, n, CUT_ONCE)

    def sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> DrawnBy:
        tree = grow_tree(Cubes(data.domain), data.values, self.t, self.max_depth, progress)
        return DrawnBy(lambda rng, progress: tree)


@dataclasses.dataclass(frozen=True)
class ShiftedHistogram(HistogramMechanism):
    """Cubes at a random place: points that a plane parts in one draw stay together in most others.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 3.1.

    Examples
    --------
    Cells with 2 t points or more are cut.

    >>> import numpy as np
    >>> from engine import NO_PROMISE, Box, Points, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> histogram = ShiftedHistogram(t=50).run(data, NO_PROMISE, reproducible(1)).histogram
    >>> histogram.counts.sum().item(), histogram.counts.max().item() < 100
    (1000.0, True)
    """

    name: ClassVar[str] = "histogram-shifted"
    label: ClassVar[str] = "Shifted histogram"
    summary: ClassVar[str] = "cubes at a random place, halved while they hold many points"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Talwar 2005"
    is_private: ClassVar[bool] = False
    is_shifted: ClassVar[bool] = True

    t: int = points_t()
    max_depth: int = largest_depth()

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_few_to_hide(self.t, n, CUT_ONCE)

    def sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> DrawnBy:
        def draw(rng: np.random.Generator, progress: Progress) -> Histogram:
            scheme = ShiftedCubes.draw(data.domain, rng)
            return grow_tree(scheme, data.values, self.t, self.max_depth, progress)

        return DrawnBy(draw)


@dataclasses.dataclass(frozen=True)
class BallHistogram(HistogramMechanism):
    """The ball around the bounds, stretched to a cube, which is cut as in the recursive histogram.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 1.1, third method; the embedding is ours.

    Examples
    --------
    Every point is counted once, whatever the centers are.

    >>> import numpy as np
    >>> from engine import NO_PROMISE, Box, Points, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> histogram = BallHistogram(t=50).run(data, NO_PROMISE, reproducible(1)).histogram
    >>> histogram.counts.sum().item()
    1000.0
    """

    name: ClassVar[str] = "histogram-embedded"
    label: ClassVar[str] = "Embedded histogram"
    summary: ClassVar[str] = "the ball around the bounds stretched to a cube, which is halved again and again"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Talwar 2005"
    is_private: ClassVar[bool] = False
    is_random: ClassVar[bool] = False

    t: int = points_t()
    max_depth: int = largest_depth()

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_few_to_hide(self.t, n, CUT_ONCE)

    def effort(self, domain: Box, n: int) -> float:
        return 5e-4 * math.sqrt(n)

    def sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> DrawnBy:
        embedding = Embedding(data.domain)
        points = embedding.to_cube(data.values)
        cube = grow_tree(Cubes(embedding.cube), points, self.t, self.max_depth, progress)
        made = EmbeddedHistogram.of(cube, embedding)
        return DrawnBy(lambda rng, progress: made)
