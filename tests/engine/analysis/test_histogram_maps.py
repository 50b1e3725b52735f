"""Maps of histograms: what is in view, whose bounds, which records, and what no data are needed for."""

import dataclasses
from functools import partial

import numpy as np
import pytest

from engine.analysis.histogram_contents import histogram_levels
from engine.analysis.histogram_maps import map_cells, map_query, map_trees
from engine.analysis.prepared_histograms import mechanism_of
from engine.analysis.shared.shown_histograms import MAX_RECORDS
from engine.data.database import PublicFacts
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import NoisyHistogram, ShiftedHistogram
from engine.privacy import Privacy

PRIVACY = Privacy(1.0)
SHIFTED = ShiftedHistogram(t=6)


@pytest.fixture
def data():
    return Points(np.random.default_rng(1).beta(2, 5, (200, 3)), Box.of([0, 0, 0], [1, 1, 1]))


def test_cells_are_looked_at_up_to_a_level(data):
    along = {"across": 2, "up": 0}
    whole = map_cells(SHIFTED, data, PRIVACY, **along)
    assert whole.deepest >= 2
    assert [one.name for one in whole.directions] == [data.columns[2], data.columns[0]]
    for level in range(whole.deepest):
        found = map_cells(SHIFTED, data, PRIVACY, level=level, **along)
        assert found.cells.counts.sum() == pytest.approx(200)
    all_levels = map_cells(SHIFTED, data, PRIVACY, level=99, **along)
    assert all_levels.cells.counts.tolist() == whole.cells.counts.tolist()


def test_the_same_coordinate_is_not_drawn_twice(data):
    assert map_query(SHIFTED, data, PRIVACY, across=1, up=1).axes == (1, 2)


def test_the_shift_reaches_beyond_the_bounds(data):
    assert map_cells(SHIFTED, data, PRIVACY).shift is None
    assert map_cells(NoisyHistogram(), data, PRIVACY, grid="before").shift is None  # which has none
    before, after = (map_cells(SHIFTED, data, PRIVACY, grid=grid) for grid in ("before", "after"))
    assert (before.before, after.before) == (True, False)
    for axis, side in enumerate(before.window):
        assert side.lower == min(0.0, before.shift.lower[axis])
        assert side.upper == max(1.0, before.shift.upper[axis])


def test_records_are_those_in_view_and_not_too_many(data):
    many = Points(np.random.default_rng(1).random((3 * MAX_RECORDS, 2)), Box.of([0, 0], [1, 1]))
    found = map_cells(SHIFTED, many, PRIVACY)
    assert (found.records.n, len(found.records.dots)) == (3 * MAX_RECORDS, MAX_RECORDS)
    assert {tuple(row) for row in found.records.dots} <= {tuple(row) for row in many.values}
    near = map_cells(SHIFTED, many, PRIVACY, closely=True)
    for axis, side in enumerate(near.window):
        assert near.records.dots[:, axis].min() >= side.lower
    assert map_cells(SHIFTED, data, PRIVACY, records=False).records is None
    assert map_trees(SHIFTED, data, PRIVACY, records=False).trees.truth is None
    assert map_query(SHIFTED, data, PRIVACY, records=False).verdict is None


def test_trees_and_facilities_are_published_before_the_true_ones_are_known(data):
    published = []
    found = map_trees(SHIFTED, data, PRIVACY, publish=published.append)
    assert [one.trees.truth for one in published] == [None, None]
    assert [one.trees.resampled is None for one in published] == [True, False]
    assert found.trees.truth.cost <= found.trees.tree.cost
    placed = map_trees(SHIFTED, data, PRIVACY, price=0.5)
    assert placed.trees.tree.price == 0.5
    matched = map_trees(SHIFTED, data, PRIVACY, matching=True)
    assert matched.trees.truth.cost <= matched.trees.tree.cost
    assert len(matched.trees.truth.starts) == data.n // 2
    names = [finding.name for finding in matched.findings()]
    assert names == [
        "cost of the matching on cells",
        "lower bound on the cost of a matching",
        "cost of a matching of points drawn from the cells",
        "cost of the true matching",
    ]


def test_a_query_point_is_where_one_guesses_or_an_attack_does(data):
    of_points = partial(map_query, SHIFTED, data, PRIVACY, across=1, up=2)
    first = of_points()
    assert first.query == pytest.approx([0.1, 0.1, 0.1])
    found = of_points(query=[0.2, 0.3, 0.4], c=3.0)
    assert found.position.tolist() == [0.3, 0.4]
    gaps = np.linalg.norm(data.values - found.query, axis=1)
    assert found.nearest.tolist() == data.values[gaps.argmin(), 1:].tolist()
    assert (found.t, len(found.verdict.within)) == (6, (gaps <= 3 * gaps.min()).sum())
    guessed = of_points(query=[0.2, 0.3, 0.4], attack="occupied", attack_seed=3)
    assert guessed.query.tolist() != found.query.tolist()
    moved = of_points(query=[0.2, 0.3, 0.4], moved=[0.0, 0.5, 0.7])
    assert moved.query.tolist() == [0.2, 0.8, 1.0]  # within the bounds
    near = of_points(query=[0.2, 0.3, 0.4], c=3.0, near=True)
    assert near.window[0].width == pytest.approx(2 * 1.5 * 3 * gaps.min())
    assert near.moved(2.0, 0.4).tolist() == [1.0, 0.4]


@pytest.mark.parametrize("mechanism", [SHIFTED, NoisyHistogram()], ids=lambda one: one.name)
def test_a_release_is_mapped_without_data_within_its_own_bounds(data, mechanism):
    release = mechanism.run(data, PRIVACY)
    assert mechanism_of(release) == mechanism
    read = dataclasses.replace(
        release, histogram=dataclasses.replace(release.histogram)
    )  # as it was read: nothing is remembered of it
    facts = PublicFacts(Box.of([0, 0, 0], [0.5, 0.5, 0.5]), 200, data.columns, data.units)
    of_release = {"released": read, "records": False}
    maps = [
        analysis(mechanism, facts, PRIVACY, **of_release) for analysis in (map_cells, map_trees, map_query)
    ]
    maps.append(map_trees(mechanism, facts, PRIVACY, price=2.0, **of_release))
    for found in maps:
        assert found.released
        assert found.mechanism == mechanism
        assert (found.window[0].upper, found.records) == (1.0, None)
    levels = histogram_levels(mechanism, facts, PRIVACY, released=read)
    told = [finding for found in (*maps, levels) for finding in found.findings()]
    assert all(finding.public for finding in told)
    assert list(maps[2].findings()) == []
    curator = map_cells(mechanism, data, PRIVACY, released=release)
    assert (curator.released, curator.records.n) == (True, 200)
