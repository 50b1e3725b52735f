"""Sensitivity against k, against beta and along a path of neighbouring databases, and where it leaps."""

import math

import numpy as np
import pytest

from engine import WinsorizedMean
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import DataError, ParameterError
from engine.progress import Cancelled, silent
from engine.queries import QUERIES, Median
from engine.queries.profile import (
    LEAP_NEIGHBOURS,
    around_leap,
    largest_leap,
    sensitivity_path,
    sensitivity_profile,
    sensitivity_sweep,
)

BOUNDS = Interval(0.0, 50.0)
DATA = Sample(np.random.default_rng(8).gamma(2.0, 4.0, 301), BOUNDS)
RING = [(i, (i + step) % 20) for i in range(20) for step in (1, 2, 5)]
READ = {
    "column": DATA,
    "weighted-graph": WeightedGraph(RING, np.random.default_rng(9).uniform(0, 40, 60), Interval(0.0, 50.0)),
    "simple-graph": SimpleGraph(RING, n=20),
}


@pytest.mark.parametrize("name", QUERIES)
def test_a_profile_reaches_as_far_as_it_must(name):
    query = QUERIES[name]()
    data = READ[query.reads]
    found = sensitivity_profile(query, data, 0.2)
    last = found.at_distance.size - 1
    assert math.exp(-0.2 * last) * found.global_ < found.smooth
    assert found.smooth == pytest.approx(found.discounted.max(), rel=1e-12)
    assert found.discounted[found.argmax_k] == pytest.approx(found.smooth, rel=1e-12)
    assert found.local == found.at_distance[0] <= found.smooth <= found.global_
    assert np.all(np.diff(found.at_distance) >= 0)
    assert found.value == query.value(data)


def test_equal_data_are_insensitive_until_half_of_them_changed():
    found = sensitivity_profile(Median(), Sample([5.0] * 9, BOUNDS), 0.1, 9)
    assert found.at_distance.tolist() == [0.0] * 4 + [45.0] * 5 + [50.0]
    assert found.smooth == pytest.approx(45.0 * math.exp(-0.4))


@pytest.mark.parametrize("k_max", [0, 7, 1000])
def test_a_profile_has_as_many_entries_as_asked_for(k_max):
    assert sensitivity_profile(Median(), DATA, 0.2, k_max).at_distance.size == k_max + 1


def test_a_picture_may_ask_for_less_or_more():
    equal = Sample([5.0] * 900, BOUNDS)
    assert sensitivity_profile(Median(), equal, 0.05).at_distance.size > 450
    assert sensitivity_profile(Median(), equal, 0.05, k_within=(0, 100)).at_distance.size == 101
    assert sensitivity_profile(Median(), DATA, 1.0, k_within=(0, 300)).at_distance.size < 100
    assert sensitivity_profile(Median(), DATA, 9.0, k_within=(50, 300)).at_distance.size == 51
    assert sensitivity_profile(Median(), DATA, 9.0, k_within=(400, 500)).at_distance.size == 302


def test_a_negative_distance_is_refused():
    with pytest.raises(ParameterError, match="at least 0"):
        sensitivity_profile(Median(), DATA, 0.2, -1)


@pytest.mark.parametrize("query", [Median(), WinsorizedMean()], ids=repr)
def test_a_sweep_agrees_with_single_questions(query):
    betas = np.logspace(1, -3, 9)
    sweep = sensitivity_sweep(query, DATA, betas)
    for beta, smooth in zip(betas, sweep.smooth, strict=True):
        assert smooth == pytest.approx(query.smooth_sensitivity(DATA, beta).value, rel=1e-12)
    assert np.all(np.diff(sweep.smooth) >= 0)
    assert sweep.local <= sweep.smooth.min()
    assert sweep.smooth.max() <= sweep.global_


