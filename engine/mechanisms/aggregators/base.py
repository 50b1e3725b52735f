"""What every aggregator offers: from the outputs of m blocks to one private output."""

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


@dataclasses.dataclass(frozen=True)
class Aggregator(Component, abc.ABC, family="aggregator"):
    """A private way from m outputs, of which one person can change s, to one output; `Average` is one."""

    hides: ClassVar[str] = "Laplace"  # the noise, where no family can be chosen
    on_a_line: ClassVar[bool] = False  # whether it takes outputs of one coordinate only
    # Whether it looks at how far from each output others are; the planner's bound is about that
    by_radii: ClassVar[bool] = False

    def resolve_noise(self) -> Aggregator:
        """Return the same with whatever a public rule chooses, such as noise, chosen."""
        return self

    def steps(self, space: OutputSpace) -> list[float]:
        """Return the spacing of the public grid of each released coordinate."""
        return [grid.step for grid in output_grids(space.box)]

    @abc.abstractmethod
    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        """Return what makes no sense, from public facts alone."""

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return what a release costs as concentrated privacy, whatever the outputs are."""
        return of_approximate(privacy)

    def memory(self, m: int) -> MemoryNeeded:
        """Return about how much memory it takes to aggregate m outputs."""
        return MemoryNeeded()

    def fewest(self, space: OutputSpace, s: int, privacy: Privacy) -> int:
        """Return how many blocks make sense at least (public)."""
        return 1

    def expected_noise(
        self, blocks: Floats, radius: Floats, space: OutputSpace, s: int, privacy: Privacy
    ) -> Floats | None:
        """Return how long the noise typically is (public), for a planner; None where nothing is known.

        For numbers of blocks, shape (c,), and the radius, shape (c,), within which three quarters of the
        outputs lie around what is sought: the accuracy of blocks of that size (Nissim, Raskhodnikova, Smith
        2007, Definition 4.1).
        """
        return None

    @abc.abstractmethod
    def prepare(
        self, outputs: Floats, space: OutputSpace, s: int, privacy: Privacy, progress: Progress = silent
    ) -> VectorPrepared:
        """Do everything that depends on the outputs, an array of shape (m, D) in the box of `space`."""


@dataclasses.dataclass(frozen=True, repr=False)
class VectorPrepared(Prepared, abc.ABC):
    """Ready to draw vectors; they are moved into the public box, which costs nothing."""

    center: Floats  # shape (D,): the aggregate without noise (private)
    box: Box  # where outputs live
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private
    only_simulates: bool = dataclasses.field(default=False, kw_only=True)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return self.box.clamp(self._draw(rng, size, progress))

    @abc.abstractmethod
    def _draw(self, rng: np.random.Generator, size: int, progress: Progress) -> Floats:
        """Draw vectors that may lie outside of the box."""


@dataclasses.dataclass(frozen=True, repr=False)
class VectorAdditive(VectorPrepared):
    """``center + scale * Z``, each coordinate rounded to a public grid."""

    exact: tuple[Fraction, ...]  # the center without any rounding: what enters a release (private)
    scale: Floats  # shape (D,): of the noise in each coordinate (private where it follows the data)
    family: Noise  # the distribution of Z
    joint: bool = True  # one draw of Z for all coordinates; else one for each, calibrated one by one

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
        # what one draw shares among its coordinates stays the same while each is rounded
        bits = [Bits() for _ in grids]

        def value(index: int) -> arb:
            seen = bits if self.joint else bits[index : index + 1]
            noise = self.family.enclosed_coordinate(seen, index if self.joint else 0)
            return ball(self.exact[index]) + ball(float(self.scale[index])) * noise

        return [grid.nearest(functools.partial(value, index)) for index, grid in enumerate(grids)]


def output_grids(box: Box) -> tuple[OutputGrid, ...]:
    """Return the public grid of each coordinate of what is released in a box."""
    return tuple(OutputGrid.of(side.width, side.lower, side.upper) for side in box.sides)


def exact_mean(vectors: Floats) -> tuple[Fraction, ...]:
    """Return the mean of vectors (m, D), without any rounding."""
    return tuple(exact_sum(column) / len(vectors) for column in vectors.T)


def nearest_doubles(numbers: tuple[Fraction, ...]) -> Floats:
    """Return exact numbers as an array."""
    return np.array([float(number) for number in numbers], dtype=np.float64)
