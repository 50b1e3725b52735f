"""The exponential mechanism, from its exact probabilities on all small score tables."""

import itertools
import math

import numpy as np
import pytest
from discrete import assert_drawn_from, number_of_draws
from flint import ctx

from engine.errors import ParameterError
from engine.primitives import (
    choose_crossing,
    crossing_scores,
    exponential_mechanism,
    exponential_slack,
    selection_probabilities,
)
from engine.randomness import reproducible, secure
from engine.sampling.balls import ball

SCORES = np.array(list(itertools.product(range(4), repeat=3)), dtype=float)
NEAR = np.abs(SCORES[:, None] - SCORES[None]).max(axis=2) <= 1


RNGS = [reproducible(2), secure()]


def largest_log_ratio(probabilities, near):
    logarithms = np.log(probabilities)
    return np.abs(logarithms[:, None] - logarithms[None])[near].max()


@pytest.mark.parametrize("sensitivity", [1.0, 2.5])
@pytest.mark.parametrize("others", [0, 5, 10**6])
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_no_log_ratio_is_above_epsilon(sensitivity, others, epsilon):
    table = np.array(
        [
            selection_probabilities(
                sensitivity * scores, epsilon, sensitivity=sensitivity, others=others, other_score=1.0
            )
            for scores in SCORES
        ]
    )
    assert table.shape == (64, 3 if others == 0 else 4)
    np.testing.assert_allclose(table.sum(axis=1), 1)
    found = largest_log_ratio(table, NEAR)
    assert found <= epsilon * (1 + 1e-9)
    if others == 0:
        assert found >= (0.65 if epsilon < 1 else 0.95) * epsilon
        # with weights exp(epsilon score) the same pairs tell too much
        doubled = np.array([selection_probabilities(scores, 2 * epsilon) for scores in SCORES])
        assert largest_log_ratio(doubled, NEAR) > 1.2 * epsilon


def test_candidates_may_be_listed_or_counted():
    scores = [3.0, 1.0, 0.0]
    listed = selection_probabilities([*scores, *[0.5] * 20], 0.7)
    counted = selection_probabilities(scores, 0.7, others=20, other_score=0.5)
    np.testing.assert_allclose(counted, [*listed[:3], listed[3:].sum()])
    np.testing.assert_allclose(counted[:3] / counted[0], np.exp(0.35 * (np.array(scores) - 3)))


@pytest.mark.parametrize("epsilon", [1e-9, 0.3, 100.0])
def test_exact_weights_keep_epsilon_exactly(epsilon, monkeypatch):
    """All pairs of neighbouring counts of three categories with four records, by enclosures."""
    monkeypatch.setattr(ctx, "prec", 1000)
    tables = [c for c in itertools.product(range(5), repeat=3) if sum(c) == 4]
    laws = {}
    for counts in tables:
        weights = [(ball(epsilon) * ball(count) / 2).exp() for count in counts]
        laws[counts] = [weight / sum(weights) for weight in weights]
    for first, second in itertools.permutations(tables, 2):
        if sum(abs(a - b) for a, b in zip(first, second, strict=True)) == 2:
            for p, q in zip(laws[first], laws[second], strict=True):
                assert p < q * ball(epsilon).exp()


@pytest.mark.parametrize("epsilon", [1e-9, 100.0, 1e4])
def test_releases_of_any_size_come_to_an_end(epsilon):
    rng = secure()
    for scores in ([0.0], [1e-300, -1e-300], [1e12, 1e12 - 1e-3, -1e300], np.zeros(5000)):
        assert 0 <= exponential_mechanism(scores, epsilon, rng) < len(scores)
    assert exponential_mechanism([1e300, 0.0], epsilon, rng) == 0
    for target in (-1e300, 0.0, 3.3, 1e300):
        assert 0 <= choose_crossing([5, 4, 4, 0], target, epsilon, rng) < 4


def test_scores_of_a_crossing_are_exact():
    """Whatever target and counts are: on their grid no difference is rounded, and none is more than 1."""
    rng = np.random.default_rng(5)
    for scale in (1.0, 1e4, 1e9):
        for target in (scale / 3, -scale / 7, 1e250):
            counts = np.sort(rng.integers(0, int(3 * scale), 30))[::-1].astype(float)
            for moved in (counts + 1, counts + rng.integers(0, 2, 30)):
                change = crossing_scores(moved, target) - crossing_scores(counts, target)
                assert np.abs(change).max() <= 1
                assert np.array_equal(change * 2**20, np.rint(change * 2**20))


@pytest.mark.parametrize("rng", RNGS, ids=["simulated", "released"])
@pytest.mark.parametrize("others", [0, 30])
@number_of_draws(2_000, 8_000)
def test_choices_follow_the_probabilities(others, rng, runs):
    scores, options = [0.0, 2.0, 5.0, 4.5], {"sensitivity": 1.5, "others": others, "other_score": -1.0}
    drawn = [exponential_mechanism(scores, 1.2, rng, **options) for _ in range(runs)]
    assert_drawn_from(drawn, selection_probabilities(scores, 1.2, **options))


