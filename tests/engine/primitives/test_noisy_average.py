"""The privacy of NoisyAVG as it stands in print, from the exact density of its outcomes."""

import itertools
import math

import numpy as np
import pytest
from discrete import laplace_density, legendre

from engine.primitives.averaging import noisy_average_sigma
from engine.privacy import Privacy


def outcome_density(m, mean, privacy, radius, y, shrink=1.0):
    """The density of NoisyAVG's answers at `y` in one dimension, by quadrature over m~."""
    scale = 2 / privacy.epsilon
    peak = m - scale * math.log(2 / privacy.delta)
    around = np.concatenate([-np.geomspace(1e-3, 40, 40)[::-1], [0], np.geomspace(1e-3, 40, 40)])
    cuts = np.concatenate([np.geomspace(1e-6, 1, 12), peak + scale * around])
    count, weight = legendre(cuts[cuts > 0], 8)
    sigma = shrink * noisy_average_sigma(count, radius, privacy)
    normal = np.exp(-(((y[:, None] - mean) / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))
    return normal @ (weight * laplace_density(count - peak, scale))


def noisy_average_delta(privacy, m, m_other, shrink=1.0):
    """The hockey-stick divergence of two neighbours; all points are at one end, but for one.

    That one moves to the other end (m = m_other), or is there and leaves (m = m_other + 1).
    """
    y = np.sinh(np.linspace(-16, 16, 1001))
    means = (-1.0 + 2 / m, -1.0) if m > 1 else (1.0, 0.0 if m_other == 0 else -1.0)
    sides = []
    for count, mean in zip((m, m_other), means, strict=True):
        margin = count * privacy.epsilon / 2 - math.log(2 / privacy.delta)
        refused = 1 - 0.5 * math.exp(margin) if margin < 0 else 0.5 * math.exp(-margin)
        sides.append((outcome_density(count, mean, privacy, 1.0, y, shrink), refused))
    worst = 0.0
    for (p, refused_p), (q, refused_q) in itertools.permutations(sides):
        excess = np.maximum(p - math.exp(privacy.epsilon) * q, 0)
        answered = np.sum((excess[1:] + excess[:-1]) / 2 * np.diff(y))
        worst = max(worst, answered + max(0.0, refused_p - math.exp(privacy.epsilon) * refused_q))
    return worst


COUNTS = [(1, 1), (1, 0), (2, 1), (5, 5), (6, 5), (12, 12), (13, 12), (40, 40), (41, 40)]


@pytest.mark.parametrize("privacy", [Privacy(0.5, 0.05), Privacy(1.0, 1e-3), Privacy(1.99, 0.01)], ids=repr)
def test_noisy_average_is_private(privacy):
    found = [noisy_average_delta(privacy, *pair) for pair in COUNTS]
    assert max(found) <= privacy.delta


def test_too_little_noise_of_a_noisy_average_is_noticed():
    privacy = Privacy(1.0, 1e-3)
    found = [noisy_average_delta(privacy, *pair, shrink=1 / 12) for pair in COUNTS]
    assert max(found) > privacy.delta
