"""What mechanisms say that they cost, against what they really give away on tiny data."""

import functools
import math

import numpy as np
import pytest
from scipy import integrate

from engine import ClusterCost, KMeansOnCells, Lloyd, PrivTree, SyntheticPoints
from engine.catalog import methods, sanitizers
from engine.data.categories import Categories, CategoryDomain
from engine.data.order_statistics import Sample
from engine.domain import Box, Interval
from engine.extras.frontier.coinpress import CoinPress
from engine.extras.frontier.growing_box import GrowingBox
from engine.extras.frontier.metric_median import MetricMedian
from engine.extras.frontier.perceptron import Perceptron
from engine.extras.frontier.scored_choice import ScoredChoice
from engine.ledger import Cost
from engine.mechanisms import (
    PLANTED,
    ExponentialRelease,
    GaussianRelease,
    InteriorPoint,
    KBalls,
    OneCluster,
    Quantiles,
    ScreenedMean,
)
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories import Mode
from engine.privacy import NEIGHBOURS, NO_PROMISE, Privacy
from engine.queries import QUERIES, Mean, Median
from engine.randomness import reproducible

ORDERS = np.concatenate([1 + np.geomspace(1e-3, 1, 12), np.geomspace(2.1, 200, 25)])
DOMAIN = Interval(0.0, 3.0)


def renyi_rate(weights, p, q):
    """The least rho by Rényi divergences of these orders, between densities at nodes with weights."""
    both = (p > 0) & (q > 0) & (weights > 0)
    assert np.all((p > 0)[weights > 0] == (q > 0)[weights > 0])
    log_p, log_q, log_w = np.log(p[both]), np.log(q[both]), np.log(weights[both])
    terms = ORDERS[:, None] * log_p + (1 - ORDERS[:, None]) * log_q + log_w
    top = terms.max(axis=1)
    divergence = (top + np.log(np.exp(terms - top[:, None]).sum(axis=1))) / (ORDERS - 1)
    return float(np.max(divergence / ORDERS))


def neighbours(n, values):
    for x in np.ndindex(*(len(values),) * n):
        for place in range(n):
            for other in range(len(values)):
                if other > x[place]:
                    y = (*x[:place], other, *x[place + 1 :])
                    yield [values[i] for i in x], [values[i] for i in y]


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_exponential_mechanism_costs_an_eighth_of_epsilon_squared(epsilon):
    mechanism, asked = ExponentialRelease(query=Median()), Privacy(epsilon, 1e-6)
    cells = np.array([0.75, 2.25])
    largest = 0.0

    @functools.cache
    def density(*data):
        return mechanism.prepare(Sample(data, DOMAIN), asked).density(cells)

    for x, y in neighbours(5, (0.0, 1.5, 3.0)):
        p, q = density(*x), density(*y)
        for first, second in ((p, q), (q, p)):
            largest = max(largest, renyi_rate(np.full(2, 1.5), first, second))
    cost = Cost.of(mechanism, asked)
    assert cost.privacy == Privacy(epsilon)
    assert cost.concentrated.delta == 0
    assert largest <= cost.concentrated.rho * (1 + 1e-9)
    # no constant much below an eighth would do, while epsilon is small
    if epsilon < 1:
        assert largest >= cost.concentrated.rho * 0.98


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_mode_costs_an_eighth_of_epsilon_squared(epsilon):
    mechanism, asked = Mode(), Privacy(epsilon)
    domain = CategoryDomain(["answer"], [["a", "b"]])
    largest = 0.0
    for x, y in neighbours(5, (0, 1)):
        pair = (Categories(np.array(data)[:, None], domain) for data in (x, y))
        p, q = (mechanism.prepare(data, asked).probabilities for data in pair)
        for first, second in ((p, q), (q, p)):
            largest = max(largest, renyi_rate(np.ones(2), first, second))
    rho = Cost.of(mechanism, asked).concentrated.rho
    assert largest <= rho * (1 + 1e-9)
    if epsilon < 1:
        assert largest >= rho * 0.98


