"""Greedy forests and their bounds; the cuts that decide, whatever was asked before, cancelled or shared."""

import itertools
import threading

import numpy as np
import pytest
from graphs import (
    BOUNDS,
    LARGEST,
    MST,
    connected,
    crossing_weights,
    cut_table,
    dense,
    random_graph,
    sides,
    weights_of_every_kind,
)

from engine.data.graph import WeightedGraph
from engine.progress import Cancelled, silent
from engine.queries import cut_search as module
from engine.queries.cut_search import EdgeFlow, GreedyForests, KeptEdges, Near
from engine.queries.mst import _cuts


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


def test_bounds_by_neighbours_hold_for_every_cut():
    """Also where two vertices are joined several times, and where some are far from each other."""
    rng, n, lowered = np.random.default_rng(8), 9, 0
    masks = (np.arange(1, 2 ** (n - 1))[:, None] >> np.arange(n)) % 2 == 1
    for trial in range(90):
        density = (0.2, 0.5, 0.9)[trial % 3]
        ends = np.array([(a, b) for a in range(n) for b in range(a) if b == a - 1 or rng.random() < density])
        if trial % 2:
            ends = np.concatenate([ends, ends[rng.integers(0, len(ends), 6)]])
        if trial % 7 == 0:  # three edges cross the cut around a triangle of double edges
            clique = list(itertools.combinations([0, *range(4, n)], 2))
            ends = np.array([*clique, (0, 1), (0, 2), (0, 3), *[(1, 2), (1, 3), (2, 3)] * 2])
        weights = rng.uniform(0, LARGEST, len(ends)) if trial % 5 else rng.integers(0, 5, len(ends)) * 1.0
        with _cuts(WeightedGraph(ends, weights, BOUNDS, n), progress=silent) as search:
            best = search.known(n)
            count = best.size + 1
            before = search._bottlenecks.copy()
            floor = rng.uniform(0, LARGEST, best.size) * (trial % 4 > 0)
            search._bound_by_neighbours(np.maximum(best, np.maximum.accumulate(floor)), silent)
            lowered += np.count_nonzero(search._bottlenecks < before)
            crossing = masks[:, ends[:, 0]] != masks[:, ends[:, 1]]
            lightest = np.sort(np.where(crossing, weights, LARGEST), axis=1)
            lightest = np.pad(lightest, ((0, 0), (0, count)), constant_values=LARGEST)[:, :count]
            for edge, bounds in zip(search._ends[search._tree], search._bottlenecks, strict=True):
                between = lightest[masks[:, edge[0]] != masks[:, edge[1]]]
                assert (between <= bounds[:count]).all()
    assert lowered > 100, lowered


@pytest.mark.parametrize("beta", [0.2, 0.05, 0.01, 1e-4])
def test_bounds_by_neighbours_change_no_sensitivity(beta, monkeypatch):
    ends = np.array(list(itertools.combinations(range(40), 2)))
    weights = np.random.default_rng(9).uniform(0, LARGEST, len(ends))
    for kept in (slice(None), slice(None, None, 2)):
        found = []
        for share in (0, 16):
            monkeypatch.setattr(module, "_DENSE", share)
            found.append(MST.smooth_sensitivity(WeightedGraph(ends[kept], weights[kept], BOUNDS, 40), beta))
        assert found[0] == found[1]


def test_questions_that_reach_farther_and_farther():
    """What decides for small k may decide for larger ones, and is no longer looked for there."""
    rng = np.random.default_rng(35)
    clusters = np.concatenate([connected(rng, 8, 24) + 8 * part for part in range(3)])
    for joining in (2, 3, 4):
        between = [(8 * part + vertex, 8 * part + 8 + vertex) for part in (0, 1) for vertex in range(joining)]
        ends = np.concatenate([clusters, between])
        for weights in weights_of_every_kind(rng, len(ends)):
            weights[-len(between) :] = rng.choice([5.0, 7.0, LARGEST], len(between))
            graph = WeightedGraph(ends, weights, BOUNDS)
            truth = MST.sensitivity_at_distance(WeightedGraph(ends, weights, BOUNDS), 6).tolist()
            for k_max in range(7):
                assert MST.sensitivity_at_distance(graph, k_max).tolist() == truth[: k_max + 1]
                cuts = MST.deciding_cuts(graph, k_max)
                assert [cut.sensitivity for cut in cuts] == truth[: k_max + 1]


