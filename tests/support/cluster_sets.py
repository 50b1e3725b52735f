"""Points in blobs, on which ways to cluster are compared, and how far centers are from theirs."""

import numpy as np
from blobs import SQUARE
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import Clusters
from engine.privacy import Privacy

RUNS, NEAR, SPREAD = 200, 0.05, 0.03
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


def blobs_of(name, n):
    """Return the true centers of a set of blobs, and n points."""
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


def three_blobs(n):
    """Return n points of three blobs as the page about clustering has them."""
    rng = np.random.default_rng(n)
    return Points(np.array(THREE)[rng.integers(0, 3, n)] + SPREAD * rng.standard_normal((n, 2)), SQUARE)


def median_distance(values):
    """Return the median distance of sets of centers from the three true ones, over all three together."""
    space = Clusters().vectors.space(SQUARE)
    return float(np.median(space.distances(values, np.array(THREE).reshape(1, -1))))
