"""What a worker makes of a graph: stable places, what decides, and what fits into a picture."""

import types

import numpy as np
import pyarrow as pa
import pytest

from app.model.kinds.simple_graph import SimpleGraphBuilder
from app.model.kinds.weighted_graph import WeightedGraphBuilder
from app.pages.sensitivity import graph_analysis
from app.pages.sensitivity.graph_analysis import decided, farthest, first_look, join_vertices, topology
from app.plots.sensitivity.graph_view import MAX_EDGES, MAX_VERTICES, DecidingCut, DecidingPair
from engine.data import Table
from engine.data.edges import EdgeColumns, read_edges
from engine.data.examples import load_example
from engine.data.graph import bridges, pieces
from engine.domain import Interval
from engine.progress import silent
from engine.queries.mst import MstCost
from engine.queries.triangles import TriangleCount

KARATE = read_edges(load_example("karate"))
DOMAIN = Interval(0, 8)


def ask(view, source, k=0, public=False):
    """Ask as a page does."""
    setup = types.SimpleNamespace(source=source)
    return view(setup, None if public else source.build(), k, silent)


@pytest.fixture
def at_once(monkeypatch):
    """Places that take no time to find, where they do not matter; they tell the edges, though."""

    def places(ends, n, progress=silent):
        return np.column_stack([np.arange(n), np.bincount(np.ravel(ends), minlength=n)]).astype(float)

    monkeypatch.setattr(graph_analysis, "layout", places)


def edge_list(ends, weights=None):
    ends = np.asarray(ends)
    columns = {"source": ends[:, 0], "target": ends[:, 1]}
    columns |= {} if weights is None else {"weight": weights}
    named = EdgeColumns(weight=None if weights is None else "weight")
    return read_edges(Table("made.csv", pa.table(columns)), named, duplicates="lightest")


def random_edges(n, m, seed=1):
    rng = np.random.default_rng(seed)
    tree = np.column_stack([[rng.integers(i) for i in range(1, n)], np.arange(1, n)])
    more = rng.integers(n, size=(2 * (m - n + 1), 2))
    ends = np.concatenate([tree, more[more[:, 0] != more[:, 1]]])[:m]
    return edge_list(ends, rng.random(m).round(4) * 10)


@pytest.mark.parametrize("k", [0, 1])
def test_the_cut_is_that_of_the_engine(k):
    source = WeightedGraphBuilder(KARATE, {}, DOMAIN)
    view = ask(decided, source, k)
    graph, cut = source.build(), view.decision
    assert isinstance(cut, DecidingCut)
    assert cut.sensitivity == MstCost().sensitivity_at_distance(graph, k)[k]
    across = cut.side[view.ends[:, 0]] != cut.side[view.ends[:, 1]]
    assert np.array_equal(across, cut.crossing)
    assert cut.count == across.sum()
    weights = np.append(np.sort(view.weights[across]), np.full(k + 2, 8.0))
    assert cut.weights == tuple(weights[: k + 2])
    assert max(weights[k], weights[k + 1] - weights[0]) == cut.sensitivity
    assert np.array_equal(view.weights[list(cut.lightest)], weights[: len(cut.lightest)])
    assert 2 * cut.side.sum() <= 34
    assert view.weights[view.tree].sum() == MstCost().value(graph)
    assert np.array_equal(view.bridges, bridges(KARATE.ends, 34))


@pytest.mark.parametrize("k", [0, 3, 40])
def test_the_pair_is_that_of_the_engine(k):
    source = SimpleGraphBuilder(KARATE, frozenset(), 36)
    view = ask(decided, source, k)
    assert isinstance(view.decision, DecidingPair)
    assert view.decision.sensitivity == TriangleCount().sensitivity_at_distance(source.build(), k)[k]
    joined = source.build().adjacency.toarray()[np.ix_(view.decision.pair, np.arange(34))].all(axis=0)
    assert view.decision.common.tolist() == np.flatnonzero(joined).tolist()
    assert view.decision.count == joined.sum()
    assert view.decision.spokes.sum() == 2 * joined.sum()
    assert view.left_out() == "34 of 36 vertices drawn"
    assert view.weights is None


def test_vertices_stay_where_they_are_while_weights_and_edges_change():
    first = ask(decided, WeightedGraphBuilder(KARATE, {}, DOMAIN))
    moved = ask(decided, WeightedGraphBuilder(KARATE, {3: 7.5}, DOMAIN), 1)
    assert moved.positions is first.positions
    assert moved.names is first.names
    assert moved.weights[3] == 7.5
    assert moved.ramp == first.ramp == (1.0, 7.0)
    whole = ask(decided, SimpleGraphBuilder(KARATE, frozenset(), 34))
    without = ask(decided, SimpleGraphBuilder(KARATE, frozenset({3}), 34))
    assert without.positions is whole.positions
    assert without.absent.tolist() == (np.arange(78) == 3).tolist()


def test_a_new_graph_is_shown_before_what_decides_is_known_and_only_once():
    source = WeightedGraphBuilder(KARATE, {}, DOMAIN)
    assert ask(first_look, source).decision is None
    assert ask(first_look, source) is None
    assert ask(first_look, SimpleGraphBuilder(KARATE, frozenset(), 34)).decision is None


