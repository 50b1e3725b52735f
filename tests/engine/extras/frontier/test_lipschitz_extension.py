"""Triangles that hide all edges of a vertex: what is added, promised, charged, and refused."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from payments import pay

from engine.audit import audit_run, worst_case_pairs
from engine.data.graph import SimpleGraph
from engine.domain import Interval
from engine.errors import ParameterError, SensiscopeError
from engine.extras.frontier.lipschitz_extension import LipschitzExtension
from engine.ledger import Cost, Ledger
from engine.mechanisms import PLANTED, LaplaceRelease
from engine.primitives.losses import Loss
from engine.privacy import Privacy
from engine.progress import silent
from engine.queries import Median, TriangleCount

DOMAIN, BOXES_PER_REPORT = Interval(0.0, 1.0), Privacy(1.0)
MECHANISM = LipschitzExtension(query=TriangleCount())


def complete(n):
    return SimpleGraph(list(itertools.combinations(range(n), 2)), n)


def test_noise_is_scaled_to_what_a_vertex_can_change():
    ready = MECHANISM.prepare(complete(24), Privacy(0.5))
    assert (ready.center, ready.scale, ready.family.name) == (Fraction(80), 20.0, "laplace")
    assert dict(ready.diagnostics) == {"true_value": 2024.0, "center": 80.0, "global": 10.0, "scale": 20.0}
    # how far the center is from the truth follows from the edges
    assert ready.error is None


def test_few_vertices_bound_what_a_vertex_can_change():
    assert [MECHANISM.largest_change(DOMAIN, n) for n in (3, 5, 6, 100)] == [1, 6, 10, 10]


def test_what_it_promises_to_a_vertex_counts_twice_for_a_row():
    assert (MECHANISM.relation, MECHANISM.query.neighbours) == ("node", "edge")
    cost = Cost.of(MECHANISM, Privacy(1.0, 1e-6))
    assert (cost.privacy, cost.neighbours, cost.loss) == (BOXES_PER_REPORT, "node", Loss.of_laplace(1.0))
    assert (cost.row.privacy, cost.row.loss) == (Privacy(2.0), Loss.of_laplace(0.5))
    assert MECHANISM.run(complete(6), BOXES_PER_REPORT).neighbours == "node"


def test_releases_for_vertices_and_for_edges_add_up_for_a_row_and_not_between_vertices(tmp_path):
    """Laplace noise on both: losses are changes over scales, which add up, on all graphs of 4 vertices."""
    node, edge = (
        LipschitzExtension(query=TriangleCount(), max_degree=2),
        LaplaceRelease(query=TriangleCount()),
    )
    asked = {node: Privacy(0.5), edge: Privacy(1.0)}
    account = Ledger(tmp_path / "ledger.db").account("graph")
    pairs = list(itertools.combinations(range(4), 2))
    losses = {}
    for bits in itertools.product((0, 1), repeat=6):
        graph = SimpleGraph(np.array(pairs)[np.array(bits, dtype=bool)].reshape(-1, 2), 4)
        made = {each: each.prepare(graph, privacy) for each, privacy in asked.items()}
        losses[bits] = {each: float(ready.center) / ready.scale for each, ready in made.items()}

    def worst(near, released):
        """Return the largest sum of losses of the releases, of graphs that differ so."""
        alike = [(x, y) for x, y in itertools.combinations(losses, 2) if near(x, y)]
        return max(sum(abs(losses[x][each] - losses[y][each]) for each in released) for x, y in alike)

    def by_an_edge(x, y):
        return sum(a != b for a, b in zip(x, y, strict=True)) == 1

    def by_a_vertex(x, y):
        changed = [set(pair) for pair, a, b in zip(pairs, x, y, strict=True) if a != b]
        return bool(set.intersection(*changed))

    for each, privacy in asked.items():
        pay(account, Cost.of(each, privacy), {}, lambda: 1.0)
    assert account.spent_between("node") is None
    assert account.spent().basic == Privacy(3.0)  # a row replaced is two edges
    assert worst(by_an_edge, (node, edge)) == pytest.approx(1.5)  # half of that, and attained
    assert worst(by_a_vertex, (node, node)) == pytest.approx(1.0)  # those for vertices add up there, too
    assert worst(by_a_vertex, (edge,)) == pytest.approx(1.5)  # one for an edge counts (n - 1)/2 times there
    assert worst(by_a_vertex, (node, edge)) > 1.6


@pytest.mark.parametrize(("n", "bound"), [(34, 5), (8, 5), (8, 2), (3, 5)])
def test_built_in_pairs_differ_in_the_edges_of_one_vertex(n, bound):
    mechanism = LipschitzExtension(query=TriangleCount(), max_degree=bound)
    pairs = worst_case_pairs(mechanism, DOMAIN, n)
    for pair in pairs:
        assert pair.data.n == pair.neighbour.n <= n
        kept = [ends.ends[(ends.ends != 0).all(axis=1)] for ends in (pair.data, pair.neighbour)]
        np.testing.assert_array_equal(*kept)
        assert pair.data.steps(pair.neighbour) > 0
    first = [mechanism.center(graph, silent) for graph in (pairs[0].data, pairs[0].neighbour)]
    assert abs(first[0] - first[1]) == mechanism.largest_change(DOMAIN, n)


def test_an_audit_finds_nothing():
    """On each of the two pairs epsilon is exceeded with probability 1e-3 at most, with this seed on none."""
    for pair in worst_case_pairs(MECHANISM, DOMAIN, 34):
        assert not audit_run(MECHANISM, pair, BOXES_PER_REPORT, runs=5000, seed=1).audit.violated


def test_hubs_are_left_out_of_no_other_method():
    assert not PLANTED["hubs-left-out"].applies_to(LaplaceRelease(query=TriangleCount()))


@pytest.mark.parametrize(
    ("mechanism", "n", "field", "words"),
    [
        (MECHANISM, 301, "vertices", "301 vertices are too many for this method, .* at most 300"),
        (MECHANISM, 2, "vertices", "a triangle needs at least 3"),
        (LipschitzExtension(query=Median()), 9, "method", "known for triangles, not for median"),
    ],
)
def test_what_makes_no_sense_is_said_from_public_facts(mechanism, n, field, words):
    with pytest.raises(ParameterError, match=words) as refused:
        mechanism.refuse(BOXES_PER_REPORT, DOMAIN, n)
    assert refused.value.field == field


def test_memory_is_asked_for_by_the_number_of_vertices_alone(monkeypatch):
    monkeypatch.setattr("engine.free_memory.free_memory", lambda: 10**8)
    with pytest.raises(SensiscopeError, match="fewer vertices"):
        MECHANISM.run(SimpleGraph([(0, 1)], 300), BOXES_PER_REPORT)
