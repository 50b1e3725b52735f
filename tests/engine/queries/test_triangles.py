"""The number of triangles: against its definition on all small graphs, and all pairs of larger ones."""

import itertools

import numpy as np
import pytest
from graphs import levels, simple_graphs

from engine.data.graph import SimpleGraph
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms import LaplaceRelease, SmoothRelease
from engine.privacy import Privacy
from engine.progress import Cancelled
from engine.queries import TriangleCount
from engine.queries.profile import sensitivity_path, sensitivity_sweep

COUNT = TriangleCount()


def brute_count(n, ends):
    joined = {frozenset(pair) for pair in ends}
    return sum(
        all(frozenset(pair) in joined for pair in itertools.combinations(triple, 2))
        for triple in itertools.combinations(range(n), 3)
    )


@pytest.mark.parametrize("n", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_the_definition_on_all_graphs(n):
    graphs = simple_graphs(n)
    pairs = n * (n - 1) // 2
    value = np.array([brute_count(n, ends) for ends in graphs], dtype=float).reshape((2,) * pairs)
    truth = np.stack(levels(value)).reshape(pairs + 1, -1)
    for ends, expected, at_distance in zip(graphs, value.ravel(), truth.T, strict=True):
        graph = SimpleGraph(np.array(ends).reshape(-1, 2), n)
        assert COUNT.value(graph) == expected
        assert COUNT.sensitivity_at_distance(graph, pairs).tolist() == at_distance.tolist()
        discounted = at_distance * np.exp(-0.4 * np.arange(pairs + 1))
        smooth = COUNT.smooth_sensitivity(graph, 0.4)
        assert (smooth.value, smooth.argmax_k) == (discounted.max(), discounted.argmax())


@pytest.mark.parametrize("n", [1, 2])
def test_one_or_two_vertices_hold_nothing_and_cannot_change(n):
    graph = SimpleGraph([(0, 1)] if n == 2 else [], n)
    assert COUNT.value(graph) == COUNT.local_sensitivity(graph) == 0
    assert COUNT.global_sensitivity(graph.domain, n) == COUNT.smooth_sensitivity(graph, 0.1).value == 0
    assert COUNT.sensitivity_at_distance(graph, 2).tolist() == [0, 0, 0]
    for mechanism in (LaplaceRelease(query=COUNT), SmoothRelease(query=COUNT)):
        with pytest.raises(ParameterError, match="at least 3"):
            mechanism.run(graph, Privacy(1.0))


def test_a_single_vertex_has_no_pair_that_decides():
    with pytest.raises(ParameterError, match="at least 2"):
        COUNT.deciding_pair(SimpleGraph([], 1), 0)


def all_pairs(graph, s):
    """Return A^(0), ... by forming all pairs."""
    matrix = graph.adjacency.toarray()
    degree, common = matrix.sum(axis=1), matrix @ matrix
    first, second = np.triu_indices(graph.n, 1)
    a = common[first, second][:, None]
    b = degree[first] + degree[second] - 2 * common[first, second] - 2 * matrix[first, second]
    found = a + (s + np.minimum(s, b[:, None])) // 2
    return np.minimum(found.max(axis=0), graph.n - 2)


def random_simple(rng):
    n = int(rng.integers(3, 60))
    kind = rng.integers(4)
    first, second = np.triu_indices(n, 1)
    share = rng.choice([0.02, 0.1, 0.4, 0.9, 1.0])
    likely = np.full(first.size, share)
    if kind == 1:  # hubs
        likely = np.minimum(1, 3.0 / (1 + first))
    if kind == 2:  # two sides without a triangle
        likely = share * (first % 2 != second % 2)
    if kind == 3:  # many vertices without an edge
        likely = share * (second < n // 2)
    joined = rng.random(first.size) < likely
    return SimpleGraph(rng.permutation(n)[np.column_stack([first, second])[joined]], n)


@pytest.mark.parametrize(
    "blocks", [pytest.param((1, 1), marks=pytest.mark.slow), (1, 30), (1 << 14, 1 << 22)]
)
def test_no_pair_that_decides_is_skipped(blocks, monkeypatch):
    """Small blocks leave most rows to be pruned, large ones take a whole graph at once."""
    for name, size in zip(("FIRST_BLOCK", "LARGEST_BLOCK"), blocks, strict=True):
        monkeypatch.setattr(f"engine.queries.pair_front.{name}", size)
    rng = np.random.default_rng(51)
    for _ in range(100):
        graph = random_simple(rng)
        s = np.arange(2 * graph.n + 3)
        truth = all_pairs(graph, s)
        assert COUNT.sensitivity_at_distance(graph, s[-1]).tolist() == truth.tolist()
        assert COUNT.value(graph) == np.trace(np.linalg.matrix_power(graph.adjacency.toarray(), 3)) / 6
        beta = float(rng.choice([0.003, 0.05, 0.5]))
        discounted = truth * np.exp(-beta * s)
        smooth = COUNT.smooth_sensitivity(graph, beta)
        assert (smooth.value, smooth.argmax_k) == (discounted.max(), discounted.argmax())


def test_the_pair_that_decides():
    rng = np.random.default_rng(53)
    for _ in range(60):
        graph = random_simple(rng)
        matrix = graph.adjacency.toarray()
        for k in (0, 1, 5):
            pair = COUNT.deciding_pair(graph, k)
            common = np.flatnonzero(matrix[pair.first] & matrix[pair.second])
            assert pair.common.tolist() == common.tolist()
            total = matrix[pair.first].sum() + matrix[pair.second].sum() - 2 * matrix[pair.first, pair.second]
            reached = min(common.size + k, (k + total) // 2, graph.n - 2)
            assert pair.sensitivity == reached == COUNT.sensitivity_at_distance(graph, k)[k]


def test_public_facts():
    assert COUNT.global_sensitivity(Interval(0, 1), 30) == 28
    assert COUNT.value_range(Interval(0, 1), 5) == Interval(0, 10)
    assert COUNT.problem(Interval(0, 1), 2)[0] == "vertices"
    assert COUNT.problem(Interval(0, 1), 3) is None


def test_sweep_and_path():
    graph = random_simple(np.random.default_rng(54))
    betas = np.logspace(-2, 0, 5)
    sweep = sensitivity_sweep(COUNT, graph, betas)
    expected = [COUNT.smooth_sensitivity(graph, float(beta)).value for beta in betas]
    assert sweep.smooth.tolist() == expected
    path = sensitivity_path(COUNT, graph, graph.with_ends(np.empty((0, 2), dtype=int)), 0.1, steps=10**6)
    assert path.value[-1] == 0
    assert np.abs(np.diff(np.log(path.smooth))).max() <= 0.1 * (1 + 1e-12)


def test_long_work_can_be_cancelled():
    def impatient(fraction, message=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        COUNT.smooth_sensitivity(random_simple(np.random.default_rng(55)), 0.1, impatient)
