"""Hockey-stick divergence between Z and Delta + e^lambda Z, by numbers alone.

For densities p and q the divergence at epsilon is ``delta = integral of
max(p - e^epsilon q, 0)``: the smallest delta with which the pair is
(epsilon, delta)-close.  Only the family's density, cdf and quantile are used, none of
the formulas from which pairs are calibrated.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Floats
from engine.noise import special
from engine.noise.base import Noise

DEEPEST = 1e-40
"""Probability beyond which the tails are left out of a divergence."""

FARTHEST = 1e250
THINNEST = -1e4
"""How far out the log-ratio is looked at: where its rounding error is still small."""

NEGLIGIBLE = 1e-11
"""A log-ratio above epsilon by less than this is rounding."""


Rows = NDArray[np.intp] | slice


class Pairs:
    """Many pairs (Z, Delta + e^lambda Z) of one family at once, in one dimension.

    The line is cut at quantiles of Z (equidistant in normal scores), at those of the
    other law, and around 0 and Delta, where the log-ratio turns.

    Parameters
    ----------
    noise : Noise
        The family.
    lam, delta : arrays of shape (pairs,)
        The pairs; Delta >= 0.
    refine : int
        Into how many parts every cell is cut further.
    """

    def __init__(self, noise: Noise, lam: Floats, delta: Floats, refine: int = 1) -> None:
        self.noise = noise
        self.lam = np.asarray(lam, dtype=np.float64)[:, None]
        self.delta = np.asarray(delta, dtype=np.float64)[:, None]
        grid = _grid(noise)
        around = np.linspace(-2, 3, 21)  # includes 0 and Delta
        edges = np.concatenate(
            [
                np.broadcast_to(grid, (len(self.lam), grid.size)),
                self.delta + np.exp(self.lam) * grid[:: len(grid) // 160],
                self.delta * around,
            ],
            axis=1,
        )
        edges.sort(axis=1)
        if refine > 1:
            parts = np.arange(refine) / refine
            cut = edges[:, :-1, None] + np.diff(edges, axis=1)[:, :, None] * parts
            edges = np.concatenate([cut.reshape(len(edges), -1), edges[:, -1:]], axis=1)
        self.edges = edges

    def loss(self, z: Floats, rows: Rows = slice(None)) -> Floats:
        """Return the log-ratio at `z`, of shape (pairs, ...), for the pairs in `rows`."""
        lam, delta = self.lam[rows], self.delta[rows]
        return self.noise.log_density(z) - self.noise.log_density((z - delta) * np.exp(-lam)) + lam

    @functools.cached_property
    def losses(self) -> Floats:
        """The log-ratio at the edges."""
        return self.loss(self.edges)

    @functools.cached_property
    def masses(self) -> tuple[Floats, Floats]:
        """The mass of every cell under either law."""
        return self._between(self.edges)

    def _between(self, edges: Floats, rows: Rows = slice(None)) -> tuple[Floats, Floats]:
        """Return the masses between neighbouring `edges`, for the pairs in `rows`."""
        lam, delta = self.lam[rows], self.delta[rows]
        return _masses(self.noise, edges), _masses(self.noise, (edges - delta) * np.exp(-lam))

    def divergence(self, epsilon: float) -> Floats:
        """Return delta(epsilon) of every pair; its relative error is below 1e-6, its absolute below 1e-14.

        A cell in which the log-ratio crosses epsilon is cut at the crossing, found by
        bisection; the error of a cut is of second order.
        """
        excess = self.losses - epsilon
        positive = excess > NEGLIGIBLE
        p, q = self.masses
        gain = np.maximum(p - math.exp(epsilon) * q, 0)
        total: Floats = np.sum(np.where(positive[:, :-1] & positive[:, 1:], gain, 0), axis=1)
        rows, cells = np.nonzero(positive[:, :-1] != positive[:, 1:])
        if rows.size:
            left, right = self.edges[rows, cells][:, None], self.edges[rows, cells + 1][:, None]
            starts_positive = positive[rows, cells][:, None]
            low, high = left.copy(), right.copy()
            for _ in range(16):
                middle = (low + high) / 2
                same = (self.loss(middle, rows) > epsilon) == starts_positive
                low, high = np.where(same, middle, low), np.where(same, high, middle)
            ends = np.where(starts_positive, left, low), np.where(starts_positive, low, right)
            p, q = self._between(np.concatenate(ends, axis=1), rows)
            np.add.at(total, rows, np.maximum(p - math.exp(epsilon) * q, 0)[:, 0])
        return total

    @functools.cached_property
    def supremum(self) -> Floats:
        """The sup of the log-ratio of every pair, infinite where it is unbounded."""
        reach = _reach(self.noise)
        far = np.broadcast_to(np.concatenate([-reach[::-1], reach]), (len(self.lam), 2 * reach.size))
        outside = self.loss(far)
        best = np.argmax(self.losses, axis=1)
        at_edges = np.take_along_axis(self.losses, best[:, None], axis=1)[:, 0]
        rows = np.arange(len(best))
        low = self.edges[rows, np.maximum(best - 1, 0)][:, None]
        high = self.edges[rows, np.minimum(best + 1, self.edges.shape[1] - 1)][:, None]
        parts = np.linspace(0, 1, 33)
        for _ in range(3):
            inner = low + (high - low) * parts
            values = self.loss(inner)
            peak = np.argmax(values, axis=1)
            low = inner[rows, np.maximum(peak - 1, 0)][:, None]
            high = inner[rows, np.minimum(peak + 1, 32)][:, None]
        result = np.maximum(at_edges, values.max(axis=1))
        ends = np.maximum(outside[:, 0], outside[:, -1])
        still_grows = ends > 1e-6 + np.maximum(result, outside[:, 1:-1].max(axis=1))
        return np.where(still_grows, np.inf, np.maximum(result, ends))


@functools.lru_cache(maxsize=64)
def _grid(noise: Noise) -> Floats:
    """Return quantiles of Z, equidistant in normal scores, with 0 among them."""
    scores = np.linspace(special.ndtri(DEEPEST), 0, 321)
    lower = np.maximum(noise.quantile(special.ndtr(scores)), -FARTHEST)
    return np.concatenate([lower, -lower[-2::-1]])


@functools.lru_cache(maxsize=64)
def _reach(noise: Noise) -> Floats:
    """Return three points out in the tail; a log-ratio that grows from each to the next is unbounded."""
    far = np.geomspace(1, FARTHEST, 2000)
    last = np.searchsorted(-noise.log_density(far), -THINNEST) - 1
    return far[[last // 4, last // 2, last]]


def _masses(noise: Noise, edges: Floats) -> Floats:
    """Return Pr[a < Z < b] for neighbours a, b in the last axis, each in the tail where it is accurate."""
    tail = noise.cdf(-np.abs(edges))
    below = np.where(edges > 0, 1 - tail, tail)
    beyond: Floats = tail[..., :-1] - tail[..., 1:]
    return np.where(edges[..., :-1] > 0, beyond, below[..., 1:] - below[..., :-1])
