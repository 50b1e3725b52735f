"""Sample: values by rank, without sorting the whole array."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.data.order_statistics import RankRun, Sample, run_of_ranks
from engine.domain import Interval
from engine.errors import DataError

BOUNDS = Interval(-1.0, 9.0)


def padded(values, first, last):
    x = np.sort(BOUNDS.clamp(values))
    return [-1.0 if i < 1 else 9.0 if i > len(x) else x[i - 1] for i in range(first, last + 1)]


@given(
    st.lists(st.floats(-20, 20), min_size=1, max_size=30),
    st.lists(st.tuples(st.integers(-40, 70), st.integers(0, 60)), min_size=1, max_size=5),
)
def test_ranks_of_small_samples(values, requests):
    data = Sample(values, BOUNDS)
    for first, length in requests:
        assert data.ranks(first, first + length).tolist() == padded(values, first, first + length)


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(0).normal(4, 3, 300_001),
        np.arange(300_001) / 3e4,
        np.random.default_rng(1).integers(0, 5, 300_001).astype(float),
        np.full(300_001, 2.0),
        np.concatenate([np.zeros(150_000), np.full(150_001, 9.0)]),
        np.random.default_rng(2).integers(0, 2, 300_001) * 3.0,
        np.maximum(np.random.default_rng(3).normal(0, 3, 300_001), 0.0),
        np.repeat([1.0, 2.0, 3.0], [149_900, 200, 149_901]),
    ],
    ids=["normal", "sorted", "ties", "equal", "pair", "two", "half ties", "few between ties"],
)
def test_ranks_of_large_samples(values):
    data, order = Sample(values, BOUNDS), np.sort(BOUNDS.clamp(values))
    for first, last in (
        (150_000, 150_200),
        (1, 10),
        (299_990, 300_001),
        (149_000, 152_000),
        (150_001, 150_001),
        (100_000, 200_000),
        (30_000, 31_000),
    ):
        assert np.array_equal(data.ranks(first, last), order[first - 1 : last])
    assert np.array_equal(data.ranks(-2, 300_004), np.concatenate([[-1.0] * 3, order, [9.0] * 3]))


@pytest.mark.parametrize("first", [1, 2, 5_000, 150_001])
def test_totals_with_ties(first):
    values = np.random.default_rng(2).integers(-3, 12, 300_001) * 0.75
    data, order = Sample(values, BOUNDS), np.sort(BOUNDS.clamp(values))
    last = 300_001 - first + 1
    assert data.total(first, last) == pytest.approx(math.fsum(order[first - 1 : last]), rel=1e-15)


def test_clamping_is_counted():
    data = Sample([-5.0, 0.0, 9.0, 10.0, 1e300], BOUNDS)
    assert data.outside == 3
    assert data.values.tolist() == [-1.0, 0.0, 9.0, 9.0, 9.0]


def test_a_neighbour_differs_in_one_record():
    data = Sample([1.0, 2.0, 3.0], BOUNDS)
    assert data.replaced(1, 7.0).values.tolist() == [1.0, 7.0, 3.0]
    assert data.values.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "no records"),
        ([1.0, math.nan], "record 2 is not finite"),
        ([math.inf], "record 1 is not finite"),
        ([1.0, math.inf, -math.inf], "record 2 is not finite"),
        ([[1.0, 2.0]], "shape"),
        (["five"], "the values are not numbers"),
        ([[1.0], [2.0, 3.0]], "not numbers"),
        (None, "record 1 is not finite"),
    ],
)
def test_what_is_no_sample(values, message):
    with pytest.raises(DataError, match=message):
        Sample(values, BOUNDS)


def test_huge_values_are_not_mistaken_for_infinity():
    assert Sample([1e308, 1e308], BOUNDS).values.tolist() == [9.0, 9.0]


N = 50_000


@pytest.mark.parametrize(
    ("values", "most"),
    [
        (np.full(N, 3.0), 0),
        (np.arange(N) % 2 * 1.0, 0),
        (np.where(np.arange(N) % 2, 0.0, np.random.default_rng(1).random(N)), N // 8),
        (np.random.default_rng(2).standard_cauchy(N), N // 4),
        (np.arange(N)[::-1] * 1.0, N // 4),
    ],
    ids=["equal", "two", "half ties", "heavy tails", "falling"],
)
@pytest.mark.parametrize("first", [1, 1000, N // 2 - 10, N // 2 + 1, N - 10])
def test_few_values_are_put_in_order(values, most, first):
    found, ordered = run_of_ranks(values, first, first + 10), np.sort(values)
    assert found.between.size <= most
    assert found.covers(first, first + 10)
    assert np.array_equal(found.ranks(found.first, found.last), ordered[found.first - 1 : found.last])


def test_every_part_of_a_run():
    run = RankRun(4, np.array([1.0, 2.0, 4.0]), 0.0, 2, 5.0, 3)
    values = [0.0, 0.0, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0]
    assert (run.first, run.last) == (4, 11)
    for first in range(4, 12):
        for last in range(first, 12):
            assert run.ranks(first, last).tolist() == values[first - 4 : last - 3]
    assert not run.covers(3, 5)
    assert not run.covers(10, 12)


def test_a_misleading_sample_costs_a_sort_only(monkeypatch):
    values = np.random.default_rng(3).random(N)
    monkeypatch.setattr("engine.data.order_statistics._bracket", lambda *a: (0.9, 0.9))
    assert np.array_equal(run_of_ranks(values, 5, 9).ranks(1, N), np.sort(values))
