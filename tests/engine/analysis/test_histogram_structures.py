"""Trees and facilities on cells and on records, and what keeps their pictures small."""

from functools import partial

import numpy as np
import pytest

from engine.analysis import histogram_structures as module
from engine.analysis.histogram_structures import (
    default_facility_price,
    histogram_facilities,
    histogram_matching,
    histogram_trees,
)
from engine.analysis.prepared_histograms import simulated_histogram
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.matching import match_cells, match_points
from engine.histograms.spanning_tree import euclidean_tree, resampled_tree, spanning_tree
from engine.histograms.synthetic import synthetic_points
from engine.mechanisms import ShiftedHistogram
from engine.privacy import Privacy
from engine.randomness import reproducible

BOX = Box.of([0, 0, 0], [1, 1, 1])


@pytest.fixture
def data():
    return Points(np.random.default_rng(1).random((90, 3)), BOX)


@pytest.fixture
def histogram(data):
    return simulated_histogram(ShiftedHistogram(t=4), data, Privacy(1.0), seed=2)


def test_costs_are_those_of_the_trees_whatever_is_drawn(data, histogram):
    found = histogram_trees(histogram, data, axes=(2, 0), seed=5)
    assert found.tree.cost == spanning_tree(histogram).cost
    assert found.resampled.cost == resampled_tree(histogram, reproducible(5))[0].cost
    true = euclidean_tree(data.values)
    assert found.truth.cost == true.cost == pytest.approx(true.lengths.sum())
    drawn = {tuple(row) for row in found.truth.starts}
    assert drawn <= {tuple(row) for row in data.values[:, [2, 0]]}
    assert len(found.truth.starts) == 89


def test_without_data_nothing_true_is_found(histogram):
    published = []
    found = histogram_trees(histogram, publish=published.append)
    assert found.truth is None
    assert published[0].resampled is None
    assert found.resampled is not None
    published.clear()
    histogram_trees(histogram, publish=published.append)
    assert not published  # all of it was known
    assert histogram_facilities(histogram, price=0.5).truth is None


def test_only_the_longest_edges_are_kept(data, histogram, monkeypatch):
    whole = histogram_trees(histogram, data)
    monkeypatch.setattr(module, "MAX_EDGES", 7)
    found = histogram_trees(histogram, data)
    assert len(found.truth.starts) == 7
    assert found.truth.cost == whole.truth.cost
    monkeypatch.setattr(module, "MAX_TRUE_RECORDS", 80)
    assert histogram_trees(histogram, data).truth is None


def test_costs_of_a_matching_are_those_of_cells_drawn_points_and_records(data, histogram):
    found = histogram_matching(histogram, data, axes=(2, 0), seed=5)
    on_cells, true = match_cells(histogram), match_points(data.values)
    assert (found.tree.cost, found.tree.lower) == (on_cells.cost, on_cells.lower)
    assert found.resampled.cost == match_points(synthetic_points(histogram, reproducible(5))).cost
    assert found.truth.cost == true.cost
    assert len(found.truth.starts) == 45
    joined = np.sort(np.linalg.norm(found.truth.starts - found.truth.ends, axis=1))
    np.testing.assert_allclose(
        joined, np.sort(np.linalg.norm(np.diff(data.values[true.pairs][:, :, [2, 0]], axis=1)[:, 0], axis=1))
    )


@pytest.mark.parametrize(
    ("build", "times"),
    [(histogram_trees, 2), (histogram_matching, 2), (partial(histogram_facilities, price=2.0), 1)],
    ids=["tree", "matching", "facilities"],
)
def test_what_is_known_is_published_while_something_is_looked_for_and_never_again(
    data, histogram, build, times
):
    published = []
    found = build(histogram, data, publish=published.append)
    assert len(published) == times
    assert all(one.truth is None and one.tree.cost == found.tree.cost for one in published)
    assert published[-1].estimate.cost == found.estimate.cost
    published.clear()
    again = build(histogram, data, publish=published.append)
    assert not published
    first, second = ([one.tree.cost, one.estimate.cost, one.truth.cost] for one in (found, again))
    assert first == second
    build(histogram, Points(data.values, BOX), publish=published.append)
    assert len(published) == 1  # other data, of the same histogram


@pytest.mark.parametrize("price", [0.2, 3.0, 400.0])
def test_facilities_cost_what_they_and_the_ways_to_them_do(data, histogram, price):
    found = histogram_facilities(histogram, data, price=price, axes=(0, 1, 2))
    for open_places, cost in ((found.tree.open, found.tree.in_truth), (found.truth.open, found.truth.cost)):
        gaps = np.linalg.norm(data.values[:, None] - open_places, axis=2).min(axis=1)
        assert cost == pytest.approx(price * len(open_places) + gaps.sum())
    assert found.tree.cost >= found.tree.in_truth  # exact counts, and distances that are too large
    ways = np.linalg.norm(found.truth.starts - found.truth.ends, axis=1)
    assert found.truth.cost == pytest.approx(price * len(found.truth.open) + ways.sum())


def test_some_of_many_ways_are_kept_and_which_says_nothing(data, histogram, monkeypatch):
    monkeypatch.setattr(module, "MAX_WAYS", 10)
    found = histogram_facilities(histogram, data, price=1.0)
    assert len(found.truth.starts) == 10
    moved = Points(1 - data.values, BOX)
    other = histogram_facilities(histogram, moved, price=1.0)
    np.testing.assert_allclose(1 - other.truth.starts, found.truth.starts)


def test_results_are_remembered_beside_the_data(data, histogram, monkeypatch):
    first = histogram_trees(histogram, data)
    monkeypatch.setattr(module, "euclidean_tree", lambda *_, **__: pytest.fail("found again"))
    again = histogram_trees(histogram, data, axes=(1, 2))
    assert again.resampled.cost == first.resampled.cost


def test_the_price_at_first_follows_from_public_facts():
    assert default_facility_price(Box.of([0, 0], [3, 4]), 1000) == 50.0
    assert default_facility_price(Box.of([0], [1]), 0) == 0.01
