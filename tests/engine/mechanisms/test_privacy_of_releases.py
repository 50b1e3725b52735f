"""The privacy loss of every mechanism, on all neighbours of tiny domains.

The densities that `Prepared` states are compared with each other here, and with what
is really drawn in test_draws.py; together they cover the mechanism from end to end.
"""

import dataclasses
import itertools
import math

import numpy as np
import pytest
from definition import databases, neighbours
from privacy_loss import hockey_stick, largest_log_ratio

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import (
    ExponentialRelease,
    GaussianRelease,
    LaplaceRelease,
    ProposeTestRelease,
    SmoothRelease,
)
from engine.mechanisms.global_noise import analytic_gaussian_sigma
from engine.noise import Gaussian, GeneralizedCauchy, Laplace, LaplacePareto, StudentT
from engine.privacy import Privacy
from engine.queries import Maximum, Mean, Median, Minimum, Quantile, TrimmedMean, WinsorizedMean

BOUNDS = Interval(0.0, 10.0)
VALUES = (0.0, 1.0, 6.0, 10.0)
QUERIES = (
    Median(),
    Median(even="average"),
    Quantile(q=0.8),
    Minimum(),
    Maximum(),
    Mean(),
    TrimmedMean(trim=0.25),
    WinsorizedMean(trim=0.25),
)
PURE = (LaplacePareto(), LaplacePareto(g=2.5), GeneralizedCauchy(gamma=2.0), GeneralizedCauchy(), StudentT())


def prepared_pairs(mechanism, privacy, n=4):
    ready = {x: mechanism.prepare(Sample(x, BOUNDS), privacy) for x in databases(VALUES, n)}
    return [(ready[x], ready[y]) for x in ready for y in neighbours(x, VALUES) if x < y]


def worst_ratio(mechanism, privacy):
    return max(largest_log_ratio(x, y) for x, y in prepared_pairs(mechanism, privacy))


def worst_delta(mechanism, privacy):
    return max(hockey_stick(x, y, privacy.epsilon) for x, y in prepared_pairs(mechanism, privacy, n=3))


@pytest.mark.parametrize("query", QUERIES, ids=repr)
@pytest.mark.parametrize("noise", PURE, ids=repr)
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_smooth_release_with_pure_noise(query, noise, epsilon):
    assert worst_ratio(SmoothRelease(query=query, noise=noise), Privacy(epsilon)) <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize("split", [0.2, 0.5, 0.8])
def test_any_split_is_private(split):
    mechanism = SmoothRelease(query=Median(), split=split)
    assert worst_ratio(mechanism, Privacy(1.0)) <= 1.0 + 1e-9


@pytest.mark.parametrize("noise", [Laplace(), Gaussian()], ids=repr)
@pytest.mark.parametrize("query", [Median(), TrimmedMean(trim=0.25)], ids=repr)
@pytest.mark.parametrize("delta", [1e-2, 1e-4])
def test_smooth_release_with_delta(query, noise, delta):
    assert worst_delta(SmoothRelease(query=query, noise=noise), Privacy(1.0, delta)) <= delta * (1 + 1e-3)


@pytest.mark.parametrize("query", QUERIES, ids=repr)
def test_global_laplace_is_tight(query):
    found = worst_ratio(LaplaceRelease(query=query), Privacy(0.7))
    assert found == pytest.approx(0.7, rel=1e-9)


@pytest.mark.parametrize("query", [Median(), Mean()], ids=repr)
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_global_gaussian_is_tight(query, epsilon):
    privacy = Privacy(epsilon, 1e-3)
    assert worst_delta(GaussianRelease(query=query), privacy) == pytest.approx(1e-3, rel=2e-3)


@pytest.mark.parametrize(("epsilon", "sigma"), [(0.2, 18.99), (0.25, 15.41), (0.5, 8.06), (1.0, 4.22)])
def test_known_values_of_the_analytic_gaussian(epsilon, sigma):
    assert analytic_gaussian_sigma(Privacy(epsilon, 1e-6)) == pytest.approx(sigma, abs=0.006)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.001, 1e-12), (50.0, 1e-3), (700.0, 0.5), (0.01, 0.9)])
def test_extreme_privacy_of_the_analytic_gaussian(epsilon, delta):
    sigma = analytic_gaussian_sigma(Privacy(epsilon, delta))
    assert math.isfinite(sigma)
    assert sigma > 0


@pytest.mark.parametrize(
    "query", [Median(), Median(even="average"), Quantile(q=0.8), Minimum(), Maximum()], ids=repr
)
def test_exponential_release(query):
    assert worst_ratio(ExponentialRelease(query=query), Privacy(0.9)) <= 0.9 * (1 + 1e-9)


@pytest.mark.parametrize("query", QUERIES, ids=repr)
@pytest.mark.parametrize("bound", [0.4, 2.0])
def test_propose_test_release(query, bound):
    """Both outcomes: the refusal, and the density of an answer times its probability."""
    privacy, half = Privacy(1.0, 1e-2), 0.5
    mechanism = ProposeTestRelease(query=query, bound=bound)
    for x, y in prepared_pairs(mechanism, privacy):
        p, q = (side.diagnostics["answer_probability"] for side in (x, y))
        if min(x.diagnostics["distance"], y.diagnostics["distance"]) == 0:
            # nothing is known about the answers; the test lets them out rarely
            assert min(p, q) <= privacy.delta
            assert abs(math.log((1 - p) / (1 - q))) <= half * (1 + 1e-9)
        else:
            assert abs(math.log((1 - p) / (1 - q))) <= half * (1 + 1e-9)
            assert largest_log_ratio(x.answer, y.answer) + abs(math.log(p / q)) <= 1.0 + 1e-9


def test_the_distance_is_the_definition():
    for n, bound in itertools.product((3, 5), (0.5, 3.0)):
        for x in databases(VALUES, n):
            data = Sample(x, BOUNDS)
            levels = Median().sensitivity_at_distance(data, n)
            found = ProposeTestRelease(query=Median(), bound=bound).prepare(data, Privacy(1.0, 1e-3))
            assert found.diagnostics["distance"] == int(np.argmax(levels > bound))


@dataclasses.dataclass(frozen=True)
class AtLocalSensitivity(SmoothRelease):
    """Planted bug: noise scaled to the local sensitivity."""

    def prepare(self, data, privacy, progress=None):
        ready = super().prepare(data, privacy)
        local = max(self.query.local_sensitivity(data), 1e-9)
        return dataclasses.replace(ready, scale=local / ready.noise["alpha"])


@dataclasses.dataclass(frozen=True)
class HalvedScale(SmoothRelease):
    """Planted bug: half the noise."""

    def prepare(self, data, privacy, progress=None):
        ready = super().prepare(data, privacy)
        return dataclasses.replace(ready, scale=ready.scale / 2)


@dataclasses.dataclass(frozen=True)
class TooMuchSmoothing(SmoothRelease):
    """Planted bug: beta = epsilon instead of the admissible one."""

    def prepare(self, data, privacy, progress=None):
        ready = super().prepare(data, privacy)
        smooth = self.query.smooth_sensitivity(data, privacy.epsilon).value
        return dataclasses.replace(ready, scale=smooth / ready.noise["alpha"])


@pytest.mark.parametrize("bug", [AtLocalSensitivity, HalvedScale, TooMuchSmoothing])
def test_planted_bugs_are_caught(bug):
    assert worst_ratio(bug(query=Median()), Privacy(1.0)) > 1.05
