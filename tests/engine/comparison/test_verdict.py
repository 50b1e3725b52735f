"""Verdicts against exact medians: the interval of the ratio holds, chance is not called a win."""

import numpy as np
import pytest
from scipy.stats import binom

from engine.comparison import Comparison, Outcome, Sweep, Trial, compare, contenders_from, verdict
from engine.comparison.verdict import median_interval, standing
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.mechanisms import (
    ExponentialRelease,
    LaplaceRelease,
    NoisyHistogram,
    ShiftedHistogram,
    SmoothRelease,
)
from engine.privacy import Privacy

PRIVACY = Privacy(1.0)
ONE = Sweep("epsilon", (1.0,))
COLUMN = Sample(np.random.default_rng(5).normal(50, 10, 101), Interval(0, 100))


def exact_median_error(mechanism):
    """Return the median of |X - f(x)| from the quantiles of X, on a fine grid of probabilities."""
    prepared = mechanism.prepare(COLUMN, PRIVACY)
    p = (np.arange(200_000) + 0.5) / 200_000
    return float(np.median(np.abs(prepared.quantile(p) - prepared.diagnostics["true_value"])))


def outcome(errors, mechanism=None, trivial=np.inf):
    mechanism = mechanism or LaplaceRelease()
    errors = np.asarray(errors, dtype=np.float64)
    return Outcome(Trial(0, 0, 1.0, mechanism, PRIVACY, 10), len(errors), errors, trivial_error=trivial)


def test_the_interval_of_the_ratio_holds_the_exact_one():
    """200 verdicts at 90 %: more than 44 misses have a probability below 1e-6."""
    assert binom.sf(44, 200, 0.1) < 1e-6
    contenders = contenders_from([SmoothRelease(), ExponentialRelease()])
    smooth, exponential = (exact_median_error(contender.mechanism) for contender in contenders)
    missed = 0
    for seed in range(200):
        found = verdict(
            compare(contenders, COLUMN, PRIVACY, ONE, runs=60, seed=seed).outcomes, confidence=0.9
        )
        ratio = smooth / exponential
        if found.best.trial.contender == 0:
            ratio = 1 / ratio
        missed += not found.low <= ratio <= found.high
        assert found.low <= found.ratio <= found.high
    assert missed <= 44


def test_enough_runs_find_the_winner_and_by_how_much():
    contenders = contenders_from([LaplaceRelease(), ExponentialRelease(), SmoothRelease()])
    found = verdict(compare(contenders, COLUMN, PRIVACY, ONE, runs=5000, seed=1).outcomes)
    assert [found.best.trial.contender, found.other.trial.contender] == [1, 2]
    assert found.significant
    exact = exact_median_error(SmoothRelease()) / exact_median_error(ExponentialRelease())
    assert found.ratio == pytest.approx(exact, rel=0.1)
    assert found.low <= exact <= found.high
    assert found.high < 1.4 * found.low


def test_chance_is_not_called_a_win():
    """Five times the same law: a winner is found with probability at most 10 %, in 200 rounds 44 times."""
    rng = np.random.default_rng(3)
    wins = sum(
        verdict([outcome(e) for e in rng.exponential(size=(5, 80))], 0.9).significant for _ in range(200)
    )
    assert wins <= 44


def test_twins_tie():
    found = verdict(
        compare(contenders_from([LaplaceRelease()] * 2), COLUMN, PRIVACY, ONE, runs=500, seed=1).outcomes
    )
    assert found.ratio == 1
    assert not found.significant


def test_few_runs_decide_nothing():
    found = verdict([outcome([1, 2, 1]), outcome([900, 1000, 1100])])
    assert (found.low, found.high) == (0, np.inf)
    assert found.ratio == 1000
    assert not found.significant


def test_refusals_lose():
    rng = np.random.default_rng(4)
    refusing = np.where(rng.random(400) < 0.8, np.nan, 0.001)
    found = verdict([outcome(refusing), outcome(rng.random(400) + 5)])
    assert found.other.refused > 200
    assert found.ratio == np.inf
    assert found.significant


