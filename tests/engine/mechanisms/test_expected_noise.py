"""What a planner expects of noise, beside the noise that aggregators add to normal outputs."""

import numpy as np
import pytest

from engine.aggregation.spaces import Euclidean
from engine.domain import Box
from engine.mechanisms.aggregators import AGGREGATORS
from engine.mechanisms.aggregators.expected import spread_of, typical_length
from engine.mechanisms.planning import plan
from engine.noise import Gaussian, Laplace, PowerLaplace
from engine.privacy import Privacy
from engine.randomness import reproducible

PRIVACY = Privacy(1.0, 1e-6)
KNOWN = [name for name in AGGREGATORS if name != "one-cluster"]


def cube(d):
    return Euclidean(Box.of([0] * d, [1] * d))


POSSIBLE = [
    (name, d, m)
    for name in KNOWN
    for d, m in ((1, 700), (3, 700), (2, 150 if name != "smallest-ball" else 100))
    if not AGGREGATORS[name]().problems(cube(d), m, 1, PRIVACY)
]


@pytest.mark.parametrize(("name", "d", "m"), POSSIBLE)
def test_noise_is_about_as_long_as_expected(name, d, m):
    """Within a factor of 3, and where a bound is expected, of 8 below it; at most the whole range counts."""
    aggregator, space = AGGREGATORS[name](), cube(d)
    outputs = 0.5 + 0.02 * np.random.default_rng(m + d).standard_normal((m, d))
    radius = np.quantile(np.linalg.norm(outputs - 0.5, axis=1), 0.75)
    ready = aggregator.prepare(outputs, space, 1, PRIVACY)
    drawn = ready.draw(reproducible(1), 200)
    found = float(np.nanmedian(np.linalg.norm(drawn - ready.center, axis=1)))
    expected = min(
        space.diameter,
        float(aggregator.expected_noise(np.array([float(m)]), np.array([radius]), space, 1, PRIVACY)[0]),
    )
    least = 1 / 8 if name in ("center-of-attention", "shortest-interval") else 1 / 3
    assert least < found / expected < 3


def test_three_quarters_of_normal_vectors_lie_within_the_radius():
    for d in (1, 2, 5, 50):
        lengths = np.linalg.norm(np.random.default_rng(d).standard_normal((20_000, d)), axis=1)
        assert spread_of(np.quantile(lengths, 0.75), d) == pytest.approx(1, rel=0.02)


def test_noise_of_each_coordinate_is_longer_than_a_joint_draw_where_they_differ():
    assert typical_length(Gaussian(), 3) == pytest.approx(1.538, rel=0.03)  # median of the chi law
    assert typical_length(Gaussian(), 3, joint=False) == pytest.approx(1.538, rel=0.03)
    assert typical_length(Laplace(), 1) == pytest.approx(np.log(2), rel=0.05)


def test_each_aggregator_gets_its_own_number_of_blocks():
    space, found = cube(6), {}
    for name in KNOWN:
        if name != "shortest-interval":
            aggregator = AGGREGATORS[name]()
            fewest = aggregator.fewest(space, 1, PRIVACY)
            found[name] = plan(
                10**6, space, PRIVACY, PowerLaplace(), 0.1, fewest=fewest, aggregator=aggregator
            )
    assert found["exponential-median"].error < found["average"].error < found["center-of-attention"].error
    assert found["friendly-core"].blocks > AGGREGATORS["friendly-core"]().fewest(space, 1, PRIVACY)
    assert not any(one.stands_in for one in found.values())
    assert plan(
        20_000, space, PRIVACY, PowerLaplace(), 0.03, aggregator=AGGREGATORS["one-cluster"]()
    ).stands_in
