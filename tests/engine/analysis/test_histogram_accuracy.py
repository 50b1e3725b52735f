"""Errors of histograms, diameters against radii, and simulated answers, against plain loops."""

import numpy as np
import pytest

from engine import Covariance, PrivTree
from engine.analysis import histogram_accuracy as module
from engine.analysis import histogram_diameters as diameters
from engine.analysis.histogram_accuracy import estimate_count_error, histogram_errors
from engine.analysis.histogram_diameters import diameters_by_radius
from engine.analysis.preparing import simulated_answer
from engine.data.categories import Categories, CategoryDomain
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.ranges import Ranges
from engine.histograms.spanning_tree import euclidean_tree, resampled_tree
from engine.mechanisms import (
    HierarchicalHistogram,
    Mode,
    NetHistogram,
    NoisyHistogram,
    RecursiveHistogram,
    ShiftedHistogram,
)
from engine.privacy import Privacy
from engine.progress import Cancelled
from engine.randomness import reproducible

PRIVACY, BOX = Privacy(2.0), Box.of([0, 0], [1, 1])
SHIFTED, TREE = ShiftedHistogram(t=5), PrivTree()


@pytest.fixture
def data():
    return Points(np.random.default_rng(1).beta(2, 5, (150, 2)), BOX)


@pytest.fixture
def few_runs(monkeypatch):
    monkeypatch.setattr(module, "RUNS", 3)
    monkeypatch.setattr(module, "PUBLISH_SECONDS", 0.0)


@pytest.mark.usefixtures("few_runs")
def test_errors_are_those_of_each_run(data):
    published = []
    found = histogram_errors(
        SHIFTED, data, PRIVACY, alternatives=[TREE, SHIFTED], seed=4, publish=published.append
    )
    assert (found.mechanism, found.n) == (SHIFTED, 150)
    ranges = Ranges.within(BOX)
    truth, cost = ranges.exact(data.values), euclidean_tree(data.values).cost
    for sample, mechanism in zip(found.samples, (TREE, SHIFTED), strict=True):
        assert sample.mechanism is mechanism
        for run, (counts, tree) in enumerate(zip(sample.counts, sample.tree, strict=True)):
            made = mechanism.prepare(data, PRIVACY).histogram(reproducible(4 + run))
            assert counts == np.abs(ranges.answers(made) - truth).mean()
            assert tree == abs(resampled_tree(made, reproducible(4 + run), 150)[0].cost / cost - 1)
    assert [len(one.samples[0].counts) for one in published] == [1, 1, 2, 2, 3, 3]


@pytest.mark.usefixtures("few_runs")
def test_what_does_not_fit_has_a_problem_and_no_errors():
    wide = Points(np.zeros((4, 2)), Box.of([0, 0], [1e200, 1e200]))
    [sample] = histogram_errors(TREE, wide, PRIVACY, alternatives=[TREE]).samples
    assert "too large" in sample.problem
    assert not sample.counts.size


def test_what_is_private_comes_first_and_what_is_slow_is_left_out(data, few_runs, monkeypatch):
    net = NetHistogram(t=5)
    published = []
    histogram_errors(TREE, data, PRIVACY, alternatives=[net, TREE], publish=published.append)
    assert [[len(one.counts) for one in so_far.samples] for so_far in published] == [
        *([0, run] for run in (1, 2, 3)),
        *([run, 3] for run in (1, 2, 3)),
    ]
    monkeypatch.setattr(module, "MAX_EFFORT", net.resources(BOX, 149).seconds)
    other = Points(data.values, BOX)  # nothing is known about it yet
    left_out, _ = histogram_errors(TREE, other, PRIVACY, alternatives=[net, TREE]).samples
    assert left_out.problem == "left out: slow with so many records"
    assert not left_out.counts.size
    own, _ = histogram_errors(net, other, PRIVACY, alternatives=[net, TREE]).samples
    assert not own.problem
    assert own.counts.size == 3


def test_of_many_records_trees_are_not_compared(data, monkeypatch, few_runs):
    monkeypatch.setattr(module, "MAX_WITH_TREES", 100)
    [sample] = histogram_errors(SHIFTED, data, PRIVACY, alternatives=[SHIFTED]).samples
    assert len(sample.counts) == 3
    assert not sample.tree.size


def test_what_was_cancelled_is_not_remembered(data, few_runs):
    def stop(fraction, message=""):
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        histogram_errors(SHIFTED, data, PRIVACY, alternatives=[SHIFTED], progress=stop)
    [sample] = histogram_errors(SHIFTED, data, PRIVACY, alternatives=[SHIFTED]).samples
    assert len(sample.counts) == 3


@pytest.mark.parametrize("mechanism", [NoisyHistogram(), TREE, NetHistogram(t=5), RecursiveHistogram(t=5)])
def test_the_expected_error_is_the_one_that_is_compared(data, monkeypatch, mechanism):
    monkeypatch.setattr(module, "RUNS", 6)
    monkeypatch.setattr(module, "MAX_TREE_RUNS", 4)
    errors = histogram_errors(mechanism, data, PRIVACY, alternatives=[mechanism])
    [sample], [finding] = errors.samples, errors.findings()
    assert finding.value == [np.median(sample.counts), np.median(sample.tree)]
    assert np.isfinite(finding.value).all()
    assert sample.counts.size == 6
    assert sample.tree.size == 4
    assert estimate_count_error(mechanism, data, PRIVACY).typical == np.median(sample.counts)
    monkeypatch.setattr(module, "MAX_JUDGED", 100)
    assert estimate_count_error(mechanism, data, PRIVACY) is None


