"""What every aggregator offers: from the outputs of m blocks to one private output."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.aggregation.spaces import OutputSpace
from engine.domain import Box
from engine.mechanisms.base import Prepared, Private, Problem
from engine.noise import Noise
from engine.parameters import Parameterised
from engine.privacy import Privacy
from engine.progress import Progress, silent

_Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Aggregator(Parameterised, abc.ABC):
    """A private way from m outputs, of which one person can change s, to one output."""

    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""

    @abc.abstractmethod
    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        """Return what makes no sense, from public facts alone."""

    @abc.abstractmethod
    def prepare(
        self, outputs: _Floats, space: OutputSpace, s: int, privacy: Privacy, progress: Progress = silent
    ) -> VectorPrepared:
        """Do everything that depends on the outputs, an array of shape (m, D) in the box of `space`."""


@dataclasses.dataclass(frozen=True, repr=False)
class VectorPrepared(Prepared, abc.ABC):
    """Ready to draw vectors; they are moved into the public box, which costs nothing.

    Attributes
    ----------
    center : ndarray, shape (D,)
        The aggregate without noise (private).
    box : Box
        Where outputs live.
    """

    center: _Floats
    box: Box
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private

    def draw(self, rng: np.random.Generator, size: int) -> _Floats:
        """Draw `size` vectors, shape (size, D)."""
        return self.box.clamp(self._draw(rng, size))

    @abc.abstractmethod
    def _draw(self, rng: np.random.Generator, size: int) -> _Floats:
        """Draw vectors that may lie outside of the box."""


@dataclasses.dataclass(frozen=True, repr=False)
class VectorAdditive(VectorPrepared):
    """``center + scale * Z`` with independent coordinates.

    Attributes
    ----------
    scale : ndarray, shape (D,)
        Scale of the noise in each coordinate (private where it follows the data).
    family : Noise
        The distribution of each coordinate of Z.
    """

    scale: _Floats
    family: Noise

    def _draw(self, rng: np.random.Generator, size: int) -> _Floats:
        return self.center + self.scale * self.family.sample(rng, (size, self.center.size))


def spacing(box: Box) -> float:
    """Return what rounding to doubles can add to the distance of two outputs in a coordinate."""
    return max(side.spacing for side in box.sides)


def summing(box: Box, m: int) -> float:
    """Return what rounding while m outputs are summed can add to the distance of two means."""
    return m * spacing(box)