def test_errors_of_zero_win():
    found = verdict([outcome(np.zeros(300)), outcome(np.ones(300))])
    assert found.ratio == np.inf
    assert found.significant
    assert verdict([outcome(np.zeros(300)), outcome(np.zeros(300))]).ratio == 1


def test_a_win_must_be_against_all_others():
    rng = np.random.default_rng(1)
    close = [outcome(1 + 1e-3 * rng.random(2000)), outcome(1.01 + 1e-3 * rng.random(2000))]
    assert verdict(close).significant
    wide = outcome(1.02 + rng.normal(0, 5, 2000))
    assert not verdict([*close, wide]).significant


def test_what_is_not_private_does_not_compete():
    cloud = Points(np.random.default_rng(2).random((200, 1)), Box.of([0], [1]))
    contenders = contenders_from([ShiftedHistogram(t=2), NoisyHistogram(bins=4), NoisyHistogram(bins=64)])
    found = compare(contenders, cloud, PRIVACY, ONE, runs=30, seed=1)
    assert found.outcomes[0].quantile(0.5) < found.outcomes[1].quantile(0.5)
    told = verdict(found.outcomes)
    assert {told.best.trial.contender, told.other.trial.contender} == {1, 2}
    assert verdict(found.outcomes[:2]) is None


def test_a_best_error_of_half_the_trivial_baseline_is_useless():
    assert verdict([outcome([25] * 9, trivial=50), outcome([30] * 9, trivial=50)]).useless
    assert not verdict([outcome([24] * 9, trivial=50), outcome([30] * 9, trivial=50)]).useless


@pytest.mark.parametrize("n", [5, 8, 37, 100, 5000, 100_001])
def test_order_statistics_are_the_closest_that_suffice(n):
    low, high = median_interval(np.arange(1.0, n + 1), 0.99)
    k = int(low)
    if k == 0:
        assert high == np.inf
        assert binom.cdf(0, n, 0.5) > 0.005
    else:
        assert high == n + 1 - k
        assert binom.cdf(k - 1, n, 0.5) <= 0.005 < binom.cdf(k, n, 0.5)


def test_so_many_runs_as_are_needed_tell_two_apart():
    rng = np.random.default_rng(4)
    found = verdict([outcome(middle * rng.lognormal(size=400)) for middle in (10.0, 11.5)])
    assert not found.significant
    more = 4 * found.runs_needed
    assert verdict([outcome(middle * rng.lognormal(size=more)) for middle in (10.0, 11.5)]).significant
    assert verdict([outcome(np.ones(400)), outcome(np.ones(400))]).runs_needed is None


def test_outcomes_say_their_middle_run_and_the_trivial_error():
    one = outcome([3.0, np.nan, 1.0, 2.0], trivial=9.0)
    assert one.median_run == 3  # of 1, 2, 3 and a refusal the lower one of the middle
    assert outcome([]).median_run is None
    found = Comparison((), ONE, (one, outcome([1.0], trivial=7.0), outcome([], trivial=1.0)), 4, seed=1)
    assert found.trivial_error(0) == 7.0
    assert found.outcome(0, 0) is one
    assert found.outcome(1, 0) is None
    assert Comparison((), ONE, (outcome([1.0]),), 1, seed=1).trivial_error(0) is None


def test_only_samples_whose_whole_interval_is_larger_are_worse_than_the_best():
    runs = np.arange(1.0, 101)
    samples = [runs + 500, runs, np.empty(0), runs + 5]
    assert standing(samples) == ([1, 3, 0], [0])
    assert standing([np.empty(0)]) == ([], [])
    few = [np.array([1.0, 2, 3]), np.array([1e9, 1e9, 1e9])]
    assert standing(few) == ([0, 1], [])  # three runs tell nothing at this confidence
