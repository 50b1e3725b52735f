"""Recursive and randomly shifted histograms."""

from __future__ import annotations

import abc
import dataclasses
from typing import ClassVar

import numpy as np

from engine.data.points import Points
from engine.domain import Box
from engine.histograms.cubes import DEEPEST, Cubes, Scheme, ShiftedCubes
from engine.histograms.grown import Tree, grow
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
    )

    @abc.abstractmethod
    def scheme(self, box: Box, rng: np.random.Generator) -> Scheme:
        """Return how the box is cut."""

    def sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> CubeSanitizer:
        """Keep the points; which cells there are depends on the draw."""
        return CubeSanitizer(self, data)


@dataclasses.dataclass(frozen=True)
class RecursiveHistogram(CubeHistogram):
    """Cubes, cut where the middles are: always the same for the same data.

    Source: Chawla, Dwork, McSherry, Smith, Wee 2005.
    """

    name: ClassVar[str] = "histogram-recursive"
    label: ClassVar[str] = "Recursive histogram"
    summary: ClassVar[str] = "cubes, halved while they hold many points"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Smith, Wee 2005"

    def scheme(self, box: Box, rng: np.random.Generator) -> Scheme:
        """Return the cubes."""
        return Cubes(box)


@dataclasses.dataclass(frozen=True)
class ShiftedHistogram(CubeHistogram):
    """Cubes at a random place: points that a plane parts in one draw stay together in most others.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 3.1.
    """

    name: ClassVar[str] = "histogram-shifted"
    label: ClassVar[str] = "Shifted histogram"
    summary: ClassVar[str] = "cubes at a random place, halved while they hold many points"

    def scheme(self, box: Box, rng: np.random.Generator) -> Scheme:
        """Draw the shift."""
        return ShiftedCubes.drawn(box, rng)


class CubeSanitizer(HistogramSanitizer):
    """Points (private), and how to cut the box around them."""

    def __init__(self, mechanism: CubeHistogram, data: Points) -> None:
        self._mechanism = mechanism
        self._data = data

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> Tree:
        """Draw where to cut, and count."""
        mechanism = self._mechanism
        scheme = mechanism.scheme(self._data.domain, rng)
        return grow(scheme, self._data.values, mechanism.t, mechanism.max_depth, progress)
