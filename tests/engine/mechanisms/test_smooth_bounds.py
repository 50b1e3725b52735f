"""Noise scaled to simpler bounds of the smooth sensitivity: what they are, and by how much they exceed it."""

import itertools
import math

import numpy as np
import pytest

from engine.analysis.expected_error import estimate_scalar_error
from engine.audit import audit_run, worst_case_pairs
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms import SmoothRelease
from engine.privacy import Privacy
from engine.queries import Median, MstCost, TriangleCount, TrimmedMean
from engine.queries.bounds import BOUNDS, truncated_bound

BOUNDED = Interval(0.0, 1.0)
DATA = Sample(np.linspace(0, 1, 201), BOUNDED)


def prepared(query, data, bound, **options):
    mechanism = SmoothRelease(query=query, bound_method=bound, **options)
    return mechanism.prepare(data, Privacy(1.0))


@pytest.mark.parametrize("query", [Median(), TrimmedMean(trim=0.2)], ids=repr)
def test_two_approximation_is_between_once_and_twice(query):
    exact, double = (prepared(query, DATA, bound) for bound in BOUNDS[:2])
    factor = double.diagnostics["excess"]
    assert 1 < factor <= 2
    assert double.scale / exact.scale == pytest.approx(factor, rel=1e-9)
    assert "excess" not in exact.diagnostics


def test_a_bound_that_looks_far_enough_is_exact_and_one_that_does_not_has_the_rest():
    exact, near, far = (
        prepared(Median(), DATA, "exact"),
        prepared(Median(), DATA, "truncated", farthest=5),
        prepared(Median(), DATA, "truncated", farthest=200),
    )
    assert far.scale == exact.scale
    assert far.diagnostics["excess"] == 1
    beta = near.noise["beta"]
    assert near.diagnostics["smooth"] == pytest.approx(math.exp(-5 * beta), rel=1e-6)
    assert near.diagnostics["excess"] > 5


@pytest.mark.parametrize(
    ("query", "data"),
    [
        (MstCost(), WeightedGraph([(0, 1), (1, 2), (0, 2)], [1.0, 2.0, 4.0], Interval(0, 4))),
        (TriangleCount(), SimpleGraph([(0, 1), (1, 2), (0, 2), (2, 3)], n=6)),
    ],
)
def test_graphs_have_the_truncated_bound_and_refuse_the_other(query, data):
    exact, near = prepared(query, data, "exact"), prepared(query, data, "truncated", farthest=60)
    assert near.scale == pytest.approx(exact.scale, rel=1e-9)
    with pytest.raises(ParameterError, match=r"^bound_method: .*choose exact or truncated"):
        prepared(query, data, "two-approximation")


TRIANGLE = [(0, 1), (1, 2), (0, 2)]
PAIRS = list(itertools.combinations(range(4), 2))
TINY_GRAPHS = {
    "joined or not": (
        TriangleCount(),
        (0, 1),
        6,
        lambda x: SimpleGraph(list(itertools.compress(PAIRS, x)), 4),
    ),
    "weights": (MstCost(), (0.0, 1.0, 3.0), 3, lambda x: WeightedGraph(TRIANGLE, x, Interval(0, 3))),
}


@pytest.mark.parametrize(("query", "values", "edges", "graph"), TINY_GRAPHS.values(), ids=TINY_GRAPHS)
@pytest.mark.parametrize("k0", [0, 1, 2, 7, 60])
def test_the_truncated_bound_of_graphs_is_smooth_and_no_smaller(query, values, edges, graph, k0):
    """All graphs, all neighbours, and S* from its definition; also where k0 is beyond the last distance."""
    beta, all_x = 0.1, list(itertools.product(values, repeat=edges))
    near = {x: [(*x[:i], v, *x[i + 1 :]) for i in range(edges) for v in values if v != x[i]] for x in all_x}
    exact = {x: float(query.exact_value(graph(x))) for x in all_x}
    at = {x: max(abs(exact[x] - exact[y]) for y in near[x]) for x in all_x}
    smooth = dict(at)
    for k in range(1, edges + 1):
        at = {x: max(at[x], *(at[y] for y in near[x])) for x in all_x}
        smooth = {x: max(smooth[x], math.exp(-beta * k) * at[x]) for x in all_x}
    bound = {x: truncated_bound(query, graph(x), beta, k0).value for x in all_x}
    for x in all_x:
        assert bound[x] >= smooth[x] * (1 - 1e-12)
        assert all(bound[x] <= math.exp(beta) * bound[y] * (1 + 1e-12) for y in near[x])


def test_the_estimate_tells_the_factor():
    found = estimate_scalar_error(
        SmoothRelease(query=Median(), bound_method="two-approximation"), DATA, Privacy(1.0)
    )
    assert 1 < found.excess <= 2
    assert any("multiples of S*" in one.name for one in found.findings())


@pytest.mark.parametrize("bound", BOUNDS[1:])
def test_releases_by_simpler_bounds_are_consistent_and_their_faulty_variant_is_caught(bound):
    """False alarms: at most 1e-8 for each of ten pairs."""
    right = SmoothRelease(query=Median(), bound_method=bound, farthest=20)
    for pair in worst_case_pairs(right, BOUNDED, 40, Privacy(1.0)):
        found = audit_run(right, pair, Privacy(1.0), runs=2_000, seed=1, confidence=1 - 1e-8)
        assert not found.audit.violated, pair.name


def test_a_bound_without_its_rest_is_not_smooth():
    """Cutting A^(k) off at k0 without GS exp(-beta k0) is what Claim 3.2 warns of."""
    beta, k0 = 0.3, 2

    def cut(zeros):
        data = Sample([0.0] * zeros + [1.0] * (7 - zeros), BOUNDED)
        near = Median().sensitivity_at_distance(data, k0 - 1)
        return float((near * np.exp(-beta * np.arange(k0))).max())

    found = [cut(zeros) for zeros in range(8)]
    assert any(max(one, other) > math.exp(beta) * min(one, other) for one, other in itertools.pairwise(found))
