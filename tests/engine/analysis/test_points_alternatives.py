"""The best of the other mechanisms, against a plain comparison of all of them."""

import numpy as np
import pytest

from engine import Box, Clusters, Lloyd, NoisyAverage, Points, Privacy, reproducible
from engine.analysis.points_errors import best_alternative, compare_errors
from engine.mechanisms import BlockMechanism

MIDDLES = np.array([(0.2, 0.25), (0.75, 0.3), (0.5, 0.8)])


@pytest.fixture(scope="module")
def data():
    """Return three clusters that are easy to tell apart."""
    rng = reproducible(3)
    values = MIDDLES[rng.integers(0, 3, 2000)] + rng.normal(0, 0.02, (2000, 2))
    return Points(np.clip(values, 0, 1), Box.of([0, 0], [1, 1]))


@pytest.mark.slow
def test_it_is_the_first_of_the_others_in_the_comparison(data):
    privacy = Privacy(1.0)
    mechanism = Clusters(k=3)
    found = best_alternative(mechanism, data, privacy)
    compared = compare_errors(mechanism, data, privacy)
    own = next(sample for sample in compared.samples if sample.chosen)
    best = next(sample for sample in compared.ranked if not sample.chosen)
    assert found.label == best.label
    assert found.typical == pytest.approx(best.typical, rel=0.5)  # from fewer releases
    assert found.better == own.typical / found.typical


def test_a_mechanism_without_blocks_is_compared_with_others_without_them(data):
    found = best_alternative(NoisyAverage(), data, Privacy(1.0))
    assert found.label == "CoinPress"
    assert found.better < 1
    found = best_alternative(Lloyd(k=3), data, Privacy(1.0))
    assert not isinstance(found.mechanism, BlockMechanism)
    assert found.mechanism.k == 3
