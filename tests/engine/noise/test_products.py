"""Log-normal noise in several dimensions: enlarged pairs against a plain sum over the plane."""

import math

import numpy as np
import pytest

from engine.noise import ArsinhNormal, LaplaceLogNormal, UniformLogNormal
from engine.noise.certificate import certify
from engine.privacy import Privacy

ASKED = Privacy(1.0, 1e-4)
LENGTH = 901


def plain(noise, lam, shift, epsilon):
    """Return the divergence at epsilon, by cells of the plane whose sides are quantiles."""
    tails = 0.5 * np.exp(-np.geomspace(1e-3, 40, LENGTH))
    edges = np.unique(np.concatenate([noise.quantile(tails), [0.0], -noise.quantile(tails)]))
    masses = []
    for one in shift:
        p = np.diff(noise.cdf(edges))
        q = np.diff(noise.cdf((edges - one) * math.exp(-lam)))
        masses.append((p, q))
    (p0, q0), (p1, q1) = masses
    return np.sum(np.maximum(p0[:, None] * p1 - math.exp(epsilon) * q0[:, None] * q1, 0))


@pytest.mark.parametrize(
    "noise",
    [
        ArsinhNormal(sigma=1.15),
        pytest.param(ArsinhNormal(sigma=0.3), marks=pytest.mark.slow),
        pytest.param(LaplaceLogNormal(), marks=pytest.mark.slow),
        pytest.param(UniformLogNormal(), marks=pytest.mark.slow),
    ],
    ids=repr,
)
def test_no_shift_in_the_plane_is_worse_than_what_was_looked_at(noise):
    pair = noise.admissible(ASKED, 2)
    worst = 0.0
    for lam in (pair.beta, 0.0, -pair.beta):
        for part in (0.0, 0.1, 0.3, 0.5):
            length = pair.alpha * min(1, math.exp(lam))
            for sign in (1, -1) if part else (1,):
                shift = ((1 - part) * length, sign * part * length)
                worst = max(worst, plain(noise, lam, shift, ASKED.epsilon))
    # cells taken whole lose a little
    assert worst <= ASKED.delta
    assert worst == pytest.approx(ASKED.delta, rel=0.1)


def test_two_dimensions_use_all_of_epsilon():
    """Before the pair was enlarged, a ninth of it."""
    noise, asked = ArsinhNormal(), Privacy(1.0, 1e-6)
    pair, proven = noise.admissible(asked, 2), noise._proven(asked, 2, 0.5)
    assert pair.alpha > 8.5 * proven.alpha
    assert certify(noise, pair.alpha, pair.beta, asked, 2).joint_epsilon == pytest.approx(1, rel=1e-3)
    assert certify(noise, proven.alpha, proven.beta, asked, 2).joint_epsilon < 0.12


def test_a_larger_pair_is_refuted():
    noise, asked = ArsinhNormal(), Privacy(1.0, 1e-6)
    pair = noise.admissible(asked, 2)
    assert not certify(noise, 1.02 * pair.alpha, 1.02 * pair.beta, asked, 2).private
    line = noise.admissible(asked)
    assert not certify(noise, line.alpha, line.beta, asked, 2).private


def test_where_products_are_not_looked_at_the_proof_stands():
    for asked, dimension in ((Privacy(1.0, 1e-6), 17), (Privacy(1e-6, 1e-6), 2), (Privacy(1.0, 1e-20), 2)):
        assert "Bun, Steinke" in ArsinhNormal().admissible(asked, dimension).source
