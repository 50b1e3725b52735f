"""A ball as a cube: histograms of the cube are histograms of the ball."""

from __future__ import annotations

import dataclasses
import math
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.domain import Box
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.histogram import Histogram
from engine.histograms.voronoi_region import SLACK, Region


@dataclasses.dataclass(frozen=True)
class Embedding:
    """The map of the ball around a box onto the unit cube.

    Chawla, Dwork, McSherry, Talwar 2005, section 1.1, name an embedding of the ball into the cube
    as their third method, "omitted for lack of space".  This one stretches every ray from the center:

        f(x) = x |x|_2 / |x|_inf  maps the unit ball onto [-1, 1]^d,  f^-1(y) = y g,  g = |y|_inf / |y|_2.

    g is constant along rays, so that its gradient is orthogonal to y, and |y|_2 |grad g| =
    sqrt(1 - g^2) =: s.  In the plane of y and grad g, the derivative g I + y (grad g)^T of f^-1 is
    the matrix ((g, s), (0, g)); in all other directions it is g.  Hence

        sigma_max^2 = (1 + g^2 + sqrt((1 - g^2) (1 + 3 g^2))) / 2 <= 4/3  (at g^2 = 2/3):

    f^-1 makes distances at most 2 / sqrt(3) = 1.155 times as long (in one dimension, f(x) = x).  The
    rows of the derivative of f, I / g - (y / |y|_2) w^T with |w| = s / g^2, have lengths of at most
    1 / g + g s / g^2 = (1 + s) / g <= (1 + sqrt(1 - 1/d)) sqrt(d): a ball of a / (2 sqrt(d)) in the
    unit ball is within a cube of half side a.  A cube of half side a, within a ball of a sqrt(d),
    thus comes from a set between balls of a / (2 sqrt(d)) and 2 a sqrt(d / 3) around one point: k is
    at most 4 d / sqrt(3), and c = 4 k^2 = 64 d^2 / 3 at most, the same at all depths, and of the
    order d^2 that the paper states.  (These sets are not convex, as definition 2.1 wants them.)
    """

    box: Box  # public bounds of the points; the ball is the smallest around it

    @cached_property
    def region(self) -> Region:
        """The ball around the box."""
        return Region(self.box, is_ball=True)

    @property
    def cube(self) -> Box:
        """The unit cube [0, 1]^d."""
        return Box.of([0.0] * self.box.dimension, [1.0] * self.box.dimension)

    @property
    def stretch(self) -> float:
        """How many times as far apart points of the ball may be as those of the cube, at most."""
        return 2 * self.region.radius * (2 / math.sqrt(3) if self.box.dimension > 1 else 1.0)

    def to_cube(self, points: ArrayLike) -> Floats:
        """Return where points (n, d) of the ball, in data units, are in the cube."""
        scaled = self.region.scale(points)
        return np.asarray(np.clip((1 + scaled * _ratios(scaled)) / 2, 0.0, 1.0))

    def to_ball(self, points: ArrayLike) -> Floats:
        """Return which points of the ball, in data units, are at `points` (n, d) of the cube."""
        return self.region.unscale(_shrink(2 * np.asarray(points, dtype=np.float64) - 1))


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class EmbeddedHistogram(EnclosingHistogram):
    """A histogram of the cube, as one of the ball."""

    rows: Ints  # (m,): which cells of `whole` these are
    whole: Histogram  # all cells, in the unit cube
    embedding: Embedding  # which point of the ball is where in the cube

    @classmethod
    def of(cls, cube: Histogram, embedding: Embedding) -> EmbeddedHistogram:
        """Return what a histogram of the cube says about the ball."""
        region = embedding.region
        lower, upper = preimages(2 * cube.lower - 1, 2 * cube.upper - 1)
        low, high = region.unscale(lower - SLACK), region.unscale(upper + SLACK)
        low, high = low - region.spacing, high + region.spacing
        return cls(low, high, cube.counts, cube.level, np.arange(cube.size), cube, embedding)

    @cached_property
    def cube(self) -> Histogram:
        """The same cells, in the unit cube."""
        return self.whole.chosen(self.rows)

    @property
    def box(self) -> Box:
        return self.embedding.box

    @cached_property
    def centers(self) -> Floats:
        """What is at the middles of the cubes, shape (m, d)."""
        return self.embedding.to_ball((self.cube.lower + self.cube.upper) / 2)

    @cached_property
    def radii(self) -> Floats:
        """Half the cubes' diagonals, stretched; or the farthest corners of the boxes."""
        halves = np.linalg.norm(self.cube.upper - self.cube.lower, axis=1) / 2
        corners = np.linalg.norm(np.maximum(self.upper - self.centers, self.centers - self.lower), axis=1)
        return np.asarray(np.minimum(self.embedding.stretch * halves + self.slack, corners))

    @property
    def slack(self) -> float:
        """By how much rounding may move a point, in data units."""
        region = self.embedding.region
        return SLACK * region.radius + float(np.linalg.norm(region.spacing))

    def between(self, first: ArrayLike, second: ArrayLike) -> Floats:
        stretched = self.embedding.stretch * self.cube.between(first, second)
        return np.minimum(super().between(first, second), stretched + self.slack)

    def places(self, points: ArrayLike) -> Ints:
        """Return which cell holds each point; -1 also for points that are not in the ball."""
        values = np.atleast_2d(np.asarray(points, dtype=np.float64))
        where = np.full(self.whole.size + 1, -1, dtype=np.int64)  # the last one is for points in none
        where[self.rows] = np.arange(self.size)
        inside = self.embedding.region.inside(self.embedding.region.scale(values))
        return np.where(inside, where[self.whole.places(self.embedding.to_cube(values))], -1)

    def chosen(self, cells: ArrayLike) -> EmbeddedHistogram:
        return dataclasses.replace(super().chosen(cells), rows=self.rows[np.asarray(cells)])

    def at_level(self, level: int) -> EmbeddedHistogram:
        return EmbeddedHistogram.of(self.whole.at_level(level), self.embedding)


