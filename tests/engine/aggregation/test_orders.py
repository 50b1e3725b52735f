"""Orders of records: permutations, both ways round, and as good as random ones."""

import numpy as np
import pytest

from engine.aggregation.blocks import KeyedOrder, Listed
from engine.randomness import reproducible


@pytest.mark.parametrize("n", [2, 3, 6, 64, 65, 1000, 70_001])
def test_a_keyed_order_holds_every_record_once_and_says_where(n):
    order = KeyedOrder(n, reproducible(n))
    records = order.records(0, n)
    assert np.array_equal(np.sort(records), np.arange(n))
    assert np.array_equal(order.records(n // 3, n), records[n // 3 :])
    found, places = order.places(n // 2, n)
    assert np.array_equal(found, np.arange(n // 2, n))
    assert np.array_equal(records[places], found)


def test_listed_records_may_be_missing_or_stand_twice():
    order = Listed(np.array([7, 2, 2, 9]))
    assert order.records(1, 3).tolist() == [2, 2]
    assert [found.tolist() for found in order.places(0, 8)] == [[2, 2, 7], [1, 2, 0]]
    assert [found.tolist() for found in order.places(8, 9)] == [[], []]


def test_keyed_orders_are_as_good_as_random_ones():
    """Of 1,000 keys, 300 records in 3 blocks: singles and pairs are where they are by chance.

    All of 900 counts of records, and 766 of neighbours that share a block, within 6 standard deviations:
    false alarms below 1,666 x 2e-9.
    """
    rng, runs, n = reproducible(7), 1000, 300
    where = np.empty((runs, n), np.int64)
    for run in range(runs):
        where[run] = KeyedOrder(n, rng).places(0, n)[1] // 100
    counts = np.stack([(where == block).sum(axis=0) for block in range(3)])
    assert np.abs(counts - runs / 3).max() < 6 * np.sqrt(runs * 2 / 9)
    share = 99 / 299
    for lag in (1, 2, 128):
        together = (where[:, lag:] == where[:, :-lag]).sum(axis=0)
        assert np.abs(together - runs * share).max() < 6 * np.sqrt(runs * share * (1 - share))
