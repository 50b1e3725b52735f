"""How often all private cluster centers are near the true ones, ours and a peer's.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.  The table is the
one of ``resources/help/mechanisms/k-means-on-cells.md``.  A peer whose guarantee is for records that
are added or removed gets half of epsilon, with which it holds for one that is replaced, too.  Google's
clustering by locality-sensitive hashing is no package on PyPI (neither dp-clustering nor
google-differential-privacy is), so that a comparison with it could not be repeated from here.
"""

import warnings

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from engine.aggregation.blocks import Partition
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import Clusters, KMeansOnCells, Lloyd
from engine.mechanisms.aggregators import CenterOfAttention, FriendlyCore, OneClusterAggregator
from engine.mechanisms.planner import plan
from engine.noise import Laplace
from engine.privacy import Privacy
from engine.randomness import reproducible

pytestmark = pytest.mark.benchmark

RUNS, NEAR, SPREAD = 200, 0.05, 0.03
PEERS = 40
"""Runs of a peer, each of which takes up to some seconds."""
PRIVACY = Privacy(1.0, 1e-6)
THREE = ((0.2, 0.2), (0.8, 0.3), (0.5, 0.8))
EIGHT = (
    (0.15, 0.15),
    (0.5, 0.12),
    (0.85, 0.2),
    (0.2, 0.5),
    (0.8, 0.55),
    (0.15, 0.85),
    (0.5, 0.85),
    (0.85, 0.9),
)
FOUR = ((0.2, 0.2, 0.2, 0.2), (0.8, 0.8, 0.2, 0.2), (0.2, 0.8, 0.8, 0.8), (0.8, 0.2, 0.8, 0.5))
SETS = {
    "3 blobs": (THREE, (1, 1, 1)),
    "80, 15 and 5 %": (THREE, (80, 15, 5)),
    "8 blobs": (EIGHT, (1,) * 8),
    "4 blobs, d = 4": (FOUR, (1,) * 4),
}
SIZES = (10_000, 100_000)


def blobs(name, n):
    centers, weights = (np.array(part, dtype=float) for part in SETS[name])
    rng = np.random.default_rng([n, list(SETS).index(name)])
    labels = rng.choice(len(centers), n, p=weights / weights.sum())
    points = centers[labels] + SPREAD * rng.standard_normal((n, centers.shape[1]))
    box = Box.of([0.0] * centers.shape[1], [1.0] * centers.shape[1])
    return centers, Points(np.clip(points, 0, 1), box)


def farthest(drawn, centers):
    """Return the largest distance of matched centers of each draw, infinity for a refusal, shape (runs,)."""
    found = []
    for values in drawn.reshape(-1, *centers.shape):
        table = np.nan_to_num(cdist(values, centers), nan=np.inf)
        known = np.isfinite(table).all()
        found.append(table[linear_sum_assignment(table**2)].max() if known else np.inf)
    return np.array(found)


def ours(mechanism, data):
    return mechanism.prepare(data, PRIVACY).draw(reproducible(1), RUNS)


def blocks(aggregator, k, data):
    space = Clusters(k=k).space(data.domain)
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
            centers, data = blobs(name, n)
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
