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
from engine.noise.base import Noise, SphericalNoise

DEEPEST = 1e-40
"""Tails of a smaller probability are left out of a divergence."""

FARTHEST = 1e250
THINNEST = -1e4
"""Points beyond are left out: rounding errors of their log-ratio are large."""

NEGLIGIBLE = 1e-11
"""A log-ratio above epsilon by less than this is rounding."""


Rows = NDArray[np.intp] | slice


class Pairs:
    """Many pairs (Z, Delta + e^lambda Z) of one family at once, in one dimension.

    The line is cut at quantiles of Z (equidistant in normal scores), at those of the
    other law, and around 0 and Delta, where the log-ratio turns.
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


STEPS = 1 << 15
LIGHTEST = 1e-20
"""A cell lighter than this under both laws is counted at the largest log-ratio of the others."""


class Product:
    """Pairs (Z, Delta + e^lambda Z) in R^d, with Delta spread over coordinates.

    For L1 the shift lies on one, on two or on all coordinates in equal parts; for L2
    (which is Gaussian noise) one coordinate says everything, by rotation.
    """

    def __init__(self, noise: Noise, lam: Floats, delta: Floats, dimension: int) -> None:
        self.noise = noise
        self.dimension = dimension
        self.lam, self.delta = lam, delta
        spreads = (1,) if noise.norm == "L2" else tuple(sorted({1, 2, dimension}))
        shifted = [Pairs(noise, lam, delta / spread, refine=2) for spread in spreads]
        dilations, which = np.unique(lam, return_inverse=True)
        still = Pairs(noise, dilations, np.zeros_like(dilations), refine=2)
        reach = dimension * max(_largest_loss(pairs) for pairs in (*shifted, still))
        axis = (2 * reach / (STEPS - 2)) * np.arange(-STEPS // 2, STEPS // 2).astype(np.float64)
        unshifted = _spectrum(still, axis)[which]
        self._axis = np.roll(axis, -(STEPS // 2))
        self._laws = [
            np.maximum(np.fft.irfft(_spectrum(pairs, axis) ** spread * unshifted ** (dimension - spread)), 0)
            for spread, pairs in zip(spreads, shifted, strict=True)
        ]

    def divergence(self, epsilon: float) -> Floats:
        """Return delta(epsilon), the worst over the spreads.

        Taking cells whole loses less than 1e-3 of it.  Rounding of log-ratios adds up
        to 1e-4 of the largest of them, times the probability of one so close to epsilon.
        """
        over = self._axis - epsilon
        gain = np.where(over > 0, -np.expm1(-np.maximum(over, 0)), 0)
        worst = np.max([law @ gain for law in self._laws], axis=0)
        return np.where(self.supremum <= epsilon * (1 + 1e-9), 0, worst)

    @functools.cached_property
    def supremum(self) -> Floats:
        """An upper bound on the sup of the log-ratio, over every spread of Delta in L1.

        The sup of a sum over coordinates is at most d times the concave envelope, at
        Delta/d, of what one coordinate contributes.
        """
        d = self.dimension
        parts = np.unique(np.concatenate([np.linspace(0, 1, 5), [1 / d]]))
        suprema = np.array([Pairs(self.noise, self.lam, part * self.delta).supremum for part in parts])
        below, above = parts <= 1 / d, parts >= 1 / d
        x0, y0 = parts[below][:, None, None], suprema[below][:, None]
        x1, y1 = parts[above][None, :, None], suprema[above][None]
        with np.errstate(invalid="ignore"):
            weight = np.where(x1 > x0, (1 / d - x0) / np.where(x1 > x0, x1 - x0, 1), 0)
            chords = np.where(np.isinf(y0) | np.isinf(y1), np.inf, y0 + weight * (y1 - y0))
        return np.asarray(d * np.max(chords, axis=(0, 1)))


def _cell_losses(pairs: Pairs) -> tuple[Floats, Floats, Floats]:
    """Return masses p, q and log-ratios ln p/q of the cells, clipped where both are negligible."""
    p, q = pairs.masses
    heavy = (p > LIGHTEST) & (q > LIGHTEST)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(p / q)
    bound = np.max(np.abs(np.where(heavy, ratio, 0)), axis=1, keepdims=True)
    return p, q, np.where(np.isnan(ratio), 0, np.clip(ratio, -bound, bound))


def _largest_loss(pairs: Pairs) -> float:
    """Return the largest log-ratio of a cell that counts."""
    return max(1e-12, float(np.max(np.abs(_cell_losses(pairs)[2]))))


def _spectrum(pairs: Pairs, axis: Floats) -> Floats:
    """Return the Fourier transform of the law of the log-ratio, for every pair.

    Each cell is shared between the two points of `axis` around its log-ratio so that
    its mass under either law stays what it is.
    """
    p, _, ratio = _cell_losses(pairs)
    step = axis[1] - axis[0]
    index = np.clip(np.floor((ratio - axis[0]) / step).astype(np.int64), 0, STEPS - 2)
    low, high = axis[index], axis[index + 1]
    # p_low + p_high = p and p_low e^-low + p_high e^-high = p e^-ratio
    share = np.clip(np.expm1(low - ratio) / np.expm1(low - high), 0, 1)
    spectra = []
    for row in range(len(p)):
        law = np.bincount(index[row], p[row] * (1 - share[row]), STEPS)
        law += np.bincount(index[row] + 1, p[row] * share[row], STEPS)
        spectra.append(np.fft.rfft(np.roll(law, -(STEPS // 2))))
    return np.array(spectra)


LENGTHS, ANGLES = 1001, 48
"""Nodes of the quadrature: quantiles of the length, equidistant in logits, by angles with the shift."""

DEEPEST_LOGIT = 80.0
"""Lengths beyond the quantile of this logit are left out."""

FARTHEST_LENGTH = 1e120
"""Lengths beyond are left out of the log-ratio."""


class SphericalPairs:
    """Pairs (Z, Delta + e^lambda Z) in R^d; only the density and the law of |Z| are used.

    A point is given by its length and its angle with Delta.
    """

    def __init__(self, noise: SphericalNoise, lam: Floats, delta: Floats, dimension: int) -> None:
        self.noise, self.dimension = noise, dimension
        self.lam, self.delta = lam, delta

    def loss(self, r: Floats, cosine: Floats | float, lam: float, delta: float) -> Floats:
        """Return the log-ratio at points of length `r`."""
        along, across = r * cosine - delta, r * np.sqrt(1 - np.square(cosine))
        moved = np.hypot(along, across) * math.exp(-lam)
        here, there = (self.noise.log_radial(one, self.dimension) for one in (r, moved))
        return here - there + self.dimension * lam

    def divergence(self, epsilon: float) -> Floats:
        """Return delta(epsilon) of every pair, right to 1e-3 of itself or to 1e-13; 0 below the supremum."""
        r, mass = _lengths(self.noise, self.dimension)
        cosine, weight = _angles(self.dimension)
        result = np.zeros(len(self.lam))
        for index, (lam, delta) in enumerate(zip(self.lam.tolist(), self.delta.tolist(), strict=True)):
            if self.supremum[index] <= epsilon * (1 + 1e-9):
                continue
            over = self.loss(r[:, None], cosine, lam, delta) - epsilon
            gain = np.where(over > 0, -np.expm1(-np.maximum(over, 0)), 0)
            result[index] = mass @ gain @ weight
        return result

    @functools.cached_property
    def supremum(self) -> Floats:
        """The sup of the log-ratio, which is opposite to the shift: there the other density is least."""
        pairs = zip(self.lam.tolist(), self.delta.tolist(), strict=True)
        return np.array([self._supremum(lam, delta) for lam, delta in pairs])

    def _supremum(self, lam: float, delta: float) -> float:
        r = np.concatenate([[0.0], np.geomspace(1e-6, FARTHEST_LENGTH, 2001)])
        for _ in range(5):
            values = self.loss(r, -1.0, lam, delta)
            peak = int(np.argmax(values))
            result = float(values[peak])
            r = np.linspace(r[max(0, peak - 1)], r[min(len(r) - 1, peak + 1)], 65)
        return result


@functools.lru_cache(maxsize=16)
def _lengths(noise: SphericalNoise, dimension: int) -> tuple[Floats, Floats]:
    """Return lengths, and the probability of each: the trapezoidal rule, which knows no ends here."""
    logits = np.linspace(-DEEPEST_LOGIT, 40.0, LENGTHS)
    step = logits[1] - logits[0]
    above, below = special.expit(logits), special.expit(-logits)
    return noise.radius_quantile(above, dimension), above * below * step


@functools.lru_cache(maxsize=16)
def _angles(dimension: int) -> tuple[Floats, Floats]:
    """Return cosines of angles, and the probability of each."""
    node, weight = np.polynomial.legendre.leggauss(ANGLES)
    angle = (node + 1) * math.pi / 2
    density = weight * np.sin(angle) ** (dimension - 2)
    return np.cos(angle), density / density.sum()


Divergences = Pairs | Product | SphericalPairs


def divergences(noise: Noise, lam: Floats, delta: Floats, dimension: int) -> Divergences:
    """Return those of the pairs (Z, Delta + e^lambda Z); `delta` is the norm of the shift.

    In one dimension, of a product, or of a noise that is the same in every direction.
    """
    if dimension == 1:
        return Pairs(noise, lam, delta)
    if isinstance(noise, SphericalNoise):
        return SphericalPairs(noise, lam, delta, dimension)
    return Product(noise, lam, delta, dimension)
