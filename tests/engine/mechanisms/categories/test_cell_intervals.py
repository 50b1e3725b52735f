"""Intervals of cells, ranks and conditions, from their noisy counts."""

import numpy as np
import pytest

from engine import (
    Box,
    Categories,
    CategoryDomain,
    ContingencyTable,
    Count,
    CountingQueries,
    HierarchicalHistogram,
    Interval,
    LaplaceRelease,
    Mean,
    NoisyHistogram,
    Points,
    Privacy,
    Sample,
    SortedHistogram,
    Sum,
    reproducible,
)
from engine.analysis.prepared_histograms import released_histogram
from engine.extras.points.privtree import PrivTree
from engine.mechanisms.answer_rows import possible_range, rows_of

DOMAIN = CategoryDomain(["answer", "place"], [["yes", "no"], ["here", "there", "away"]])
COUNTS = np.array([60, 5, 0, 30, 0, 5])


def cells_of(value):
    return [cell for table in value.get("margins", [value]) for cell in table["cells"]]


@pytest.mark.parametrize("margins", ["full", "singles"])
def test_intervals_hold_nineteen_of_twenty_true_counts(margins):
    """False alarm below 1e-6 for each cell: 5 standard deviations of 1,500 draws."""
    records = np.repeat([[i, j] for i in range(2) for j in range(3)], COUNTS, axis=0)
    data, table, rng = Categories(records, DOMAIN), ContingencyTable(margins=margins), reproducible(1)
    full = COUNTS.reshape(2, 3)
    true = COUNTS if margins == "full" else np.concatenate([full.sum(axis=1), full.sum(axis=0)])
    held = [
        [low <= count <= high for count, (low, high) in zip(true, ends, strict=True)]
        for ends in (
            [cell["interval"] for cell in cells_of(table.run(data, 1.0, rng).value)] for _ in range(1500)
        )
    ]
    assert np.mean(held, axis=0).min() >= 0.95 - 5 * np.sqrt(0.05 * 0.95 / 1500)


def test_counts_without_post_processing_have_an_error_too():
    records = [[0, 0]] * 10
    release = ContingencyTable(post="none").run(Categories(records, DOMAIN), 1.0, reproducible(1))
    assert release.error == 6
    for row, cell in zip(rows_of(release), cells_of(release.value), strict=True):
        assert row.interval == (max(0, cell["count"] - 6), min(10, max(0, cell["count"] + 6)))


def test_the_interval_of_a_rank_is_that_of_its_noisy_count():
    records, true = np.repeat(np.arange(3), [60, 30, 10])[:, None], [60, 30, 10]
    data, rng = Categories(records, CategoryDomain(["a"], [["x", "y", "z"]])), reproducible(2)
    releases = [SortedHistogram().run(data, 1.0, rng) for _ in range(1000)]
    held = [
        [row.low <= count <= row.high for row, count in zip(rows_of(release), true, strict=True)]
        for release in releases
    ]
    assert np.mean(held, axis=0).min() >= 0.95 - 5 * np.sqrt(0.05 * 0.95 / 1000)
    most = [max(row.high for row in column) for column in zip(*map(rows_of, releases), strict=True)]
    assert np.all(np.array(most) <= [100, 50, 33])  # the second largest of 100 is at most 50
    assert [row.group for row in rows_of(releases[0])] == ["1.", "2.", "3."]


@pytest.mark.parametrize(
    "mechanism",
    [
        NoisyHistogram(bins=4),
        NoisyHistogram(bins=4, post="none", noise="gaussian"),
        NoisyHistogram(post="simplex", components="0.1; 0.4; 0.6; 0.9"),
        HierarchicalHistogram(depth=2),
        HierarchicalHistogram(depth=4, post="none", noise="gaussian"),
        PrivTree(share=0.5),
    ],
    ids=lambda one: f"{one.name}-{one.post}",
)
def test_intervals_of_cells_hold_nineteen_of_twenty_true_counts(mechanism):
    data = Points(reproducible(3).random((200, 1)), Box.of([0], [1]))
    prepared, rng = mechanism.prepare(data, Privacy(1.0, 1e-6)), reproducible(4)
    held = []
    for _ in range(400):
        histogram = prepared.histogram(rng)
        true = np.bincount(histogram.places(data.values), minlength=histogram.size)
        low, high = histogram.intervals.T
        held.append(np.mean((low <= true) & (true <= high)))
        assert (low >= 0).all()
        assert (high <= 200).all()
        assert (low <= np.maximum(histogram.counts, 0)).all()
        assert (histogram.counts <= high).all()
    assert np.mean(held) >= 0.95 - 5 * np.sqrt(0.05 * 0.95 / 400)


def test_a_stored_histogram_keeps_its_intervals():
    data = Points(reproducible(3).random((50, 1)), Box.of([0], [1]))
    release = NoisyHistogram(bins=3).run(data, 1.0, reproducible(1))
    cells = release.value["cells"]
    assert [list(row.interval) for row in rows_of(release)] == [cell["interval"] for cell in cells]
    assert released_histogram(release).chosen([0]).intervals is None


def test_counts_of_conditions_have_intervals():
    data = Points(reproducible(3).random((50, 1)), Box.of([0], [1]))
    release = CountingQueries(where="< 0.5").run(data, 1.0, reproducible(1))
    (row,) = rows_of(release)
    assert row.group == "< 0.5"
    assert row.interval == (max(0, row.value - release.error), min(50, row.value + release.error))


def test_a_count_or_sum_of_records_has_an_interval_of_any_size():
    data = Sample(np.arange(100.0), Interval(0, 100))
    for query in (Sum(), Count(where="> 10")):
        release = LaplaceRelease(query=query).run(data, 1.0, reproducible(1))
        assert possible_range(release) is None  # it would depend on n
        (row,) = rows_of(release)
        assert row.interval == (row.value - release.error, row.value + release.error)


def test_an_interval_stays_in_the_possible_range():
    data = Sample(np.full(10, 99.0), Interval(0, 100))
    release = LaplaceRelease(query=Mean()).run(data, 1.0, reproducible(1))
    (row,) = rows_of(release)
    assert row.high == 100.0
