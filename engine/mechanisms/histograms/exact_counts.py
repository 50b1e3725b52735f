"""Histograms with exact counts, which are not differentially private.

They hide a record among others: cells (cubes or Voronoi cells) are cut only while they hold many points.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

import numpy as np

from engine.data.points import Points
from engine.domain import Box
from engine.histograms.cubes import DEEPEST, Cubes, ShiftedCubes
from engine.histograms.embedding import EmbeddedHistogram, Embedding
from engine.histograms.grow_tree import grow_tree
from engine.histograms.histogram import Histogram
from engine.histograms.voronoi import DEEPEST as MAX_CUTS
from engine.histograms.voronoi import grow_voronoi
from engine.histograms.voronoi_centers import LARGEST_COUNT, Net, Random
from engine.histograms.voronoi_region import Region
from engine.mechanisms.facts import Resources
from engine.mechanisms.histograms.base import DrawnBy, HistogramMechanism
from engine.mechanisms.histograms.components import (
    check_components,
    component_points,
    component_problems,
    components_parameter,
)
from engine.mechanisms.problem import Problem, problems_of
from engine.numerals import grouped
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent


def points_t() -> Any:
    """Declare t, the number of points among which a record is hidden."""
    return parameter(
        default=50,
        lower=2,
        label="Points t",
        help="Number of points to hide a record among.",
    )


def too_few_to_hide(t: int, n: int, otherwise: str) -> tuple[Problem, ...]:
    """Return a warning if t exceeds n; `otherwise` says what happens to the bounds then."""
    if t <= n:
        return ()
    message = (
        f"t = {grouped(t)} is more than n = {grouped(n)}: no record is hidden among t points, and {otherwise}"
    )
    return (Problem("t", message),)


CUT_ONCE = "the bounds are cut only once"
"""Effect of too few points on cubes: the bounds are always cut once."""


def largest_depth() -> Any:
    """Declare the maximum number of cuts of a cell."""
    return parameter(
        default=20,
        lower=1,
        upper=DEEPEST,
        label="Largest depth",
        help="Maximum number of cuts of a cell. It stops cuts that would never separate equal points.",
        advanced=True,
    )


@dataclasses.dataclass(frozen=True)
class RecursiveHistogram(HistogramMechanism, is_private=False, is_random=False):
    """Cubes cut in the middle while they hold many points; the same data give the same cells.

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
    summary: ClassVar[str] = "halved cubes, each until it holds few points"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Smith, Wee 2005"

    t: int = points_t()
    max_depth: int = largest_depth()

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_few_to_hide(self.t, n, CUT_ONCE)

    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> DrawnBy:
        tree = grow_tree(Cubes(data.domain), data.values, self.t, self.max_depth, progress=progress)
        return DrawnBy(lambda rng, progress: tree)


@dataclasses.dataclass(frozen=True)
class ShiftedHistogram(HistogramMechanism, is_private=False, is_shifted=True):
    """Cubes with a random offset: points separated by a cut in one draw are together in most others.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 3.1.

    Examples
    --------
    Cells with at least 2 t points are cut.

    >>> import numpy as np
    >>> from engine import NO_PROMISE, Box, Points, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> histogram = ShiftedHistogram(t=50).run(data, NO_PROMISE, reproducible(1)).histogram
    >>> histogram.counts.sum().item(), histogram.counts.max().item() < 100
    (1000.0, True)
    """

    name: ClassVar[str] = "histogram-shifted"
    label: ClassVar[str] = "Shifted histogram"
    summary: ClassVar[str] = "cubes with a random offset, halved while they hold many points"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Talwar 2005"

    t: int = points_t()
    max_depth: int = largest_depth()

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_few_to_hide(self.t, n, CUT_ONCE)

    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> DrawnBy:
        def draw(rng: np.random.Generator, progress: Progress) -> Histogram:
            scheme = ShiftedCubes.draw(data.domain, rng)
            return grow_tree(scheme, data.values, self.t, self.max_depth, progress=progress)

        return DrawnBy(draw)


@dataclasses.dataclass(frozen=True)
class BallHistogram(HistogramMechanism, is_private=False, is_random=False):
    """The ball around the bounds, mapped to a cube, which is cut as in the recursive histogram.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 1.1, third method; the embedding is ours.

    Examples
    --------
    Every point is counted once.

    >>> import numpy as np
    >>> from engine import NO_PROMISE, Box, Points, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> histogram = BallHistogram(t=50).run(data, NO_PROMISE, reproducible(1)).histogram
    >>> histogram.counts.sum().item()
    1000.0
    """

    name: ClassVar[str] = "histogram-embedded"
    label: ClassVar[str] = "Embedded histogram"
    summary: ClassVar[str] = "the ball around the bounds, mapped to a cube and halved repeatedly"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Talwar 2005"

    t: int = points_t()
    max_depth: int = largest_depth()

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_few_to_hide(self.t, n, CUT_ONCE)

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=5e-4 * math.sqrt(n))

    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> DrawnBy:
        embedding = Embedding(data.domain)
        points = embedding.to_cube(data.values)
        cube = grow_tree(Cubes(embedding.cube), points, self.t, self.max_depth, progress=progress)
        made = EmbeddedHistogram.of(cube, embedding)
        return DrawnBy(lambda rng, progress: made)


