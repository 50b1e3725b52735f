"""Comparisons in one thread: the same seeds for all, problems in words, cancel."""

import numpy as np
import pytest
from comparisons import CLOUD, COLUMN, METHODS, ONE, PRIVACY

from engine.comparison import Sweep, compare, contenders_from, replay, trials
from engine.data.graph import WeightedGraph
from engine.domain import Interval
from engine.errors import DataError, ParameterError
from engine.mechanisms import (
    GaussianRelease,
    LaplaceRelease,
    Mode,
    NoisyHistogram,
    ProposeTestRelease,
    ShiftedHistogram,
)
from engine.privacy import Privacy
from engine.progress import Cancelled
from engine.queries import MstCost


def test_trials_are_ordered_by_value_and_then_by_contender():
    found = trials(METHODS[:2], Sweep("epsilon", (0.5, 2.0)), PRIVACY, 10)
    assert [(trial.position, trial.contender) for trial in found] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [trial.privacy for trial in found[1:3]] == [Privacy(0.5, 1e-6), Privacy(2.0, 1e-6)]


def test_other_sweeps_change_the_mechanism_or_the_number_of_records():
    split = trials(METHODS[:2], Sweep("split", (0.25,)), PRIVACY, 10)
    assert split[0].mechanism.split == 0.25
    assert split[1].mechanism == METHODS[1].mechanism
    assert [trial.n for trial in trials(METHODS[:1], Sweep("n", (3.0, 10.0)), PRIVACY, 10)] == [3, 10]


@pytest.mark.parametrize(
    "sweep",
    [
        Sweep("n", (11.0,)),
        Sweep("n", (0.0,)),
        Sweep("epsilon", ()),
        Sweep("split", (2.0,)),
        Sweep("epsilon", (-1.0,)),
    ],
)
def test_impossible_values_are_refused(sweep):
    with pytest.raises(ParameterError):
        trials(METHODS, sweep, PRIVACY, 10)


@pytest.mark.parametrize(("runs", "seed", "field"), [(0, 1, "runs"), (-5, 1, "runs"), (10, -1, "seed")])
def test_no_runs_and_no_seed_are_refused(runs, seed, field):
    with pytest.raises(ParameterError) as caught:
        compare(METHODS, COLUMN, PRIVACY, ONE, runs=runs, seed=seed)
    assert caught.value.field == field


def test_every_contender_is_compared_and_errors_are_distances():
    found = compare(METHODS, COLUMN, PRIVACY, Sweep("epsilon", (4.0, 30.0)), runs=230, seed=1)
    assert found.complete
    assert [outcome.runs for outcome in found.outcomes] == [230] * (2 * len(METHODS))
    laplace = found.of(1)
    # 230 absolute values of Laplace noise: the median is within a factor 2 of ln 2 but for 2e-12
    for outcome, epsilon in zip(laplace, (4.0, 30.0), strict=True):
        assert 0.5 < outcome.quantile(0.5) / (100 / epsilon * np.log(2)) < 2
    assert all(outcome.trivial_error == 50 for outcome in found.outcomes)
    assert all(outcome.seconds_per_run > 0 for outcome in found.outcomes)


def test_the_seed_and_the_place_decide_and_not_who_else_is_compared():
    sweep = Sweep("epsilon", (1.0, 1.0))
    all_of_them = compare(METHODS, COLUMN, PRIVACY, sweep, runs=50, seed=3)
    alone = compare(METHODS[:1], COLUMN, PRIVACY, sweep, runs=50, seed=3)
    other = compare(METHODS[:1], COLUMN, PRIVACY, sweep, runs=50, seed=4)
    for one, same in zip(alone.of(0), all_of_them.of(0), strict=True):
        assert np.array_equal(one.errors, same.errors)
    assert not np.array_equal(alone.outcomes[0].errors, alone.outcomes[1].errors)
    assert not np.array_equal(alone.outcomes[0].errors, other.outcomes[0].errors)


