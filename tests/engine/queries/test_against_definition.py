"""Every query against the definition: all databases over tiny domains."""

import itertools
import math

import numpy as np
import pytest
from definition import at_distance, databases, neighbours, smooth

from engine import WinsorizedMean
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.queries import (
    QUERIES,
    Count,
    Distance,
    InterquartileRange,
    Maximum,
    Mean,
    Median,
    Minimum,
    Quantile,
    Sum,
    TrimmedMean,
)

BOUNDS = Interval(-1.0, 9.0)
QUERIES_UNDER_TEST = (
    Median(),
    Median(even="average"),
    *(Quantile(q=q) for q in (0.0, 0.25, 0.6, 0.9, 1.0)),
    Minimum(),
    Maximum(),
    Mean(),
    Sum(),
    InterquartileRange(),
    Distance(),
    Distance(q=0.8, side="at most", threshold=3.0),
    *(Count(where=where) for where in ("", "2..6 or > 8.5")),
    Count(where="!= -1", give="share"),
    *(TrimmedMean(trim=trim) for trim in (0.0, 0.2, 0.34, 0.45)),
    *(WinsorizedMean(trim=trim) for trim in (0.0, 0.13, 0.2, 0.25, 0.34, 0.45)),
)
DOMAINS = [
    (1, (-1.0, 2.0, 9.0)),
    (2, (-1.0, 0.0, 3.0, 9.0)),
    (3, (-1.0, 0.0, 3.0, 7.0, 9.0)),
    (4, (-1.0, 2.0, 3.0, 7.5, 9.0)),
    (5, (-1.0, 0.0, 3.0, 9.0)),
    (5, (-1.0, 0.0, 3.0, 4.0, 9.0)),
    (7, (-1.0, 1.0, 6.5, 9.0)),
    (8, (-1.0, 3.0, 9.0)),
    (8, (-1.0, 4.0, 6.0, 9.0)),
]
LONG = 24
"""Records times values of domains that wait for the slow run, beyond this."""
BETAS = (0.03, 0.4, 2.0)


def test_every_query_of_the_catalog_is_here():
    columns = {name for name, query in QUERIES.items() if query.reads == "column"}
    assert {query.name for query in QUERIES_UNDER_TEST} == columns


