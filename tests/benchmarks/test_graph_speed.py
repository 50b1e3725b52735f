"""Speed of the sensitivities of graphs, against a global minimum cut of the same graph.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.
"""

import itertools
import resource

import numpy as np
import pytest
from graphs import connected, power_law
from timing import cpu_seconds, cpu_timed, seconds

from engine.data.graph import SimpleGraph, WeightedGraph
from engine.domain import Interval
from engine.queries import MstCost, TriangleCount
from engine.queries.profile import sensitivity_path

pytestmark = pytest.mark.benchmark

BETA = 0.1
BOUNDS = Interval(0.0, 100.0)


def weighted(n, m, seed=1):
    rng = np.random.default_rng(seed)
    return WeightedGraph(connected(rng, n, m), rng.uniform(0, 100, m), BOUNDS, n)


def complete(n):
    ends = np.array(list(itertools.combinations(range(n), 2)))
    return WeightedGraph(ends, np.random.default_rng(2).uniform(0, 100, len(ends)), BOUNDS)


def seconds_of_smooth(graph):
    """Return the shortest time for S*; each run has a graph that nothing is known about."""

    def fresh():
        return MstCost().smooth_sensitivity(WeightedGraph(graph.ends, graph.weights, BOUNDS, graph.n), BETA)

    return seconds(fresh)


def minimum_cut(graph):
    import rustworkx

    peer = rustworkx.PyGraph()
    peer.add_nodes_from(range(graph.n))
    peer.add_edges_from(
        [(*ends, weight) for ends, weight in zip(graph.ends.tolist(), graph.weights.tolist(), strict=True)]
    )
    return lambda: rustworkx.stoer_wagner_min_cut(peer, float)


