"""Paths of databases: where the local sensitivity leaps, and what is looked at around it."""

import numpy as np
import pytest

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.progress import silent
from engine.queries import Median
from engine.queries.profile import NEAR, around_leap, largest_leap, sensitivity_path

BOUNDS = Interval(0.0, 100.0)


def heaps(n, first=10.0, last=90.0):
    """Return two samples: local sensitivity leaps where half of the records are in either heap."""
    return Sample(np.full(n, first), BOUNDS), Sample(np.full(n, last), BOUNDS)


@pytest.mark.parametrize("n", [401, 1000, 2001])
def test_the_leap_is_where_brute_force_finds_it(n):
    start, end = heaps(n)
    local = [Median().local_sensitivity(start.toward(end, count)) for count in range(n + 1)]
    leaps = np.abs(np.diff(local))
    # a coarse look can miss a leap that is undone within its steps; one step in two cannot
    found = largest_leap(Median(), start, end, n)
    assert leaps[found] == leaps.max()
    first, last = around_leap(Median(), start, end, n)
    assert last - first == 2 * NEAR
    assert first <= found < last


def test_the_whole_path_is_shown_where_it_is_short_or_has_no_leap():
    start, end = heaps(2 * NEAR)
    assert around_leap(Median(), start, end, 121) == (0, 2 * NEAR)
    same = Sample(np.full(1000, 50.0), BOUNDS)
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
    leap = largest_leap(Told(), start, end, 5, lambda fraction, message="": heard.append(fraction))
    assert leap == largest_leap(Median(), start, end, 5)
    assert heard == sorted(heard)
    assert len(heard) >= 3 * 5  # before each, and twice in it
    assert heard[-1] <= 1
