"""The median in steps of s changed numbers: exact, by enumeration of all data."""

import itertools

import numpy as np
import pytest
from outputs import largest_rate, multisets, within

from engine.aggregation.step_median import step_sensitivity, step_smooth_bound
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.queries import Median

POINTS = np.array([0.0, 1.0, 4.0, 9.0, 10.0])
BOUNDS = Interval(0.0, 10.0)


@pytest.mark.parametrize(
    ("m", "s", "rank"),
    [(5, 1, 3), (5, 2, 3), (6, 2, 3), (7, 2, 4), (7, 3, 4), (6, 1, 2), (7, 3, 2), (4, 3, 2)],
)
def test_the_definition_on_all_data(m, s, rank):
    everything = multisets(POINTS.size, m)
    near = within(everything, POINTS.size, s)
    values = POINTS[everything]
    f = values[:, rank - 1]
    level = np.array([np.abs(f[row] - here).max() for row, here in zip(near, f, strict=True)])
    reached = np.eye(len(near), dtype=bool)
    for k in itertools.count():
        truth = np.array([level[row].max() for row in reached])
        found = [step_sensitivity(row, BOUNDS, rank, s, k) for row in values]
        assert found == truth.tolist()
        if reached.all():
            break
        reached = reached @ near
    for beta in (0.1, 0.7):
        bound = np.array([step_smooth_bound(row, BOUNDS, rank, s, beta).value for row in values])
        assert np.all(level <= bound)
        assert largest_rate(bound, near, beta) <= 1 + 1e-9


def test_one_change_at_a_time_is_the_smooth_sensitivity_of_the_median():
    rng = np.random.default_rng(63)
    for n in (1, 2, 9, 40, 301):
        values = rng.gamma(2.0, 2.0, n)
        for beta in (0.02, 0.3, 2.0):
            expected = Median().smooth_sensitivity(Sample(values, BOUNDS), beta)
            found = step_smooth_bound(BOUNDS.clamp(values), BOUNDS, (n + 1) // 2, 1, beta)
            assert found.value == pytest.approx(expected.value, rel=1e-12)
            assert found.argmax_k == expected.argmax_k


def test_windows_of_the_published_example_are_not_smooth():
    """LS of s(k + 1) single changes in place of A^(s,k): its logarithm moves by far more than beta."""
    everything = multisets(POINTS.size, 7)
    near = within(everything, POINTS.size, 2)
    values, beta = POINTS[everything], 0.2

    def published(row):
        padded = np.concatenate([np.zeros(20), row, np.full(20, 10.0)])
        middle = 20 + 3
        return max(
            np.exp(-beta * k)
            * max(
                padded[middle + 2 * (k + 1)] - padded[middle], padded[middle] - padded[middle - 2 * (k + 1)]
            )
            for k in range(1 + 7 // 6)
        )

    bound = np.array([published(row) for row in values])
    assert largest_rate(np.maximum(bound, 1e-3), near, beta) > 2
