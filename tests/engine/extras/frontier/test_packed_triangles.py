"""The Lipschitz extension of triangles: on all graphs of few vertices what its statement says."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from engine.data.graph import SimpleGraph
from engine.extras.frontier.lipschitz_extension import list_triangles, needed_memory, pack_triangles


def all_graphs(n):
    """Yield each graph on n vertices as the set of its edges."""
    pairs = list(itertools.combinations(range(n), 2))
    for size in range(len(pairs) + 1):
        yield from map(frozenset, itertools.combinations(pairs, size))


def closed(edges, n):
    """Return the triangles."""
    triples = itertools.combinations(range(n), 3)
    return [t for t in triples if all(pair in edges for pair in itertools.combinations(t, 2))]


def spread(values, n):
    """Return the largest difference between graphs that agree but for the edges of one vertex."""
    largest = Fraction(0)
    for vertex in range(n):
        alike = {}
        for edges, value in values.items():
            alike.setdefault(frozenset(edge for edge in edges if vertex not in edge), []).append(value)
        largest = max(largest, *(max(found) - min(found) for found in alike.values()))
    return largest


def check(n, capacity):
    values, counts = {}, {}
    for edges in all_graphs(n):
        values[edges] = pack_triangles(SimpleGraph(sorted(edges) or np.zeros((0, 2)), n), capacity)
        triangles = closed(edges, n)
        counts[edges] = Fraction(len(triangles))
        assert values[edges] <= len(triangles)
        if all(sum(vertex in t for t in triangles) <= capacity for vertex in range(n)):
            assert values[edges] == len(triangles)
    assert spread(values, n) == capacity
    assert spread(counts, n) == (n - 1) * (n - 2) // 2


@pytest.mark.parametrize("capacity", [1, 2, 3])
def test_a_vertex_changes_it_by_no_more_than_the_capacity(capacity):
    """All 64 graphs on four vertices; the number of triangles itself changes by up to three."""
    check(4, capacity)


@pytest.mark.slow
@pytest.mark.parametrize("capacity", [1, 3, 6])
def test_on_all_graphs_of_five_vertices(capacity):
    check(5, capacity)


def test_fractions_fit_more_than_whole_triangles():
    """All four triangles of K4 with a weight of 1/3 each sum to 1 at each vertex; only one whole one fits."""
    complete = SimpleGraph(list(itertools.combinations(range(4), 2)), 4)
    assert pack_triangles(complete, 1) == Fraction(4, 3)
    assert pack_triangles(complete, 3) == 4


def test_of_a_complete_graph_it_is_known():
    """Each triangle takes three of n capacities of c, and equal weights use them all."""
    complete = SimpleGraph(list(itertools.combinations(range(24), 2)), 24)
    assert pack_triangles(complete, 10) == 80
    assert len(list_triangles(complete)) == 2024
    assert needed_memory(24) == 150 * 2024


def test_it_can_be_stopped():
    def stop(fraction, message=""):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pack_triangles(SimpleGraph([(0, 1), (1, 2), (0, 2)], 3), 1, progress=stop)
