"""The perceptron: sums against all small databases, the budget of its rounds, and what it learns."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import ndtr

from engine.audit import audit_run, worst_case_pairs
from engine.data.points import Points
from engine.domain import Box
from engine.extras.frontier.perceptron import Perceptron, sign_records, train
from engine.mechanisms.planted import HalvedScale
from engine.primitives.accounting import of_gaussian, of_pure
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

BOX = Box.of([-1, 0, 0], [3, 2, 1])
RECORDS = list(itertools.product([-1.0, 3.0], [0.0, 2.0], [0.0, 1.0]))
PRIVACY = Privacy(0.9, 1e-6)
WEIGHTS = [np.zeros(3), np.array([1.0, -0.5, 0.25]), np.array([-0.3, -0.2, 0.4])]


def summed(records, weights):
    """Return the sum of y z over misclassified records, from its definition."""
    total = np.zeros(3)
    for first, second, label in records:
        y, z = (1 if label > 0.5 else -1), np.array([(first - 1) / 2, second - 1, 1])
        if y * (weights @ z) <= 0:
            total += y * z
    return total


def ours(records, weights):
    """Return the same as a round has it."""
    signed = sign_records(Points(records, BOX))
    return signed[signed @ weights <= 0].sum(axis=0)


def changes():
    """Yield by how much a replaced record changes the sum of a round, for all databases of 2 records."""
    for some in itertools.combinations_with_replacement(RECORDS, 2):
        for weights in WEIGHTS:
            before = ours(some, weights)
            assert before == pytest.approx(summed(some, weights))
            for other in RECORDS:
                yield np.abs(before - summed((other, some[1]), weights))


def test_each_round_has_noise_for_the_worst_record_and_its_share_of_the_budget():
    found = np.array(list(changes()))
    l1, l2 = found.sum(axis=1).max(), math.sqrt((found**2).sum(axis=1).max())
    assert (l1, l2) == pytest.approx((6.0, 2 * math.sqrt(3)))
    for rounds in (1, 7):
        added = Perceptron(rounds=rounds).added(BOX, PRIVACY)
        assert rounds * l1 / added.scale == pytest.approx(PRIVACY.epsilon, rel=1e-12)
        mechanism = Perceptron(noise="gaussian", rounds=rounds)
        sigma = mechanism.added(BOX, PRIVACY).scale
        mu, epsilon = math.sqrt(rounds) * l2 / sigma, PRIVACY.epsilon
        delta = ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
        assert delta == pytest.approx(PRIVACY.delta, rel=1e-6)
        rho = rounds * of_gaussian(l2, sigma).rho
        assert mechanism.guarantee.zcdp_cost(PRIVACY).rho == pytest.approx(rho, rel=1e-9)
        assert Perceptron(rounds=rounds).guarantee.zcdp_cost(PRIVACY).rho == pytest.approx(
            rounds * of_pure(PRIVACY.epsilon / rounds).rho
        )


def test_without_noise_the_rounds_are_those_of_the_definition():
    records = np.random.default_rng(2).uniform(BOX.lower, BOX.upper, (40, 3))
    weights, total = np.zeros(3), np.zeros(3)
    for _ in range(6):
        weights = weights + summed(records, weights) / 40
        total += weights
    assert train(sign_records(Points(records, BOX)), 6, None, None) == pytest.approx(total / 6)
    # one class alone, at one place: w grows to 1 in each coordinate, and no further
    assert train(np.full((5, 2), 1.0), 4, None, None).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_it_learns_a_line(noise):
    """Fewer than one in twenty of 5,000 records are misclassified, in each of 10 simulated releases."""
    x = np.random.default_rng(3).uniform(-1, 1, (5000, 2))
    data = Points(np.column_stack([x, x.sum(axis=1) > 0.2]), Box.of([-1, -1, 0], [1, 1, 1]))
    mechanism = Perceptron(noise=noise)
    found = mechanism.prepare(data, PRIVACY).draw(reproducible(1), 10)
    assert max(np.mean(sign_records(data) @ weights <= 0) for weights in found) < 0.05
    released = mechanism.prepare(data, PRIVACY).draw(secure(), 1)[0]
    steps = np.array(mechanism.step(data.domain, data.n, PRIVACY))
    assert np.array_equal(released / steps, np.rint(released / steps))
    assert mechanism.vectors.space(data.domain).box.sides[0].upper == 1
    assert mechanism.vectors.coordinates(("a", "b", "c"), data.domain) == (
        "weight of a",
        "weight of b",
        "offset",
    )


@pytest.mark.slow
def test_half_of_the_noise_is_found_with_one_round():
    """A false alarm has a probability below 1e-6."""
    square, right = Box.of([0, 0], [1, 1]), Perceptron(rounds=1)
    mistaken = HalvedScale.planted(right)
    pair = worst_case_pairs(mistaken, square, 20, Privacy(1.0))[0]
    assert audit_run(mistaken, pair, Privacy(1.0), runs=12_000, seed=1).audit.violated
    found = audit_run(right, pair, Privacy(1.0), runs=4_000, seed=1, confidence=1 - 1e-6).audit
    assert not found.violated
    several = HalvedScale.planted(Perceptron()).problems(Privacy(1.0), square, 20)
    assert [problem.field for problem in several] == ["rounds"]


def test_what_makes_no_sense_is_refused():
    def fields(box=BOX, privacy=PRIVACY, **settings):
        return [one.field for one in Perceptron(**settings).problems(privacy, box, 30)]

    assert fields() == []
    assert fields(Box.of([0], [1])) == ["columns"]
    assert fields(privacy=Privacy(1.0), noise="gaussian") == ["delta"]
    assert fields(privacy=Privacy(1e-9), rounds=100) == ["epsilon"]