def test_the_public_view_knows_no_weight():
    weights = np.random.default_rng(0).random(78)
    for values in (weights, weights[::-1]):
        edges = edge_list(KARATE.ends, values)
        view = ask(topology, WeightedGraphBuilder(edges, {2: 0.5}, Interval(0, 1)), public=True)
        assert view.weights is view.decision is None
        assert not view.private
        assert not view.tree.any()
        assert view.ramp == (0, 1)
    assert ask(topology, SimpleGraphBuilder(KARATE, frozenset(), 34), public=True) is None


def test_which_vertices_are_put_together_in_the_public_view_does_not_depend_on_weights(at_once):
    ends = random_edges(MAX_VERTICES + 60, MAX_EDGES, seed=2).ends
    views = []
    for seed in (1, 2):
        edges = edge_list(ends, np.random.default_rng(seed).random(len(ends)))
        views.append(ask(topology, WeightedGraphBuilder(edges, {}, Interval(0, 1)), public=True))
    first, second = views
    assert np.array_equal(first.ends, second.ends)
    assert np.array_equal(first.sizes, second.sizes)
    assert np.array_equal(first.positions, second.positions)


def test_groups_are_what_kruskal_has_joined():
    edges = random_edges(300, 900)
    tree = MstCost().tree(edges.weighted(Interval(0, 10)))
    order = tree[np.argsort(edges.weights[tree], kind="stable")]
    group = join_vertices(edges.ends, 300, order, most=40)
    assert np.unique(group).tolist() == list(range(40))
    joined = edges.ends[order[:260]]
    assert (group[joined[:, 0]] == group[joined[:, 1]]).all()
    assert pieces(joined, 300) == 40
    # also in an order in which many edges join nothing
    assert np.unique(join_vertices(edges.ends, 300, np.arange(len(edges.ends))[::-1], most=40)).size <= 40


def test_a_large_graph_is_drawn_as_groups_and_says_so(at_once):
    edges = random_edges(MAX_VERTICES + 400, 2 * MAX_EDGES)
    source = WeightedGraphBuilder(edges, {}, Interval(0, 10))
    view = ask(decided, source, 1)
    assert len(view.positions) == len(view.names) == MAX_VERTICES
    assert view.sizes.sum() == edges.n == view.n
    assert len(view.edges) == MAX_EDGES < view.m
    assert (view.ends[:, 0] != view.ends[:, 1]).all()
    pairs = {tuple(pair) for pair in np.sort(view.ends, axis=1).tolist()}
    assert len(pairs) == MAX_EDGES  # one edge between two groups
    assert view.tree.sum() == MAX_VERTICES - 1
    assert "groups stand for" in view.left_out()
    assert ask(decided, WeightedGraphBuilder(edges, {5: 0.0}, Interval(0, 10))).positions is view.positions


def test_of_many_edges_those_of_tree_and_cut_are_drawn_and_then_the_lightest():
    edges = random_edges(120, MAX_EDGES + 1500)
    heaviest = int(edges.weights.argmax())
    view = ask(decided, WeightedGraphBuilder(edges, {heaviest: 10.0}, Interval(0, 10)), 2)
    assert len(view.edges) == MAX_EDGES
    assert (np.diff(view.edges) > 0).all()
    assert view.tree.sum() == 119
    assert view.decision.crossing.sum() == view.decision.count
    assert heaviest in view.edges
    left_out = np.setdiff1d(np.arange(view.m), view.edges)
    rest = ~view.tree & ~view.decision.crossing & (view.edges != heaviest)
    assert edges.weights[left_out].min() >= view.weights[rest].max()


def test_of_many_vertices_those_with_most_edges_are_drawn_for_triangles(at_once):
    rng = np.random.default_rng(1)
    hub = np.column_stack([np.zeros(MAX_VERTICES + 200, dtype=int), np.arange(1, MAX_VERTICES + 201)])
    ring = rng.permutation(np.arange(1, MAX_VERTICES - 99))
    edges = edge_list(np.concatenate([hub, np.column_stack([ring[:-1], ring[1:]])]))
    view = ask(decided, SimpleGraphBuilder(edges, frozenset(), edges.n), 0)
    assert len(view.names) == MAX_VERTICES
    assert view.names[view.decision.pair[0]] == "0"
    degree = np.bincount(edges.ends.ravel())
    left_out = np.setdiff1d(np.array(edges.labels), np.array(view.names))
    assert max(degree[edges.labels.index(name)] for name in left_out) == 1
    assert "2\u202f000 of 2\u202f201 vertices drawn" in view.left_out()


def test_disconnected_graphs_can_be_asked_for_triangles():
    edges = edge_list([(0, 1), (1, 2), (0, 2), (5, 6)])
    view = ask(decided, SimpleGraphBuilder(edges, frozenset(), 9), 0)
    assert view.decision.count == 1
    assert len(view.positions) == 5


def test_k_goes_as_far_as_it_changes_anything():
    assert farthest(WeightedGraphBuilder(KARATE, {}, DOMAIN)) == 1
    assert farthest(SimpleGraphBuilder(KARATE, frozenset(), 34)) == 60
    assert farthest(SimpleGraphBuilder(KARATE, frozenset(), 3)) == 2
    assert ask(decided, WeightedGraphBuilder(KARATE, {}, DOMAIN), 50).decision.k == 1
