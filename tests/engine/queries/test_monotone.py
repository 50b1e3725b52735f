"""The discounted widest pair of two sorted runs, where blocks of pairs are left out."""

import math

import numpy as np
import pytest

from engine.progress import Cancelled
from engine.queries import monotone as module
from engine.queries.monotone import best_pair

KINDS = {
    "uniform": lambda rng, size: rng.random(size),
    "log-scale": lambda rng, size: rng.lognormal(0, 3, size),
    "heavy tails": lambda rng, size: rng.standard_cauchy(size),
    "integers": lambda rng, size: np.rint(20 * rng.random(size)),
    "half ties": lambda rng, size: np.maximum(0.0, rng.normal(size=size)),
    "two values": lambda rng, size: rng.integers(0, 2, size) * 1.0,
    "all equal": lambda rng, size: np.full(size, 3.0),
    "all equal but the ends": lambda rng, size: np.r_[0.0, np.full(size - 2, 3.0), 9.0],
}


def of_all_pairs(left, right, beta, width):
    k = np.arange(right.size) + np.arange(left.size)[::-1, None] - 1
    score = np.where(k < 0, 0.0, (right - left[:, None]) * np.exp(-beta * k))
    return float(score.max())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("beta", [1e-5, 1e-3, 0.1])
@pytest.mark.parametrize(("size", "split"), [(12, 5), (150, 70), (400, 30), (1300, 900)])
@pytest.mark.parametrize("scores_all", [True, False])
def test_the_best_of_all_pairs(kind, beta, size, split, scores_all, monkeypatch):
    """The longer runs have enough values for blocks."""
    if not scores_all:
        monkeypatch.setattr(module, "_MAX_DIRECT", 0)
    values = np.sort(KINDS[kind](np.random.default_rng(1), size))
    for turned in (values, -values[::-1]):
        left, right = turned[:split], turned[split:]
        found, k = best_pair(left, right, beta, 1)
        assert found == pytest.approx(of_all_pairs(left, right, beta, 1), rel=1e-12)
        assert 0 <= k < size


def test_nothing_can_be_left_out():
    """Values whose pairs are all alike once they are discounted."""
    values = np.exp(0.01 * np.arange(2000))
    found, _ = best_pair(np.zeros(1500), values, 0.01, 1)
    assert found == pytest.approx(math.exp(0.01), rel=1e-9)
    found, _ = best_pair(-values[::-1], values, 0.005, 1)
    assert found == pytest.approx(of_all_pairs(-values[::-1], values, 0.005, 1), rel=1e-9)


@pytest.mark.parametrize("calls", [1, 2, 5])
def test_it_can_be_stopped(calls):
    left = calls

    def impatient(fraction, message=""):
        nonlocal left
        left -= 1
        if not left:
            raise Cancelled

    values = np.sort(np.random.default_rng(2).random(4000))
    with pytest.raises(Cancelled):
        best_pair(values[:2000], values[2000:], 1e-3, 1, progress=impatient)
