"""The pairs: numbers known from the literature and from independent derivations."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np
import pytest

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.noise import (
    NOISES,
    Gaussian,
    GeneralizedCauchy,
    Laplace,
    LaplaceLogNormal,
    LaplacePareto,
    Noise,
    PowerLaplace,
    StudentT,
    default_pair,
)
from engine.noise import gaussian as gaussian_module
from engine.noise import laplace as laplace_module
from engine.noise.calibration import implying_rho, largest, region
from engine.privacy import Privacy

ONE = Privacy(1.0, 1e-6)


@pytest.mark.parametrize(
    ("epsilon", "rho"), [(0.1, 0.00032), (0.2, 0.00118), (0.25, 0.00180), (0.5, 0.00664), (1.0, 0.02436)]
)
def test_concentrated_privacy_that_implies_delta_of_1e_6(epsilon: float, rho: float) -> None:
    assert implying_rho(Privacy(epsilon, 1e-6)) == pytest.approx(rho, abs=6e-6)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-9])
def test_concentrated_against_a_grid_of_orders(epsilon: float, delta: float) -> None:
    rho = implying_rho(Privacy(epsilon, delta))
    a = 1 + np.geomspace(1e-4, 1e6, 200_001)
    logs = (a - 1) * (a * rho - epsilon) - np.log(a - 1) + a * np.log1p(-1 / a)
    assert logs.min() == pytest.approx(math.log(delta), abs=1e-5)
    # and the simple rule epsilon = rho + 2 sqrt(rho ln(1/delta)) is never better
    assert rho + 2 * math.sqrt(rho * math.log(1 / delta)) >= epsilon


def test_largest_stays_on_the_safe_side() -> None:
    for start in (1e-9, 1.0, 1e9):
        found = largest(lambda x: x <= math.pi, start)
        assert found <= math.pi
        assert found == pytest.approx(math.pi, rel=1e-11)


def test_region_is_closed_under_exchanging_the_databases() -> None:
    alpha, beta = 0.7, 0.3
    lam, delta = region(alpha, beta, steps=4)
    assert np.all(np.abs(lam) <= beta)
    assert np.all(delta * np.exp(-lam) <= alpha * np.minimum(1, np.exp(-lam)) * (1 + 1e-15))
    corners = set(zip(np.round(lam, 9), np.round(delta, 9), strict=True))
    assert {(-beta, round(alpha * math.exp(-beta), 9)), (beta, alpha), (0.0, alpha), (beta, 0.0)} <= corners


@pytest.mark.parametrize(("gamma", "slope"), [(2, 1), (3, 1.5874), (4, 2.2795), (6, 3.8236)])
def test_tight_rule_of_the_generalized_cauchy(gamma: float, slope: float) -> None:
    pair = GeneralizedCauchy(gamma=gamma).admissible(Privacy(1.0), split=0.25)
    assert pair.alpha == pytest.approx(0.25 / slope, rel=1e-4)
    assert pair.beta == pytest.approx(0.75 / (gamma - 1))


@pytest.mark.parametrize(
    "noise", [GeneralizedCauchy(gamma=3.5), StudentT(nu=2.5), LaplacePareto(g=3.0)], ids=repr
)
def test_tight_rule_is_the_slope_of_the_log_density(noise: Noise) -> None:
    z = np.geomspace(1e-4, 1e6, 400_001)
    logs = noise.log_density(z)
    slope = np.max(np.abs(np.diff(logs) / np.diff(z)))
    # narrowing by e^-lambda multiplies the density by e^lambda h(z e^lambda)/h(z)
    narrowing = np.max(np.abs(np.diff(logs) / np.diff(np.log(z)))) - 1
    pair = noise.admissible(Privacy(1.0))
    assert pair.alpha == pytest.approx(0.5 / slope, rel=1e-3)
    assert pair.beta == pytest.approx(0.5 / narrowing, rel=1e-3)
    several = noise.admissible(Privacy(1.0), dimension=5)
    assert (several.alpha, several.beta) == pytest.approx((pair.alpha, pair.beta / 5))


@pytest.mark.parametrize(("delta", "alpha", "beta"), [(1e-3, 0.199, 0.0653), (1e-6, 0.1198, 0.0263)])
def test_gaussian_even_split(delta: float, alpha: float, beta: float) -> None:
    sliding = largest(lambda a: gaussian_module.sliding_delta(a, 0.5) <= delta / 2, 0.1)
    dilation = largest(lambda b: gaussian_module.dilation_delta(b, 0.5, 1) <= delta / 2, 0.1)
    assert (sliding, dilation) == pytest.approx((alpha, beta), rel=4e-3)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-6])
def test_laplace_even_split_in_closed_form(epsilon: float, delta: float) -> None:
    beta = largest(lambda b: laplace_module.dilation_delta(b, epsilon / 2, 1) <= delta / 2, 0.1)
    radius = (epsilon / 2 + beta) / math.expm1(beta)
    assert math.exp(-radius) * -math.expm1(-beta) == pytest.approx(delta / 2, rel=1e-6)
    full = Laplace().published_pairs(Privacy(epsilon, delta))[-1]
    assert 1.25 < beta / full.beta < 2.9


@pytest.mark.parametrize(
    ("beta", "alpha"), [(0.0172, 0.86), (0.0345, 0.693), (0.0517, 0.514), (0.0689, 0.326)]
)
def test_laplace_joint_calibration(beta: float, alpha: float) -> None:
    found = largest(lambda a: laplace_module.joint_delta(a, beta, 1.0) <= 1e-6, 0.5)
    assert found == pytest.approx(alpha, rel=1e-3)


def closed_form(module: object) -> Callable[[float, float, float], float]:
    joint: Callable[[float, float, float], float] = module.joint_delta  # type: ignore[attr-defined]
    return joint


@functools.cache
def fine_grid(noise: Noise) -> tuple[Floats, Floats]:
    """Return many points, and the density there."""
    z = np.linspace(-60, 60, 600_001)
    return z, noise.density(z)


@pytest.mark.parametrize(
    ("noise", "module"), [(Laplace(), laplace_module), (Gaussian(), gaussian_module)], ids=repr
)
@pytest.mark.parametrize(("alpha", "beta"), [(0.8, 0.02), (0.3, 0.3), (2.5, 0.01), (0.01, 1.2), (3.0, 2.0)])
@pytest.mark.parametrize("epsilon", [0.05, 1.0])
def test_joint_delta_against_a_plain_sum(
    noise: Noise, module: object, alpha: float, beta: float, epsilon: float
) -> None:
    z, p = fine_grid(noise)
    worst = 0.0
    for lam, delta in (
        (beta, alpha),
        (-beta, alpha * math.exp(-beta)),
        (0.0, alpha),
        (beta, 0.0),
        (-beta, 0.0),
    ):
        q = noise.density((z - delta) * math.exp(-lam)) * math.exp(-lam)
        worst = max(worst, float(np.trapezoid(np.maximum(p - math.exp(epsilon) * q, 0), z)))
    assert closed_form(module)(alpha, beta, epsilon) == pytest.approx(worst, rel=1e-4, abs=1e-9)


TABLE = {  # beta: standard deviation over S at epsilon 1 (delta 1e-6), for the best shape parameter
    0.01: (2.34, 1.82, 1.51, 1.53),
    0.03: (2.50, 2.01, 1.67, 1.92),
    0.05: (2.68, 2.21, 1.84, 2.66),
    0.10: (3.24, 2.81, 2.32, None),
    0.20: (5.14, 4.81, 3.88, None),
}


@pytest.mark.parametrize("beta", TABLE)
def test_standard_deviations_at_given_beta(beta: float) -> None:
    def best(family: type[Noise], start: float, dilation: Callable[[float], float]) -> float:
        deviations = []
        for shape in np.arange(start + 0.05, 30, 0.05):
            noise = family(shape)  # type: ignore[call-arg]
            split = 1 - dilation(shape) * beta
            if split > 0:
                pair = noise.admissible(Privacy(1.0), split=split)
                assert pair.beta == pytest.approx(beta)
                deviations.append(math.sqrt(noise.variance) / pair.alpha)
        return min(deviations)

    cauchy, student, lcp, laplace = TABLE[beta]
    assert best(GeneralizedCauchy, 3, lambda gamma: gamma - 1) == pytest.approx(cauchy, abs=6e-3)
    assert best(StudentT, 2, lambda nu: nu) == pytest.approx(student, abs=6e-3)
    assert best(LaplacePareto, 2, lambda g: g) == pytest.approx(lcp, abs=6e-3)
    if laplace is not None:
        alpha = largest(lambda a: laplace_module.joint_delta(a, beta, 1.0) <= 1e-6, 0.5)
        assert math.sqrt(2) / alpha == pytest.approx(laplace, abs=6e-3)


@pytest.mark.parametrize("family", [family for family in NOISES.values() if family.shares])
@pytest.mark.parametrize("dimension", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_split_trades_sliding_for_dilation(family: type[Noise], dimension: int) -> None:
    pairs = [family().admissible(ONE, dimension, split=split) for split in (0.05, 0.25, 0.5, 0.75, 0.95)]
    alphas, betas = [pair.alpha for pair in pairs], [pair.beta for pair in pairs]
    # a numerical pair is found to 0.02 %, and alpha has a limit that it may reach
    assert np.all(np.diff(alphas) >= -1e-3 * max(alphas))
    assert alphas[-1] > 1.5 * alphas[0]
    assert betas == sorted(betas, reverse=True)
    assert all(pair.source for pair in pairs)


def test_published_pairs() -> None:
    conference, full = GeneralizedCauchy(gamma=4.0).published_pairs(Privacy(2.0))
    assert (conference.alpha, conference.beta) == (2 / 16, 2 / 4)
    assert (full.alpha, full.beta) == (2 / 10, 2 / 10)
    assert GeneralizedCauchy(gamma=4.0).admissible(Privacy(2.0), constants="published", split=0.9) == full
    (plane,) = GeneralizedCauchy(gamma=4.0).published_pairs(Privacy(2.0), 3)
    assert (plane.alpha, plane.beta) == pytest.approx((2 / 10, 2 / 30))
    conference, full = Laplace().published_pairs(ONE)
    assert (conference.alpha, conference.beta) == pytest.approx((0.5, 0.5 / math.log(1e6)))
    assert (full.alpha, full.beta) == pytest.approx((0.5, 0.5 / math.log(2e6)))
    conference, full = Gaussian().published_pairs(ONE)
    assert (conference.alpha, conference.beta) == pytest.approx(
        (1 / math.sqrt(math.log(1e6)), 0.5 / math.log(1e6))
    )
    assert full.alpha == pytest.approx(1 / (5 * math.sqrt(2 * math.log(2e6))))
    assert full.beta == pytest.approx(1 / (4 * (1 + math.log(2e6))))
    (student,) = StudentT(nu=3.0).published_pairs(ONE)
    assert (student.alpha, student.beta) == pytest.approx((math.sqrt(3) / 4, 1 / 8))
    assert LaplacePareto().published_pairs(ONE) == ()


@pytest.mark.parametrize(
    ("noise", "privacy", "options", "field"),
    [
        (Laplace(), Privacy(1.0), {}, "delta"),
        (Gaussian(), Privacy(1.0), {}, "delta"),
        (LaplaceLogNormal(), Privacy(1.0), {}, "delta"),
        (Gaussian(), Privacy(1.0), {"constants": "published"}, "delta"),
        (LaplacePareto(), ONE, {"constants": "published"}, "constants"),
        (StudentT(), ONE, {"constants": "published", "dimension": 2}, "constants"),
        (StudentT(), ONE, {"constants": "loose"}, "constants"),
        (StudentT(), ONE, {"split": 0.0}, "split"),
        (StudentT(), ONE, {"split": 1.0}, "split"),
        (StudentT(), ONE, {"split": math.nan}, "split"),
        (StudentT(), ONE, {"dimension": 0}, "dimension"),
        (StudentT(), Privacy(1e-300), {}, "epsilon"),
        (StudentT(), Privacy(1000.0), {}, "epsilon"),
    ],
)
def test_impossible_requests_say_why(
    noise: Noise, privacy: Privacy, options: dict[str, object], field: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        noise.admissible(privacy, **options)  # type: ignore[arg-type]
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


def test_light_tails_point_to_the_family_without_delta() -> None:
    with pytest.raises(ParameterError, match="power-laplace"):
        Laplace().published_pairs(Privacy(1.0))


@pytest.mark.parametrize("family", NOISES.values())
@pytest.mark.parametrize("epsilon", [1e-9, pytest.param(1e-3, marks=pytest.mark.slow), 100.0])
@pytest.mark.parametrize("delta", [1e-300, pytest.param(1e-15, marks=pytest.mark.slow), 0.999])
def test_extreme_requests_have_a_pair(family: type[Noise], epsilon: float, delta: float) -> None:
    for dimension in (1, 50):
        pair = family().admissible(Privacy(epsilon, delta), dimension)
        assert 0 < pair.alpha < math.inf
        assert 0 < pair.beta < math.inf


def test_a_family_that_gives_the_privacy_keeps_its_own_pair():
    asked = Privacy(0.7)
    assert default_pair(StudentT(), asked, split=0.3) == StudentT().admissible(asked, split=0.3)


def test_where_it_cannot_the_default_family_stands_in():
    assert default_pair(Laplace(), Privacy(0.7)) == PowerLaplace().admissible(Privacy(0.7))
