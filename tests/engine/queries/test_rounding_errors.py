"""By how much a computed smooth sensitivity misses the exact one: never by what is paid for."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from engine import WinsorizedMean
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.queries import Maximum, Mean, Median, Quantile, TrimmedMean
from engine.queries.base import ERROR, paid
from engine.queries.order_statistics import trim_count
from engine.sampling.balls import ball, precision

SCALES = (1e-200, 1.0, 1e200)


def records(seed, n, scale):
    """Values with ties, near ties and gaps of all sizes, in [0, scale]."""
    rng = np.random.default_rng(seed)
    offset = np.arange(n) - n // 2
    kinds = (
        rng.uniform(0, 1, n),
        np.cumsum(2.0 ** -rng.uniform(0, 50, n)) / n,
        # gaps that grow by e^beta: many windows discount to nearly the same
        np.clip(0.5 + np.sign(offset) * 1e-9 * np.exp(0.1 * np.abs(offset)), 0, 1),
    )
    return kinds[seed % len(kinds)] * scale


def exact_windows(query, data, beta):
    """S* of a mean over ranks, by all pairs, enclosed."""
    low, high = query.window(data.n)
    values = [Fraction(v) for v in data.ranks(0, data.n + 1).tolist()]
    width = high - low + 1
    best = arb(0)
    for i in range(low + 1):
        for j in range(max(high, i + width), data.n + 2):
            best = best.max(ball((values[j] - values[i]) / width) * (-ball(beta) * (j - i - width)).exp())
    return best


@pytest.mark.parametrize("query", [Median(), Quantile(q=0.2), Maximum(), Mean(), TrimmedMean()], ids=repr)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("beta", [1e-10, 0.1, 7.0])
def test_windows(query, scale, beta):
    for seed in range(6):
        data = Sample(records(seed, 41, scale), Interval(0.0, scale))
        found = query.smooth_sensitivity(data, beta).value
        with precision(120):
            missed = abs(ball(found) / exact_windows(query, data, beta) - 1)
            assert missed <= ball(ERROR) / 64


@pytest.mark.parametrize("scale", SCALES)
def test_winsorized_means(scale):
    query, n = WinsorizedMean(trim=0.3), 11
    m = trim_count(0.3, n)
    a, b = m + 1, n - m
    for seed in range(6):
        data = Sample(records(seed, n, scale), Interval(0.0, scale))
        x = [Fraction(0), *map(Fraction, data.ranks(1, n).tolist()), Fraction(scale)]

        def at(rank, x=x):
            return x[min(max(rank, 0), n + 1)]

        up = (m + 1) * (at(b + 1) - at(a)) - m * (at(b) - at(a + 1))
        down = (m + 1) * (at(b) - at(a - 1)) - m * (at(b - 1) - at(a))
        found = Fraction(query.local_sensitivity(data)) * n
        assert abs(found - max(up, down)) <= Fraction(query.error(n)) / 64 * max(up, down)


@pytest.mark.parametrize("beta", [1e-12, 1e-9, 0.1, 30.0])
@pytest.mark.parametrize("error", [2.0**-36, 2.0**-20])
def test_what_is_paid_covers_the_error(beta, error):
    """Whatever computing S did within its error, its logarithm keeps to beta and S stays an upper bound."""
    left, factor = paid(beta, error)
    assert (1 - error) * factor >= 1
    if left > 0:
        spread = Fraction(factor) * (1 + Fraction(error))
        with precision(120):
            assert ball(left) + ball(spread).log() <= ball(beta)
    else:
        assert beta <= 4 * error
    assert math.isfinite(factor)
