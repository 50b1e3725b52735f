"""The cost of a minimum spanning tree: its value and sensitivities, against the definition and in large."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from graphs import (
    BOUNDS,
    CONNECTED,
    LARGEST,
    MST,
    connected,
    cut_table,
    dense,
    levels,
    random_graph,
    sides,
    tree_cost,
    weights_of_every_kind,
)

from engine.data.graph import WeightedGraph
from engine.domain import Interval
from engine.errors import ParameterError
from engine.queries.profile import sensitivity_path, sensitivity_sweep

VALUES = np.array([0.0, 3.0, 4.0, LARGEST])
MULTIGRAPHS = {
    "two joined twice": [(0, 1), (1, 0)],
    "doubled triangle": [(0, 1), (0, 1), (1, 2), (2, 0), (0, 2)],
}
GRAPHS = 400


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name in ("K4", "diamond") else name
        for name in (*CONNECTED, *MULTIGRAPHS)
    ],
)
def test_the_definition_on_all_weights_of_a_small_graph(name):
    ends = np.array((CONNECTED | MULTIGRAPHS)[name])
    n, shape = int(ends.max()) + 1, (VALUES.size,) * len(ends)
    value = np.empty(shape)
    for place in itertools.product(range(VALUES.size), repeat=len(ends)):
        value[place] = tree_cost(n, ends, VALUES[list(place)])
    truth = np.stack(levels(value))
    same_ends = WeightedGraph(ends, np.zeros(len(ends)), BOUNDS)
    alike = [(i, j) for i, j in itertools.combinations(range(len(ends)), 2) if {*ends[i]} == {*ends[j]}]
    for place in itertools.product(range(VALUES.size), repeat=len(ends)):
        if any(place[i] > place[j] for i, j in alike):
            continue  # another order of the weights of parallel edges
        graph = same_ends.with_weights(VALUES[list(place)])
        at_distance = truth[(slice(None), *place)]
        assert MST.value(graph) == value[place]
        smooth = MST.smooth_sensitivity(graph, 0.3)
        assert smooth.value == (at_distance * np.exp(-0.3 * np.arange(at_distance.size))).max()
        assert MST.sensitivity_at_distance(graph, len(ends)).tolist() == at_distance.tolist()


def test_all_cuts_of_random_multigraphs():
    rng = np.random.default_rng(31)
    for _ in range(GRAPHS // 8):
        n, ends = random_graph(rng)
        same_ends = WeightedGraph(ends, np.zeros(len(ends)), BOUNDS, n)
        for weights in weights_of_every_kind(rng, len(ends)):
            k_max = len(ends) + 1
            table = cut_table(n, ends, weights, LARGEST, k_max + 2)
            truth = np.maximum(table[:, :-1], table[:, 1:] - table[:, :1]).max(axis=0)
            graph = same_ends.with_weights(weights)
            beta = float(rng.choice([0.01, 0.1, 0.5, 1.5]))
            discounted = truth * np.exp(-beta * np.arange(k_max + 1))
            smooth = MST.smooth_sensitivity(graph, beta)
            assert (smooth.value, smooth.argmax_k) == (discounted.max(), discounted.argmax())
            assert MST.sensitivity_at_distance(graph, k_max).tolist() == truth.tolist()
            # the same answers whatever was asked before, and however little is asked
            again = MST.smooth_sensitivity(graph, beta)
            assert again == smooth
            fresh = same_ends.with_weights(weights)
            assert MST.local_sensitivity(fresh) == truth[0]
            near = int(rng.integers(0, min(4, k_max)))
            assert MST.sensitivity_at_distance(fresh, near).tolist() == truth[: near + 1].tolist()
            assert MST.value(graph) == pytest.approx(tree_cost(n, ends, weights), rel=1e-14)


@pytest.mark.parametrize(
    "weights",
    [
        lambda rng, m: rng.uniform(0, 1, m),
        lambda rng, m: rng.integers(0, 8, m) / 8,
        lambda rng, m: np.full(m, 0.5),
        lambda rng, m: np.zeros(m),
        lambda rng, m: np.ones(m),
        pytest.param(lambda rng, m: rng.uniform(0, 1, m) ** 8, marks=pytest.mark.slow),
    ],
)
def test_larger_graphs_agree_with_flows_at_every_threshold(weights):
    """For each tree edge, B_e(q) by maximum flows of another library."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    graph = dense(24, 110, 7, weights)
    tree, k_max = MST.tree(graph), 8
    levels_of_weight = np.unique(graph.weights)
    largest = np.full((tree.size, k_max + 2), 1.0)
    for level in levels_of_weight[::-1]:
        first, second = graph.ends[graph.weights <= level].T
        matrix = coo_array((np.ones(first.size, dtype=np.int32), (first, second)), shape=(24, 24)).tocsr()
        capacities = (matrix + matrix.T).astype(np.int32)
        for place, edge in enumerate(tree):
            source, sink = (int(vertex) for vertex in graph.ends[edge])
            flow = maximum_flow(capacities, source, sink).flow_value
            largest[place, : min(flow, k_max + 2)] = level
    own = graph.weights[tree][:, None]
    truth = np.maximum(largest[:, :-1], largest[:, 1:] - own).max(axis=0)
    assert MST.sensitivity_at_distance(graph, k_max).tolist() == truth.tolist()


