"""How good released balls and centers are, on data of usual size."""

import numpy as np
import pytest

from engine.aggregation.blocks import Partition
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import Clusters
from engine.mechanisms.aggregators import OneClusterAggregator
from engine.mechanisms.one_cluster import OneCluster
from engine.privacy import Privacy
from engine.randomness import reproducible

PRIVACY = Privacy(1.0, 1e-6)
SQUARE = Box.of([0, 0], [1, 1])
CENTERS = np.array([[0.2, 0.2], [0.5, 0.8], [0.8, 0.3]])


def planted(n, t, radius, seed):
    """Return n uniform points of the unit square, of which t are uniform in a disc."""
    rng = np.random.default_rng(seed)
    values = rng.uniform(0, 1, (n, 2))
    angle, distance = rng.uniform(0, 2 * np.pi, t), radius * np.sqrt(rng.uniform(0, 1, t))
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    values[:t] = rng.uniform(0.2, 0.8, 2) + distance[:, None] * circle
    return Points(values, SQUARE)


def good_runs(n, t, radius, runs):
    """Count runs, each on data of its own, whose ball holds 0.4 t points within 6 times the radius."""
    good = 0
    for seed in range(runs):
        data = planted(n, t, radius, seed)
        ball = OneCluster(t=t).prepare(data, PRIVACY).located.run(reproducible(seed)).ball
        assert ball is not None
        good += np.count_nonzero(ball.contains(data.values)) >= 0.4 * t and ball.radius <= 6 * radius
    return good


def test_a_planted_disc_is_found():
    """Of 30 runs: 21 or fewer have p < 1e-6 where 95 % are good."""
    assert good_runs(1000, 300, 0.02, 30) > 21


@pytest.mark.slow
@pytest.mark.parametrize(("n", "t", "radius"), [(10**3, 300, 0.02), (10**4, 400, 0.01), (10**5, 600, 0.004)])
def test_planted_discs_are_found_in_19_of_20_runs(n, t, radius):
    assert good_runs(n, t, radius, 200) >= 190


def test_centers_of_blobs_are_found_by_a_ball_around_most_blocks():
    """All three within 0.05 in at least 99 % of 200 runs, n = 100,000."""
    rng = np.random.default_rng(5)
    blobs = CENTERS[rng.integers(0, 3, 100_000)] + 0.03 * rng.standard_normal((100_000, 2))
    mechanism = Clusters(sampling=Partition(blocks=1000), aggregator=OneClusterAggregator())
    drawn = mechanism.prepare(Points(blobs, SQUARE), PRIVACY).draw(reproducible(1), 200)
    farthest = np.linalg.norm(mechanism.output.in_order(drawn, SQUARE) - CENTERS, axis=2).max(axis=1)
    assert np.count_nonzero(farthest <= 0.05) >= 198
