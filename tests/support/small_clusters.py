"""Points of the unit cube, about half of them near one place."""

import numpy as np

from engine.data.points import Points
from engine.domain import Box
from engine.privacy import Privacy

PRIVACY = Privacy(20.0, 1e-4)
CENTER, T = np.array([0.6, 0.3]), 500


def cluster(d=2):
    rng = np.random.default_rng(5)
    points = rng.random((1500, d))
    points[:700] = np.resize(CENTER, d) + rng.uniform(-0.02, 0.02, (700, d))
    return Points(points, Box.of([0] * d, [1] * d))
