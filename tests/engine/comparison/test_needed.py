"""Which epsilon is needed, against exact quantiles."""

import functools
import math

import numpy as np
import pytest
from scipy.stats import binom

from engine.comparison import Processes, contenders_from, needed, needed_epsilon, needed_epsilons
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.errors import ParameterError
from engine.findings import findings_text
from engine.mechanisms import (
    ExponentialRelease,
    GaussianRelease,
    LaplaceRelease,
    NoisyHistogram,
    ProposeTestRelease,
    ShiftedHistogram,
    SmoothRelease,
)
from engine.privacy import Privacy
from engine.progress import Cancelled

COLUMN = Sample(np.random.default_rng(5).normal(50, 10, 101), Interval(0, 100))


def search(mechanism, within, share=0.95, runs=600, seed=1, delta=1e-6, data=COLUMN, **more):
    (contender,) = contenders_from([mechanism])
    return needed_epsilon(contender, data, delta, within=within, share=share, runs=runs, seed=seed, **more)


def exact(mechanism, within, share, delta=1e-6):
    """Return the epsilon at which the quantiles of the release say what is asked for."""
    p = (np.arange(40_000) + 0.5) / 40_000
    low, high = 1e-3, 100.0
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        prepared = mechanism.prepare(COLUMN, Privacy(middle, delta))
        errors = np.abs(prepared.quantile(p) - prepared.diagnostics["true_value"])
        low, high = (low, middle) if (errors <= within).mean() >= share else (middle, high)
    return high


def test_laplace_noise_needs_what_its_formula_says():
    """40 searches at 99 %: more than 6 misses have a probability below 1e-6."""
    assert binom.sf(6, 40, 0.01) < 1e-6
    true = 100 * math.log(1 / (1 - 0.95)) / 20
    found = [search(LaplaceRelease(), within=20, runs=300, seed=seed) for seed in range(40)]
    assert sum(not one.low <= true <= one.high for one in found) <= 6
    assert np.median([one.epsilon for one in found]) == pytest.approx(true, rel=0.05)
    assert all(one.low <= one.epsilon <= one.high and one.share_at >= 0.95 for one in found)


@pytest.mark.parametrize("share", [0.5, 0.95])
@pytest.mark.parametrize(
    ("mechanism", "within"), [(SmoothRelease(), 3), (GaussianRelease(), 30), (ExponentialRelease(), 3)]
)
def test_what_is_found_agrees_with_the_quantiles(mechanism, within, share):
    found, true = search(mechanism, within, share, runs=2000), exact(mechanism, within, share)
    assert found.low <= true * 1.005
    assert true <= found.high * 1.005
    assert found.epsilon == pytest.approx(true, rel=0.15)


def test_more_runs_know_better():
    few, many = (search(LaplaceRelease(), within=20, runs=runs) for runs in (200, 8000))
    assert many.high / many.low < few.high / few.low


def test_the_lower_end_is_where_the_search_knows_that_it_is_not_enough(monkeypatch):
    """Without halving all that is known is between which tried epsilons the answer lies."""
    monkeypatch.setattr(needed, "HALVINGS", 0)
    found, true = search(LaplaceRelease(), within=20, runs=5000), 100 * math.log(1 / (1 - 0.95)) / 20
    assert found.low == pytest.approx(10)
    assert found.epsilon == found.high == pytest.approx(31.6, rel=1e-3)
    assert found.low < true < found.high


def test_where_even_the_largest_does_not_suffice():
    found = search(LaplaceRelease(), within=0.001)
    assert found.epsilon is None
    assert found.low == found.high == math.inf
    assert found.problem == ("epsilon = 100 is not enough for an error of at most 0.001 in 95 % of releases")


def test_where_the_smallest_suffices():
    found = search(ExponentialRelease(), within=100)
    assert found.epsilon == found.low == found.high == pytest.approx(1e-3)


def test_too_few_runs_make_nothing_sure():
    assert search(LaplaceRelease(), within=20, share=0.99, runs=50).high == math.inf


def test_a_mechanism_that_does_not_fit_says_why():
    found = search(GaussianRelease(), within=20, delta=0.0)
    assert found.epsilon is None
    assert found.problem.startswith("Gaussian noise needs delta")


def test_an_epsilon_that_does_not_fit_does_not_suffice():
    """A refusal is no answer within the bound."""
    found = search(ProposeTestRelease(bound=1.0), within=50, share=0.5)
    assert found.epsilon > 0.1
    assert found.share_at >= 0.5


def test_what_is_not_private_needs_no_epsilon():
    cloud = Points(np.random.default_rng(2).random((200, 1)), Box.of([0], [1]))
    found = search(ShiftedHistogram(t=5), within=20, data=cloud, runs=5)
    assert found.epsilon is None
    assert "not differentially private" in found.problem
    assert search(NoisyHistogram(bins=4), within=20, data=cloud, runs=50).epsilon > 0


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("within", {"within": -1.0}),
        ("within", {"within": math.inf}),
        ("within", {"within": math.nan}),
        ("share", {"share": 0.0}),
        ("share", {"share": 1.0}),
        ("runs", {"runs": 0}),
        ("seed", {"seed": -1}),
    ],
)
def test_bad_questions_are_refused(field, changes):
    with pytest.raises(ParameterError) as caught:
        search(LaplaceRelease(), **{"within": 20.0, **changes})
    assert caught.value.field == field


def test_progress_goes_on_and_a_cancel_comes_through():
    fractions = []
    search(LaplaceRelease(), within=20, progress=lambda fraction, _="": fractions.append(fraction))
    assert fractions == sorted(fractions)
    assert fractions[-1] <= 1

    def stop(fraction, message=""):
        if fraction > 0.2:
            raise Cancelled

    with pytest.raises(Cancelled):
        search(LaplaceRelease(), within=20, progress=stop)


@pytest.mark.slow
def test_several_are_searched_side_by_side_with_the_same_answers():
    contenders, told = contenders_from([LaplaceRelease(), GaussianRelease(), SmoothRelease()]), []
    asked = functools.partial(
        needed_epsilons, contenders, COLUMN, 1e-6, within=20.0, share=0.95, runs=300, seed=1
    )
    alone = asked()
    with Processes(COLUMN, workers=1) as processes:
        apart = asked(processes=processes, publish=told.append)
    assert findings_text(apart) == findings_text(alone)
    assert None in told[0].answers
    assert findings_text(told[-1]) == findings_text(alone)
    assert any(found.answers[0] and not any(found.answers[1:]) for found in told)
