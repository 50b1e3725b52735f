"""How far private cluster centers are from the true ones, ours and a peer's, good or bad.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.  The page
``resources/help/topics/clustering.md`` has some of its rows, with fewer runs.
"""

import warnings

import numpy as np
import pytest
from blobs import SQUARE
from cluster_sets import PRIVACY, median_distance, three_blobs

from engine import Lloyd
from engine.aggregation.blocks import Partition
from engine.extras.frontier.friendly_core import FriendlyCore
from engine.mechanisms import Clusters
from engine.mechanisms.aggregators import (
    Average,
    CenterOfAttention,
    MedianAggregator,
    OneClusterAggregator,
    WinsorizedAggregator,
)
from engine.mechanisms.planning import plan
from engine.noise import Gaussian, Laplace, PowerLaplace
from engine.randomness import reproducible

pytestmark = pytest.mark.benchmark

SIZES = (10_000, 100_000, 1_000_000)


def ours(aggregator, data, noise):
    space = Clusters().vectors.space(SQUARE)
    fewest, guess = aggregator.fewest(space, 1, PRIVACY), 0.02 * np.sqrt(6)
    blocks = plan(data.n, space, PRIVACY, noise, guess, smallest=3, fewest=fewest).blocks
    mechanism = Clusters(sampling=Partition(blocks=blocks), aggregator=aggregator)
    return median_distance(mechanism.prepare(data, PRIVACY).draw(reproducible(1), 500))


def lloyd(data, runs):
    return median_distance(Lloyd().prepare(data, PRIVACY).draw(reproducible(1), runs))


def peer(data, runs):
    from diffprivlib.models import KMeans

    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for run in range(runs):
            fit = KMeans(n_clusters=3, epsilon=1.0, bounds=([0, 0], [1, 1]), random_state=run).fit(
                data.values
            )
            found.append(np.asarray(fit.cluster_centers_).ravel())
    return median_distance(np.array(found))


def test_distance_of_released_centers():
    pytest.importorskip("diffprivlib")
    rows = {
        "center of attention, Laplace": lambda data, runs: ours(
            CenterOfAttention(noise=Laplace()), data, Laplace()
        ),
        "center of attention, power-law Laplace": lambda data, runs: ours(
            CenterOfAttention(), data, PowerLaplace()
        ),
        "center of attention, Gaussian": lambda data, runs: ours(
            CenterOfAttention(noise=Gaussian()), data, Gaussian()
        ),
        "median of each coordinate": lambda data, runs: ours(
            MedianAggregator(noise=Laplace()), data, Laplace()
        ),
        "average": lambda data, runs: ours(Average(), data, Laplace()),
        "widened Winsorized mean": lambda data, runs: ours(WinsorizedAggregator(), data, Laplace()),
        "1-cluster around the blocks": lambda data, runs: ours(OneClusterAggregator(), data, Laplace()),
        "friendly core of the blocks": lambda data, runs: ours(FriendlyCore(), data, Laplace()),
        "noisy Lloyd": lloyd,
        "diffprivlib KMeans (add/remove)": peer,
    }
    data = {n: three_blobs(n) for n in SIZES}
    table = {name: [work(data[n], 20 if n <= 100_000 else 5) for n in SIZES] for name, work in rows.items()}
    print("\n| released by | n = 10,000 | n = 100,000 | n = 1,000,000 |\n| --- | --- | --- | --- |")
    for name, found in table.items():
        print(f"| {name} | " + " | ".join(f"{error:.3g}" for error in found) + " |")
    for found in table.values():
        assert np.all(np.isfinite(found))
    for name in ("center of attention, Laplace", "center of attention, Gaussian", "noisy Lloyd"):
        assert table[name] == sorted(table[name], reverse=True)
