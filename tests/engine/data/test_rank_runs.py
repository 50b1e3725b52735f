"""Runs of ranks: found without a sort, ties only counted."""

import numpy as np
import pytest

from engine.data.order_statistics import RankRun, run_of_ranks

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
