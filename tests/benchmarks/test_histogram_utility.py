"""Errors and speed of private histograms, ours and peers', at the same epsilon for replaced records.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.  Errors are
those of the counts in the 100 public boxes of `Ranges`, in points; the median of the runs.
"""

import time
import warnings

import numpy as np
import pytest

from engine.data.points import Points
from engine.domain import Box
from engine.extras.points.privtree import PrivTree
from engine.histograms.grid import Grid
from engine.histograms.ranges import Ranges
from engine.mechanisms.histograms.noisy import NoisyHistogram
from engine.mechanisms.histograms.tree import HierarchicalHistogram
from engine.privacy import Privacy
from engine.randomness import reproducible

pytestmark = pytest.mark.benchmark

N, RUNS, EPSILONS = 100_000, 15, (0.1, 1.0)
LINE, SQUARE = Box.of([0], [1]), Box.of([0, 0], [1, 1])


def points(box, kind):
    """One wide blob, or twenty narrow ones."""
    rng = np.random.default_rng(7)
    d = box.dimension
    if kind == "wide":
        return Points(rng.normal(0.5, 0.15, (N, d)), box)
    return Points(rng.uniform(0, 1, (20, d))[rng.integers(0, 20, N)] + rng.normal(0, 0.01, (N, d)), box)


def ours(mechanism, data, epsilon):
    ready, rng = mechanism._sanitizer(data, Privacy(epsilon)), reproducible(1)
    return [ready.histogram(rng) for _ in range(RUNS)]


def diffprivlib(bins, data, epsilon):
    """Noise for records that are added or removed: half of epsilon is the same promise."""
    from diffprivlib.tools import histogramdd

    span, grid = [(0.0, 1.0)] * data.domain.dimension, Grid(data.domain, bins)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [
            histogramdd(data.values, epsilon=epsilon / 2, bins=bins, range=span, random_state=run)[0]
            for run in range(RUNS)
        ]
    return [grid.histogram(counts.ravel()) for counts in found]


def opendp(cells, branching, data, epsilon):
    """A b-ary tree on a line, made consistent; replacing a record moves two of its leaves by one."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    tree = dp.t.make_b_ary_tree(*space, leaf_count=cells, branching_factor=branching)
    scale = (tree >> dp.m.then_laplace(scale=1.0)).map(2) / epsilon
    noisy, post = tree >> dp.m.then_laplace(scale=scale), dp.t.make_consistent_b_ary_tree(branching)
    grid = Grid(data.domain, cells)
    counts = grid.counts(data.values).tolist()
    return [grid.histogram(np.array(post(noisy(counts)))) for _ in range(RUNS)]


def table(rows, box):
    """Print and return the median error and the seconds of each row, kind of data and epsilon."""
    ranges, found = Ranges.within(box), {}
    print(
        "\n| released by | " + " | ".join(f"{k}, epsilon {e:g}" for k in KINDS for e in EPSILONS) + " | ms |"
    )
    print("| --- " * (2 + len(KINDS) * len(EPSILONS)) + "|")
    for name, work in rows.items():
        errors, seconds = [], 0.0
        for kind in KINDS:
            data = points(box, kind)
            exact = ranges.exact(data.values)
            for epsilon in EPSILONS:
                start = time.perf_counter()
                histograms = work(data, epsilon)
                seconds += time.perf_counter() - start
                errors.append(
                    float(np.median([np.abs(ranges.answers(one) - exact).mean() for one in histograms]))
                )
        each = seconds / (RUNS * len(errors))
        found[name] = np.array(errors), each
        print(f"| {name} | " + " | ".join(f"{error:.0f}" for error in errors) + f" | {1000 * each:.1f} |")
    return found


KINDS = ("wide", "narrow")


def test_boxes_in_the_plane():
    """64 x 64 cells; the peer of the noisy histogram is IBM's diffprivlib."""
    pytest.importorskip("diffprivlib")
    rows = {
        "diffprivlib histogramdd, epsilon/2": lambda data, epsilon: diffprivlib(64, data, epsilon),
        "noisy histogram, unbiased": lambda data, epsilon: ours(
            NoisyHistogram(bins=64, post="none"), data, epsilon
        ),
        "noisy histogram, simplex": lambda data, epsilon: ours(
            NoisyHistogram(bins=64, post="simplex"), data, epsilon
        ),
        "noisy histogram, top-down": lambda data, epsilon: ours(NoisyHistogram(bins=64), data, epsilon),
        "noisy tree of cubes, unbiased": lambda data, epsilon: ours(
            HierarchicalHistogram(depth=6, post="none"), data, epsilon
        ),
        "noisy tree of cubes, top-down": lambda data, epsilon: ours(
            HierarchicalHistogram(depth=6), data, epsilon
        ),
        "PrivTree": lambda data, epsilon: ours(PrivTree(), data, epsilon),
    }
    found = table(rows, SQUARE)
    peer, seconds = found["diffprivlib histogramdd, epsilon/2"]
    assert np.all(found["noisy histogram, unbiased"][0] < peer)
    assert np.all(found["noisy histogram, top-down"][0] < peer)
    assert np.all(found["noisy tree of cubes, top-down"][0] < peer)
    assert found["noisy histogram, unbiased"][1] < seconds / 3


def test_intervals_of_a_line():
    """1,024 cells; the peer of the noisy tree is OpenDP's consistent b-ary tree."""
    pytest.importorskip("opendp")
    rows = {
        "OpenDP b-ary tree, 2 children": lambda data, epsilon: opendp(1024, 2, data, epsilon),
        "OpenDP b-ary tree, 4 children": lambda data, epsilon: opendp(1024, 4, data, epsilon),
        "noisy tree of cubes, unbiased": lambda data, epsilon: ours(
            HierarchicalHistogram(depth=10, post="none"), data, epsilon
        ),
        "noisy tree of cubes, top-down": lambda data, epsilon: ours(
            HierarchicalHistogram(depth=10), data, epsilon
        ),
        "PrivTree": lambda data, epsilon: ours(PrivTree(), data, epsilon),
    }
    found = table(rows, LINE)
    peer = found["OpenDP b-ary tree, 2 children"][0]
    assert np.mean(found["noisy tree of cubes, unbiased"][0] / peer) < 1.05
