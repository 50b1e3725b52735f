"""The separation of clusters: costs by the definition, what is chosen, and what is refused."""

import itertools

import numpy as np
import pytest

from engine import KMeansOnCells
from engine.analysis import cluster_separation
from engine.analysis.cluster_separation import separate_clusters
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms import Clusters, NoisyAverage, SampleAggregate

SQUARE = Box.of([0, 0], [1, 1])


def blobs(n=900, middles=((0.2, 0.2), (0.8, 0.3), (0.5, 0.8)), box=SQUARE):
    rng = np.random.default_rng(1)
    values = np.array(middles)[np.arange(n) % len(middles)] + rng.normal(0, 0.03, (n, 2))
    return Points(box.lower + np.clip(values, 0, 1) * box.width, box)


def best(values, k):
    """Return the least cost of all ways to share a few points among k clusters."""
    costs = []
    for labels in itertools.product(range(k), repeat=len(values)):
        parts = [values[np.array(labels) == one] for one in set(labels)]
        costs.append(sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))
    return min(costs) / len(values)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_costs_are_those_of_the_best_centers_of_a_few_points(k):
    data = blobs(7)
    assert cluster_separation._cost_of(data, k) == pytest.approx(best(data.values, k), rel=1e-9)


@pytest.mark.parametrize("mechanism", [Clusters(k=3), KMeansOnCells(k=3)], ids=repr)
def test_the_number_of_blobs_is_the_clearest(mechanism):
    found = separate_clusters(mechanism, blobs())
    assert found.k.tolist() == [2, 3, 4, 5]
    assert (found.chosen, found.records, found.n) == (3, 900, 900)
    assert found.k[found.ratios.argmin()] == 3
    assert found.at_chosen < 0.05
    assert found.ratios[0] > 0.3
    assert np.all(found.ratios[2:] > 0.7)
    assert np.allclose(found.ratios[1:], found.costs[1:] / found.costs[:-1])


def test_a_unit_changes_no_ratio():
    wide = Box.of([0, 0], [1e150, 1e150])
    narrow, other = (separate_clusters(Clusters(k=3), blobs(300, box=box)) for box in (SQUARE, wide))
    assert np.allclose(narrow.ratios, other.ratios, rtol=1e-6)


def test_few_different_records():
    data = Points(np.array([[0.1, 0.1], [0.9, 0.9]]), SQUARE)
    found = separate_clusters(Clusters(k=2), data)
    assert (found.k.tolist(), found.ratios.tolist()) == ([2], [0.0])
    same = Points(np.full((5, 2), 0.5), SQUARE)
    none = separate_clusters(Clusters(k=2), same)
    assert np.isnan(none.ratios).all()
    assert none.chosen == 2


def test_of_many_records_some_are_looked_at(monkeypatch):
    monkeypatch.setattr(cluster_separation, "MAX_RECORDS", 300)
    found = separate_clusters(Clusters(k=3), blobs())
    assert (found.records, found.n, found.k[found.ratios.argmin()]) == (300, 900, 3)


@pytest.mark.parametrize("mechanism", [NoisyAverage(), SampleAggregate(), Clusters(k=1)], ids=repr)
def test_what_has_no_centers_is_refused(mechanism):
    with pytest.raises(ParameterError, match="at least two centers"):
        separate_clusters(mechanism, blobs())
