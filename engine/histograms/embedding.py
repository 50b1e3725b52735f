"""Embed a ball into a cube: histograms of the cube become histograms of the ball."""

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

    Chawla, Dwork, McSherry, Talwar 2005, section 1.1, name an embedding of the ball into the cube as their
    third method, "omitted for lack of space".  This one stretches every ray from the center:

        f(x) = x |x|_2 / |x|_inf  maps the unit ball onto [-1, 1]^d,  f^-1(y) = y g,  g = |y|_inf / |y|_2.

    g is constant along rays: its gradient is orthogonal to y, and |y|_2 |grad g| = sqrt(1 - g^2) =: s.  In
    the plane of y and grad g, the derivative g I + y (grad g)^T of f^-1 is the matrix ((g, s), (0, g)); in
    all other directions it is g.  Hence

        sigma_max^2 = (1 + g^2 + sqrt((1 - g^2) (1 + 3 g^2))) / 2 <= 4/3  (at g^2 = 2/3):

    f^-1 lengthens distances at most 2 / sqrt(3) = 1.155 times (in one dimension, f(x) = x).  The rows of the
    derivative of f are I / g - (y / |y|_2) w^T with |w| = s / g^2.  Their lengths are at most 1 / g + g s /
    g^2 = (1 + s) / g <= (1 + sqrt(1 - 1/d)) sqrt(d).  So a ball of a / (2 sqrt(d)) in the unit ball maps into
    a cube of half side a.

    A cube of half side a lies in a ball of a sqrt(d).  It therefore comes from a set between balls of a / (2
    sqrt(d)) and 2 a sqrt(d / 3) around one point.  So k is at most 4 d / sqrt(3), and c = 4 k^2 is at most 64
    d^2 / 3 at all depths, of the order d^2 that the paper states.  (These sets are not convex, although
    definition 2.1 requires it.)
    """

    box: Box  # public bounds of the points; the ball is the smallest around them

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
        """Largest factor by which distances grow from the cube to the ball."""
        return 2 * self.region.radius * (2 / math.sqrt(3) if self.box.dimension > 1 else 1.0)

    def to_cube(self, points: ArrayLike) -> Floats:
        """Map points (n, d) of the ball, in data units, to the cube."""
        scaled = self.region.scale(points)
        return np.asarray(np.clip((1 + scaled * _ratios(scaled)) / 2, 0.0, 1.0))

    def to_ball(self, points: ArrayLike) -> Floats:
        """Map `points` (n, d) of the cube to the ball, in data units."""
        return self.region.unscale(_shrink(2 * np.asarray(points, dtype=np.float64) - 1))


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class EmbeddedHistogram(EnclosingHistogram):
    """A histogram of the cube, mapped to the ball."""

    rows: Ints  # (m,): indices of these cells in `whole`
    whole: Histogram  # all cells, in the unit cube
    embedding: Embedding  # the map between ball and cube

    @classmethod
    def of(cls, cube: Histogram, embedding: Embedding) -> EmbeddedHistogram:
        """Map a histogram of the cube to the ball."""
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
        """The images of the cubes' centers, shape (m, d)."""
        return self.embedding.to_ball((self.cube.lower + self.cube.upper) / 2)

    @cached_property
    def radii(self) -> Floats:
        """Half the cubes' diagonals, stretched; or the farthest corners of the boxes."""
        halves = np.linalg.norm(self.cube.upper - self.cube.lower, axis=1) / 2
        corners = np.linalg.norm(np.maximum(self.upper - self.centers, self.centers - self.lower), axis=1)
        return np.asarray(np.minimum(self.embedding.stretch * halves + self.slack, corners))

    @property
    def slack(self) -> float:
        """Largest displacement of a point by rounding, in data units."""
        region = self.embedding.region
        return SLACK * region.radius + float(np.linalg.norm(region.spacing))

    def between(self, first: ArrayLike, second: ArrayLike) -> Floats:
        stretched = self.embedding.stretch * self.cube.between(first, second)
        return np.minimum(super().between(first, second), stretched + self.slack)

    def places(self, points: ArrayLike) -> Ints:
        """Return the cell of each point; -1 also for points outside the ball."""
        values = np.atleast_2d(np.asarray(points, dtype=np.float64))
        where = np.full(
            self.whole.size + 1, -1, dtype=np.int64
        )  # the last one collects points outside all cells
        where[self.rows] = np.arange(self.size)
        inside = self.embedding.region.inside(self.embedding.region.scale(values))
        return np.where(inside, where[self.whole.places(self.embedding.to_cube(values))], -1)

    def chosen(self, cells: ArrayLike) -> EmbeddedHistogram:
        return dataclasses.replace(super().chosen(cells), rows=self.rows[np.asarray(cells)])

    def at_level(self, level: int) -> EmbeddedHistogram:
        return EmbeddedHistogram.of(self.whole.at_level(level), self.embedding)


def preimages(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Return the bounding boxes of the preimages under f of boxes in [-1, 1]^d, shape (m, d) each.

    |x_k| = |y_k| |y|_inf / |y|_2 grows with |y_k|.  In |y_j| it falls while another coordinate is larger, and
    then grows.  It is largest for maximal |y_k|, one maximal |y_a|, and all others minimal.  It is smallest
    for minimal |y_k| and |y|_inf, and all others as large as |y|_inf allows.
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
            outward = sign * end[:, k] >= 0  # the largest |x_k| is the bound; otherwise the smallest
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
