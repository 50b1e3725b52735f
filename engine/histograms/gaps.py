"""Distances of cells, and lower bounds on them between groups of cells."""

from __future__ import annotations

import abc
import dataclasses
import math

import numpy as np

from engine.array_types import Floats


@dataclasses.dataclass(frozen=True, eq=False)
class Gaps(abc.ABC):
    """Describes m cells so that the minimum of each column bounds the distances of groups."""

    unit: float  # unit of all measurements, a power of two, so that no square overflows

    @property
    @abc.abstractmethod
    def rows(self) -> Floats:
        """The description of each cell, shape (m, f); for a group, the minimum of each column."""

    @abc.abstractmethod
    def least(self, first: Floats, second: Floats) -> Floats:
        """Return a lower bound on d_H between groups (p, f) and (p, f), in units; exact for single cells."""


@dataclasses.dataclass(frozen=True, eq=False)
class BoxGaps(Gaps):
    """Boxes with the distance of their farthest points; points are boxes with sides 0.

    On an axis the farthest points are max(b - a', b' - a) = |c - c'| + h + h' apart.  Here [a, b] and [a',
    b'] have centers c, c' and half lengths h, h'.  For groups this is at least max(min b - max a', min b' -
    max a, min h + min h').
    """

    lower: Floats
    upper: Floats

    @classmethod
    def of(cls, lower: Floats, upper: Floats) -> BoxGaps:
        """Measure boxes (m, d) to (m, d) in a unit near their extent."""
        unit = power_of_two(upper.max(axis=0, initial=0) - lower.min(axis=0, initial=0))
        return cls(unit, lower / unit, upper / unit)

    @property
    def rows(self) -> Floats:
        """Upper corners, lower corners negated, half lengths: shape (m, 3d)."""
        return np.hstack([self.upper, -self.lower, self.upper / 2 - self.lower / 2])

    def least(self, first: Floats, second: Floats) -> Floats:
        d = self.lower.shape[1]
        apart = first[:, :d] + second[:, d : 2 * d]
        np.maximum(apart, first[:, d : 2 * d] + second[:, :d], out=apart)
        np.maximum(apart, first[:, 2 * d : 3 * d] + second[:, 2 * d : 3 * d], out=apart)
        return _lengths(apart)


@dataclasses.dataclass(frozen=True, eq=False)
class SurroundedGaps(Gaps):
    """Cells within balls and boxes: the smallest of the four distances between balls and boxes.

    See `EnclosingHistogram.between`.  For groups, each of the four is bounded separately.
    """

    boxes: BoxGaps
    centers: Floats
    radii: Floats

    @classmethod
    def of(cls, lower: Floats, upper: Floats, centers: Floats, radii: Floats) -> SurroundedGaps:
        """Measure boxes (m, d) to (m, d), and balls with centers (m, d) and radii (m,)."""
        boxes = BoxGaps.of(lower, upper)
        return cls(boxes.unit, boxes, centers / boxes.unit, radii / boxes.unit)

    @property
    def rows(self) -> Floats:
        """The rows of boxes, centers, negated centers, radii: shape (m, 5d + 1)."""
        return np.column_stack([self.boxes.rows, self.centers, -self.centers, self.radii])

    def least(self, first: Floats, second: Floats) -> Floats:
        d = self.centers.shape[1]
        at, back = slice(3 * d, 4 * d), slice(4 * d, 5 * d)
        apart = np.maximum(first[:, at] + second[:, back], first[:, back] + second[:, at])
        balls = _lengths(np.maximum(apart, 0.0)) + first[:, -1] + second[:, -1]
        least = np.minimum(self.boxes.least(first, second), balls)
        for ball, box in ((first, second), (second, first)):
            corner = np.maximum(box[:, :d] + ball[:, back], box[:, d : 2 * d] + ball[:, at])
            np.maximum(corner, box[:, 2 * d : 3 * d], out=corner)
            np.minimum(least, _lengths(corner) + ball[:, -1], out=least)
        return least


@dataclasses.dataclass(frozen=True, eq=False)
class StretchedGaps(Gaps):
    """The smaller of the distances from balls and boxes, and of stretched distances in the cube.

    See `EmbeddedHistogram.between`.
    """

    here: SurroundedGaps
    there: BoxGaps
    stretch: float
    slack: float

    @classmethod
    def of(cls, here: SurroundedGaps, there: BoxGaps, stretch: float, slack: float) -> StretchedGaps:
        """Measure by `here`, or by `there` times `stretch` plus `slack`."""
        return cls(here.unit, here, there, stretch * (there.unit / here.unit), slack / here.unit)

    @property
    def rows(self) -> Floats:
        return np.hstack([self.here.rows, self.there.rows])

    def least(self, first: Floats, second: Floats) -> Floats:
        d = self.there.lower.shape[1]
        there = self.there.least(first[:, -3 * d :], second[:, -3 * d :])
        here = self.here.least(first[:, : -3 * d], second[:, : -3 * d])
        return np.minimum(here, self.stretch * there + self.slack)


def power_of_two(lengths: Floats) -> float:
    """Return the largest power of two that is not above the largest of `lengths`; 1 if all are 0."""
    longest = float(lengths.max(initial=0.0))
    return math.ldexp(1.0, math.frexp(longest)[1] - 1) if longest > 0 else 1.0


def _lengths(vectors: Floats) -> Floats:
    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return lengths