STAYS_WHOLE = "the bounds stay one cell"
"""Effect of too few points on Voronoi cells."""


def cuts_at_most() -> Any:
    """Declare the maximum number of cuts of a Voronoi cell."""
    return parameter(
        default=3,
        lower=1,
        upper=MAX_CUTS,
        label="Depth",
        help="Maximum number of cuts of a cell; deeper cells are less round.",
        source="Chawla, Dwork, McSherry, Talwar 2005, section 2.2: a constant number of steps",
    )


def region_parameter() -> Any:
    """Declare the region to cut."""
    return parameter(
        default="box",
        choices=("box", "ball"),
        label="Region",
        help="Region to cut: box, the bounds themselves; ball, the ball around them.",
        advanced=True,
    )


def seconds_to_cut(per_root: float, domain: Box, n: int) -> float:
    """Estimate the seconds for all cuts: `per_root` sqrt(n) for two columns, 4 times more per column."""
    return per_root * math.sqrt(n) * float(4.0 ** (domain.dimension - 2))


@dataclasses.dataclass(frozen=True)
class NetHistogram(HistogramMechanism, is_private=False):
    """Voronoi cells of centers that are far apart, and near to every point of the cell that they cut.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 2.3, method 1.

    Examples
    --------
    Every point is counted once, for any centers.

    >>> import numpy as np
    >>> from engine import NO_PROMISE, Box, Points, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> histogram = NetHistogram(t=50).run(data, NO_PROMISE, reproducible(1)).histogram
    >>> histogram.counts.sum().item()
    1000.0
    """

    name: ClassVar[str] = "histogram-voronoi-net"
    label: ClassVar[str] = "Voronoi histogram, net"
    summary: ClassVar[str] = "cells around evenly spread centers, cut while they hold many points"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Talwar 2005"

    t: int = points_t()
    depth: int = cuts_at_most()
    region: str = region_parameter()
    components: str = components_parameter("the first cut uses them, and each part is then cut separately")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_components(self.components)

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        return (
            super().problems(privacy, domain, n)
            or problems_of(Net().check, domain.dimension)
            or component_problems(self.components, domain)
        )

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_few_to_hide(self.t, n, STAYS_WHOLE)

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=seconds_to_cut(0.003, domain, n))

    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> DrawnBy:
        region = Region(data.domain, self.region == "ball")
        first = component_points(self.components, data.domain)
        return DrawnBy(
            lambda rng, progress: grow_voronoi(
                data.values, region, Net(), self.t, self.depth, rng, progress=progress, first=first
            )
        )


@dataclasses.dataclass(frozen=True)
class RandomCentersHistogram(HistogramMechanism, is_private=False):
    """Voronoi cells of random centers, uniform in the cell; nearby points are rarely separated.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 2.3, method 2.

    Examples
    --------
    Every point is counted once, for any centers.

    >>> import numpy as np
    >>> from engine import NO_PROMISE, Box, Points, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> histogram = RandomCentersHistogram(t=50).run(data, NO_PROMISE, reproducible(1)).histogram
    >>> histogram.counts.sum().item()
    1000.0
    """

    name: ClassVar[str] = "histogram-voronoi-random"
    label: ClassVar[str] = "Voronoi histogram, random centers"
    summary: ClassVar[str] = "cells around random centers, cut while they hold many points"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Talwar 2005"

    t: int = points_t()
    depth: int = cuts_at_most()
    region: str = region_parameter()
    centers: int = parameter(
        default=0,
        lower=0,
        upper=LARGEST_COUNT,
        label="Centers per cell",
        help="Number of centers that cut a cell; 0 means the 4 d 8^d of the proof, for d columns.",
        source="Chawla, Dwork, McSherry, Talwar 2005, lemma 2.4",
        advanced=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        Random(self.centers)

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        """Also refuse settings that would take minutes; at most `cells` cells hold more than t points."""
        cells = n // (self.t + 1) if self.depth > 1 else 0
        return (
            super().problems(privacy, domain, n)
            or problems_of(Random(self.centers).check, domain.dimension)
            or problems_of(Random(self.centers).check_work, domain.dimension, cells)
        )

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        warning = Random(self.centers).warning(domain.dimension)
        few = too_few_to_hide(self.t, n, STAYS_WHOLE)
        return (*few, Problem("centers", warning)) if warning else few

    def public_facts(self, domain: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        warning = Random(self.centers).warning(domain.dimension)
        return {"warning": warning} if warning else {}

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=seconds_to_cut(0.005, domain, n))

    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> DrawnBy:
        region = Region(data.domain, self.region == "ball")
        return DrawnBy(
            lambda rng, progress: grow_voronoi(
                data.values, region, Random(self.centers), self.t, self.depth, rng, progress=progress
            )
        )
