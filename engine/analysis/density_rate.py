"""How the error of a histogram falls with the number of records, with noise and without: n^(-1/3)."""

from __future__ import annotations

import dataclasses

import numpy as np

from engine.analysis.error_against_size import SIZES, ErrorAgainstSize
from engine.array_types import Floats
from engine.domain import Box
from engine.mechanisms import NoisyHistogram
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, each, silent
from engine.randomness import reproducible

RUNS = 16
"""Samples of each size."""

ROUGH = 12.0
"""Integral of the squared slope of the density, 6 - 12 x: how much cells smear it."""

FINE = 64
"""Places of a cell at which the density is looked at."""


def density_rate(
    mechanism: NoisyHistogram, privacy: PrivacyLike, *, progress: Progress = silent
) -> ErrorAgainstSize:
    """Return how far histograms of n records are from a density, and what noise adds (public).

    The records are synthetic: n draws from the density 6 x (1 - x) on [0, 1].  The number of cells is the
    best one without noise, 1/h with h = (6/(n R))^(1/3), R the integral of the squared slope; then the root
    of the mean squared error falls like n^(-1/3).  Noise of scale 2/epsilon on each count adds at most
    sqrt(8)/(epsilon n h), which falls like n^(-2/3): from some n on it does not matter.

    Source: the lectures ("when does noise not matter?"); Scott 1979 for the number of cells.
    """
    privacy = as_privacy(privacy)
    rng, line = reproducible(1), Box.of([0.0], [1.0])
    noise, sampling = np.empty(len(SIZES)), np.empty(len(SIZES))
    for place, (n, _) in enumerate(zip(SIZES.tolist(), each(len(SIZES), progress), strict=True)):
        bins = _best_bins(n)
        sanitize = dataclasses.replace(mechanism, bins=bins).sanitize_with(privacy)
        edges = np.arange(bins + 1) / bins
        middles, shares = (edges[1:] + edges[:-1]) / 2, np.diff(_below(edges))
        missed, added = [], []
        for counts in rng.multinomial(n, shares, size=RUNS):
            made = sanitize(np.repeat(middles, counts)[:, np.newaxis], line, 1, rng)
            noisy = made.counts[np.argsort(made.lower[:, 0])]
            missed.append(_root(counts / n - shares))
            added.append(_root((noisy - counts) / n))
        sampling[place], noise[place] = np.hypot(np.median(missed), _smeared(bins)), np.median(added)
    return ErrorAgainstSize(SIZES, noise, sampling, int(SIZES[-1]))


def _best_bins(n: int) -> int:
    """Return how many cells make the mean squared error without noise smallest, for large n."""
    return max(1, round(float((ROUGH * n / 6) ** (1 / 3))))


def _below(x: Floats) -> Floats:
    """Return the probability of what is below: that of the density 6 x (1 - x)."""
    return x * x * (3 - 2 * x)


def _root(shares: Floats) -> float:
    """Return the root of the integral of the square of a step function, from its integrals over cells."""
    return float(np.sqrt(np.square(shares).sum() * shares.size))


def _smeared(bins: int) -> float:
    """Return the same of the density less its mean in each cell."""
    places = ((np.arange(bins * FINE) + 0.5) / (bins * FINE)).reshape(bins, FINE)
    heights = 6 * places * (1 - places)
    return float(np.sqrt(np.square(heights - heights.mean(axis=1, keepdims=True)).mean()))
