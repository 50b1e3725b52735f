"""Find a small ball with at least 500 of 10,000 points."""

import numpy as np
from sensiscope import Box, Privacy, one_cluster

rng = np.random.default_rng(6)
points = np.concatenate([rng.uniform(0, 1, (9000, 2)), rng.normal(0.3, 0.01, (1000, 2))])
ball = one_cluster(points, Box.of([0, 0], [1, 1]), t=500, privacy=Privacy(1.0, 1e-6))
print("center", ball.value["center"], "radius", ball.value["radius"])
print("promised points", ball.parameters["promised_points"])
