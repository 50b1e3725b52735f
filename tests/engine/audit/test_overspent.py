"""A budget that is spent several times over is found, also where none of the planted mistakes applies.

A step that is not given its share, but all of epsilon, is such a mistake.  What is promised is
epsilon = 1 everywhere; a lower bound above it is a false alarm with probability at most 1e-6.
"""

import pytest

from engine import ClusterCost
from engine.aggregation.blocks import IndependentSubsets, Partition
from engine.audit import audit_run, worst_case_pairs
from engine.domain import Box
from engine.mechanisms import HierarchicalHistogram, InteriorPoint, SampleAggregate
from engine.mechanisms.aggregators import WinsorizedAggregator
from engine.privacy import Privacy

LINE, SQUARE = Box.of([0], [1]), Box.of([0, 0], [1, 1])
WINSORIZED = SampleAggregate(sampling=Partition(blocks=39), aggregator=WinsorizedAggregator())
SUBSETS = SampleAggregate(sampling=IndependentSubsets(blocks=30))
TREE = HierarchicalHistogram(depth=1, post="none")

CASES = [
    pytest.param(ClusterCost(k=1), SQUARE, "one-moved", 1000, 8, marks=pytest.mark.slow),
    pytest.param(TREE, SQUARE, "two-heaps", 2000, 4, marks=pytest.mark.slow),
    (SUBSETS, LINE, "before-the-jump", 4000, 8),
    (InteriorPoint(grid=64), LINE, "clump", 2000, 4),
    (WINSORIZED, LINE, "one-moved", 4000, 4),
]


@pytest.mark.parametrize(("mechanism", "domain", "name", "runs", "times"), CASES)
def test_a_budget_spent_several_times_is_found(mechanism, domain, name, runs, times):
    spent = Privacy(float(times))
    (pair,) = [one for one in worst_case_pairs(mechanism, domain, 1000, spent) if one.name == name]
    found = audit_run(mechanism, pair, spent, runs=runs, seed=1, confidence=1 - 1e-6).audit
    assert found.epsilon_lower_bound > 1.0