def test_twins_have_the_same_errors():
    found = compare(
        contenders_from([LaplaceRelease(), LaplaceRelease()]), COLUMN, PRIVACY, ONE, runs=120, seed=1
    )
    assert np.array_equal(found.outcomes[0].errors, found.outcomes[1].errors)


def test_more_runs_go_on_where_fewer_end():
    few, many = (compare(METHODS, COLUMN, PRIVACY, ONE, runs=runs, seed=1) for runs in (130, 330))
    for short, long in zip(few.outcomes, many.outcomes, strict=True):
        assert np.array_equal(short.errors, long.errors[:130], equal_nan=True)


def test_a_mechanism_that_does_not_fit_says_why():
    contenders = contenders_from([GaussianRelease(), LaplaceRelease(), ProposeTestRelease(bound=500.0)])
    found = compare(contenders, COLUMN, Privacy(1.0), ONE, runs=10, seed=1)
    assert found.outcomes[0].problem.startswith("Gaussian noise needs delta above 0")
    assert found.outcomes[0].runs == 0
    assert np.isnan(found.outcomes[0].quantile(0.5))
    assert found.outcomes[1].problem == ""
    assert found.complete


def test_refusals_are_worse_than_any_error():
    contenders = contenders_from([ProposeTestRelease(bound=0.001)])
    outcome = compare(contenders, COLUMN, PRIVACY, ONE, runs=40, seed=1).outcomes[0]
    assert outcome.refused == 40
    assert outcome.quantile(0.5) == np.inf
    assert outcome.answered.size == 0


def test_a_sweep_of_n_gives_all_the_same_records():
    found = compare(METHODS, COLUMN, PRIVACY, Sweep("n", (51.0, 301.0)), runs=20, seed=9)
    fewer = [outcome.trial for outcome in found.at(0)]
    medians = {replay(trial, COLUMN, 0, seed=9) is not None and trial.n for trial in fewer[:4]}
    assert medians == {51}
    small, large = (found.at(place)[1].quantile(0.5) for place in (0, 1))
    assert small != large


def test_a_graph_has_no_sweep_of_n():
    graph = WeightedGraph([(0, 1), (1, 2), (0, 2)], [1.0, 2.0, 3.0], Interval(0, 5))
    contenders = contenders_from([LaplaceRelease(query=MstCost())])
    assert compare(contenders, graph, PRIVACY, ONE, runs=5, seed=1).complete
    with pytest.raises(DataError, match="another graph"):
        compare(contenders, graph, PRIVACY, Sweep("n", (2.0,)), runs=5, seed=1)


def test_a_value_that_changes_nothing_is_tried_once():
    """Once for all values: the same errors, and any run of them once more, wherever it stands."""
    made, fractions = [], []
    contenders = contenders_from([ShiftedHistogram(t=20), NoisyHistogram(bins=4)])
    sweep = Sweep("epsilon", (0.5, 1.0, 2.0))
    planned = trials(contenders, sweep, PRIVACY, CLOUD.n)
    assert [(trial.shared, trial.origin) for trial in planned[2:4]] == [(True, 0), (False, 1)]
    found = compare(
        contenders,
        CLOUD,
        PRIVACY,
        sweep,
        runs=12,
        seed=1,
        progress=lambda fraction, _="": fractions.append(fraction),
        publish=made.append,
    )
    assert found.complete
    assert [outcome.trial for outcome in found.outcomes] == list(planned)
    assert fractions == sorted(fractions)
    assert {round(4 * fraction) for fraction in fractions} == {0, 1, 2, 3, 4}  # four trials, not six
    reference, private = found.of(0), found.of(1)
    for outcome in reference[1:]:
        assert np.array_equal(outcome.errors, reference[0].errors)
        assert replay(outcome.trial, CLOUD, 7, seed=1) == replay(reference[0].trial, CLOUD, 7, seed=1)
    assert not np.array_equal(private[0].errors, private[1].errors)
    assert replay(private[0].trial, CLOUD, 7, seed=1) != replay(private[1].trial, CLOUD, 7, seed=1)


