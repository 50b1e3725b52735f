"""The certificate confirms every pair that is used, and rejects the wrong ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.errors import ParameterError
from engine.noise import (
    NOISES,
    ArsinhNormal,
    Gaussian,
    GeneralizedCauchy,
    Laplace,
    LaplaceLogNormal,
    LaplacePareto,
    Noise,
    StudentT,
    UniformLogNormal,
)
from engine.noise.certificate import Certificate, certify
from engine.noise.divergences import Pairs
from engine.noise.laplace import joint_delta
from engine.privacy import Privacy

PURE = [
    LaplacePareto(),
    LaplacePareto(g=0.5),
    LaplacePareto(g=20.0),
    StudentT(),
    StudentT(nu=0.5),
    StudentT(nu=20.0),
    GeneralizedCauchy(),
    GeneralizedCauchy(gamma=1.5),
    GeneralizedCauchy(gamma=2.0),
    GeneralizedCauchy(gamma=12.0),
]
APPROXIMATE = [
    Laplace(),
    Gaussian(),
    LaplaceLogNormal(),
    UniformLogNormal(),
    UniformLogNormal(sigma=1.5),
    ArsinhNormal(),
    ArsinhNormal(sigma=0.4),
]
FIRST_OF_EACH = {type(noise): noise for noise in reversed(APPROXIMATE)}


def certify_admissible(noise: Noise, privacy: Privacy, dimension: int = 1, **options: object) -> Certificate:
    pair = noise.admissible(privacy, dimension, **options)  # type: ignore[arg-type]
    return certify(noise, pair.alpha, pair.beta, privacy, dimension)


@pytest.mark.parametrize("noise", PURE, ids=repr)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_tight_pairs_without_delta_are_private(noise: Noise, epsilon: float) -> None:
    for split in (0.1, 0.5, 0.9) if epsilon == 1.0 else (0.5,):
        found = certify_admissible(noise, Privacy(epsilon), split=split)
        assert found.private
        assert found.joint_delta == 0
        assert found.joint_epsilon <= epsilon * (1 + 1e-9)
        assert found.dilation_epsilon == pytest.approx((1 - split) * epsilon, rel=1e-9)
        assert found.sliding_epsilon <= split * epsilon * (1 + 1e-9)
        assert found.admissible == (split == 0.5)


@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(noise, marks=[] if noise is FIRST_OF_EACH[type(noise)] else pytest.mark.slow)
        for noise in APPROXIMATE
    ],
    ids=repr,
)
@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [
        (0.1, 1e-9),
        *(
            pytest.param(*asked, marks=pytest.mark.slow)
            for asked in [(0.1, 1e-3), (1.0, 1e-9), (1.0, 1e-3), (4.0, 1e-9), (4.0, 1e-3)]
        ),
    ],
)
def test_tight_pairs_with_delta_are_private(noise: Noise, epsilon: float, delta: float) -> None:
    for split in (0.1, 0.5, 0.9):
        found = certify_admissible(noise, Privacy(epsilon, delta), split=split)
        assert found.private
        if noise.name in ("laplace", "gaussian"):  # calibrated on the edge
            assert found.joint_delta == pytest.approx(delta, rel=1e-6)
            assert found.joint_epsilon == pytest.approx(epsilon, rel=1e-6)


@pytest.mark.parametrize("family", NOISES.values())
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_latest_published_pairs_are_private(family: type[Noise], epsilon: float) -> None:
    privacy = Privacy(epsilon, 1e-6 if family.needs_delta else 0.0)
    if family().published_pairs(privacy):
        found = certify_admissible(family(), privacy, constants="published")
        assert found.private
        assert found.admissible


@pytest.mark.parametrize("family", NOISES.values())
@pytest.mark.parametrize("dimension", [2, pytest.param(7, marks=pytest.mark.slow)])
def test_pairs_in_several_dimensions_are_private(family: type[Noise], dimension: int) -> None:
    privacy = Privacy(1.0, 1e-6 if family.needs_delta else 0.0)
    found = certify_admissible(family(), privacy, dimension, split=0.4)
    assert found.private
    if not family.needs_delta:
        assert found.dilation_epsilon == pytest.approx(0.6 if family.shares else 1.0, rel=1e-6)


@pytest.mark.parametrize("family", [Laplace, Gaussian, GeneralizedCauchy])
def test_published_pairs_in_several_dimensions_are_private(family: type[Noise]) -> None:
    privacy = Privacy(1.0, 1e-6 if family.needs_delta else 0.0)
    assert certify_admissible(family(), privacy, 3, constants="published").admissible


CALIBRATED = [
    LaplacePareto(),
    StudentT(),
    GeneralizedCauchy(),
    GeneralizedCauchy(gamma=8.0),
    Laplace(),
    Gaussian(),
]


@pytest.mark.parametrize("noise", CALIBRATED, ids=repr)
def test_planted_bugs_are_caught(noise: Noise) -> None:
    privacy = Privacy(1.0, 1e-6 if noise.needs_delta else 0.0)
    pair = noise.admissible(privacy)
    assert not certify(noise, 2 * pair.alpha, pair.beta, privacy).private
    assert not certify(noise, pair.alpha, privacy.epsilon, privacy).private
    assert not certify(noise, pair.alpha, privacy.epsilon / 2, privacy).private  # dilation constant 1
    assert not certify(noise, 2 * pair.alpha, pair.beta, privacy, 3).private


@pytest.mark.parametrize("noise", PURE[:4], ids=repr)
def test_forgetting_the_dimension_is_caught(noise: Noise) -> None:
    pair = noise.admissible(Privacy(1.0))
    assert not certify(noise, pair.alpha, pair.beta, Privacy(1.0), 3).private


@pytest.mark.parametrize("noise", [LaplaceLogNormal(), UniformLogNormal(), ArsinhNormal()], ids=repr)
def test_pairs_far_beyond_a_concentrated_bound_are_caught(noise: Noise) -> None:
    privacy = Privacy(1.0, 1e-6)
    pair = noise.admissible(privacy)
    assert not certify(noise, 12 * pair.alpha, pair.beta, privacy).private
    assert not certify(noise, pair.alpha, 1.0, privacy).private


@pytest.mark.parametrize(
    "noise", [LaplacePareto(), StudentT(), GeneralizedCauchy(gamma=2.0), *APPROXIMATE[2:]], ids=repr
)
def test_divergence_against_a_plain_sum(noise: Noise) -> None:
    lam = np.array([0.3, -0.3, 0.0, 0.15, 0.02, -1.0])
    delta = np.array([0.5, 0.4, 1.0, 0.0, 1e-3, 3.0])
    x = np.linspace(-45, 45, 60_001)
    z, step = np.sinh(x), np.cosh(x) * (x[1] - x[0])
    p = noise.density(z)
    pairs = Pairs(noise, lam, delta)
    for epsilon in (0.0, 0.1, 0.7):
        found = pairs.divergence(epsilon)
        for row, (dilation, shift) in enumerate(zip(lam, delta, strict=True)):
            q = noise.density((z - shift) * math.exp(-dilation)) * math.exp(-dilation)
            plain = np.sum(np.maximum(p - math.exp(epsilon) * q, 0) * step)
            assert found[row] == pytest.approx(plain, rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_divergence_against_the_closed_form_of_laplace(epsilon: float) -> None:
    for alpha, beta in ((0.8, 0.02), (0.3, 0.3), (2.5, 0.01), (1e-3, 0.09), (0.5, 1e-4)):
        found = certify(Laplace(), alpha, beta, Privacy(epsilon, 1e-6))
        assert found.joint_delta == pytest.approx(joint_delta(alpha, beta, epsilon), rel=1e-6, abs=1e-14)


def test_unbounded_log_ratios_are_infinite() -> None:
    privacy = Privacy(1.0, 1e-6)
    laplace, gaussian = certify(Laplace(), 0.5, 0.03, privacy), certify(Gaussian(), 0.1, 0.03, privacy)
    assert laplace.sliding_epsilon == pytest.approx(0.5, rel=1e-9)
    assert laplace.dilation_epsilon == math.inf
    assert gaussian.sliding_epsilon == math.inf
    assert certify(LaplaceLogNormal(), 0.1, 0.03, privacy).dilation_epsilon == math.inf
    pure = certify(Laplace(), 0.5, 0.03, Privacy(1.0))
    assert pure.joint_epsilon == math.inf
    assert not pure.private


def test_joint_epsilon_and_joint_delta_are_two_readings_of_one_curve() -> None:
    found = certify(Gaussian(), 0.2, 0.05, Privacy(1.0, 1e-4))
    again = certify(Gaussian(), 0.2, 0.05, Privacy(found.joint_epsilon, 1e-4))
    assert again.joint_delta == pytest.approx(1e-4, rel=1e-5)
    generous = certify(Gaussian(), 0.01, 1e-3, Privacy(1.0, 0.5))
    assert generous.joint_epsilon == 0


@pytest.mark.parametrize(
    ("alpha", "beta", "epsilon", "dimension", "field"),
    [
        (0.0, 0.1, 1.0, 1, "alpha"),
        (math.nan, 0.1, 1.0, 1, "alpha"),
        (math.inf, 0.1, 1.0, 1, "alpha"),
        (0.1, -1.0, 1.0, 1, "beta"),
        (0.1, 1e9, 1.0, 1, "beta"),
        (0.1, 0.1, 1e4, 1, "epsilon"),
        (0.1, 0.1, 1.0, 0, "dimension"),
    ],
)
def test_impossible_requests_name_the_field(
    alpha: float, beta: float, epsilon: float, dimension: int, field: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        certify(Laplace(), alpha, beta, Privacy(epsilon), dimension)
    assert caught.value.field == field


@pytest.mark.parametrize("family", NOISES.values())
@pytest.mark.parametrize(("alpha", "beta"), [(1e-9, 1e-9), (1e6, 1e-9), (1e-9, 100.0), (1e3, 50.0)])
def test_absurd_pairs_are_answered(family: type[Noise], alpha: float, beta: float) -> None:
    found = certify(family(), alpha, beta, Privacy(1.0, 1e-6))
    assert found.private == (alpha < 1 and beta < 1)
