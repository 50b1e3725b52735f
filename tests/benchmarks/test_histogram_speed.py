"""Speed and memory of histograms of points.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from timing import in_turn

from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.histograms import RecursiveHistogram, ShiftedHistogram
from engine.privacy import NO_PROMISE
from engine.randomness import reproducible

pytestmark = pytest.mark.benchmark

HOUSE = Path(__file__).resolve().parents[2]
SQUARE = Box.of([0.0, 0.0], [1.0, 1.0])
MILLION = 1_000_000

WIDE = """
import json, resource, sys, time
import numpy as np
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.histograms import ShiftedHistogram
from engine.privacy import NO_PROMISE
from engine.randomness import reproducible

kind, d = sys.argv[1], 8
rng = np.random.default_rng(8)
values = rng.uniform(0, 1, (1_000_000, d))
if kind == "clustered":
    values = 0.3 + 0.4 * rng.integers(0, 2, (1_000_000, 1)) + 0.05 * rng.normal(size=values.shape)
data = Points(np.clip(values, 0, 1), Box.of([0.0] * d, [1.0] * d))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
start = time.perf_counter()
histogram = ShiftedHistogram(t=50).prepare(data, NO_PROMISE).histogram(reproducible(1))
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
json.dump([seconds, before, peak, histogram.size, histogram.counts.sum()], sys.stdout)
"""


def points(kind):
    rng = np.random.default_rng(1)
    if kind == "uniform":
        return rng.uniform(0, 1, (MILLION, 2))
    if kind == "log-scale":
        return 10.0 ** rng.uniform(-9, 0, (MILLION, 2))
    if kind == "100 places":
        return rng.random((100, 2))[rng.integers(0, 100, MILLION)]
    if kind == "all equal":
        return np.full((MILLION, 2), 0.3)
    centers = rng.uniform(0.1, 0.9, (20, 2))
    spread = np.geomspace(1e-3, 0.1, 20)
    which = rng.integers(0, 20, MILLION)
    return np.clip(centers[which] + spread[which, None] * rng.normal(size=(MILLION, 2)), 0, 1)


@pytest.mark.parametrize("kind", ["uniform", "clustered", "log-scale", "100 places", "all equal"])
@pytest.mark.parametrize("mechanism", [RecursiveHistogram(t=50), ShiftedHistogram(t=50)])
def test_against_histogram2d_with_as_many_cells(kind, mechanism):
    """n = 1,000,000, d = 2, t = 50: one histogram, all random choices included."""
    values = points(kind)
    prepared = mechanism.prepare(Points(values, SQUARE), NO_PROMISE)
    rng = reproducible(1)
    histogram = prepared.histogram(rng)
    bins = round(histogram.size**0.5)
    ours, theirs = in_turn(
        # the recursive histogram is grown once for all draws
        lambda: mechanism.prepare(Points(values, SQUARE), NO_PROMISE).histogram(rng),
        lambda: np.histogram2d(*values.T, bins=bins, range=[(0, 1), (0, 1)]),
        repeats=9,
    )
    print(
        f"\n{mechanism.name}, {kind}: {histogram.size:,} cells in {ours}, "
        f"{ours.median / theirs.median:.2f} x histogram2d with {bins} x {bins} ({theirs})"
    )
    assert histogram.counts.sum() == MILLION
    assert ours.median < (2.4 if kind == "log-scale" else 2) * theirs.median


@pytest.mark.parametrize("kind", ["uniform", "clustered"])
def test_eight_dimensions_within_ten_seconds_and_two_gigabytes(kind):
    """n = 1,000,000, d = 8, in a process of its own, whose peak is measured."""
    command = [sys.executable, "-c", WIDE, kind]
    output = subprocess.run(command, cwd=HOUSE, check=True, capture_output=True, text=True).stdout
    duration, before, peak, cells, total = json.loads(output)
    print(f"\n{kind}: {cells:,} cells in {duration:.2f} s, peak {peak:.2f} GB ({before:.2f} GB before)")
    assert total == MILLION
    assert duration < 10
    assert peak < 2
