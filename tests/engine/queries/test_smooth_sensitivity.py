"""Smooth sensitivity on the worked examples, at scale, and its two simpler bounds."""

import math

import numpy as np
import pytest
from definition import at_distance, databases, neighbours
from hypothesis import given
from hypothesis import strategies as st

from engine import WinsorizedMean
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError
from engine.progress import Cancelled
from engine.queries import Count, Maximum, Mean, Median, Minimum, Quantile, Sum, TrimmedMean
from engine.queries.bounds import double_window_bound, truncated_bound


def test_one_to_ten():
    assert Median().smooth_sensitivity(Sample(range(1, 11), Interval(0, 1000)), 2.0).value == 1.0


@pytest.mark.parametrize("n", [11, 101, 1001])
@pytest.mark.parametrize("beta", [0.02, 0.1, 0.5])
def test_evenly_spread_values(n, beta):
    """x_i = i Λ/n: the k + 1 gaps of A^(k) give max (k + 1) e^{-beta k} Λ/n."""
    width = 500.0
    found = Median().smooth_sensitivity(Sample(np.arange(1, n + 1) * width / n, Interval(0, width)), beta)
    assert found.value <= width / (beta * n) * (1 + 1 / n)
    k = np.arange(n)
    assert found.value == pytest.approx(np.max((k + 1) * np.exp(-beta * k)) * width / n, rel=1e-9)


def test_the_classroom_pair():
    """0…0 Λ…Λ: the median's local sensitivity is global, and so is S*."""
    pair = Sample([0.0] * 50 + [7.0] * 51, Interval(0, 7))
    assert Median().local_sensitivity(pair) == 7.0
    assert Median().smooth_sensitivity(pair, 1.0).value == 7.0


def quadratic(query, data, beta):
    """S* by trying every pair of ranks."""
    low, high = query.window(data.n)
    x = data.ranks(0, data.n + 1)
    width = high - low + 1
    i, j = np.arange(low + 1)[:, None], np.arange(high, data.n + 2)[None, :]
    value = (x[j] - x[i]) / width * np.exp(-beta * (j - i - width))
    return float(np.max(value[j - i >= width]))


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=60),
    st.sampled_from([0.003, 0.05, 0.7]),
    st.sampled_from(
        [Median(), Median(even="average"), Quantile(q=0.8), Minimum(), Maximum(), Mean(), TrimmedMean()]
    ),
)
def test_divide_and_conquer_equals_all_pairs(values, beta, query):
    data = Sample(np.array(values) / 4, Interval(0.0, 10.0))
    assert query.smooth_sensitivity(data, beta).value == pytest.approx(
        quadratic(query, data, beta), rel=1e-12, abs=1e-300
    )


@pytest.mark.parametrize(
    "query", [Median(), Quantile(q=0.99), Mean(), TrimmedMean(), WinsorizedMean()], ids=repr
)
@pytest.mark.parametrize("beta", [0.05, 0.3])
def test_truncation_is_exact_on_large_data(query, beta):
    data = Sample(np.random.default_rng(3).lognormal(10, 1, 200_001), Interval(0.0, 300_000.0))
    found = query.smooth_sensitivity(data, beta)
    reach = math.ceil(math.log(300_000 / found.value) / beta) + 5 if query.name != "mean" else 50
    levels = query.sensitivity_at_distance(data, min(reach, 350))
    assert found.value == pytest.approx(np.max(levels * np.exp(-beta * np.arange(levels.size))), rel=1e-9)


@pytest.mark.parametrize("value", [-5.0, 0.0, 3.0, 10.0, 99.0])
@pytest.mark.parametrize("query", [Median(), WinsorizedMean(), Mean()], ids=repr)
def test_equal_data_and_data_outside_the_bounds(value, query):
    data = Sample(np.full(1000, value), Interval(0.0, 10.0))
    inside = min(max(value, 0.0), 10.0)
    assert query.value(data) == pytest.approx(inside)
    found = query.smooth_sensitivity(data, 0.01).value
    levels = query.sensitivity_at_distance(data, 600)
    assert found == pytest.approx(np.max(levels * np.exp(-0.01 * np.arange(601))), rel=1e-9)