def plain_value(query, x):
    """f from its definition, with plain Python."""
    n, x = len(x), sorted(x)
    match query:
        case Median(even="average") if n % 2 == 0:
            return (x[n // 2 - 1] + x[n // 2]) / 2
        case Median():
            return x[(n - 1) // 2]
        case Quantile(q=q):
            return next(v for i, v in enumerate(x, 1) if i >= q * n - 1e-9)
        case Minimum():
            return x[0]
        case Maximum():
            return x[-1]
        case Mean():
            return sum(x) / n
        case Sum():
            return sum(x)
        case Distance():
            return distance(query, x)
        case InterquartileRange():
            return x[math.ceil(0.75 * n) - 1] - x[math.ceil(n / 4) - 1]
        case Count(where=""):
            return sum(v >= 4 for v in x)
        case Count(give="number"):
            return sum(2 <= v <= 6 or v > 8.5 for v in x)
        case Count():
            return sum(v != -1 for v in x) / n
    m = int(query.trim * n)
    if isinstance(query, TrimmedMean):
        return sum(x[m : n - m]) / (n - 2 * m)
    return sum(min(max(v, x[m]), x[n - m - 1]) for v in x) / n


def distance(query, x):
    """Return how many records are replaced by the far bound, of all choices, until it holds."""
    upward = query.side == "at least"
    for count in range(len(x) + 1):
        for places in itertools.combinations(range(len(x)), count):
            y = sorted((9.0 if upward else -1.0) if i in places else v for i, v in enumerate(x))
            found = plain_value(Quantile(q=query.q), y)
            if found >= 4 if upward else found <= query.threshold:
                return count
    raise AssertionError


def firsts(n):
    """Yield each query on n records, and whether it is the first of those that trim as many of them."""
    seen = set()
    for query in QUERIES_UNDER_TEST:
        if query.problem(BOUNDS, n):
            continue
        what = (type(query), int(query.trim * n)) if hasattr(query, "trim") else query
        yield query, what not in seen
        seen.add(what)


def on_domains():
    """Yield each query on each domain, with a smoothness in turn; the others wait for the slow run.

    Where two trim as many records, only the first is in the usual run.
    """
    for place, (n, values) in enumerate(DOMAINS):
        for query, first in firsts(n):
            usual = first and n * len(values) <= LONG
            turn = (place + QUERIES_UNDER_TEST.index(query)) % len(BETAS)
            for beta in BETAS:
                waits = not usual or beta != BETAS[turn]
                marks = [pytest.mark.slow] if waits else []
                yield pytest.param(
                    query, n, values, beta, id=f"{query}-{n}-{len(values)}-{beta}", marks=marks
                )


@pytest.mark.parametrize(("query", "n", "values", "beta"), list(on_domains()))
def test_sensitivities_equal_the_definition(query, n, values, beta):
    table = at_distance(lambda x: plain_value(query, x), values, n)
    shuffled = [Sample(np.random.default_rng(n).permutation(x), BOUNDS) for x in table]
    levels = np.array(list(table.values()))
    found = np.array([query.sensitivity_at_distance(data, n) for data in shuffled])
    np.testing.assert_allclose(found, levels, rtol=0, atol=1e-12)
    local = [query.local_sensitivity(data) for data in shuffled]
    np.testing.assert_allclose(local, levels[:, 0], rtol=0, atol=1e-12)
    plain = [plain_value(query, x) for x in table]
    np.testing.assert_allclose([query.value(data) for data in shuffled], plain, rtol=0, atol=1e-12)
    smoothed = [query.smooth_sensitivity(data, beta) for data in shuffled]
    largest = [one.value for one in smoothed]
    by_definition = [smooth(row, beta) for row in table.values()]
    np.testing.assert_allclose(largest, by_definition, rtol=1e-12, atol=1e-300)
    k = np.array([one.argmax_k for one in smoothed])
    attained = np.exp(-beta * k) * levels[np.arange(k.size), k]
    np.testing.assert_allclose(attained, largest, rtol=1e-12, atol=1e-300)
    worst = levels[:, 0].max()
    assert query.global_sensitivity(BOUNDS, n) == pytest.approx(worst, rel=1e-12)


@pytest.mark.parametrize(
    ("query", "n"),
    [
        pytest.param(query, n, marks=[] if first else [pytest.mark.slow])
        for n in (3, 4)
        for query, first in firsts(n)
    ],
    ids=repr,
)
def test_smooth_sensitivity_is_smooth_on_all_neighbours(query, n):
    values = (-1.0, 2.0, 3.0, 9.0)
    for beta in BETAS:
        found = {x: query.smooth_sensitivity(Sample(x, BOUNDS), beta).value for x in databases(values, n)}
        for x, smooth_x in found.items():
            for y in neighbours(x, values):
                assert smooth_x <= math.exp(beta) * found[y] * (1 + 1e-12)


def test_the_gap_rule_of_the_slides_is_caught():
    """The largest single gap within distance k forgets that k changes merge k + 1 gaps."""
    values, n, beta = (-1.0, 0.0, 3.0, 4.0, 9.0), 5, 0.4

    def slide_rule(x):
        padded = [-1.0, *x, 9.0]
        return max(
            math.exp(-beta * k)
            * max(padded[q + 1] - padded[q] for q in range(max(0, 3 - k - 1), min(5, 3 + k) + 1))
            for k in range(n + 1)
        )

    table = at_distance(lambda x: x[2], values, n)
    assert any(slide_rule(x) < smooth(levels, beta) - 1e-9 for x, levels in table.items())


def test_the_window_of_the_slides_is_caught():
    """x_{m+t+k+1} - x_{m+t} looks above the median only and misses the gap below it."""
    x = np.array([0.0] * 50 + [0.5] * 51)
    exact = Median().local_sensitivity(Sample(x, Interval(0.0, 1.0)))
    padded = np.concatenate([np.sort(x), [1.0] * 60])
    slide = max(padded[50 + t + 1] - padded[50 + t] for t in range(2))
    assert exact == 0.5
    assert slide < exact
