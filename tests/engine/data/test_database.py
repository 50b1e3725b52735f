"""Records are drawn without replacement; a graph has none that can be left out."""

import inspect
from functools import cached_property

import numpy as np
import pytest

from engine.data.categories import Categories, CategoryDomain
from engine.data.database import AnyDatabase, draw_subsample
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.errors import DataError, ParameterError

SAMPLE = Sample(np.arange(100.0), Interval(0, 99))


def test_records_are_distinct_and_keep_their_order():
    drawn = draw_subsample(SAMPLE, 40, seed=1)
    assert drawn.n == 40
    assert drawn.domain == SAMPLE.domain
    assert (np.diff(drawn.values) > 0).all()


def test_the_seed_decides():
    first, again, other = (draw_subsample(SAMPLE, 40, seed).values.tolist() for seed in (1, 1, 2))
    assert first == again != other


def test_every_record_is_as_likely_as_any():
    counts = sum(
        np.bincount(draw_subsample(SAMPLE, 10, s).values.astype(int), minlength=100) for s in range(2000)
    )
    # each is Binomial(2000, 0.1): six standard deviations, false alarm below 100 * 2e-9
    assert np.abs(counts - 200).max() < 6 * np.sqrt(2000 * 0.1 * 0.9)


def test_points_and_categories_keep_whole_records():
    values = np.column_stack([np.arange(50.0), -np.arange(50.0)])
    points = draw_subsample(Points(values, Box.of([0, -50], [50, 0])), 20, seed=3)
    assert (points.values[:, 0] == -points.values[:, 1]).all()
    domain = CategoryDomain(["a", "b"], [["x", "y"], ["u", "v"]])
    some = draw_subsample(Categories(np.repeat([[0, 1], [1, 0]], 25, axis=0), domain), 20, seed=3)
    assert (some.codes.sum(axis=1) == 1).all()
    assert some.n == 20


def test_a_graph_is_refused_in_words():
    graph = WeightedGraph([(0, 1), (1, 2)], [1.0, 2.0], Interval(0, 5))
    with pytest.raises(DataError, match="another graph"):
        draw_subsample(graph, 2, seed=1)


@pytest.mark.parametrize("n", [0, -3, 101])
def test_impossible_sizes_are_refused(n):
    with pytest.raises(ParameterError, match="1 to 100"):
        draw_subsample(SAMPLE, n, seed=1)


@pytest.mark.parametrize("kind", [Sample, Points, Categories, WeightedGraph, SimpleGraph])
def test_type_checkers_see_a_database(kind):
    """Pyright takes no `cached_property` for a property of a protocol."""
    names = [name for name, one in vars(AnyDatabase).items() if isinstance(one, property)]
    assert "outside" in names
    assert [name for name in names if isinstance(inspect.getattr_static(kind, name), cached_property)] == []
