"""Random tilings of boxes, with cells of very different size, and minimum spanning trees of matrices."""

import numpy as np

from engine.histograms.histogram import BoxHistogram


def tiling(m: int, d: int, rng: np.random.Generator) -> BoxHistogram:
    """Cut the box [0, 1]^d into m boxes, some of them tiny beside huge ones; counts 0 to 4."""
    lower, upper = np.zeros((1, d)), np.ones((1, d))
    while len(lower) < m:
        cells = len(lower)
        # half of the cells, and always the newest
        cut = np.flatnonzero((rng.random(cells) < 0.5) | (np.arange(cells) >= 0.9 * cells))[: m - cells]
        rows, axis = np.arange(len(cut)), rng.integers(d, size=len(cut))
        low, high = lower[cut], upper[cut].copy()
        middle = low[rows, axis] + rng.uniform(0.01, 0.99, len(cut)) * (high - low)[rows, axis]
        above = low.copy()
        above[rows, axis] = upper[cut, axis] = middle
        lower, upper = np.vstack([lower, above]), np.vstack([upper, high])
    counts = rng.integers(0, 5, m).astype(float)
    return BoxHistogram(lower, upper, counts, np.zeros(m, dtype=np.int64))


def tree_cost(distances: np.ndarray) -> float:
    """Return the cost of a minimum spanning tree of a matrix of distances, by Prim's algorithm."""
    distance, outside, cost = distances[0].copy(), np.ones(len(distances), dtype=bool), 0.0
    outside[0] = False
    for _ in range(len(distances) - 1):
        distance[~outside] = np.inf
        last = int(distance.argmin())
        cost += float(distance[last])
        outside[last] = False
        distance = np.minimum(distance, distances[last])
    return cost
