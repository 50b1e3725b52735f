"""What would hold for a record that is removed, so that n changes: numbers with Laplace noise.

Counts of cells are in test_relation.py and test_privtree_left_empty.py, whose databases have all sizes.
"""

import itertools

import pytest

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import LaplaceRelease
from engine.privacy import Privacy
from engine.queries import Count, Mean, Sum

PRIVACY = Privacy(0.6)
SHARES = (0.0, 0.1, 0.6, 1.0)
"""Of the way from the lower bound to the upper one."""


def removals(mechanism, bounds):
    """Return what the mechanism makes of all databases of 2 to 4 values, and of each without a value."""
    made = {
        some: mechanism.prepare(
            Sample([bounds.lower + share * (bounds.upper - bounds.lower) for share in some], bounds), PRIVACY
        )
        for n in (2, 3, 4)
        for some in itertools.combinations_with_replacement(SHARES, n)
    }
    return [
        (made[some], made[left])
        for some in made
        for left in {some[:place] + some[place + 1 :] for place in range(len(some))}
        if left in made
    ]


def loss(query, bounds):
    """Return the largest loss of a removed record, which is stated nowhere; scales must be the same."""
    pairs = removals(LaplaceRelease(query=query, clamp="none"), bounds)
    assert len({(ready.scale, ready.grid.step) for pair in pairs for ready in pair}) == 1
    return float(max(abs(x.center - y.center) / y.scale for x, y in pairs))


@pytest.mark.parametrize("bounds", [Interval(0.0, 10.0), Interval(-10.0, 10.0), Interval(4.0, 10.0)])
def test_a_count_and_a_sum_would_hide_a_removed_record_as_their_bounds_allow(bounds):
    middle = (bounds.lower + bounds.upper) / 2
    assert loss(Count(where=f"> {middle:g}"), bounds) == pytest.approx(PRIVACY.epsilon)
    largest = max(abs(bounds.lower), abs(bounds.upper)) / (bounds.upper - bounds.lower)
    assert loss(Sum(), bounds) == pytest.approx(largest * PRIVACY.epsilon)


def test_what_follows_from_n_tells_a_removed_record():
    """The noise of a mean is divided by n; and a number that is clamped cannot be beyond n."""
    means = removals(LaplaceRelease(query=Mean(), clamp="none"), Interval(0.0, 10.0))
    assert all(x.scale < y.scale for x, y in means)
    counts = removals(LaplaceRelease(query=Count(where="> 5")), Interval(0.0, 10.0))
    assert all(x.grid.ends[1] == y.grid.ends[1] + 1 for x, y in counts)