@pytest.mark.parametrize("mechanism", [NoisyHistogram(bins=4), NoisyHistogram(bins=4, post="none"), TREE])
def test_an_estimate_stops_when_its_standard_error_is_small(data, mechanism):
    """It agrees with many runs, each compared with a count of the points in every box."""
    found, boxes = estimate_count_error(mechanism, data, PRIVACY), Ranges.within(BOX)
    inside = (data.values >= boxes.lower[:, None]) & (data.values <= boxes.upper[:, None])
    truth, ready = inside.all(axis=2).sum(axis=1), mechanism.prepare(data, PRIVACY)
    made = [ready.histogram(reproducible(1000 + run)) for run in range(600)]
    errors = [np.abs(boxes.answers(histogram) - truth).mean() for histogram in made]
    assert abs(found.typical - np.median(errors)) < 4 * found.standard_error
    assert found.standard_error <= module.PRECISE * found.typical


def test_noise_is_within_the_half_width_in_95_of_100_counts(data):
    mechanisms = (
        NoisyHistogram(bins=40, post="none"),
        PrivTree(post="none"),
        HierarchicalHistogram(post="none"),
    )
    for mechanism in mechanisms:
        ready, width = mechanism.prepare(data, PRIVACY), mechanism.half_width(BOX, PRIVACY)
        made = [ready.histogram(reproducible(run)) for run in range(80)]
        assert all((np.ptp(one.intervals, axis=1) <= 2 * width).all() for one in made)
        held = [
            (one.intervals[:, 0] <= true) & (true <= one.intervals[:, 1])
            for one in made
            for true in [np.bincount(one.places(data.values), minlength=one.size)]
        ]
        assert np.concatenate(held).mean() > 0.93
    assert NetHistogram().half_width(BOX, PRIVACY) is None


def test_a_slow_histogram_has_fewer_runs(data, monkeypatch):
    slow = NetHistogram(t=5)
    seconds = slow.resources(BOX, data.n).seconds
    for runs in (module.MIN_RUNS, 7):
        monkeypatch.setattr(module, "MAX_SECONDS", (runs + 0.5) * seconds)
        [sample] = histogram_errors(slow, data, PRIVACY, seed=runs, alternatives=[slow]).samples
        assert sample.counts.size == runs
    monkeypatch.setattr(module, "MAX_SECONDS", seconds)
    [sample] = histogram_errors(slow, data, PRIVACY, seed=1, alternatives=[slow]).samples
    assert sample.counts.size == module.MIN_RUNS


def test_diameters_are_means_over_shifts_and_radii_hold_2t_points(data, monkeypatch):
    monkeypatch.setattr(diameters, "SHIFTS", 4)
    found = diameters_by_radius(SHIFTED, data, PRIVACY, seed=2)
    made = [SHIFTED.prepare(data, PRIVACY).histogram(reproducible(2 + shift)) for shift in range(4)]
    own = np.mean([one.diameters[one.places(data.values)] for one in made], axis=0)
    np.testing.assert_allclose(found.diameters, own)
    gaps = np.sort(np.linalg.norm(data.values[:, None] - data.values, axis=2), axis=1)
    np.testing.assert_allclose(found.radii, gaps[:, 2 * 5 - 1])  # the first is the point itself
    assert not found.above.any()
    assert found.curve[0] < found.radii.min() < found.radii.max() < found.curve[-1]


def test_of_many_points_some_are_looked_at(data, monkeypatch):
    monkeypatch.setattr(diameters, "SHIFTS", 2)
    monkeypatch.setattr(diameters, "MAX_POINTS", 20)
    assert len(diameters_by_radius(SHIFTED, data, PRIVACY).radii) == 20


@pytest.mark.parametrize("most", [100, 200_000])
def test_too_few_or_too_many_points_are_refused(data, monkeypatch, most):
    monkeypatch.setattr(diameters, "MAX_RADII", most)
    with pytest.raises(ParameterError, match="150 points are not between"):
        diameters_by_radius(ShiftedHistogram(t=80 if most > 150 else 5), data, PRIVACY)


def test_a_simulated_answer_stands_beside_the_true_one(data):
    answer = simulated_answer(Covariance(), data, PRIVACY, seed=3)
    np.testing.assert_allclose(answer.true_answer["matrix"], np.cov(data.values.T, bias=True), atol=1e-7)
    assert answer.value["matrix"] != answer.true_answer["matrix"]
    assert simulated_answer(Covariance(), data, PRIVACY, seed=3) is answer
    assert simulated_answer(Covariance(), data, Privacy(1.0), seed=3).value != answer.value


def test_of_the_mode_all_counts_are_the_true_value():
    domain = CategoryDomain(("fruit",), (("apple", "pear"),))
    data = Categories(np.array([[0], [1], [1]]), domain)
    answer = simulated_answer(Mode(), data, PRIVACY)
    assert (answer.true_answer, answer.true_value.tolist()) == ("pear", [1, 2])
    assert answer.value in ("apple", "pear")


def test_recursive_histograms_have_no_noise_to_remember_apart(data):
    one = estimate_count_error(RecursiveHistogram(), data, PRIVACY)
    assert estimate_count_error(RecursiveHistogram(), data, Privacy(9.0)) == one