@pytest.mark.parametrize(("n", "beta"), [(1401, 0.01), (2001, 0.015), (5001, 0.1)])
def test_a_far_away_decision_is_found(n, beta):
    """Equal data: the first change of the median takes half of the records, exp(-7) to exp(-250)."""
    found = Median().smooth_sensitivity(Sample(np.full(n, 5.0), Interval(0.0, 10.0)), beta)
    assert found.value == pytest.approx(5.0 * math.exp(-beta * (n // 2)), rel=1e-9)
    assert found.argmax_k == n // 2


@pytest.mark.parametrize("zeros", [0.5, 0.92, 1.0])
@pytest.mark.parametrize("query", [Median(), WinsorizedMean()], ids=repr)
def test_ties_do_not_make_it_slow(zeros, query):
    """A million records, most of them equal: done within some thousand steps."""
    values = np.random.default_rng(1).random(1_000_000) * (np.arange(1_000_000) >= zeros * 1e6)
    steps = []
    query.smooth_sensitivity(Sample(values, Interval(0.0, 1.0)), 0.02, lambda *a: steps.append(a))
    assert len(steps) < 5000


@pytest.mark.parametrize("query", [Median(), Mean(), TrimmedMean(), WinsorizedMean()], ids=repr)
def test_the_distance_beyond_a_bound_is_the_definition(query):
    values = np.round(np.random.default_rng(2).gamma(2.0, 2.0, 61), 1)
    data = Sample(values, Interval(0.0, 12.0))
    levels = query.sensitivity_at_distance(data, 61)
    for bound in np.unique(np.concatenate([levels, (levels[1:] + levels[:-1]) / 2])):
        beyond = np.flatnonzero(levels > bound * (1 + 1e-12))
        expected = int(beyond[0]) if beyond.size else 61
        assert query.distance_beyond(data, bound * (1 + 1e-12), 61) == expected
        assert query.distance_beyond(data, bound * (1 + 1e-12), 3) == min(3, expected)


@pytest.mark.parametrize("query", [Median(), Mean(), TrimmedMean(), WinsorizedMean()], ids=repr)
def test_an_offset_takes_no_digits(query):
    """Large values with small gaps, such as times in seconds since 1970."""
    spread = np.round(np.random.default_rng(4).random(2001) * 1024) / 1024
    near = Sample(spread, Interval(0.0, 1.0))
    far = Sample(spread + 2.0**31, Interval(2.0**31, 2.0**31 + 1))
    for beta in (0.01, 0.5):
        expected = query.smooth_sensitivity(near, beta).value
        assert query.smooth_sensitivity(far, beta).value == pytest.approx(expected, rel=1e-9)


def test_a_large_beta_n_does_not_underflow():
    """exp(-beta k) is 0 from beta k = 745 on; the search compares logarithms."""
    data = Sample(np.concatenate([np.zeros(50_000), np.linspace(0, 1e-9, 50_001)]), Interval(0.0, 1.0))
    found = Median().smooth_sensitivity(data, 0.5)
    assert found.value > 0
    assert found.value == pytest.approx(
        quadratic(Median(), Sample(data.values[49_000:51_001], data.domain), 0.5), rel=0.5
    )


def test_cancelling_stops_the_work():
    def impatient(fraction, message=""):
        raise Cancelled

    data = Sample(np.arange(5000.0), Interval(0.0, 5000.0))
    for query in (Median(), WinsorizedMean()):
        with pytest.raises(Cancelled):
            query.smooth_sensitivity(data, 0.1, impatient)
        with pytest.raises(Cancelled):
            query.sensitivity_at_distance(data, 10, impatient)


@pytest.mark.parametrize("beta", [0.0, -1.0, math.nan, math.inf])
def test_a_beta_that_makes_no_sense(beta):
    for query in (Median(), WinsorizedMean()):
        with pytest.raises(ParameterError, match="above 0"):
            query.smooth_sensitivity(Sample([1.0], Interval(0, 2)), beta)


def test_simpler_bounds_are_smooth_and_close():
    values, domain = (-1.0, 0.0, 3.0, 4.0, 9.0), Interval(-1.0, 9.0)
    for query in (Median(), Median(even="average"), Minimum(), TrimmedMean(trim=0.25)):
        for n, beta in ((4, 0.1), (5, 0.5)):
            data = {x: Sample(x, domain) for x in databases(values, n)}
            exact = {x: query.smooth_sensitivity(data[x], beta).value for x in data}
            double = {x: double_window_bound(query, data[x], beta).value for x in data}
            truncated = {x: truncated_bound(query, data[x], beta, 3).value for x in data}
            rest = query.global_sensitivity(domain, n) * math.exp(-3 * beta)
            for x in data:
                assert exact[x] * (1 - 1e-12) <= double[x] <= 2 * exact[x] * (1 + 1e-12)
                assert exact[x] * (1 - 1e-12) <= truncated[x] <= max(exact[x], rest) * (1 + 1e-12)
                for y in neighbours(x, values):
                    assert double[x] <= math.exp(beta) * double[y] * (1 + 1e-12)
                    assert truncated[x] <= math.exp(beta) * truncated[y] * (1 + 1e-12)


@pytest.mark.parametrize(
    "query", [Median(), Mean(), Sum(), WinsorizedMean(trim=0.3), Count(where="> 3")], ids=repr
)
def test_a_truncated_bound_is_smooth_for_every_query_and_k0(query):
    values, domain, n, beta = (-1.0, 0.0, 3.0, 9.0), Interval(-1.0, 9.0), 4, 0.4
    data = {x: Sample(x, domain) for x in databases(values, n)}
    for k0 in (0, 1, 2, 5, 40):
        bound = {x: truncated_bound(query, data[x], beta, k0).value for x in data}
        for x in data:
            exact = query.smooth_sensitivity(data[x], beta).value
            rest = query.global_sensitivity(domain, n) * math.exp(-beta * k0)
            assert bound[x] == pytest.approx(max(exact, rest), rel=1e-12)
            assert all(bound[x] <= math.exp(beta) * bound[y] * (1 + 1e-12) for y in neighbours(x, values))


def test_the_definition_itself_is_checked_by_hand():
    """Two records over {0, 1}: the minimum of (1, 1) falls to 0 with one change."""
    table = at_distance(min, (0.0, 1.0), 2)
    assert table[(1.0, 1.0)] == [1.0, 1.0, 1.0]
    assert table[(0.0, 0.0)] == [0.0, 1.0, 1.0]
