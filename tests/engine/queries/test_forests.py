"""Greedy forests: what they keep of every cut, and the bound they give."""

import numpy as np
import pytest
from graphs import crossing_weights, cut_table, random_graph, sides

from engine.queries.cut_search import EdgeFlow, GreedyForests, KeptEdges, Near

LARGEST = 10.0


def random_forests(rng):
    n, ends = random_graph(rng)
    weights = np.sort(rng.integers(0, 6, len(ends)) * 2.0)
    count = int(rng.integers(1, 6))
    return n, ends, weights, count, grown(n, ends, count)


def grown(n, ends, count):
    """Return so many forests, asked for in two questions."""
    forests = GreedyForests(n, ends)
    forests.grow(1)
    forests.grow(count)
    return forests.grown


def by_definition(n, ends, count):
    """Return the ranks of the edges of each forest: an edge enters the first in which it closes no cycle."""
    trees, found = [list(range(n)) for _ in range(count)], [[] for _ in range(count)]
    for rank, (first, second) in enumerate(ends.tolist()):
        for tree, ranks in zip(trees, found, strict=True):
            one, other = tree[first], tree[second]
            if one != other:
                tree[:] = [one if name == other else name for name in tree]
                ranks.append(rank)
                break
    return found


def bottleneck(forest, first, second, apart):
    """Ask for several pairs at once, of which one counts."""
    n = forest.n
    pairs = np.array([(first, second), *((vertex, (vertex + 1) % n) for vertex in range(n)), (second, first)])
    found = forest.bottlenecks(pairs, apart)
    assert found[0] == found[-1]
    return int(found[0])


@pytest.mark.parametrize("at_first", [1, 4])
def test_each_edge_is_in_the_first_forest_in_which_it_closes_no_cycle(at_first, monkeypatch):
    """However many are looked at at once, also where the forests fall into pieces."""
    monkeypatch.setattr("engine.queries.cut_search._AT_FIRST", at_first)
    rng = np.random.default_rng(45)
    for _ in range(100):
        n, count = int(rng.integers(2, 40)), int(rng.integers(1, 6))
        ends = rng.integers(0, n, (int(rng.integers(1, 6 * n)), 2))
        ends = ends[ends[:, 0] != ends[:, 1]]
        forests = grown(n, ends, count)
        assert [forest.edges.tolist() for forest in forests] == by_definition(n, ends, count)
        assert all(np.array_equal(forest.ends, ends[forest.edges]) for forest in forests)


def test_the_lightest_edges_of_every_cut_are_kept():
    """Statement (i)."""
    rng = np.random.default_rng(41)
    for _ in range(300):
        n, ends, weights, count, forests = random_forests(rng)
        kept = sorted(rank for forest in forests for rank in forest.edges.tolist())
        assert len(set(kept)) == len(kept) <= count * (n - 1)
        for side in sides(n):
            all_of_them = crossing_weights(side, ends, weights)[:count]
            some = crossing_weights(side, ends[kept], weights[kept])[:count]
            assert some.tolist() == all_of_them.tolist()


def test_the_heaviest_edge_on_the_way_bounds_every_cut_between():
    """Statement (ii)."""
    rng = np.random.default_rng(42)
    for _ in range(300):
        n, ends, weights, count, forests = random_forests(rng)
        table, all_sides = cut_table(n, ends, weights, LARGEST, count), sides(n)
        known = np.append(weights, LARGEST)
        first, second = rng.choice(n, 2, replace=False).tolist()
        between = all_sides[:, first] != all_sides[:, second]
        bounds = [known[bottleneck(forest, first, second, weights.size)] for forest in forests]
        assert np.all(np.diff(bounds) >= 0)
        assert np.all(table[between].max(axis=0) <= bounds)


def test_a_path_leads_from_end_to_end_within_its_bottleneck():
    rng = np.random.default_rng(43)
    seen = 0
    for _ in range(200):
        n, ends, weights, _, forests = random_forests(rng)
        first, second = rng.choice(n, 2, replace=False).tolist()
        for forest in forests:
            heaviest = bottleneck(forest, first, second, weights.size)
            if heaviest == weights.size:
                continue
            here = first
            path = forest.path(first, second)
            for rank, tail in path:
                assert tail == here
                here = int(ends[rank].sum()) - here
            assert here == second
            assert max(rank for rank, _ in path) == heaviest
            seen += 1
    assert seen > 200


@pytest.mark.parametrize("prepared", [False, True])
def test_flows_are_as_large_as_the_smallest_cut(prepared):
    """And the set of vertices that a failure returns is a smallest cut below the limit."""
    rng = np.random.default_rng(44)
    for _ in range(300):
        n, ends, weights, _, forests = random_forests(rng)
        near = Near(KeptEdges(n, np.arange(len(ends)), ends))
        source, sink = rng.choice(n, 2, replace=False).tolist()
        limit = int(rng.integers(0, len(ends) + 1))
        flow = EdgeFlow(near, source, sink)
        if prepared and bottleneck(forests[0], source, sink, weights.size) < limit:
            flow.push(forests[0].path(source, sink))
        while (failed := flow.augment(limit)) is None:
            assert flow.value <= limit
        side = np.isin(np.arange(n), failed)
        assert side[source] != side[sink]
        assert crossing_weights(side, ends[:limit], weights[:limit]).size == flow.value


def test_near_a_vertex_are_its_edges_by_rank():
    rng = np.random.default_rng(46)
    for _ in range(50):
        n, ends = random_graph(rng)
        some = np.flatnonzero(rng.random(len(ends)) < 0.7)
        near = Near(KeptEdges(n, some, ends[some]))
        for vertex in range(n):
            at = [rank for rank in some.tolist() if vertex in ends[rank]]
            assert near[vertex] == [(rank, int(ends[rank].sum()) - vertex) for rank in at]
