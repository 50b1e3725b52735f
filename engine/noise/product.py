"""The same divergences for a product of d independent noises.

In R^d the log-ratio is the sum of those of the coordinates.  Its law is found by
convolution (Koskela, Jalko, Honkela 2020; discretisation that keeps both masses of a
cell: Doroshenko et al. 2022), its supremum by adding suprema.
"""

from __future__ import annotations

import functools

import numpy as np

from engine.array_types import Floats
from engine.noise.base import Noise
from engine.noise.hockey_stick import Pairs

STEPS = 1 << 15
LIGHTEST = 1e-20
"""A cell lighter than this under both laws is counted at the largest log-ratio of the others."""


class Product:
    """Pairs (Z, Delta + e^lambda Z) in R^d, with Delta spread over coordinates.

    For L1 the shift lies on one, on two or on all coordinates in equal parts; for L2
    (which is Gaussian noise) one coordinate says everything, by rotation.

    Parameters
    ----------
    noise : Noise
        The law of a coordinate.
    lam, delta : arrays of shape (pairs,)
        The pairs; `delta` is the norm of the shift.
    dimension : int
        At least 2.
    """

    def __init__(self, noise: Noise, lam: Floats, delta: Floats, dimension: int) -> None:
        self.noise = noise
        self.dimension = dimension
        self.lam, self.delta = lam, delta
        spreads = (1,) if noise.norm == "L2" else tuple(sorted({1, 2, dimension}))
        shifted = [Pairs(noise, lam, delta / spread, refine=2) for spread in spreads]
        dilations, which = np.unique(lam, return_inverse=True)
        still = Pairs(noise, dilations, np.zeros_like(dilations), refine=2)
        reach = dimension * max(_reach(pairs) for pairs in (*shifted, still))
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


def _reach(pairs: Pairs) -> float:
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