def test_the_cut_that_decides_is_one_that_reaches_a_k():
    rng = np.random.default_rng(32)
    for _ in range(100):
        n, ends = random_graph(rng)
        weights = rng.integers(0, 6, len(ends)) * 2.0
        graph = WeightedGraph(ends, weights, BOUNDS, n)
        k_max = len(ends)
        truth = MST.sensitivity_at_distance(WeightedGraph(ends, weights, BOUNDS, n), k_max)
        for k, cut in enumerate(MST.deciding_cuts(graph, k_max)):
            assert 0 < np.count_nonzero(cut.side) < n
            found = crossing_weights(cut.side, ends, weights)
            assert weights[cut.edges].tolist() == found.tolist()
            w = np.append(found, np.full(k + 2, LARGEST))
            falls, rises = w[k], w[k + 1] - w[0]
            assert cut.sensitivity == max(falls, rises) == truth[k]
            assert cut.rising == (rises > falls)


def test_how_far_a_larger_sensitivity_is():
    rng = np.random.default_rng(33)
    for _ in range(200):
        n, ends = random_graph(rng)
        weights = rng.integers(0, 6, len(ends)) * 2.0
        farthest = int(rng.integers(0, len(ends) + 5))
        bound = float(rng.choice([0.0, 1.0, 3.3, 6.0, 9.9]))
        truth = MST.sensitivity_at_distance(WeightedGraph(ends, weights, BOUNDS, n), farthest)
        beyond = np.flatnonzero(truth > bound)
        expected = min(int(beyond[0]), farthest) if beyond.size else farthest
        graph = WeightedGraph(ends, weights, BOUNDS, n)
        assert MST.distance_beyond(graph, bound, farthest) == expected


def test_work_that_was_cancelled_goes_on_with_what_was_found():
    graph = dense(200, 1500, 10)
    truth = MST.sensitivity_at_distance(dense(200, 1500, 10), 12).tolist()
    for patience in (0, 1, 3, 30):
        calls = itertools.count()

        def impatient(fraction, message="", calls=calls, patience=patience):
            if next(calls) == patience:
                raise Cancelled

        with pytest.raises(Cancelled):
            MST.sensitivity_at_distance(graph, 12, impatient)
    assert MST.sensitivity_at_distance(graph, 12).tolist() == truth


def test_progress_never_goes_back():
    for ask in (
        lambda graph, progress: MST.smooth_sensitivities(graph, [0.02, 0.3], progress),
        lambda graph, progress: MST.distance_beyond(graph, 0.4, 50, progress),
        lambda graph, progress: MST.deciding_cuts(graph, 12, progress),
    ):
        reported = []
        ask(dense(200, 1500, 10), lambda fraction, message="", reported=reported: reported.append(fraction))
        assert len(reported) > 5
        assert reported == sorted(reported)
        assert 0 <= reported[0] <= reported[-1] <= 1


def test_several_threads_may_ask_about_the_same_graph():
    graph, found = dense(100, 700, 11), []

    def ask(k_max):
        found.append((k_max, MST.sensitivity_at_distance(graph, k_max).tolist()))

    threads = [threading.Thread(target=ask, args=(k_max,)) for k_max in (3, 9, 5, 12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    truth = MST.sensitivity_at_distance(dense(100, 700, 11), 12).tolist()
    assert len(found) == 4
    for k_max, values in found:
        assert values == truth[: k_max + 1]


def test_bounds_that_another_step_of_a_path_hands_over_hold_for_every_cut():
    rng = np.random.default_rng(5)
    n = 6
    masks = (np.arange(1, 2 ** (n - 1))[:, None] >> np.arange(n)) % 2 == 1
    for trial in range(12):
        ends = np.array([(a, b) for a in range(n) for b in range(a) if b == a - 1 or rng.random() < 0.8])
        draw = [lambda m: rng.uniform(0, LARGEST, m), lambda m: rng.integers(0, 4, m) * LARGEST / 3][
            trial % 2
        ]
        graph = WeightedGraph(ends, draw(len(ends)), BOUNDS)
        MST.sensitivity_at_distance(graph, n)
        for changed in (1, 1, 2, 1, 3):
            before, weights = graph, graph.weights.copy()
            weights[rng.choice(len(ends), changed, replace=False)] = draw(changed)
            graph = before.with_weights(weights)
            MST.follow(graph, before)
            with _cuts(graph, progress=silent) as search:
                for edge, bounds in zip(search._ends[search._tree], search._earlier, strict=True):
                    for side in masks[masks[:, edge[0]] != masks[:, edge[1]]]:
                        crossing = np.sort(weights[side[ends[:, 0]] != side[ends[:, 1]]])
                        lightest = np.append(crossing, np.full(len(bounds), LARGEST))
                        assert (lightest[: len(bounds)] <= bounds).all()
            alone = before.with_weights(weights)
            expected = MST.smooth_sensitivity(alone, 0.1).value, *MST.sensitivity_at_distance(alone, n)
            assert (
                MST.smooth_sensitivity(graph, 0.1).value,
                *MST.sensitivity_at_distance(graph, n),
            ) == expected
