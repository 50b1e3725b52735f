"""Greedy forests: what they keep of every cut, and the bound they give."""

import numpy as np
import pytest
from graphs import crossing_weights, cut_table, random_graph, sides

from engine.queries.edge_flow import EdgeFlow
from engine.queries.forests import greedy_forests

LARGEST = 10.0


def random_forests(rng):
    n, ends = random_graph(rng)
    weights = np.sort(rng.integers(0, 6, len(ends)) * 2.0)
    count = int(rng.integers(1, 6))
    return n, ends, weights, count, greedy_forests(n, ends, count)


def bottleneck(forest, first, second, apart):
    """Ask for several pairs at once, of which one counts."""
    n = len(forest._parent)
    pairs = np.array([(first, second), *((vertex, (vertex + 1) % n) for vertex in range(n)), (second, first)])
    found = forest.bottlenecks(pairs, apart)
    assert found[0] == found[-1]
    return int(found[0])


@pytest.mark.parametrize("at_once", [1, 4, 4096])
def test_the_lightest_edges_of_every_cut_are_kept(at_once, monkeypatch):
    """Statement (i); between two rounds it may turn out that all forests span already."""
    monkeypatch.setattr("engine.queries.forests._ROUND", at_once)
    rng = np.random.default_rng(41)
    for _ in range(300):
        n, ends, weights, count, forests = random_forests(rng)
        kept = sorted(rank for forest in forests for rank, _, _ in forest.edges)
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
        near = [[] for _ in range(n)]
        for rank, (first, second) in enumerate(ends.tolist()):
            near[first].append((rank, second))
            near[second].append((rank, first))
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
