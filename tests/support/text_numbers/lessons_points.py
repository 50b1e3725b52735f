"""Numbers of the lessons about points: blocks, clusters and cells."""

import math
from functools import cache

import numpy as np

from engine import Clusters, KMeans, MeanFunction, Partition, SampleAggregate
from engine.analysis.first_attempts import attempt_all_dimensions, attempt_axis_by_axis
from engine.histograms.radii import cell_diameters
from engine.histograms.spanning_tree import euclidean_tree, resampled_tree
from engine.mechanisms.histograms import RecursiveHistogram, ShiftedHistogram
from engine.mechanisms.planning import plan_blocks
from engine.privacy import NO_PROMISE, Privacy
from engine.randomness import reproducible
from text_numbers import computes
from text_numbers._lesson_data import loaded, points

PRIVACY = Privacy(1.0)
SHIFTS = 400
"""Over which simulated means are taken."""


@computes("lessons", "center-of-attention")
def center_of_attention():
    data, blocks = points("clustering", "sample-aggregate", "geyser", (30,), (120,), ("waiting",)), 57
    mechanism = SampleAggregate(block_function=MeanFunction(), sampling=Partition(blocks=blocks))
    ready = mechanism.prepare(data, PRIVACY)
    facts = ready.diagnostics
    assert facts["argmax_k"] == 0
    return {
        "records": len(data.values),
        "blocks": blocks,
        "center": facts["center"].item(),
        "radius": facts["radius"],
        "majority": facts["majority"],
        "both": 2 * facts["majority"],
        "more": facts["majority"] + 1,
        "second": facts["smooth"] - facts["radius"],
        "smooth": facts["smooth"],
        "discount": 1 - math.exp(-ready.noise["beta"]),
    }


@cache
def clusters(example, k):
    """Return the plan of the blocks for k centers of an example, and the facts of their results."""
    data = points("clustering", "clusters", example)
    plan = plan_blocks(Clusters(k=k), data.domain, len(data.values), PRIVACY)
    mechanism = SampleAggregate(block_function=KMeans(k=k), sampling=Partition(blocks=plan.blocks))
    return plan, mechanism.prepare(data, PRIVACY).diagnostics


@computes("lessons", "sample-and-aggregate", slow=True)
def sample_and_aggregate():
    plan, facts = clusters("three-clusters", 3)
    return {
        "records": len(points("clustering", "clusters", "three-clusters").values),
        "blocks": plan.blocks,
        "size": plan.block_size,
        "majority": plan.blocks // 2 + 1,
        "radius": facts["radius"],
        "smooth": facts["smooth"],
    }


@computes("lessons", "two-clusters", slow=True)
def two_clusters():
    division, corners = clusters("four-heaps", 2)
    _, moved = clusters("four-heaps-neighbour", 2)
    first, second = (np.reshape(facts["true_value"], (2, 2)) for facts in (corners, moved))
    plan, facts = clusters("three-clusters", 2)
    return {
        "blocks": division.blocks,
        "radius": corners["radius"],
        "smooth": corners["smooth"],
        "worst": corners["global"],
        "moved": np.linalg.norm(first[:, None] - second[None], axis=2).min(),
        "points": len(points("clustering", "clusters", "three-clusters").values),
        "size": plan.block_size,
        "two": facts["smooth"],
        "three": clusters("three-clusters", 3)[1]["smooth"],
    }


@computes("lessons", "histograms", slow=True)
def histograms():
    data = points("histogram", "histogram-shifted", "around-the-middle")
    true = euclidean_tree(data.values).cost
    fixed = RecursiveHistogram(t=50).run(data, NO_PROMISE, reproducible(1)).histogram
    shifted = [ShiftedHistogram(t=50).run(data, NO_PROMISE, reproducible(i)).histogram for i in range(SHIFTS)]
    drawn = [resampled_tree(one, reproducible(1))[0].cost for one in shifted]
    return {
        "records": len(loaded("histogram", "histogram-shifted", "airports")["dataset"].table.data),
        "points": len(data.values),
        "quarter": int(fixed.counts.max()),
        "worse": round(resampled_tree(fixed, reproducible(1))[0].cost / true, -2),
        "close": float(np.median(drawn)) / true,
        "unshifted": cell_diameters(fixed, data.values).mean(),
        "shifted": np.mean([cell_diameters(one, data.values).mean() for one in shifted]),
    }


@computes("lessons", "small-cluster")
def small_cluster():
    axes, sides = attempt_axis_by_axis(), attempt_all_dimensions()
    assert axes.counts[0] == axes.counts[1]
    assert axes.inside == 0
    assert sides.d[-1] == 100
    return {
        "records": len(points("one-cluster", "one-cluster", "planted-disc").values),
        "strip": axes.counts[0],
        "cluster": axes.held,
        "wide": round(float(sides.diameter[-1]), -2),
    }
