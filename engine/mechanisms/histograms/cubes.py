"""Recursive and randomly shifted histograms."""

from __future__ import annotations

import abc
import dataclasses
from typing import ClassVar

import numpy as np

from engine.data.points import Points
from engine.histograms.cubes import DEEPEST, Cubes, Scheme, ShiftedCubes
from engine.histograms.growth import grow
from engine.histograms.tree import Tree
from engine.mechanisms.histograms.base import HistogramSanitizer
from engine.mechanisms.histograms.exact import ExactHistogram
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent


@dataclasses.dataclass(frozen=True)
class CubeHistogram(ExactHistogram, abc.ABC):
    """Cells are halved along every axis while they hold at least 2t points."""

    max_depth: int = parameter(
        default=20,
        lower=1,
        upper=DEEPEST,
        label="Largest depth",
        help="How often a cell is cut at most; points that are all the same never part.",
        advanced=True,
    )

    def grow(self, scheme: Scheme, data: Points, progress: Progress = silent) -> Tree:
        """Cut the box as `scheme` says while cells hold enough points."""
        return grow(scheme, data.values, self.t, self.max_depth, progress)


@dataclasses.dataclass(frozen=True)
class RecursiveHistogram(CubeHistogram):
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
    is_random: ClassVar[bool] = False

    def sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> HistogramSanitizer:
        return FixedSanitizer(self.grow(Cubes(data.domain), data, progress))


@dataclasses.dataclass(frozen=True)
class ShiftedHistogram(CubeHistogram):
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
    is_shifted: ClassVar[bool] = True

    def sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> HistogramSanitizer:
        """Keep the points: which cells there are depends on the shift."""
        return ShiftedSanitizer(self, data)


@dataclasses.dataclass(frozen=True, repr=False)
class FixedSanitizer(HistogramSanitizer):
    """A histogram in which nothing is random."""

    is_random: ClassVar[bool] = False

    tree: Tree

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> Tree:
        return self.tree


@dataclasses.dataclass(frozen=True, repr=False)
class ShiftedSanitizer(HistogramSanitizer):
    """Points (private), to be cut at a random place."""

    mechanism: ShiftedHistogram
    data: Points

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> Tree:
        return self.mechanism.grow(ShiftedCubes.drawn(self.data.domain, rng), self.data, progress)
