"""Maps of histograms: what is in view, whose bounds, which records, and what no data are needed for."""

import dataclasses

import numpy as np
import pytest

from engine.analysis.histogram_maps import map_cells, map_query, map_trees
from engine.analysis.preparing import mechanism_of
from engine.analysis.shared.shown_histograms import MOST_RECORDS, show_histogram, show_released_histogram
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
    shown = show_histogram(SHIFTED, data, PRIVACY, axes=(2, 0))
    whole = map_cells(shown)
    assert whole.deepest >= 2
    assert [one.name for one in whole.directions] == [data.columns[2], data.columns[0]]
    for level in range(whole.deepest):
        found = map_cells(shown, level=level)
        assert found.cells.counts.sum() == pytest.approx(200)
    assert map_cells(shown, level=99).cells.counts.tolist() == whole.cells.counts.tolist()


def test_the_same_coordinate_is_not_drawn_twice(data):
    assert show_histogram(SHIFTED, data, PRIVACY, axes=(1, 1)).axes == (1, 2)


def test_the_shift_reaches_beyond_the_bounds(data):
    shown = show_histogram(SHIFTED, data, PRIVACY)
    assert map_cells(shown).shift is None
    before, after = (map_cells(shown, grid=grid) for grid in ("before", "after"))
    assert (before.before, after.before) == (True, False)
    for axis, side in enumerate(before.window):
        assert side.lower == min(0.0, before.shift.lower[axis])
        assert side.upper == max(1.0, before.shift.upper[axis])


def test_records_are_those_in_view_and_not_too_many(data):
    many = Points(np.random.default_rng(1).random((3 * MOST_RECORDS, 2)), Box.of([0, 0], [1, 1]))
    found = map_cells(show_histogram(SHIFTED, many, PRIVACY))
    assert (found.records.n, len(found.records.dots)) == (3 * MOST_RECORDS, MOST_RECORDS)
    assert {tuple(row) for row in found.records.dots} <= {tuple(row) for row in many.values}
    near = map_cells(show_histogram(SHIFTED, many, PRIVACY), closely=True)
    for axis, side in enumerate(near.window):
        assert near.records.dots[:, axis].min() >= side.lower
    hidden = show_histogram(SHIFTED, data, PRIVACY, records=False)
    assert map_cells(hidden).records is None
    assert map_trees(hidden).trees.truth is None
    assert map_query(hidden).verdict is None


def test_trees_and_facilities_are_published_before_the_true_ones_are_known(data):
    published = []
    shown = show_histogram(SHIFTED, data, PRIVACY)
    found = map_trees(shown, publish=published.append)
    assert [one.trees.truth for one in published] == [None]
    assert found.trees.truth.cost <= found.trees.tree.cost
    placed = map_trees(shown, price=0.5)
    assert placed.trees.tree.price == 0.5


def test_a_query_point_is_where_one_guesses_or_an_attack_does(data):
    shown = show_histogram(SHIFTED, data, PRIVACY, axes=(1, 2))
    first = map_query(shown)
    assert first.query == pytest.approx([0.1, 0.1, 0.1])
    found = map_query(shown, query=[0.2, 0.3, 0.4], c=3.0)
    assert found.place.tolist() == [0.3, 0.4]
    gaps = np.linalg.norm(data.values - found.query, axis=1)
    assert found.nearest.tolist() == data.values[gaps.argmin(), 1:].tolist()
    assert (found.t, found.verdict.within) == (6, (gaps <= 3 * gaps.min()).sum())
    guessed = map_query(shown, query=[0.2, 0.3, 0.4], attack="occupied", attack_seed=3)
    assert guessed.query.tolist() != found.query.tolist()
    near = map_query(shown, query=[0.2, 0.3, 0.4], c=3.0, near=True)
    assert near.window[0].width == pytest.approx(2 * 1.5 * 3 * gaps.min())
    assert near.moved(2.0, 0.4).tolist() == [1.0, 0.4]


@pytest.mark.parametrize("mechanism", [SHIFTED, NoisyHistogram()], ids=lambda one: one.name)
def test_a_release_is_mapped_without_data_within_its_own_bounds(data, mechanism):
    release = mechanism.run(data, PRIVACY)
    assert mechanism_of(release) == mechanism
    read = dataclasses.replace(
        release, histogram=dataclasses.replace(release.histogram)
    )  # as it was read: nothing is remembered of it
    other = Points(data.values, Box.of([0, 0, 0], [0.5, 0.5, 0.5]))
    shown = show_released_histogram(other, read, axes=(0, 1))
    for found in (map_cells(shown), map_trees(shown), map_query(shown)):
        assert found.released
        assert found.mechanism == mechanism
        assert (found.window[0].upper, found.records) == (1.0, None)
    told = [*shown.findings(), *map_trees(shown).findings(), *map_trees(shown, price=2.0).findings()]
    assert all(finding.public for finding in told)
    assert list(map_query(shown).findings()) == []
    curator = show_histogram(mechanism, data, PRIVACY, released=release)
    assert curator.histogram is release.histogram
    assert map_cells(curator).records.n == 200