def preimages(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Return the smallest boxes around what f^-1 makes of boxes in [-1, 1]^d, shape (m, d) each.

    |x_k| = |y_k| |y|_inf / |y|_2 grows with |y_k|, and in |y_j| falls as long as another coordinate
    is larger, and grows from there.  It is largest if |y_k| is, one |y_a| is as large as it can be, and
    all others are as small as they can be; least if |y_k| and |y|_inf are as small as they can be, and
    all others as large as |y|_inf allows.
    """
    largest = np.maximum(np.abs(lower), np.abs(upper))
    least = np.where((lower <= 0) & (upper >= 0), 0.0, np.minimum(np.abs(lower), np.abs(upper)))
    common = least.max(axis=1, keepdims=True)
    corners = np.empty_like(lower), np.empty_like(upper)
    for sign, end, bound in ((-1.0, lower, corners[0]), (1.0, upper, corners[1])):
        for k in range(lower.shape[1]):
            y = least.copy()
            y[:, k] = np.abs(end[:, k])
            far = _shrink(y)[:, k]
            for a in range(lower.shape[1]):
                if a != k:
                    one = y.copy()
                    one[:, a] = largest[:, a]
                    far = np.maximum(far, _shrink(one)[:, k])
            y = np.minimum(largest, common)
            y[:, k] = np.abs(end[:, k])
            outward = sign * end[:, k] >= 0  # the bound is the largest |x_k|; otherwise the least
            bound[:, k] = sign * np.where(outward, far, -_shrink(y)[:, k])
    return corners


def _ratios(vectors: Floats) -> Floats:
    """Return |x|_2 / |x|_inf, shape (n, 1); 1 for 0."""
    longest = np.abs(vectors).max(axis=-1, keepdims=True)
    safe = np.where(longest > 0, longest, 1.0)
    lengths = np.linalg.norm(vectors / safe, axis=-1, keepdims=True)
    return np.asarray(np.where(longest > 0, lengths, 1.0))


def _shrink(vectors: Floats) -> Floats:
    return np.asarray(vectors / _ratios(vectors))
