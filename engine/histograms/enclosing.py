"""Cells of any shape, described by a ball, a box and a membership test."""

from __future__ import annotations

import abc
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.domain import Box
from engine.histograms.histogram import WRITING, Histogram, uncollected
from engine.progress import Progress, part, reporting, silent
from engine.randomness import public_generator, reproducible

_SEED = 4
_MIN_SAMPLE, _MAX_SAMPLE, _TARGET_SAMPLE = 4, 256, 1 << 15  # points per cell, and for all cells
_BLOCK, _ROUNDS = 1 << 16, 16


class EnclosingHistogram(Histogram):
    """Cells within balls and boxes, which bound all distances.

    Volumes are estimated from a sample that depends only on the cells.  Cells of a ball extend beyond the
    public bounds, but no point does: samples and shares use the part of a cell within the bounds.
    """

    @property
    @abc.abstractmethod
    def box(self) -> Box:
        """Public bounds of the points."""

    @property
    @abc.abstractmethod
    def centers(self) -> Floats:
        """A point of each cell, shape (m, d)."""

    @property
    @abc.abstractmethod
    def radii(self) -> Floats:
        """Radius of a ball around the center that is guaranteed to contain the cell, shape (m,)."""

    @cached_property
    def diameters(self) -> Floats:
        """Diameter of the ball or diagonal of the box, whichever is smaller, shape (m,)."""
        return np.minimum(2 * self.radii, _lengths(self.upper - self.lower))

    def between(self, first: ArrayLike, second: ArrayLike) -> Floats:
        """Return the smallest bound on the distance from balls and boxes.

        Let b be the farthest distance of two balls, of two boxes, or of a ball and a box, and D and D' their
        diameters: |x - y| <= b <= |x - y| + D + D'.  The smallest of the four b is therefore at most |x - y|
        + Δ_x + Δ_y.  So inequality (2) of Chawla, Dwork, McSherry, Talwar 2005 holds for it as for the true
        d_H, which may be smaller.
        """
        one, other = np.asarray(first), np.asarray(second)
        centers, radii, lower, upper = self.centers, self.radii, self.lower, self.upper
        least = np.minimum(
            _lengths(np.maximum(upper[one] - lower[other], upper[other] - lower[one])),
            _lengths(centers[one] - centers[other]) + radii[one] + radii[other],
        )
        for ball, box in ((one, other), (other, one)):
            corner = np.maximum(upper[box] - centers[ball], centers[ball] - lower[box])
            least = np.minimum(least, _lengths(corner) + radii[ball])
        return np.asarray(np.where(one == other, self.diameters[one], least))

    def sampled(self, rng: np.random.Generator, sizes: ArrayLike, progress: Progress = silent) -> Floats:
        """Draw uniformly from each cell within the bounds, by rejection from its bounding box.

        If ten thousands of tries miss a thin cell, its points are put near the center.
        """
        lower, upper = self._within
        source = public_generator(rng)
        cells = np.repeat(np.arange(self.size), np.asarray(sizes, dtype=np.int64))
        points = np.clip(self.centers, lower, upper)[cells]
        missing = np.ones(len(cells), dtype=np.bool_)
        for doublings in range(_ROUNDS):
            left = np.flatnonzero(missing)
            if not len(left):
                break
            # the fewer cells are left, the more tries each gets
            repeats = max(1, min(_BLOCK // len(left), 1 << doublings))
            for start in range(0, len(left), _BLOCK):
                some = np.repeat(left[start : start + _BLOCK], repeats)
                progress(doublings / _ROUNDS, "measuring cells")
                low, high = lower[cells[some]], upper[cells[some]]
                tries = low + source.random(low.shape) * (high - low)
                hit = self.places(tries) == cells[some]
                points[some[hit]] = tries[hit]  # of several hits, which are equivalent, the last
                missing[some[hit]] = False
        return points

    @cached_property
    def _within(self) -> tuple[Floats, Floats]:
        """Bounding boxes of the cells within the bounds; of the whole cell, if no part is within."""
        low, high = np.maximum(self.lower, self.box.lower), np.minimum(self.upper, self.box.upper)
        outside = (low >= high).any(axis=1)
        low[outside], high[outside] = self.lower[outside], self.upper[outside]
        return low, high

    @cached_property
    def _sample(self) -> Floats:
        return self._draw_sample(silent)

    def _draw_sample(self, progress: Progress) -> Floats:
        """The same number of points of each cell, shape (m, s, d); deterministic."""
        each = int(np.clip(_TARGET_SAMPLE // max(1, self.size), _MIN_SAMPLE, _MAX_SAMPLE))
        points = self.sampled(reproducible(_SEED), np.full(self.size, each), progress)
        return points.reshape(self.size, each, self.dimension)

    def ready_to_measure(self, progress: Progress) -> None:
        if "_sample" not in vars(self):
            vars(self)["_sample"] = self._draw_sample(progress)  # stored where the property looks for it

    def shares(self, lower: ArrayLike, upper: ArrayLike) -> Floats:
        """Return shares of samples, shape (k, m); exact for cells that are completely outside or inside.

        With s points, 4 to 256, the standard error is at most 1 / (2 sqrt(s)) for each cell.
        """
        low, high = (np.atleast_2d(np.asarray(side, dtype=np.float64)) for side in (lower, upper))
        lowest, highest = self._within
        shares = np.zeros((len(low), self.size))
        for box, (bottom, top) in enumerate(zip(low, high, strict=True)):
            inside = ((lowest >= bottom) & (highest <= top)).all(axis=1)
            outside = ((highest < bottom) | (lowest > top)).any(axis=1)
            shares[box, inside] = 1.0
            partly = np.flatnonzero(~inside & ~outside)
            if len(partly):
                points = self._sample[partly]
                shares[box, partly] = ((points >= bottom) & (points <= top)).all(axis=2).mean(axis=1)
        return shares

    def value(self, progress: Progress = silent) -> dict[str, Any]:
        cells = super().value(part(progress, 0.0, 0.5))["cells"]
        with uncollected():
            more = zip(cells, self.centers.tolist(), self.radii.tolist(), strict=True)
            return {
                "cells": [
                    {**cell, "center": center, "radius": radius}
                    for cell, center, radius in reporting(more, len(cells), part(progress, 0.5, 1.0), WRITING)
                ]
            }


def _lengths(vectors: Floats) -> Floats:
    return np.asarray(np.linalg.norm(vectors, axis=-1))
