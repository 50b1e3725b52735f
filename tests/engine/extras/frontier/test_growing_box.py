"""Growing boxes: counts and scores by definition, laws of all three choices on tiny domains, promises."""

import itertools
import math

import numpy as np
import pytest

from engine.audit import audit_run, worst_case_pairs
from engine.data.points import Points
from engine.domain import Box
from engine.extras.frontier.growing_box import GrowingBox, count_in_boxes, scores_of
from engine.extras.frontier.planted import FixedThreshold
from engine.mechanisms import PLANTED
from engine.primitives.rec_concave import levels
from engine.primitives.selection import selection_probabilities
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

LINE, SQUARE = Box.of([0.0], [1.0]), Box.of([0, 10], [1, 30])
VALUES = (0.0, 0.25, 0.3, 0.5, 1.0)
CHOICES = ("exponential", "rec-concave", "above-threshold")
BUDGET = Privacy(1.0, 1e-6)


def databases(n):
    return list(itertools.product(VALUES, repeat=n))


def pairs(n):
    for one in databases(n):
        for value in VALUES:
            if value != one[0]:
                yield one, (value, *one[1:])


def held_by_definition(values, k):
    return [sum(value <= i / k for value in values) for i in range(k + 1)]


@pytest.mark.parametrize("k", [2, 4])
def test_counts_are_those_of_the_definition_and_one_record_moves_each_by_one(k):
    for one, other in pairs(3):
        held = [count_in_boxes(np.array(x)[:, None], LINE, k) for x in (one, other)]
        assert held[0].tolist() == held_by_definition(one, k)
        assert np.abs(held[0] - held[1]).max() <= 1
        for t in (1, 2, 3):
            scores = [scores_of(counts, t) for counts in held]
            assert np.abs(scores[0] - scores[1]).max() <= 1
            assert scores[0].max() == 0
            sought = next(i for i, count in enumerate(held[0]) if count >= t)
            assert np.flatnonzero(scores[0] == 0).tolist() == [sought]
            rises = np.diff(scores[0])
            assert not np.any((rises[:-1] < 0) & (np.maximum.accumulate(rises[::-1])[::-1][1:] > 0))


def test_boxes_of_several_columns_grow_from_the_lower_corner():
    rng = np.random.default_rng(3)
    values = rng.uniform(SQUARE.lower, SQUARE.upper, (200, 2))
    held = count_in_boxes(values, SQUARE, 8)
    for i, count in enumerate(held):
        corner = SQUARE.lower + i / 8 * SQUARE.width
        assert count == np.all(values <= corner, axis=1).sum()
    ready = GrowingBox(boxes=8, q=0.25).prepare(Points(values, SQUARE), Privacy(1.0))
    assert ready.diagnostics["true_value"] == pytest.approx(ready.corners[np.argmax(held >= 50)])


def answers(held, t, epsilon):
    """Return the law of AboveThreshold by quadrature over the noise of the threshold."""

    def beyond(x):
        return np.where(x > 0, np.exp(-np.abs(x)) / 2, 1 - np.exp(-np.abs(x)) / 2)

    r = np.linspace(-60, 60, 24_001) / epsilon
    weight = np.exp(-np.abs(r) * epsilon / 2) * epsilon / 4 * (r[1] - r[0])
    below, law = np.ones_like(r), []
    for count in held[:-1]:
        passes = beyond((t + r - count) * epsilon / 4)
        law.append(float(np.sum(weight * below * passes)))
        below = below * (1 - passes)
    return np.array([*law, float(np.sum(weight * below))])


def law(choice, values, k, t, privacy):
    held = np.array(held_by_definition(values, k), dtype=float)
    if choice == "above-threshold":
        return answers(held, t, privacy.epsilon)
    return selection_probabilities(scores_of(held, t), privacy.epsilon)


@pytest.mark.parametrize("choice", ["exponential", "above-threshold"])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_every_law_is_private_on_all_neighbours(choice, epsilon):
    privacy = Privacy(epsilon)
    laws = {values: law(choice, values, 4, 2, privacy) for values in databases(3)}
    assert all(sum(one) == pytest.approx(1, abs=1e-4) for one in laws.values())
    worst = max(np.abs(np.log(laws[one] / laws[other])).max() for one, other in pairs(3))
    assert 0.3 * epsilon < worst <= epsilon * (1 + 1e-6)


@pytest.mark.parametrize("choice", CHOICES)
def test_what_is_drawn_has_these_laws(choice):
    """Each share of 4,000 draws is within 5.5 standard deviations: a false alarm below 1e-6."""
    values, k = (0.0, 0.25, 1.0), 4
    mechanism = GrowingBox(way=choice, boxes=k, q=0.6)
    ready = mechanism.prepare(Points(np.array(values)[:, None], LINE), Privacy(1.0))
    drawn = ready.draw(reproducible(5), 4000)[:, 0]
    for i, share in enumerate(law(choice, values, k, 2, Privacy(1.0))):
        found = np.mean(drawn == i / k)
        assert abs(found - share) <= 5.5 * math.sqrt(share * (1 - share) / 4000) + 1e-4


@pytest.mark.parametrize("choice", CHOICES)
def test_the_slack_is_kept(choice):
    """It may be exceeded with probability beta = 1e-9 in each of 50 draws."""
    rng = np.random.default_rng(7)
    data = Points(rng.uniform(0, 1, (5000, 2)), Box.of([0, 0], [1, 1]))
    mechanism = GrowingBox(way=choice, q=0.3, boxes=256, beta=1e-9)
    ready, slack = mechanism.prepare(data, BUDGET), mechanism.slack(BUDGET)
    drawn = ready.draw(reproducible(2), 50)
    for row in drawn:
        place = int(np.flatnonzero((ready.corners == row).all(axis=1))[0])
        assert ready.held[place] >= 1500 - slack
        assert place == 0 or ready.held[place - 1] < 1500 + slack
    assert mechanism.run(data, BUDGET, secure()).parameters["slack"] == slack


def test_delta_is_spent_where_rec_concave_has_levels():
    assert [GrowingBox(way=choice).guarantee.uses_delta for choice in CHOICES] == [False, True, False]
    few = GrowingBox(way="rec-concave", boxes=31)
    assert (levels(32), few.guarantee.uses_delta, few.problems(Privacy(1.0), LINE, 10)) == (0, False, ())
    [problem] = GrowingBox(way="rec-concave").problems(Privacy(1.0), LINE, 10)
    assert problem.field == "delta"


def test_a_share_of_all_records_is_counted_without_rounding():
    assert [GrowingBox(q=q).sought(n) for q, n in ((0.1, 30), (0.7, 10), (1.0, 9), (1e-9, 4))] == [3, 7, 9, 1]


def test_an_audit_catches_a_threshold_without_noise():
    right = GrowingBox(way="above-threshold")
    assert FixedThreshold.applies_to(right)
    assert not FixedThreshold.applies_to(GrowingBox())
    mistake, privacy = PLANTED["fixed-threshold"].planted(right), Privacy(1.0)
    found = {
        pair.name: audit_run(mistake, pair, privacy, runs=2000, seed=1).audit.verdict
        for pair in worst_case_pairs(mistake, SQUARE, 1000, privacy)
    }
    assert found["two-heaps"] == "violated"
