"""How good the ways of finding a ball are, in 2 to 30 dimensions.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.
"""

import numpy as np
import pytest

from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.one_cluster import OneCluster
from engine.privacy import Privacy
from engine.randomness import reproducible

pytestmark = pytest.mark.benchmark

PRIVACY = Privacy(1.0, 1e-6)
RADIUS = {1: 0.01, 2: 0.01, 3: 0.02, 4: 0.03, 6: 0.05, 10: 0.1, 20: 0.15, 30: 0.2}


def planted(n, t, d, seed):
    rng = np.random.default_rng(seed)
    values = rng.uniform(0, 1, (n, d))
    direction = rng.standard_normal((t, d))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    values[:t] = 0.4 + RADIUS[d] * direction * rng.uniform(0, 1, (t, 1)) ** (1 / d)
    return Points(values, Box.of([0] * d, [1] * d))


@pytest.mark.parametrize(
    ("method", "d", "t"),
    [
        ("overlapping-cells", 2, 400),
        ("overlapping-cells", 3, 500),
        ("overlapping-cells", 4, 600),
        ("overlapping-cells", 6, 800),
        ("wide-boxes", 2, 800),
        ("wide-boxes", 4, 800),
        ("tight-boxes", 2, 1000),
        ("tight-boxes", 4, 1000),
        ("tight-boxes", 6, 1000),
        ("tight-boxes", 10, 1000),
        ("tight-boxes", 20, 1500),
        ("tight-boxes", 30, 3000),
    ],
)
def test_balls_of_each_method(method, d, t):
    """n = 5,000, 20 runs on data of their own: how many points the ball holds, and how large it is."""
    held, ratio, failed, n = [], [], 0, 5000
    mechanism = OneCluster(t=t, method=method)
    box = Box.of([0] * d, [1] * d)
    for seed in range(20):
        data = planted(n, t, d, seed)
        ball = mechanism.prepare(data, PRIVACY).located.run(reproducible(seed)).ball
        if ball is None:
            failed += 1
            continue
        held.append(np.count_nonzero(ball.contains(data.values[:t])) / t)
        ratio.append(ball.radius / RADIUS[d])
    promise = mechanism.search.promise(box, n, PRIVACY)
    good = sum(h >= 0.4 and r <= 6 for h, r in zip(held, ratio, strict=True))
    print(
        f"\n| {method} | {d} | {t:,} | {promise.needed:,} | {good} of 20 | {failed} | "
        f"{np.median(held):.2f} | {np.median(ratio):.1f} |"
    )
    assert failed <= 4
