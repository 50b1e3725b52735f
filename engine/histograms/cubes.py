"""Two ways to halve a box recursively: cubes, and cubes with a random shift.

All is computed on the unit cube, with integers: 2^30 steps per side.  A level is a product of partitions of
the axes, and refines the level before.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
from collections.abc import Iterator
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.array_types import Floats, Ints
from engine.domain import Box

_Fine = NDArray[np.int32]
LevelT = TypeVar("LevelT", int, Ints, int | Ints)

BITS = 30
DEEPEST = BITS - 1
"""Largest number of splits: the sides of a shifted cell are then a few steps."""

_BLOCK = 1 << 16
"""Points per block, so that intermediate results fit into the processor's cache."""


def blocks(size: int) -> Iterator[slice]:
    """Yield slices of a few points, one after another."""
    return (slice(start, min(size, start + _BLOCK)) for start in range(0, size, _BLOCK))


@dataclasses.dataclass(frozen=True, eq=False)
class Scheme(abc.ABC):
    """Nested partitions of a box, independent of the data."""

    box: Box  # the box to split
    ways: ClassVar[int]  # largest number of parts of an axis of a cell

    @property
    def dimension(self) -> int:
        """Number of axes d."""
        return self.box.dimension

    @property
    def facts(self) -> dict[str, Any]:
        """Facts that a release states beside the cells."""
        return {}

    def fine(self, points: ArrayLike) -> _Fine:
        """Return points of the box, shape (n, d), in integer steps; upper faces belong to the last step.

        A point belongs to the last step that begins at or before it, with the rounding of `to_coordinates`.
        So released faces belong to the cells above them.
        """
        values = np.asarray(points, dtype=np.float64)
        steps = np.empty(values.shape, dtype=np.int32, order="F")  # axis by axis
        for axis in range(self.dimension):
            for some in blocks(len(values)):
                steps[some, axis] = self._fine(values[some, axis], axis)
        return steps

    def _fine(self, values: Floats, axis: int) -> Floats:
        side = self.box.sides[axis]
        column = values - side.lower
        column *= 2.0**BITS / side.width
        np.clip(column, 0, 2**BITS - 1, out=column)
        spacing = float(np.spacing(max(abs(side.lower), abs(side.upper))))
        doubt = 2.0**-20 + 4 * spacing / side.width * 2**BITS  # more than occasional rounding
        near = np.flatnonzero(np.abs(column - np.rint(column)) <= doubt)
        column[near] = self._settle_steps(values[near], column[near], doubt, axis)
        return column  # will be truncated, not rounded

    def _settle_steps(self, values: Floats, column: Floats, doubt: float, axis: int) -> Floats:
        """Return the steps of coordinates that may lie on a face, by bisection, which rarely needs a second
        step.
        """
        steps: Floats = np.clip(np.ceil(column - doubt) - 1, 0, None)
        for bit in reversed(range((int(2 * doubt) + 1).bit_length())):
            steps += 2.0**bit * (self.to_coordinates(steps + 2**bit, axis) <= values)
        return np.clip(steps, None, 2**BITS - 1)

    @abc.abstractmethod
    def shift(self, axis: int) -> int:
        """Return the position of the first plane, in steps."""

    @abc.abstractmethod
    def step(self, level: LevelT) -> LevelT:
        """Return the distance of planes at a level, in steps, as an exponent of 2."""

    @abc.abstractmethod
    def ends(self, level: int, axis: int) -> tuple[int, int]:
        """Return the numbers of the first and the last part, counted in distances from the shift."""

    def parts(self, level: int) -> tuple[int, ...]:
        """Return the number of parts of each axis at a level."""
        ends = (self.ends(level, axis) for axis in range(self.dimension))
        return tuple(last - first + 1 for first, last in ends)

    def index(self, fine: ArrayLike, level: int, axis: int) -> NDArray[np.int32]:
        """Return the part of an axis, from 0, that contains each coordinate, given in steps."""
        first, last = self.ends(level, axis)
        raw = np.atleast_1d(np.asarray(fine, dtype=np.int32) - np.int32(self.shift(axis)))
        raw >>= np.int32(self.step(level))
        raw.clip(np.int32(first), np.int32(last), out=raw)  # faster than minimum and maximum
        raw -= np.int32(first)
        return raw

    def first(self, index: ArrayLike, level: int, axis: int) -> Ints:
        """Return the first part of the next level within each part of this one."""
        parts = np.asarray(index, dtype=np.int64)
        low, below = self.ends(level, axis)[0], self.ends(level + 1, axis)[0]
        return np.where(parts == 0, 0, 2 * (parts + low) - below)

    def parent(self, index: ArrayLike, level: int, axis: int) -> Ints:
        """Return the part of the previous level that contains each part of this one."""
        (first, _), (low, high) = self.ends(level, axis), self.ends(level - 1, axis)
        parents: Ints = np.clip((np.asarray(index, dtype=np.int64) + first) >> 1, low, high) - low
        return parents

    def following(self, index: ArrayLike, level: int, axis: int) -> Ints:
        """Return the part of the next level after the last one within each part of this one."""
        parts = np.asarray(index, dtype=np.int64)
        (low, high), (below, end) = self.ends(level, axis), self.ends(level + 1, axis)
        return np.where(parts == high - low, end - below + 1, 2 * (parts + low + 1) - below)

    def plane(self, index: ArrayLike, level: int | Ints, axis: int) -> Floats:
        """Return the start of each part of an axis, in the unit of the data; one past the last is its end.

        Each part may have a level of its own.
        """
        parts = np.asarray(index, dtype=np.int64)
        first, last = np.array([self.ends(one, axis) for one in range(DEEPEST + 1)])[level].T
        inner = self.shift(axis) + (parts + first) * 2 ** self.step(level)
        return self.to_coordinates(
            np.where(parts == 0, 0, np.where(parts > last - first, 2**BITS, inner)), axis
        )

    def planes(self, level: int, axis: int) -> Floats:
        """Return the bounds of all parts of an axis, one more than parts."""
        return self.plane(np.arange(self.parts(level)[axis] + 1), level, axis)

    def to_coordinates(self, fine: ArrayLike, axis: int) -> Floats:
        """Convert steps to coordinates in the unit of the data."""
        side = self.box.sides[axis]
        share = np.asarray(fine, dtype=np.float64) / 2.0**BITS
        return np.where(share == 1, side.upper, side.lower + share * side.width)

    def bounds(self, index: Ints, level: int | Ints) -> tuple[Floats, Floats]:
        """Return the lower and upper corners of cells, given by their indices, shape (m, d)."""
        ends = [self.plane([part, part + 1], level, axis) for axis, part in enumerate(index.T)]
        lower, upper = np.stack(ends, axis=-1)
        return lower, upper


