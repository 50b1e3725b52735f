"""Pairs in print: which of them the certificate confirms, and by how much others fail."""

from __future__ import annotations

import math

import pytest

from engine.noise import (
    Gaussian,
    GeneralizedCauchy,
    Laplace,
)
from engine.noise.certificate import certify
from engine.noise.laplace import dilation_delta
from engine.privacy import Privacy


@pytest.mark.parametrize(("gamma", "excess"), [(3.0, 4 / 3), (4.0, 1.5), (6.0, 5 / 3), (8.0, 1.75)])
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_conference_pair_of_the_generalized_cauchy_is_not_admissible(
    gamma: float, excess: float, epsilon: float
) -> None:
    noise = GeneralizedCauchy(gamma=gamma)
    conference, full = noise.published_pairs(Privacy(epsilon))
    found = certify(noise, conference.alpha, conference.beta, Privacy(epsilon))
    assert not found.admissible
    assert found.dilation_epsilon == pytest.approx(excess * epsilon / 2, rel=1e-9)
    assert found.sliding_epsilon < epsilon / 2
    if gamma <= 6:  # and yet the guarantee holds
        assert found.private
        assert found.joint_epsilon < 0.945 * epsilon
    confirmed = certify(noise, full.alpha, full.beta, Privacy(epsilon))
    assert confirmed.admissible
    assert confirmed.private


@pytest.mark.parametrize(("gamma", "loss"), [(8.0, 1.005), (12.0, 1.075)])
def test_conference_pair_of_the_generalized_cauchy_is_not_private_for_large_gamma(
    gamma: float, loss: float
) -> None:
    noise, privacy = GeneralizedCauchy(gamma=gamma), Privacy(0.1)
    conference = noise.published_pairs(privacy)[0]
    found = certify(noise, conference.alpha, conference.beta, privacy)
    assert not found.private
    assert found.joint_epsilon == pytest.approx(loss * 0.1, rel=1e-3)


def test_conference_pair_of_the_generalized_cauchy_is_right_at_two() -> None:
    noise = GeneralizedCauchy(gamma=2.0)
    conference = noise.published_pairs(Privacy(1.0))[0]
    assert certify(noise, conference.alpha, conference.beta, Privacy(1.0)).admissible


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-6])
def test_conference_pair_of_the_gaussian_is_rejected(epsilon: float, delta: float) -> None:
    privacy = Privacy(epsilon, delta)
    conference, full = Gaussian().published_pairs(privacy)
    found = certify(Gaussian(), conference.alpha, conference.beta, privacy)
    assert not found.admissible
    assert found.sliding_delta > delta / 2
    assert (found.dilation_delta > delta / 2) == ((epsilon, delta) not in ((0.1, 1e-3), (0.5, 1e-3)))
    assert found.private == ((epsilon, delta) == (0.1, 1e-3))
    if (epsilon, delta) == (1.0, 1e-3):
        assert found.joint_delta == pytest.approx(8e-3, rel=0.01)
    assert certify(Gaussian(), full.alpha, full.beta, privacy).admissible


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-6])
def test_conference_pair_of_laplace_is_confirmed(epsilon: float, delta: float) -> None:
    privacy = Privacy(epsilon, delta)
    for pair in Laplace().published_pairs(privacy):
        found = certify(Laplace(), pair.alpha, pair.beta, privacy)
        assert found.admissible
        assert found.private
        assert found.dilation_delta < 0.18 * delta / 2


@pytest.mark.parametrize(("epsilon", "delta"), [(8.0, 1e-3), (10.0, 1e-6)])
def test_full_version_of_laplace_is_not_admissible_at_large_epsilon(epsilon: float, delta: float) -> None:
    privacy = Privacy(epsilon, delta)
    full = Laplace().published_pairs(privacy)[-1]
    assert not certify(Laplace(), full.alpha, full.beta, privacy).admissible


@pytest.mark.parametrize(("dimension", "fine"), [(2, False), (5, False), (20, True)])
def test_conference_claim_for_laplace_in_several_dimensions(dimension: int, fine: bool) -> None:
    """The constant 1 in beta = epsilon/(sqrt(d) ln(1/delta)) is too large at small d."""
    privacy = Privacy(1.0, 1e-6)
    beta = 1 / (math.sqrt(dimension) * math.log(1e6))
    found = certify(Laplace(), 0.5, beta, privacy, dimension)
    assert found.admissible == fine
    assert found.dilation_delta == pytest.approx(dilation_delta(beta, 0.5, dimension), rel=5e-3)
