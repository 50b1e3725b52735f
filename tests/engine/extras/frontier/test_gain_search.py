"""The smooth sensitivity of the Winsorized mean by search, against its A^(k) at every distance."""

import numpy as np
import pytest

from engine import WinsorizedMean
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.extras.frontier import winsorized_mean
from engine.progress import Cancelled

KINDS = {
    "uniform": lambda rng, n: rng.random(n),
    "log-scale": lambda rng, n: rng.lognormal(0, 2, n),
    "heavy tails": lambda rng, n: np.abs(rng.standard_cauchy(n)),
    "integers": lambda rng, n: np.rint(60 * rng.random(n)),
    "three heaps": lambda rng, n: rng.integers(0, 3, n) + 0.1 * rng.normal(size=n),
    "half ties": lambda rng, n: np.maximum(0.0, rng.normal(size=n)),
    "all equal": lambda rng, n: np.full(n, 1.0),
}


@pytest.fixture
def far(monkeypatch):
    """Nothing but the search beyond a distance of 64."""
    monkeypatch.setattr(winsorized_mean, "_ALL", 64)


def sample(kind, n):
    values = KINDS[kind](np.random.default_rng(1), n)
    return Sample(values, Interval(0.0, 2.0 * float(values.max())))


@pytest.mark.parametrize(
    ("kind", "trim"),
    [*((kind, 0.1) for kind in KINDS), ("uniform", 0.0), ("log-scale", 0.3), ("heavy tails", 0.499)],
)
def test_every_distance_together_says_the_same(kind, trim, far):
    query, data = WinsorizedMean(trim=trim), sample(kind, 401)
    levels = query.sensitivity_at_distance(data, data.n)
    for beta in (0.005, 0.03):
        discounted = levels * np.exp(-beta * np.arange(levels.size))
        found = query.smooth_sensitivity(data, beta)
        assert found.value == pytest.approx(discounted.max(), rel=1e-12)
        assert found.argmax_k == np.argmax(discounted)


def test_several_betas_search_each(far):
    query, data = WinsorizedMean(), sample("log-scale", 401)
    betas = (0.01, 0.1, 0.03)
    assert query.smooth_sensitivities(data, betas) == tuple(query.smooth_sensitivity(data, b) for b in betas)


@pytest.mark.parametrize("calls", [10, 300])
def test_it_can_be_stopped(calls, far):
    left = calls

    def impatient(fraction, message=""):
        nonlocal left
        left -= 1
        if not left:
            raise Cancelled

    with pytest.raises(Cancelled):
        WinsorizedMean().smooth_sensitivity(sample("uniform", 1001), 0.005, impatient)
