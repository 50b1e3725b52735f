"""Orders of records, and blocks: who is in which, and in how many."""

import numpy as np
import pytest

from engine.aggregation.blocks import IndependentSubsets, KeyedOrder, Listed, Partition, exceeding
from engine.errors import ParameterError
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


@pytest.mark.parametrize(("n", "m"), [(10, 3), (12, 4), (7, 7), (1003, 100)])
def test_a_partition_holds_every_record_once(n, m):
    blocks = Partition(blocks=m).draw(n, reproducible(1))
    members = np.concatenate([group.ravel() for group in blocks.members])
    assert sorted(members.tolist()) == list(range(n))
    assert (blocks.m, blocks.s, blocks.delta) == (m, 1, 0.0)
    sizes = {group.shape[1] for group in blocks.members}
    assert sizes <= {n // m, -(-n // m)}


def test_partitions_are_random_and_reproducible():
    first, again, other = (Partition(blocks=5).draw(100, reproducible(seed)).members[0] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_every_record_is_as_likely_in_every_block():
    """20,000 partitions of 6 records; each of 36 counts is within 6 standard deviations."""
    rng, runs = reproducible(3), 20_000
    counts = np.zeros((6, 3))
    for _ in range(runs):
        (group,) = Partition(blocks=3).draw(6, rng).members
        for block, members in enumerate(group):
            counts[members, block] += 1
    deviation = np.sqrt(runs * (1 / 3) * (2 / 3))
    assert np.abs(counts - runs / 3).max() < 6 * deviation


def test_checked_subsets_never_hold_a_record_too_often():
    sampling = IndependentSubsets(blocks=40, most=4)
    for seed in range(20):
        blocks = sampling.draw(400, reproducible(seed))
        (group,) = blocks.members
        assert group.shape == (40, 10)
        assert all(len(set(row.tolist())) == 10 for row in group)
        assert np.bincount(group.ravel(), minlength=400).max() <= 4
        assert (blocks.s, blocks.delta) == (4, 0.0)


def test_the_chance_of_more_is_a_binomial_tail():
    assert exceeding(3, 0.5, 1) == pytest.approx(0.5)
    assert exceeding(3, 0.5, 3) == 0.0
    for m in (25, 100, 10_000):
        assert exceeding(m, 1 / m, 9) < 1e-6 < exceeding(m, 1 / m, 7)
    s, delta = IndependentSubsets(blocks=100, most=9, check="delta").overlap(1000)
    assert (s, delta) == (9, exceeding(100, 0.01, 9))


@pytest.mark.parametrize(
    ("sampling", "n", "smallest", "field", "words"),
    [
        (Partition(blocks=11), 10, 1, "blocks", "at most 10"),
        (Partition(blocks=4), 10, 3, "blocks", "at most 3 blocks"),
        (IndependentSubsets(blocks=5, most=5), 100, 1, "most", "smaller s"),
        (IndependentSubsets(blocks=50, most=1), 1000, 1, "most", "use s of at least"),
    ],
)
def test_impossible_demands_are_explained(sampling, n, smallest, field, words):
    found = sampling.problem(n, smallest)
    assert found[0] == field
    assert words in found[1]


def test_what_no_pattern_fulfils_is_refused():
    with pytest.raises(ParameterError, match="larger s"):
        IndependentSubsets(blocks=50, most=1).draw(1000, reproducible(1))
