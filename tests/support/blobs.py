"""Points in three blobs."""

import numpy as np

from engine.data.points import Points
from engine.domain import Box

SQUARE = Box.of([0, 0], [1, 1])
CENTERS = np.array([[0.2, 0.2], [0.5, 0.8], [0.8, 0.3]])


def blobs(n, seed=1, spread=0.03):
    rng = np.random.default_rng(seed)
    return Points(CENTERS[rng.integers(0, 3, n)] + spread * rng.standard_normal((n, 2)), SQUARE)


DATA = blobs(3000)