def test_along_the_path_local_sensitivity_jumps_and_smooth_sensitivity_follows():
    beta, n = 0.3, 41
    zeros, tops = Sample([0.0] * n, BOUNDS), Sample([50.0] * n, BOUNDS)
    path = sensitivity_path(Median(), zeros, tops, beta, steps=1000)
    assert path.changed.tolist() == list(range(n + 1))
    assert path.value[0] == 0.0
    assert path.value[-1] == 50.0
    assert np.max(path.local) == 50.0
    assert path.local[0] == 0.0
    assert np.all(np.abs(np.diff(np.log(path.smooth))) <= beta * (1 + 1e-12))
    assert np.all(path.local <= path.smooth * (1 + 1e-12))
    assert path.global_ == 50.0


def test_a_long_path_is_thinned_but_keeps_both_ends():
    start = Sample(np.zeros(5000), BOUNDS)
    path = sensitivity_path(Median(), start, Sample(np.full(5000, 50.0), BOUNDS), 0.1, steps=11)
    assert path.changed.tolist() == list(range(0, 5001, 500))


def test_both_ends_must_have_as_many_records():
    with pytest.raises(DataError, match="301 to 2 records"):
        sensitivity_path(Median(), DATA, Sample([1.0, 2.0], BOUNDS), 0.1)


def test_long_work_can_be_cancelled():
    def impatient(fraction, message=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        sensitivity_profile(Median(), DATA, 0.1, progress=impatient)
    with pytest.raises(Cancelled):
        sensitivity_sweep(Median(), DATA, [0.1], progress=impatient)
    with pytest.raises(Cancelled):
        sensitivity_path(Median(), DATA, DATA, 0.1, 10, progress=impatient)


PATH_BOUNDS = Interval(0.0, 100.0)


def heaps(n, first=10.0, last=90.0):
    """Return two samples: local sensitivity leaps where half of the records are in either heap."""
    return Sample(np.full(n, first), PATH_BOUNDS), Sample(np.full(n, last), PATH_BOUNDS)


@pytest.mark.parametrize("n", [401, 1000, 2001])
def test_the_leap_is_where_brute_force_finds_it(n):
    start, end = heaps(n)
    local = [Median().local_sensitivity(start.toward(end, count)) for count in range(n + 1)]
    leaps = np.abs(np.diff(local))
    # a coarse look can miss a leap that is undone within its steps; one step in two cannot
    found = largest_leap(Median(), start, end, n)
    assert leaps[found] == leaps.max()
    first, last = around_leap(Median(), start, end, n)
    assert last - first == 2 * LEAP_NEIGHBOURS
    assert first <= found < last


def test_the_whole_path_is_shown_where_it_is_short_or_has_no_leap():
    start, end = heaps(2 * LEAP_NEIGHBOURS)
    assert around_leap(Median(), start, end, 121) == (0, 2 * LEAP_NEIGHBOURS)
    same = Sample(np.full(1000, 50.0), PATH_BOUNDS)
    assert largest_leap(Median(), same, same, 121) is None
    assert around_leap(Median(), same, same, 121) == (0, same.steps(same))


def test_a_part_of_a_path_is_that_part():
    start, end = heaps(401)
    whole = sensitivity_path(Median(), start, end, 0.1, steps=402)
    part = sensitivity_path(Median(), start, end, 0.1, steps=402, within=(150, 250))
    assert part.changed.tolist() == list(range(150, 251))
    np.testing.assert_array_equal(part.smooth, whole.smooth[150:251])
    np.testing.assert_array_equal(part.local, whole.local[150:251])
    assert part.length == whole.length == 401


def test_each_look_for_the_leap_is_heard_of_and_the_work_goes_on():
    class Told(Median):
        def sensitivity_at_distance(self, data, k_max, progress=silent):
            progress(0.0)
            found = super().sensitivity_at_distance(data, k_max)
            progress(1.0)
            return found

    heard = []
    start, end = (Sample(values, Interval(0, 1000)) for values in (range(500), [1000] * 500))
    leap = largest_leap(Told(), start, end, 5, progress=lambda fraction, message="": heard.append(fraction))
    assert leap == largest_leap(Median(), start, end, 5)
    assert heard == sorted(heard)
    assert len(heard) >= 3 * 5  # before each, and twice in it
    assert heard[-1] <= 1
