"""How often all private cluster centers are near the true ones, ours and a peer's.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.  The page
``resources/help/mechanisms/k-means-on-cells.md`` has some of its rows, with fewer runs.  A peer
whose guarantee is for records that are added or removed gets half of epsilon, with which it holds for one
that is replaced, too.  Google's clustering, which has to be fetched by hand, is in
``test_google_clustering.py``.
"""

import warnings

import numpy as np
import pytest
from cluster_sets import NEAR, PRIVACY, RUNS, SETS, SIZES, blobs_of, farthest

from engine import KMeansOnCells, Lloyd
from engine.aggregation.blocks import Partition
from engine.extras.frontier.friendly_core import FriendlyCore
from engine.mechanisms import Clusters
from engine.mechanisms.aggregators import CenterOfAttention, OneClusterAggregator
from engine.mechanisms.planning import plan
from engine.noise import Laplace
from engine.randomness import reproducible

pytestmark = pytest.mark.benchmark

PEERS = 40
"""Runs of a peer, each of which takes up to some seconds."""


def ours(mechanism, data):
    return mechanism.prepare(data, PRIVACY).draw(reproducible(1), RUNS)


def blocks(aggregator, k, data):
    space = Clusters(k=k).vectors.space(data.domain)
    fewest = aggregator.fewest(space, 1, PRIVACY)
    if fewest * 5 * k > data.n:
        return None
    guess = 0.02 * np.sqrt(space.dimension)
    planned = plan(data.n, space, PRIVACY, Laplace(), guess, smallest=5 * k, fewest=fewest).blocks
    return ours(Clusters(k=k, sampling=Partition(blocks=planned), aggregator=aggregator), data)


def peer(k, data):
    from diffprivlib.models import KMeans

    found, bounds = [], (data.domain.lower, data.domain.upper)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for run in range(PEERS):
            model = KMeans(n_clusters=k, epsilon=PRIVACY.epsilon / 2, bounds=bounds, random_state=run)
            found.append(np.asarray(model.fit(data.values).cluster_centers_).ravel())
    return np.array(found)


ROWS = {
    "k-means on cells": lambda k, data: ours(KMeansOnCells(k=k), data),
    "the same on a grid": lambda k, data: ours(KMeansOnCells(k=k, partition="grid"), data),
    "noisy Lloyd": lambda k, data: ours(Lloyd(k=k), data),
    "1-cluster around the blocks": lambda k, data: blocks(OneClusterAggregator(), k, data),
    "friendly core of the blocks": lambda k, data: blocks(FriendlyCore(), k, data),
    "center of attention, Laplace": lambda k, data: blocks(CenterOfAttention(noise=Laplace()), k, data),
    "diffprivlib KMeans, ε/2": peer,
}


def test_share_of_runs_with_all_centers_near():
    pytest.importorskip("diffprivlib")
    columns = [(name, n) for name in SETS for n in SIZES]
    print("\n|  |", " | ".join(f"{name}, n = {n:,}" for name, n in columns), "|")
    shares = {}
    for row, work in ROWS.items():
        cells = []
        for name, n in columns:
            centers, data = blobs_of(name, n)
            drawn = work(len(centers), data)
            errors = np.array([np.inf]) if drawn is None else farthest(drawn, centers)
            shares[row, name, n] = float(np.mean(errors <= NEAR))
            cells.append(
                "–" if drawn is None else f"{100 * shares[row, name, n]:.0f} %, {np.median(errors):.2g}"
            )
        print(f"| {row} |", " | ".join(cells), "|", flush=True)
    for name, n in columns:
        assert shares["k-means on cells", name, n] >= 0.99
        assert shares["the same on a grid", name, n] >= 0.99