class Cubes(Scheme):
    """Every side is halved: 2^d children [low, middle), [middle, high).

    Source: Chawla, Dwork, McSherry, Smith, Wee 2005; Chawla, Dwork, McSherry, Talwar 2005, section 1.1.
    """

    ways: ClassVar[int] = 2

    def shift(self, axis: int) -> int:
        """Return 0."""
        return 0

    def step(self, level: LevelT) -> LevelT:
        return BITS - level

    def ends(self, level: int, axis: int) -> tuple[int, int]:
        """Return 0 and 2^level - 1."""
        return 0, 2**level - 1


@dataclasses.dataclass(frozen=True, eq=False)
class ShiftedCubes(Scheme):
    """Cubes of an inflated box around a random center; thin cells at the faces join their neighbours.

    With u in [0, 1]^d, the box u + [-1, 1]^d is halved; planes u + Z s, s = 2^-(level + 1), split the unit
    cube.  Cells at its faces may be arbitrarily thin: the paper removes them, and their neighbours grow.
    Since everything is a product, this means to keep on each axis the planes p with s < p < 1 - s.  All sides
    are then in [s, 2 s]; levels are nested, and a side is split into two or three.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 3.1.  Levels count from the first that has planes:
    level l here is level l + 2 there.

    `shifts` is u for each axis, in steps.
    """

    shifts: tuple[int, ...]
    ways: ClassVar[int] = 3

    @classmethod
    def draw(cls, box: Box, rng: np.random.Generator) -> ShiftedCubes:
        """Draw the shift from the uniform distribution."""
        return cls(box, tuple(rng.integers(0, 2**BITS, box.dimension).tolist()))

    @property
    def facts(self) -> dict[str, Any]:
        """u as shares of the sides: the shift is public."""
        return {"shift": [shift / 2**BITS for shift in self.shifts]}

    def shift(self, axis: int) -> int:
        return self.shifts[axis]

    def step(self, level: LevelT) -> LevelT:
        return BITS - 1 - level

    def ends(self, level: int, axis: int) -> tuple[int, int]:
        return _ends(2 ** self.step(level), self.shifts[axis])

    def all_planes(self, level: int, axis: int) -> Floats:
        """Return all planes that split an axis before thin cells join their neighbours, with both ends."""
        s, u = 2 ** self.step(level), self.shifts[axis]
        inner = u + np.arange(-u // s, (2**BITS - u) // s + 1, dtype=np.int64) * s
        inside = inner[(inner > 0) & (inner < 2**BITS)]
        return self.to_coordinates(np.concatenate([[0], inside, [2**BITS]]), axis)


@functools.lru_cache(1 << 10)
def _ends(s: int, u: int) -> tuple[int, int]:
    """Return the numbers of the parts at the faces, for planes u + Z s."""
    first = (s - u) // s  # the plane after it is the first one above s
    last = -((s + u - 2**BITS) // s) - 1  # the last one below 1 - s
    return first, max(first, last)