@pytest.mark.parametrize("rng", RNGS, ids=["simulated", "released"])
@pytest.mark.parametrize("many", [0, 7, 10**300])
@number_of_draws(2_000, 8_000)
def test_candidates_of_one_score_are_drawn_together(many, rng, runs):
    """As if each were listed: 1, 20 and 3 of them, and some others."""
    scores, prior, other = [3.0, -1.5, 2.0], [0.25, 20, 3], -2 / 1.2 * math.log(max(1, many))
    options = {"others": many, "other_score": other}
    drawn = [exponential_mechanism(scores, 1.2, rng, weights=prior, **options) for _ in range(runs)]
    found = selection_probabilities(scores, 1.2, weights=prior, **options)
    weights = [m * math.exp(0.6 * s) for m, s in zip(prior, scores, strict=True)] + [1] * (many > 0)
    np.testing.assert_allclose(found, np.array(weights) / sum(weights))
    assert_drawn_from(drawn, found)


@pytest.mark.parametrize("rng", RNGS, ids=["simulated", "released"])
def test_huge_scores_and_numbers_of_candidates(rng):
    assert exponential_mechanism([1e6, 0.0], 1.0, rng) == 0
    assert exponential_mechanism([0.0], 1.0, rng, others=10**300) == 1
    assert exponential_mechanism([2000.0], 1.0, rng, others=10**300) == 0
    assert exponential_mechanism([], 1.0, rng, others=7) == 0
    even = selection_probabilities([2 * math.log(1e300)], 1.0, others=10**300)
    np.testing.assert_allclose(even, 0.5)


@pytest.mark.parametrize("candidates", [2, 10, 300])
def test_the_slack_covers_the_worst_scores(candidates):
    """One candidate is the best, all others fall short by just the slack."""
    epsilon, beta = 0.8, 0.05
    slack = exponential_slack(math.log(candidates), epsilon, beta, sensitivity=2.0)
    p = selection_probabilities([0.0] + [-slack] * (candidates - 1), epsilon, sensitivity=2.0)
    assert 0.4 * beta < 1 - p[0] <= beta
    assert exponential_slack(600 * math.log(2), epsilon, beta) == pytest.approx(
        2 / epsilon * math.log(2.0**600 / beta)
    )


COUNTS = np.array(sorted(c for c in itertools.product(range(5), repeat=4) if list(c) == sorted(c)[::-1]))


@pytest.mark.parametrize("target", [0.0, 2.0, 2.5, 7.0])
def test_where_counts_cross_a_target(target):
    for counts in COUNTS:
        scores = crossing_scores(counts, target)
        following = [*counts[1:], -math.inf]
        expected = [-max(target - c, f - target, 0) for c, f in zip(counts, following, strict=True)]
        np.testing.assert_array_equal(scores, expected)
        if counts[0] >= target:
            assert scores[np.flatnonzero(counts >= target)[-1]] == 0
    assert crossing_scores([5.0, 4.0], 2.0, below=3.0)[1] == -1


def test_a_crossing_is_private_and_near_the_target():
    epsilon, target, beta = 1.5, 2.0, 0.3
    near = np.abs(COUNTS[:, None] - COUNTS[None]).max(axis=2) <= 1
    p = np.array([selection_probabilities(crossing_scores(c, target), epsilon) for c in COUNTS])
    assert 0.6 * epsilon < largest_log_ratio(p, near) <= epsilon
    slack = exponential_slack(math.log(4), epsilon, beta)
    for counts in 3 * COUNTS:
        following = np.append(counts[1:], -math.inf)
        good = (counts >= target - slack) & (following <= target + slack)
        chances = selection_probabilities(crossing_scores(counts, target), epsilon)
        assert counts[0] < target or chances[good].sum() >= 1 - beta
    counts = [9.0, 5.0, 4.0, 0.0]
    scores = crossing_scores(counts, 4.5)
    for rng in RNGS:
        drawn = [choose_crossing(counts, 4.5, epsilon, rng, sensitivity=2.0) for _ in range(8_000)]
        assert_drawn_from(drawn, selection_probabilities(scores, epsilon, sensitivity=2.0))


@pytest.mark.parametrize(
    ("scores", "others", "field"),
    [([], 0, "scores"), ([1.0], -1, "others"), ([1.0], math.inf, "others"), ([1.0], 2.0, "others")],
)
def test_what_makes_no_sense_is_refused(scores, others, field):
    with pytest.raises(ParameterError) as caught:
        exponential_mechanism(scores, 1.0, np.random.default_rng(0), others=others)
    assert caught.value.field == field