def test_the_tree_of_graphs_that_are_connected_late():
    """Light edges inside of two halves, and the few that join them among the heaviest."""
    rng = np.random.default_rng(34)
    for joining in (1, 3):
        halves = [connected(rng, 20, 150) + 20 * half for half in range(2)]
        between = np.column_stack([rng.integers(0, 20, joining), rng.integers(20, 40, joining)])
        ends = np.concatenate([*halves, between])
        weights = rng.uniform(0, 5, len(ends))
        weights[-joining:] = rng.uniform(5, LARGEST, joining)
        for order in (rng.permutation(len(ends)), np.arange(len(ends))):
            graph = WeightedGraph(ends[order], weights[order], BOUNDS)
            assert MST.value(graph) == pytest.approx(tree_cost(40, graph.ends, graph.weights), rel=1e-14)
            assert MST.tree(graph).size == 39


def test_a_bridge_makes_everything_sensitive():
    ring = [(i, (i + 1) % 6) for i in range(6)]
    graph = WeightedGraph([*ring, (0, 6)], [1.0] * 7, BOUNDS)
    assert MST.local_sensitivity(graph) == 9.0
    (cut,) = MST.deciding_cuts(graph, 0)
    assert cut.edges.tolist() == [6]
    assert cut.rising
    assert MST.sensitivity_at_distance(graph, 3).tolist() == [9.0, 10.0, 10.0, 10.0]


def test_the_triangle_of_the_paper():
    graph = WeightedGraph([(0, 1), (1, 2), (0, 2)], [10.0] * 3, BOUNDS)
    assert MST.value(graph) == 20.0
    assert MST.local_sensitivity(graph) == MST.smooth_sensitivity(graph, 0.5).value == 10.0


def test_two_vertices_and_huge_weights():
    graph = WeightedGraph([(0, 1), (0, 1)], [3e199, 1e200], Interval(0.0, 1e200))
    assert MST.sensitivity_at_distance(graph, 2).tolist() == [7e199, 1e200, 1e200]


@pytest.mark.parametrize(("n", "beta"), [(70, 0.1), (70, 1e-9), (30, 40.0), (5, 2000.0)])
def test_light_edges_everywhere_leave_nothing_near(n, beta):
    """Without weights only what is as far as the degree counts, and may round to 0."""
    ends = np.column_stack(np.triu_indices(n, 1))
    graph = WeightedGraph(ends, np.zeros(len(ends)), BOUNDS)
    distant = LARGEST * math.exp(-beta * (n - 2))
    assert MST.sensitivity_at_distance(graph, n - 2).tolist() == [0.0] * (n - 2) + [LARGEST]
    found = MST.smooth_sensitivity(WeightedGraph(ends, np.zeros(len(ends)), BOUNDS), beta)
    assert found.value == pytest.approx(distant, rel=1e-12, abs=0.0)


def test_a_sweep_shares_one_search_and_agrees_with_single_questions():
    betas = np.logspace(-3, 0.5, 12)
    sweep = sensitivity_sweep(MST, dense(60, 400, 8), betas)
    for beta, smooth in zip(betas, sweep.smooth, strict=True):
        assert smooth == MST.smooth_sensitivity(dense(60, 400, 8), float(beta)).value


def test_a_sweep_finds_cuts_that_decide_for_one_beta_only():
    """The cut between two halves decides for large beta only: single vertices have fewer edges."""
    rng = np.random.default_rng(36)
    halves = np.concatenate([connected(rng, 10, 40) + 10 * half for half in range(2)])
    between = np.column_stack([np.arange(10), np.arange(10, 20)])
    ends = np.concatenate([halves, between])
    weights = np.append(rng.uniform(0, 2, len(halves)), np.full(len(between), 7.0))
    truth = MST.sensitivity_at_distance(WeightedGraph(ends, weights, BOUNDS), len(ends))
    betas = np.logspace(-3, 0.5, 12)
    sweep = sensitivity_sweep(MST, WeightedGraph(ends, weights, BOUNDS), betas)
    for beta, smooth in zip(betas, sweep.smooth, strict=True):
        assert smooth == (truth * np.exp(-beta * np.arange(truth.size))).max()


def test_smooth_sensitivity_along_a_path_changes_by_at_most_e_to_beta():
    start = dense(20, 60, 9)
    path = sensitivity_path(MST, start, start.with_weights(np.zeros(60)), 0.2, steps=61)
    assert path.changed.tolist() == list(range(61))
    assert path.value[-1] == 0.0
    assert np.abs(np.diff(np.log(path.smooth))).max() <= 0.2 * (1 + 1e-12)


def test_the_cost_is_exact_and_its_range_holds_every_cost():
    path = [(i, i + 1) for i in range(10)]
    assert MST.value(WeightedGraph(path, [0.1] * 10, BOUNDS)) == 1.0
    assert MST.value_range(BOUNDS, 11) == Interval(0.0, 100.0)
    assert MST.value(WeightedGraph(path, [LARGEST] * 10, BOUNDS)) == 100.0
    assert MST.exact_value(WeightedGraph(path, [0.1] * 10, BOUNDS)) == 10 * Fraction(0.1)


@pytest.mark.parametrize("beta", [0.0, -1.0, math.inf, math.nan])
def test_impossible_smoothness_is_refused(beta):
    with pytest.raises(ParameterError, match="beta"):
        MST.smooth_sensitivity(dense(5, 8, 1), beta)


def test_one_vertex_and_other_lower_bounds_are_explained():
    assert "at least 2" in MST.problem(BOUNDS, 1)[1]
    assert MST.problem(Interval(1.0, 2.0), 5)[0] == "lower"
    assert MST.problem(BOUNDS, 2) is None


def test_all_cuts_are_enumerated():
    assert len(sides(4)) == 7
