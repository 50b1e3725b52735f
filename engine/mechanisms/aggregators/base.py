"""The base class of aggregators, which combine the outputs of m blocks into one private output."""

from __future__ import annotations

import abc
import dataclasses
import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats
from engine.components import Component
from engine.domain import Box
from engine.free_memory import MemoryNeeded
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private
from engine.noise import Noise
from engine.primitives import Concentrated, of_approximate
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.randomness import is_release
from engine.sampling.output_grid import OutputGrid
from engine.sampling.sums import exact_sum

if TYPE_CHECKING:
    from flint import arb


class Aggregator(Component, abc.ABC, family="aggregator"):
    """Combines m outputs, where one person changes s, into a private one; `Average` is an example."""

    hides: ClassVar[str] = "Laplace"  # the noise, if no family can be chosen
    on_a_line: ClassVar[bool] = False  # whether outputs must have one coordinate
    # Whether it uses the radii of balls around outputs, which the planner's bound is about
    by_radii: ClassVar[bool] = False

    def resolve_noise(self) -> Aggregator:
        """Return a copy in which every automatic choice, such as of noise, is made."""
        return self

    def steps(self, space: OutputSpace) -> list[float]:
        """Return the spacing of the public grid of each released coordinate."""
        return [grid.step for grid in output_grids(space.box)]

    @abc.abstractmethod
    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        """Return the problems of these settings, from public facts alone."""

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the zCDP cost of a release, for any outputs."""
        return of_approximate(privacy)

    def memory(self, m: int) -> MemoryNeeded:
        """Estimate the memory to aggregate m outputs."""
        return MemoryNeeded()

    def fewest(self, space: OutputSpace, s: int, privacy: Privacy) -> int:
        """Return the smallest useful number of blocks (public)."""
        return 1

    def expected_noise(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, privacy: Privacy
    ) -> Floats | None:
        """Return the typical length of the noise (public), for a planner; None if there is no estimate.

        `blocks`, shape (c,), are candidate numbers of blocks.  `radius`, shape (c,), is the accuracy of
        blocks of that size: three quarters of the outputs are within this distance of the target (Nissim,
        Raskhodnikova, Smith 2007, Definition 4.1).
        """
        return None

    @abc.abstractmethod
    def prepare(
        self, outputs: Floats, space: OutputSpace, s: int, privacy: Privacy, progress: Progress = silent
    ) -> VectorPrepared:
        """Do everything that depends on the outputs, an array of shape (m, D) in the box of `space`."""


@dataclasses.dataclass(frozen=True, repr=False)
class VectorPrepared(Prepared, abc.ABC):
    """Ready to draw vectors, which are clamped to the public box at no cost."""

    center: Floats  # (D,), the aggregate without noise (private)
    box: Box  # bounds of the outputs
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private
    only_simulates: bool = dataclasses.field(default=False, kw_only=True)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return self.box.clamp(self._draw(rng, size, progress))

    @abc.abstractmethod
    def _draw(self, rng: np.random.Generator, size: int, progress: Progress) -> Floats:
        """Draw vectors, which may lie outside the box."""


@dataclasses.dataclass(frozen=True, repr=False)
class VectorAdditive(VectorPrepared):
    """``center + scale * Z``, each coordinate rounded to a public grid."""

    exact: tuple[Fraction, ...]  # the center without rounding, for releases (private)
    scale: Floats  # (D,), scale of the noise in each coordinate (private if it depends on the data)
    family: Noise  # the distribution of Z
    joint: bool = True  # True: one vector Z; False: an independent Z, with its own scale, per coordinate

    def _draw(self, rng: np.random.Generator, size: int, progress: Progress) -> Floats:
        if not is_release(rng):
            return self.center + self.simulated_noise(rng, size)
        return np.array([self._released() for _ in range(size)], dtype=np.float64)

    def simulated_noise(self, rng: np.random.Generator, size: int) -> Floats:
        """Draw `size` vectors of noise for a simulation, shape (size, D)."""
        law, d = self.family, self.center.size
        return self.scale * (law.sample_vectors(rng, size, d) if self.joint else law.sample(rng, (size, d)))

    def _released(self) -> list[float]:
        from engine.sampling.balls import Bits, ball

        grids = output_grids(self.box)
        # the coordinates of one vector share random bits, which must not change between roundings
        bits = [Bits() for _ in grids]

        def value(index: int) -> arb:
            seen = bits if self.joint else bits[index : index + 1]
            noise = self.family.enclosed_coordinate(seen, index if self.joint else 0)
            return ball(self.exact[index]) + ball(float(self.scale[index])) * noise

        return [grid.nearest(functools.partial(value, index)) for index, grid in enumerate(grids)]


def output_grids(box: Box) -> tuple[OutputGrid, ...]:
    """Return the public grid of each released coordinate in a box."""
    return tuple(OutputGrid.of(side.width, side.lower, side.upper) for side in box.sides)


def exact_mean(vectors: Floats) -> tuple[Fraction, ...]:
    """Return the mean of vectors (m, D) without rounding."""
    return tuple(exact_sum(column) / len(vectors) for column in vectors.T)


def nearest_doubles(numbers: tuple[Fraction, ...]) -> Floats:
    """Round exact numbers to doubles, shape (D,)."""
    return np.array([float(number) for number in numbers], dtype=np.float64)