@pytest.mark.parametrize("asked", [Privacy(0.2, 1e-6), Privacy(1.0, 1e-6), Privacy(3.0, 1e-3)])
def test_gaussian_noise_costs_what_its_density_says(asked):
    mechanism = GaussianRelease(query=Mean())
    p, q = (mechanism.prepare(Sample([value, 1.0, 2.0], DOMAIN), asked) for value in (0.0, 3.0))
    cost = Cost.of(mechanism, asked)
    sigma = p.scale
    for a in (1.5, 2.0, 8.0):

        def integrand(z, a=a):
            value = p.center + sigma * z
            return math.exp(
                a * p.family.log_density((value - p.center) / sigma)
                + (1 - a) * p.family.log_density((value - q.center) / sigma)
            )

        shift = abs(p.center - q.center) / sigma
        middle = (1 - a) * (q.center - p.center) / sigma
        total, _ = integrate.quad(integrand, middle - 12, middle + 12, epsabs=0, epsrel=1e-10)
        assert shift > 0
        assert math.log(total) / (a - 1) == pytest.approx(a * cost.concentrated.rho, rel=1e-6)
    assert cost.privacy == asked
    assert cost.concentrated.delta == 0


@pytest.mark.parametrize(
    "name", [name for name in methods() if name not in {"auto", "ladder", "lipschitz-extension"}]
)
def test_a_release_says_what_it_costs(name):
    mechanism, asked = methods()[name](), Privacy(1.0, 1e-3)
    release = mechanism.run(Sample([0.5, 1.0, 2.0], DOMAIN), asked, reproducible(1))
    cost = Cost.of(mechanism, asked)
    assert release.privacy == cost.privacy
    assert release.neighbours == cost.neighbours == "replace-one"
    assert cost.privacy.delta == (0 if not mechanism.guarantee.uses_delta else 1e-3)


STEPS = (KMeansOnCells, CoinPress, ClusterCost, OneCluster, KBalls, ScreenedMean)


def test_of_known_columns_a_ball_costs_what_its_way_costs():
    asked = Privacy(1.0, 1e-6)
    for kind in (OneCluster, KBalls, ScreenedMean):
        for columns, way in ((1, "b"), (6, "b"), (7, "c")):
            cost = Cost.of(kind(t=100), asked, Box.of([0.0] * columns, [1.0] * columns))
            assert cost == Cost.of(kind(t=100, method=way), asked)
            assert cost.concentrated.rho <= Cost.of(kind(t=100), asked).concentrated.rho
    # what is chosen by hand stays
    assert OneCluster(method="balls").resolve(domain=Box.of([0.0], [1.0])) == OneCluster(method="balls")


def test_what_is_known_of_every_mechanism():
    asked = Privacy(0.5, 1e-6)
    known = {
        **dict.fromkeys(
            (Mode, SyntheticPoints, InteriorPoint, GrowingBox, ScoredChoice, MetricMedian), 0.25 / 8
        ),
        PrivTree: 0.0625,
        Quantiles: 0.25 / 16,
        Lloyd: 0.0125,
        Perceptron: 0.0125,
    }
    for kind in sanitizers().values():
        cost = Cost.of(kind(), asked)
        assert cost.neighbours == NEIGHBOURS
        if not kind.facts.is_private:
            assert (cost.privacy, cost.concentrated) == (NO_PROMISE, None)
        else:
            assert cost.privacy.epsilon == 0.5
            assert cost.concentrated.delta <= cost.privacy.delta
            if kind in STEPS:  # how much exactly: test_concentrated_steps.py
                assert cost.concentrated.rho < 0.125
                continue
            assert cost.concentrated.rho == pytest.approx(known.get(kind, 0.125))
            assert cost.concentrated.delta == cost.privacy.delta


def test_the_query_says_between_which_neighbours():
    found = {name: Cost.of(methods()["smooth"](query=kind()), Privacy(1.0)) for name, kind in QUERIES.items()}
    assert {name: cost.neighbours for name, cost in found.items()} == {
        name: kind.neighbours for name, kind in QUERIES.items()
    }
    assert {"edge", "edge-weight", "replace-one"} == {cost.neighbours for cost in found.values()}


def test_published_pairs_may_need_their_delta():
    mechanism = methods()["smooth"](constants="published")
    assert Cost.of(mechanism, Privacy(1.0, 1e-6)).privacy == Privacy(1.0, 1e-6)


def test_a_planted_mistake_promises_nothing():
    right: Mechanism = methods()["laplace"](query=QUERIES["triangles"]())
    for kind in PLANTED.values():
        cost = Cost.of(kind(right), Privacy(1.0))
        assert (cost.privacy, cost.concentrated, cost.neighbours) == (NO_PROMISE, None, "edge")