@pytest.mark.parametrize(
    ("name", "graph", "at_most"),
    [
        ("n = 1,000, m = 20,000", weighted(1000, 20_000), None),
        ("n = 200, m = 2,000", weighted(200, 2000), 0.5),
        ("K_60", complete(60), 0.3),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_smooth_sensitivity_of_the_spanning_tree_against_one_minimum_cut(name, graph, at_most):
    """Exact S* within ten times one run of Stoer and Wagner's algorithm, compiled."""
    ours, cut = seconds_of_smooth(graph), seconds(minimum_cut(graph))
    print(f"\n{name}: S* {ours:.3f} s; one minimum cut (rustworkx) {cut:.3f} s; ratio {ours / cut:.2f}")
    if at_most is None:
        assert ours <= 10 * cut
    else:
        assert ours <= at_most


@pytest.mark.parametrize("beta", [0.03, 0.01, 0.003, 0.001])
def test_small_smoothness_of_a_complete_graph_against_one_minimum_cut(beta):
    """K_200, where all 199 edges of a vertex may decide."""
    graph = complete(200)
    ours = cpu_seconds(
        lambda: MstCost().smooth_sensitivity(WeightedGraph(graph.ends, graph.weights, BOUNDS), beta),
        repeats=3,
    )
    peer = minimum_cut(graph)
    cut = cpu_seconds(peer, repeats=3)
    ratio = ours.median / cut.median
    print(f"\nK_200, beta = {beta:g}: S* {ours}; one minimum cut (rustworkx) {cut}; ratio {ratio:.2f}")
    assert ratio <= 2


def test_growth_with_the_number_of_edges():
    """A table for n = 1,000: S* at beta = 0.1, and the whole curve A^(0), ..., A^(40)."""
    sizes = [1000, 3000, 10_000, 30_000, 100_000]
    smooth, curve = [], []
    print()
    for m in sizes:
        graph = weighted(1000, m)
        smooth.append(seconds_of_smooth(graph))
        curve.append(seconds(lambda graph=graph: MstCost().sensitivity_at_distance(graph, 40), repeats=1))
        print(f"  m = {m:>7,}: S* {smooth[-1]:7.3f} s   A^(0..40) {curve[-1]:7.3f} s")
    exponents = [np.polyfit(np.log(sizes), np.log(times), 1)[0] for times in (smooth, curve)]
    print(f"  fitted exponents: {exponents[0]:.2f} and {exponents[1]:.2f}")
    assert max(exponents) < 2


@pytest.mark.parametrize(("far", "at_most"), [("lower", 0.7), ("halves", 1.2), ("upper", 1.2)])
@pytest.mark.parametrize("weights", ["uniform", "gamma"])
def test_a_path_of_101_graphs_against_searching_each_afresh(weights, far, at_most, monkeypatch):
    """n = 1,000, m = 20,000: the same numbers, sooner where weights fall, hardly later where they rise."""
    rng, n, m = np.random.default_rng(6), 1000, 20_000
    ends = connected(rng, n, m)
    values = rng.uniform(0, 100, m) if weights == "uniform" else np.clip(rng.gamma(2, 10, m), 0, 100)
    found = []

    def walk():
        start = WeightedGraph(ends, values, BOUNDS, n)  # nothing is known about it
        found.append(sensitivity_path(MstCost(), start, start.far_end(far), beta=0.03))

    following = cpu_seconds(walk, repeats=3, warm=False)
    monkeypatch.setattr(MstCost, "follow", lambda *_: None)
    afresh = cpu_seconds(walk, repeats=3, warm=False)
    ratio = following.median / afresh.median
    print(
        f"\n101 graphs, {weights} to {far}: following {following}; afresh {afresh}; "
        f"ratio of medians {ratio:.2f}"
    )
    for name in ("value", "local", "smooth"):
        assert np.array_equal(getattr(found[0], name), getattr(found[-1], name))
    assert ratio <= at_most


@pytest.mark.parametrize(
    ("kind", "n", "m", "at_most"),
    [
        ("even", 10_000, 100_000, 0.5),
        ("power law", 10_000, 100_000, 0.5),
        ("even", 100_000, 1_000_000, 2.0),
        ("power law", 100_000, 1_000_000, 2.0),
        ("even", 1_000_000, 10_000_000, 15.0),
        ("power law", 1_000_000, 10_000_000, 15.0),
    ],
)
def test_smooth_sensitivity_of_the_triangle_count(kind, n, m, at_most):
    """S* and the count in so many seconds of CPU, beside sorting the edges as numbers."""
    rng = np.random.default_rng(3)
    ends = connected(rng, n, m) if kind == "even" else power_law(rng, n, m, n // 7)
    graph = SimpleGraph(ends, n)
    ours, smooth = cpu_timed(lambda: TriangleCount().smooth_sensitivity(graph, BETA))
    counting, count = cpu_timed(lambda: TriangleCount().value(graph))
    sorting = cpu_seconds(lambda: np.sort(ends[:, 0] * n + ends[:, 1]), repeats=3).median
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"\n{kind}, n = {n:,}, m = {m:,}, largest degree {np.bincount(ends.ravel()).max():,}: "
        f"S* = {smooth.value:.0f} in {ours:.2f} s ({ours / sorting:.0f} x sorting the edges), {count:,.0f} "
        f"triangles in {counting:.2f} s ({counting / sorting:.0f} x); memory so far {memory:.1f} GB"
    )
    assert ours + counting <= at_most
    assert memory <= 4


WEIGHTS = {
    "continuous": lambda rng, m: rng.uniform(0, 100, m),
    "five values": lambda rng, m: rng.integers(0, 5, m) * 25.0,
    "all equal": lambda rng, m: np.full(m, 50.0),
}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize(
    ("n", "m"),
    [(2_000, 200_000), (20_000, 200_000), (100_000, 1_000_000)],
    ids=["dense", "sparse", "a million edges"],
)
def test_spanning_trees_against_one_tree_of_scipy(n, m, weights):
    """Cost and S* of a spanning tree from nothing, against scipy's tree of continuous weights."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    rng = np.random.default_rng(4)
    graph = WeightedGraph(connected(rng, n, m), WEIGHTS[weights](rng, m), BOUNDS, n)
    matrix = coo_array((rng.uniform(1, 100, m), graph.ends.T), shape=(n, n)).tocsr()
    peer = cpu_seconds(lambda: minimum_spanning_tree(matrix), repeats=1, warm=False).median
    cost = cpu_seconds(lambda: MstCost().value(graph), repeats=1, warm=False).median
    smooth = cpu_seconds(lambda: MstCost().smooth_sensitivity(graph, BETA), repeats=1, warm=False).median
    print(f"\nn = {n:,}, {weights}: scipy {peer:.2f} s; cost {cost / peer:.1f} x, S* {smooth / peer:.1f} x")
    assert cost <= 5 * peer
    assert smooth <= 100 * peer  # dense with ties is decided by flows; else at most 9


def in_pieces(rng, n, m):
    """Return ten graphs that no edge joins, and as many vertices that no edge meets."""
    return np.concatenate([connected(rng, n // 20, m // 10) + part * (n // 20) for part in range(10)])


@pytest.mark.parametrize(
    ("kind", "n", "m"),
    [("sparse", 50_000, 500_000), ("dense", 2_000, 100_000), ("in pieces", 50_000, 500_000)],
)
def test_triangles_against_the_square_of_the_matrix(kind, n, m):
    """Count and S*, against the product of the adjacency matrix with itself, which has all pairs."""
    rng = np.random.default_rng(5)
    graph = SimpleGraph(in_pieces(rng, n, m) if kind == "in pieces" else connected(rng, n, m), n)
    matrix = graph.adjacency.astype(np.int32)
    peer = cpu_seconds(lambda: matrix @ matrix, repeats=1, warm=False).median
    count = cpu_seconds(lambda: TriangleCount().value(graph), repeats=1, warm=False).median
    smooth = cpu_seconds(
        lambda: TriangleCount().smooth_sensitivity(graph, BETA), repeats=1, warm=False
    ).median
    print(f"\n{kind}: the square {peer:.2f} s; count {count / peer:.2f} x, S* {smooth / peer:.2f} x")
    assert count <= peer
    assert smooth <= 2 * peer
