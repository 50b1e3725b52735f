"""Audits: 100,000 runs on each side within 10 s, of which the audit itself takes a fraction."""

import numpy as np
import pytest
from timing import seconds

from engine.audit import audit, audit_run, worst_case_pairs
from engine.data.categories import CategoryDomain
from engine.domain import Box, Interval
from engine.mechanisms import (
    ContingencyTable,
    ExponentialRelease,
    GaussianRelease,
    LaplaceRelease,
    NoisyAverage,
    ProposeTestRelease,
    RandomizedResponse,
    SampleAggregate,
    SmoothRelease,
)
from engine.privacy import Privacy
from engine.queries import MstCost, TriangleCount
from engine.randomness import reproducible

RUNS, LIMIT = 100_000, 10.0
PRIVACY = Privacy(1.0, 1e-6)
CASES = {
    "smooth median": (SmoothRelease(), Interval(0, 10)),
    "laplace median": (LaplaceRelease(), Interval(0, 10)),
    "gaussian median": (GaussianRelease(), Interval(0, 10)),
    "exponential median": (ExponentialRelease(), Interval(0, 10)),
    "propose-test-release": (ProposeTestRelease(), Interval(0, 10)),
    "spanning tree": (SmoothRelease(query=MstCost()), Interval(0, 10)),
    "triangles": (SmoothRelease(query=TriangleCount()), Interval(0, 1)),
    "sample and aggregate": (SampleAggregate(), Box.of([0], [1])),
    "noisy average": (NoisyAverage(), Box.of([0] * 5, [1] * 5)),
    "contingency table": (ContingencyTable(post="none"), CategoryDomain(["c"], [list("abcdef")])),
    "randomized response": (RandomizedResponse(), CategoryDomain(["c"], [list("abcdef")])),
}


@pytest.mark.benchmark
@pytest.mark.parametrize("name", CASES)
def test_a_hundred_thousand_runs_on_each_side(name):
    mechanism, domain = CASES[name]
    pair = worst_case_pairs(mechanism, domain, 1000, PRIVACY)[0]
    auditing = seconds(lambda: audit_run(mechanism, pair, PRIVACY, runs=RUNS, seed=1), repeats=1)
    print(f"\n{name}: {auditing:.2f} s")
    assert auditing <= LIMIT


@pytest.mark.benchmark
def test_the_audit_of_vectors_itself():
    """One hundred coordinates: choosing among 103 features sorts each once on either side."""
    rng = reproducible(1)
    first, second = rng.normal(0, 1, (2, RUNS, 100))
    auditing = seconds(lambda: audit(first, second, PRIVACY), repeats=1)
    sorting = seconds(lambda: (np.sort(first, axis=0), np.sort(second, axis=0)), repeats=1)
    print(f"\n100 coordinates: {auditing:.2f} s; sorting all of them {sorting:.2f} s")
    assert auditing <= max(1.0, 2 * sorting)
