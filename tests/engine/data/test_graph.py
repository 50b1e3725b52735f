"""Graphs as databases: what cannot be one, what is clamped, and paths from one to another."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.data.graph import SimpleGraph, WeightedGraph, bridges, duplicate, pieces
from engine.domain import Interval
from engine.errors import DataError, ParameterError

UNIT = Interval(0.0, 10.0, 0.5)
TRIANGLE = [[0, 1], [1, 2], [2, 0]]
LARGEST = 7


@st.composite
def edge_sets(draw, n=None):
    """Draw the number of vertices and some of the pairs, in any order and orientation."""
    n = draw(st.integers(2, LARGEST)) if n is None else n
    pairs = list(itertools.combinations(range(n), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True))
    flipped = draw(st.lists(st.booleans(), min_size=len(chosen), max_size=len(chosen)))
    ends = [pair[::-1] if flip else pair for pair, flip in zip(chosen, flipped, strict=True)]
    return n, np.array(ends, dtype=int).reshape(-1, 2)


@st.composite
def connected_edges(draw):
    """Draw a connected multigraph: a random tree, and more edges, parallel ones among them."""
    n = draw(st.integers(2, LARGEST))
    tree = [(draw(st.integers(0, vertex - 1)), vertex) for vertex in range(1, n)]
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] != pair[1])
    return n, np.array(tree + draw(st.lists(pairs, max_size=8)))


def edge_set(graph):
    return {tuple(sorted(pair)) for pair in graph.ends.tolist()}


def components(n, ends):
    """Count the pieces from the definition: merge groups until no edge leaves one."""
    groups = [{vertex} for vertex in range(n)]
    for one, other in ends.tolist():
        first = next(group for group in groups if one in group)
        second = next(group for group in groups if other in group)
        if first is not second:
            groups.remove(second)
            first |= second
    return len(groups)


class TestWeightedGraph:
    def test_what_is_public_about_it(self):
        graph = WeightedGraph(TRIANGLE, [1, 2, 3], UNIT)
        assert (graph.n, graph.records, graph.domain) == (3, 3, UNIT)
        np.testing.assert_array_equal(graph.ends, TRIANGLE)
        assert graph.facts == {"lower": 0, "upper": 10, "resolution": 0.5, "vertices": 3, "edges": 3}

    def test_weights_are_clamped_and_counted(self):
        graph = WeightedGraph(TRIANGLE, [0, 10, 10.5], UNIT)
        np.testing.assert_array_equal(graph.weights, [0, 10, 10])
        assert graph.outside == 1
        assert WeightedGraph(TRIANGLE, [0, 10, 10], UNIT).outside == 0

    def test_parallel_edges_are_allowed(self):
        assert WeightedGraph([[0, 1], [1, 0], [0, 1]], [1, 2, 3], UNIT).records == 3

    def test_other_weights_on_the_same_edges(self):
        graph = WeightedGraph(TRIANGLE, [1, 2, 3], UNIT)
        other = graph.with_weights([4, 5, 60])
        np.testing.assert_array_equal(other.weights, [4, 5, 10])
        np.testing.assert_array_equal(graph.weights, [1, 2, 3])
        assert (other.n, other.domain) == (graph.n, graph.domain)
        np.testing.assert_array_equal(other.ends, graph.ends)
        assert other.kept is not graph.kept

    @pytest.mark.parametrize(
        ("ends", "weights", "says"),
        [
            ([], [], "there are no edges; at least one is needed"),
            ([[0, 0]], [1], "edge 1 joins a vertex to itself; leave such edges out"),
            ([[0, 1], [1, 1]], [1, 2], "edge 2 joins a vertex to itself"),
            ([[0, 1], [2, 3]], [1, 2], "the graph is not connected"),
            ([[0, 2]], [1], "the graph is not connected"),
            (TRIANGLE, [1, -0.5, -1], "the weight of edge 2 must be a finite number of at least"),
            (TRIANGLE, [1, 2, float("nan")], "the weight of edge 3 must be a finite number"),
            (TRIANGLE, [float("inf"), 2, 3], "the weight of edge 1 must be a finite number"),
            (TRIANGLE, [1, 2], "there must be one weight for each edge"),
            (TRIANGLE, 1, "there must be one weight for each edge"),
            ([[0, 1, 2]], [1], r"an array of shape \(1, 3\) is no list of edges; it must be \(m, 2\)"),
            ([0, 1], [1], r"an array of shape \(2,\) is no list of edges"),
            ([["a", "b"]], [1], "the ends of the edges are not whole numbers; number the vertices from 0"),
            (
                [[-1, 0]],
                [1],
                "an edge names a vertex that does not exist; vertices are numbered from 0 to n - 1",
            ),
        ],
    )
    def test_what_cannot_be_one(self, ends, weights, says):
        with pytest.raises(DataError, match=says):
            WeightedGraph(ends, weights, UNIT)

    def test_a_stated_number_of_vertices_counts(self):
        with pytest.raises(DataError, match="vertices are numbered from 0 to 1"):
            WeightedGraph(TRIANGLE, [1, 2, 3], UNIT, 2)
        with pytest.raises(DataError, match="the graph is not connected"):
            WeightedGraph(TRIANGLE, [1, 2, 3], UNIT, 4)
        for n in (0, 1, 3):
            with pytest.raises(DataError, match="there are no edges"):
                WeightedGraph([], [], UNIT, n)

    def test_the_lower_bound_of_a_weight_is_zero(self):
        with pytest.raises(DataError, match="a lower bound of 1 is not possible; it must be 0"):
            WeightedGraph(TRIANGLE, [1, 2, 3], Interval(1, 2))

    @given(connected_edges(), st.data())
    def test_a_path_changes_one_weight_at_a_time(self, drawn, data):
        n, ends = drawn
        vectors = st.lists(st.floats(0, 12), min_size=len(ends), max_size=len(ends))
        start = WeightedGraph(ends, data.draw(vectors), UNIT, n)
        end = start.with_weights(data.draw(vectors))
        steps = start.steps(end)
        assert steps == end.steps(start) == len(ends)
        path = [start.toward(end, count).weights for count in range(steps + 1)]
        np.testing.assert_array_equal(path[0], start.weights)
        np.testing.assert_array_equal(path[-1], end.weights)
        for before, after in itertools.pairwise(path):
            assert np.count_nonzero(before != after) <= 1

    def test_no_path_leads_to_another_graph(self):
        graph = WeightedGraph(TRIANGLE, [1, 2, 3], UNIT)
        for ends in ([[0, 1], [1, 2], [1, 2]], [[0, 1], [1, 2]]):
            with pytest.raises(
                DataError, match="the path leads to a graph with other edges; both ends must have the"
            ):
                graph.steps(WeightedGraph(ends, [1] * len(ends), UNIT))


class TestSimpleGraph:
    def test_what_is_public_about_it(self):
        graph = SimpleGraph([[2, 1], [0, 1]], 5, 1.0)
        assert (graph.n, graph.records, graph.outside) == (5, 10, 0)
        assert (graph.domain, graph.resolution) == (Interval(0, 1), 1.0)
        assert graph.facts == {"resolution": 1.0, "vertices": 5}
        np.testing.assert_array_equal(graph.ends, [[1, 2], [0, 1]])

    @pytest.mark.parametrize("resolution", [0.0, -1.0, 10.5, np.nan, np.inf])
    def test_a_resolution_is_above_0_and_at_most_all_triples(self, resolution):
        with pytest.raises(ParameterError, match=r"resolution.*above 0 and at most 10$"):
            SimpleGraph([[0, 1]], 5, resolution)

    def test_it_may_have_no_edge(self):
        graph = SimpleGraph([], 3)
        assert graph.ends.shape == (0, 2)
        assert graph.adjacency.toarray().tolist() == [[0] * 3] * 3

    @pytest.mark.parametrize(
        ("ends", "n", "says"),
        [
            ([[0, 1], [1, 2], [1, 0]], 3, "edges 1 and 3 join the same two vertices; keep one of them"),
            ([[0, 1], [2, 2]], 3, "edge 2 joins a vertex to itself"),
            (TRIANGLE, 2, "an edge names a vertex that does not exist; vertices are numbered from 0 to 1"),
            ([[0, 1, 2]], 3, "is no list of edges"),
            ([["a", "b"]], 2, "the ends of the edges are not whole numbers"),
            ([[0, 0.5]], 2, "the ends of the edges are not whole numbers"),
            ([[0, float("nan")]], 2, "the ends of the edges are not whole numbers"),
            ([[0, 1e30]], 2, "the ends of the edges are not whole numbers"),
            ([[0, 1], [2]], 3, "the ends of the edges are not whole numbers"),
        ],
    )
    def test_what_cannot_be_one(self, ends, n, says):
        with pytest.raises(DataError, match=says):
            SimpleGraph(ends, n)

    @given(edge_sets())
    def test_the_adjacency_matrix_has_a_one_for_each_end(self, drawn):
        n, ends = drawn
        matrix = SimpleGraph(ends, n).adjacency.toarray()
        expected = np.zeros((n, n), dtype=int)
        for one, other in ends.tolist():
            expected[one, other] = expected[other, one] = 1
        np.testing.assert_array_equal(matrix, expected)

    @given(st.integers(2, LARGEST).flatmap(lambda n: st.tuples(edge_sets(n), edge_sets(n))))
    def test_a_path_changes_one_pair_at_a_time(self, both):
        (n, first), (_, last) = both
        start, end = SimpleGraph(first, n, 0.5), SimpleGraph(last, n, 0.5)
        steps = start.steps(end)
        assert steps == end.steps(start) == len(edge_set(start) ^ edge_set(end))
        path = [start.toward(end, count) for count in range(steps + 1)]
        assert (edge_set(path[0]), edge_set(path[-1])) == (edge_set(start), edge_set(end))
        for before, after in itertools.pairwise(path):
            assert len(edge_set(before) ^ edge_set(after)) == 1
            assert after.facts == start.facts

    def test_no_path_leads_to_other_vertices(self):
        with pytest.raises(
            DataError, match="the path leads from 3 to 4 vertices; both ends must have the same"
        ):
            SimpleGraph(TRIANGLE, 3).steps(SimpleGraph(TRIANGLE, 4))

    def test_other_edges_on_the_same_vertices(self):
        graph = SimpleGraph(TRIANGLE, 6, 0.5)
        other = graph.with_ends([[4, 5]])
        assert (other.facts, edge_set(other)) == (graph.facts, {(4, 5)})


@given(edge_sets())
def test_pieces_are_counted(drawn):
    n, ends = drawn
    assert pieces(ends, n) == components(n, ends)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12))
def test_the_first_edge_that_repeats_another_is_found(ends):
    found = duplicate(ends)
    sets = [frozenset(pair) for pair in ends]
    repeats = [edge for edge, pair in enumerate(sets) if pair in sets[:edge]]
    if not repeats:
        assert found is None
    else:
        assert found[1] == repeats[0]
        assert found[0] < found[1]
        assert sets[found[0]] == sets[found[1]]


def test_bridges_are_the_edges_whose_removal_disconnects():
    rng = np.random.default_rng(1)
    for _ in range(300):
        n = int(rng.integers(2, 12))
        tree = np.column_stack([[rng.integers(i) for i in range(1, n)], np.arange(1, n)])
        more = rng.integers(n, size=(int(rng.integers(0, 6)), 2))
        ends = np.concatenate([tree, more[more[:, 0] != more[:, 1]]])
        ends = rng.permutation(rng.permutation(n)[ends])
        expected = [pieces(np.delete(ends, edge, axis=0), n) > 1 for edge in range(len(ends))]
        assert bridges(ends, n).tolist() == expected


def test_a_long_path_is_all_bridges_and_a_long_cycle_has_none():
    path = np.column_stack([np.arange(19_999), np.arange(1, 20_000)])
    assert bridges(path, 20_000).all()
    assert not bridges(np.concatenate([path, [[19_999, 0]]]), 20_000).any()


def test_parallel_edges_are_no_bridges():
    assert bridges([(0, 1), (1, 0), (1, 2)], 3).tolist() == [False, False, True]
