"""Places of vertices: faithful to the distances in the graph, the same every time, never too slow."""

import itertools
import threading
import time

import numpy as np
import pytest

from app.plots.sensitivity import graph_layout
from app.plots.sensitivity.graph_layout import _cholesky, layout
from engine.data.edges import read_edges
from engine.data.examples import load_example
from engine.progress import Cancelled, silent


def complete(n):
    return np.array(list(itertools.combinations(range(n), 2)))


def grid(width, height):
    at = np.arange(width * height).reshape(height, width)
    across = np.column_stack([at[:, :-1].ravel(), at[:, 1:].ravel()])
    down = np.column_stack([at[:-1].ravel(), at[1:].ravel()])
    return np.concatenate([across, down])


def sparse(n, m, seed=1):
    """A random tree with m further edges."""
    rng = np.random.default_rng(seed)
    tree = np.column_stack([[rng.integers(i) for i in range(1, n)], np.arange(1, n)])
    return np.concatenate([tree, rng.integers(n, size=(m, 2))])


def stress(places, ends, n):
    """The mean of (|x_i - x_j| / d_ij - 1)^2, with the distances by Floyd and Warshall."""
    distances = np.full((n, n), np.inf)
    distances[tuple(ends.T)] = distances[tuple(ends.T[::-1])] = 1
    np.fill_diagonal(distances, 0)
    for middle in range(n):
        np.minimum(distances, distances[:, [middle]] + distances[[middle]], out=distances)
    above = np.triu_indices(n, 1)
    drawn = np.linalg.norm(places[above[0]] - places[above[1]], axis=1)
    return float(np.mean((drawn / distances[above] - 1) ** 2))


def test_a_grid_is_drawn_as_a_grid():
    ends = grid(12, 7)
    places = layout(ends, 84)
    lengths = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)
    assert lengths.max() < 1.5 * lengths.min()
    width, height = np.ptp(places, axis=0)
    assert width > height  # the long side lies


@pytest.mark.parametrize("seed", range(3))
def test_no_small_move_of_a_vertex_makes_it_much_better(seed):
    ends = sparse(40, 20, seed)
    ends = ends[ends[:, 0] != ends[:, 1]]
    places = layout(ends, 40)
    settled = stress(places, ends, 40)
    assert settled < 0.12
    for vertex, step in itertools.product(range(40), [(0.3, 0), (-0.3, 0), (0, 0.3), (0, -0.3)]):
        moved = places.copy()
        moved[vertex] += step
        # only as much as pushing vertices off edges that they do not belong to has cost
        assert stress(moved, ends, 40) > settled - 4e-3


def clearance(places, ends):
    """The least distance of a vertex from an edge that does not end in it, for each vertex."""
    start, stop = places[ends[:, 0]], places[ends[:, 1]]
    share = ((places[:, None] - start) * (stop - start)).sum(axis=2) / ((stop - start) ** 2).sum(axis=1)
    nearest = start + np.clip(share, 0, 1)[..., None] * (stop - start)
    gaps = np.linalg.norm(places[:, None] - nearest, axis=2)
    return np.where((ends == np.arange(len(places))[:, None, None]).any(axis=2), np.inf, gaps).min(axis=1)


def test_few_edges_run_behind_foreign_vertices(monkeypatch):
    karate = read_edges(load_example("karate")).ends
    pushed = clearance(layout(karate, 34), karate)
    monkeypatch.setattr(graph_layout, "_MAX_PAIRS", 0)
    before = clearance(layout(karate, 34), karate)
    assert np.median(pushed) > 0.25
    assert (pushed < 0.15).sum() < (before < 0.15).sum() / 2


def test_the_same_graph_has_the_same_picture_whatever_the_order_of_its_edges():
    ends = sparse(60, 30)
    again = np.random.default_rng(0).permutation(ends)[:, ::-1]
    first = layout(ends, 60)
    assert np.array_equal(first, layout(ends, 60))
    assert np.allclose(first, layout(np.concatenate([again, again[:5]]), 60), atol=1e-6)


def test_a_complete_graph_is_a_circle():
    places = layout(complete(60), 60)
    middle = (places.max(axis=0) + places.min(axis=0)) / 2
    radii = np.linalg.norm(places - middle, axis=1)
    assert np.ptp(radii) < 1e-9
    neighbours = np.linalg.norm(places - np.roll(places, 1, axis=0), axis=1)
    assert np.ptp(neighbours) < 1e-9


def test_twins_do_not_lie_on_each_other():
    star = np.column_stack([np.zeros(29, dtype=int), np.arange(1, 30)])
    places = layout(star, 30)
    gaps = np.linalg.norm(places[:, None] - places, axis=2)[np.triu_indices(30, 1)]
    assert gaps.min() > 0.1


def test_pieces_lie_side_by_side():
    ends = np.concatenate([complete(6), complete(5) + 6, [[11, 12]]])
    places = layout(ends, 16)  # three vertices have no edge at all
    pieces = [range(6), range(6, 11), [11, 12], [13], [14], [15]]
    boxes = [(places[list(piece)].min(axis=0), places[list(piece)].max(axis=0)) for piece in pieces]
    for (low, high), (other_low, other_high) in itertools.combinations(boxes, 2):
        apart = np.maximum(low - other_high, other_low - high)
        assert apart.max() > 0.5


@pytest.mark.parametrize(("ends", "n"), [([], 1), ([], 3), ([(0, 1)], 2), ([(0, 1), (1, 0)], 2)])
def test_tiny_graphs(ends, n):
    places = layout(ends, n)
    assert places.shape == (n, 2)
    assert np.isfinite(places).all()
    assert len(np.unique(places.round(3), axis=0)) == n


@pytest.mark.parametrize(("n", "m"), [(34, 45), (200, 110), (60, 1700)])
def test_examples_are_placed_at_once(n, m):
    ends = sparse(n, m)
    layout(ends, n)
    # of this thread: a machine that does other work, too, must not fail the test
    start = time.thread_time()
    layout(ends, n)
    assert time.thread_time() - start < 0.5


@pytest.mark.slow
def test_two_thousand_vertices_can_be_cancelled_soon_and_leave_the_interpreter_free():
    ends = sparse(2000, 2000)
    calls = []

    def report(fraction, message=""):
        calls.append((time.thread_time(), fraction))
        if len(calls) == 80:
            raise Cancelled

    ended = []

    def work():
        try:
            layout(ends, 2000, report)
        except Cancelled:
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    late = 0.0
    while thread.is_alive():
        before = time.process_time()  # what is worked elsewhere meanwhile, on a machine that is busy or not
        time.sleep(0.005)
        late = max(late, time.process_time() - before - 0.005)
    assert ended
    times, fractions = zip(*calls, strict=True)
    assert np.diff(times).max() < 1.0
    assert list(fractions) == sorted(fractions)
    assert late < 0.2


@pytest.mark.parametrize("n", [1, 2, 191, 192, 193, pytest.param(500, marks=pytest.mark.slow)])
def test_the_factor_made_of_blocks_is_that_of_the_whole(n):
    root = np.random.default_rng(n).normal(size=(n, n))
    matrix = root @ root.T + n * np.eye(n)
    factor = np.tril(_cholesky(matrix.copy(), silent))
    assert factor == pytest.approx(np.linalg.cholesky(matrix), abs=1e-9 * n)