def test_a_parameter_that_a_contender_lacks_changes_nothing_about_it():
    found = trials(METHODS[:2], Sweep("split", (0.25, 0.5)), PRIVACY, 10)
    assert [trial.shared for trial in found] == [False, True, False, True]
    assert not any(trial.shared for trial in trials(METHODS, Sweep("n", (5.0, 10.0)), PRIVACY, 10))


class StopAfter:
    """Raises `Cancelled` at the report of this number, and at all after it."""

    def __init__(self, reports):
        self.left = reports
        self.fractions = []

    def __call__(self, fraction, message=""):
        self.fractions.append(fraction)
        self.left -= 1
        if self.left < 0:
            raise Cancelled


@pytest.mark.parametrize("reports", [0, 1, 2, 5, 20])
def test_what_was_done_before_a_cancel_is_kept(reports):
    whole = compare(METHODS, COLUMN, PRIVACY, ONE, runs=1000, seed=1)
    published = []
    stopped = compare(
        METHODS,
        COLUMN,
        PRIVACY,
        ONE,
        runs=1000,
        seed=1,
        progress=StopAfter(reports),
        publish=published.append,
    )
    assert not stopped.complete
    assert published[-1].outcomes == stopped.outcomes
    # getting ready reports, too
    assert sum(outcome.runs for outcome in stopped.outcomes) >= 100 * (reports - 2 * len(METHODS))
    for part, all_of_it in zip(stopped.outcomes, whole.outcomes, strict=False):
        assert np.array_equal(part.errors, all_of_it.errors[: part.runs], equal_nan=True)


def test_progress_never_goes_back_and_ends_near_the_whole():
    reports = StopAfter(10**9)
    compare(METHODS, COLUMN, PRIVACY, Sweep("epsilon", (1.0, 2.0)), runs=300, seed=1, progress=reports)
    assert reports.fractions == sorted(reports.fractions)
    assert reports.fractions[0] == 0
    assert 0.9 < reports.fractions[-1] <= 1


def test_nothing_of_a_comparison_is_shown_by_accident():
    found = compare(METHODS[:1], COLUMN, PRIVACY, ONE, runs=5, seed=1)
    assert "array" not in repr(found)
    assert "errors" not in repr(found.outcomes[0])


def test_a_slow_mechanism_may_have_fewer_runs_than_the_others():
    """Its runs are the first ones of a comparison in which it has as many."""
    few = compare(METHODS[:3], COLUMN, PRIVACY, ONE, runs=(300, 20, 300), seed=1)
    assert few.complete
    assert (few.runs, few.asked, few.made) == (300, 620, 620)
    assert [few.has_fewer(contender) for contender in range(3)] == [False, True, False]
    equal = compare(METHODS[:3], COLUMN, PRIVACY, ONE, runs=300, seed=1)
    assert not any(map(equal.has_fewer, range(3)))
    for one, other in zip(few.outcomes, equal.outcomes, strict=True):
        assert np.array_equal(one.errors, other.errors[: one.runs])
    for wrong in ((300, 20), (300, 0, 300)):
        with pytest.raises(ParameterError):
            compare(METHODS[:3], COLUMN, PRIVACY, ONE, runs=wrong, seed=1)


def test_no_midpoint_errs_by_more_than_the_trivial_baseline():
    domain = Interval(-20, 100)
    output = LaplaceRelease().output
    midpoint = np.full(2, (domain.lower + domain.upper) / 2)
    farthest = [output.errors(midpoint, end, domain).max() for end in (domain.lower, domain.upper)]
    assert farthest == [output.trivial_error(domain, 10)] * 2 == [60.0, 60.0]
    # categories have no middle: any of them may have no records
    assert Mode().output.trivial_error(None, 1) == 1.0
