"""Epsilon for a record that is left empty, of what sees points through sums: all small databases."""

import itertools

import numpy as np
import pytest

from engine import Lloyd
from engine.audit import audit_run, worst_case_pairs
from engine.data.points import Points
from engine.domain import Box
from engine.extras.frontier.metric_median import MetricMedian
from engine.extras.frontier.stable_cell import StableCell
from engine.mechanisms import PLANTED, InteriorPoint
from engine.mechanisms.base import ledger_cost
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.relation import as_replaced
from engine.primitives.accounting import of_approximate
from engine.privacy import NEIGHBOURS, NO_PROMISE, ZERO_OUT, Privacy

LINE, SQUARE = Box.of([0], [1]), Box.of([0, 0], [1, 1])
PLACES = list(itertools.product([0.0, 0.7, 1.0], repeat=2))


def without_each(databases):
    """Yield each database with each of those that lack a record of it."""
    for some in databases:
        for place in range(len(some)):
            yield some, some[:place] + some[place + 1 :]


def of_sizes(places, sizes):
    return [some for n in sizes for some in itertools.combinations_with_replacement(places, n)]


def round_of(ready, centers):
    """Return the counts and the sums that a round of Lloyd sees (private)."""
    nearest = np.argmin(((ready.points[:, None] - centers) ** 2).sum(axis=2), axis=1)
    counts = np.bincount(nearest, minlength=len(centers))
    return counts, np.stack([np.bincount(nearest, column, len(centers)) for column in ready.points.T])


def test_all_rounds_of_lloyd_have_noise_for_a_record_that_is_left_empty():
    mechanism, privacy = Lloyd(k=2, rounds=3, relation=ZERO_OUT), Privacy(0.8)
    ready = {some: mechanism.prepare(Points(some, SQUARE), privacy) for some in of_sizes(PLACES, (2, 3))}
    centers = np.array([[-0.5, 0.2], [0.6, -0.1]])
    losses = []
    for some, left in without_each(of_sizes(PLACES, (3,))):
        before, after = (round_of(ready[one], centers) for one in (some, left))
        losses.append(
            sum(
                np.abs(x - y).sum() / noise.scale
                for x, y, noise in zip(
                    before, after, (ready[some].for_counts, ready[some].for_sums), strict=True
                )
            )
        )
    assert 3 * max(losses) == pytest.approx(privacy.epsilon)
    half = Lloyd(k=2, rounds=3).prepare(Points(PLACES, SQUARE), privacy)
    assert half.for_counts.scale == pytest.approx(2 * ready[some].for_counts.scale)


def law_of_interior(mechanism, some, privacy, last):
    """Return the logarithms of the probabilities of all grid points, from the score's definition."""
    ready = mechanism.prepare(Points([[value / last] for value in some], LINE), privacy)
    assert ready.records.tolist() == sorted(some)
    scores = [min(sum(x <= a for x in some), sum(x >= a for x in some)) for a in range(last + 1)]
    weights = ready.epsilon / 2 * np.array(scores)
    return weights - np.logaddexp.reduce(weights)


def test_an_interior_point_keeps_epsilon_where_a_record_is_left_empty():
    privacy, mechanism = Privacy(8.0), InteriorPoint(grid=4, relation=ZERO_OUT)
    last = int(DomainGrid(LINE, mechanism.grid).last[0])
    sizes = [n for n in range(2, 6) if not mechanism.problems(privacy, LINE, n)]
    laws = {
        some: law_of_interior(mechanism, some, privacy, last) for some in of_sizes(range(last + 1), sizes)
    }
    worst = max(np.abs(laws[x] - laws[y]).max() for x, y in without_each(laws) if y in laws)
    assert len(sizes) >= 2
    assert 0.6 * privacy.epsilon < worst <= privacy.epsilon * (1 + 1e-12)
    wrong = InteriorPoint(way="reduction", relation=ZERO_OUT).problems(Privacy(8.0, 1e-3), LINE, 10_000)
    assert [problem.field for problem in wrong] == ["relation"]


def test_the_budget_of_the_same_noise_is_twice_as_large():
    assert as_replaced(Privacy(0.4, 1e-6), ZERO_OUT) == Privacy(0.8, 1e-6)
    assert as_replaced(Privacy(0.4, 1e-6), NEIGHBOURS) == Privacy(0.4, 1e-6)


def test_two_steps_with_a_delta_cost_what_two_steps_of_epsilon_and_delta_do():
    whole, concentrated = ledger_cost(StableCell(relation=ZERO_OUT), Privacy(0.5, 1e-4))
    assert whole == Privacy(0.5, 1e-4).for_group(2)
    assert concentrated == of_approximate(whole)
    assert ledger_cost(StableCell(), Privacy(0.5, 1e-4)) == (
        Privacy(0.5, 1e-4),
        of_approximate(Privacy(0.5, 1e-4)),
    )
    assert ledger_cost(StableCell(relation=ZERO_OUT), Privacy(3.0, 0.2)) == (NO_PROMISE, None)


@pytest.mark.parametrize(
    "mechanism",
    [
        Lloyd(k=2, rounds=1, relation=ZERO_OUT),
        MetricMedian(parts=3, relation=ZERO_OUT),
        InteriorPoint(relation=ZERO_OUT),
        StableCell(cells=2, relation=ZERO_OUT),
    ],
    ids=lambda one: one.name,
)
def test_no_audit_refutes_it(mechanism):
    """A false alarm has a probability below 1e-6 for each of the pairs."""
    privacy = Privacy(1.0, 1e-2)
    for pair in worst_case_pairs(mechanism, LINE, 30, privacy):
        assert (pair.data.n, pair.neighbour.n) == (30, 29)
        found = audit_run(mechanism, pair, privacy, runs=1000, seed=1, confidence=1 - 1e-6).audit
        assert not found.violated, (pair.name, found)


def test_a_choice_with_twice_the_epsilon_breaks_the_promise():
    right, privacy = MetricMedian(among="0; 1", relation=ZERO_OUT), Privacy(1.0)
    databases = Points([[0.0]] * 3 + [[1.0]], LINE), Points([[0.0]] * 3, LINE)

    def loss(mechanism):
        before, after = (np.log(mechanism.prepare(one, privacy).probabilities) for one in databases)
        return np.abs(before - after).max()

    assert loss(right) <= privacy.epsilon < loss(PLANTED["exponential-doubled"].planted(right))
