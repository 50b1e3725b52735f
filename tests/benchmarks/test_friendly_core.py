"""How far the means of a mixture in five dimensions are off, by every aggregator.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks/test_friendly_core.py``.
``resources/help/aggregators/friendly-core.md`` has some of its rows, with fewer runs.
"""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from engine.aggregation.blocks import Partition
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.frontier.friendly_core import FriendlyCore
from engine.mechanisms import Mixture
from engine.mechanisms.aggregators import (
    Average,
    CenterOfAttention,
    MedianAggregator,
    OneClusterAggregator,
    WinsorizedAggregator,
)
from engine.privacy import Privacy
from engine.randomness import reproducible

pytestmark = pytest.mark.benchmark

BOX = Box.of([0.0] * 5, [10.0] * 5)
MEANS = np.array([(2, 2, 2, 2, 2), (8, 2, 5, 2, 8), (2, 8, 5, 8, 5), (8, 8, 2, 5, 2)], dtype=float)
PRIVACY = Privacy(1.0, 1e-6)
RUNS, NEAR = 200, BOX.diameter / 10
SIZES = (20_000, 100_000, 1_000_000)
BLOCKS = {20_000: (700,), 100_000: (700, 1400, 2800), 1_000_000: (1400, 5600)}


def mixture(n):
    """Return points as those of the example of this name."""
    rng = np.random.default_rng(n)
    values = MEANS[rng.integers(0, 4, n)] + 0.5 * rng.standard_normal((n, 5))
    return Points(np.clip(np.round(values, 2), 0, 10), BOX)


def farthest(drawn):
    """Return the largest distance of matched means of each draw; infinity where nothing is released."""
    found = []
    for sets in drawn.reshape(-1, 4, 5):
        table = cdist(sets, MEANS)
        if np.isnan(table).any():
            found.append(np.inf)
        else:
            found.append(table[linear_sum_assignment(table**2)].max())
    return np.array(found)


def errors(aggregator, data):
    """Return the errors with the number of blocks that is best of a few."""
    best = np.array([np.inf])
    for blocks in BLOCKS[data.n]:
        mechanism = Mixture(k=4, sampling=Partition(blocks=blocks), aggregator=aggregator)
        try:
            found = farthest(mechanism.prepare(data, PRIVACY).draw(reproducible(1), RUNS))
        except ParameterError:
            continue
        best = min(best, found, key=np.median)
    return best


ROWS = (
    FriendlyCore(),
    CenterOfAttention(),
    OneClusterAggregator(),
    MedianAggregator(),
    WinsorizedAggregator(),
    Average(),
)


def test_means_of_a_mixture_in_five_dimensions():
    data = {n: mixture(n) for n in SIZES}
    print("\n|  |", " | ".join(f"n = {n:,}" for n in SIZES), "|\n| --- | --- | --- | --- |")
    shares = {}
    for aggregator in ROWS:
        cells = []
        for n in SIZES:
            found = errors(aggregator, data[n])
            shares[aggregator.name, n] = float(np.mean(found <= NEAR))
            cells.append(f"{np.median(found):.2g}, {100 * shares[aggregator.name, n]:.0f} % within 2.24")
        print(f"| {aggregator.label} |", " | ".join(cells), "|", flush=True)
    assert shares["friendly-core", 20_000] >= 0.95
    assert shares["friendly-core", 100_000] >= 0.95
    assert shares["friendly-core", 1_000_000] >= 0.95
