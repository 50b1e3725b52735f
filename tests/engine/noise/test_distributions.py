"""Density, cdf, quantile, variance and sampler of every family agree with each other."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys

import numpy as np
import pytest
from discrete import number_of_draws
from scipy import integrate

from engine.errors import ParameterError
from engine.noise import (
    NOISES,
    ArsinhNormal,
    Gaussian,
    GeneralizedCauchy,
    Laplace,
    LaplaceLogNormal,
    LaplacePareto,
    MultivariateT,
    Noise,
    PowerLaplace,
    StudentT,
    UniformLogNormal,
)
from engine.randomness import reproducible, secure
from engine.sampling.balls import Bits, precision
from engine.sampling.output_grid import OutputGrid

FAMILIES: list[Noise] = [
    Laplace(),
    Gaussian(),
    *(GeneralizedCauchy(gamma=gamma) for gamma in (1.1, 2.0, 4.0, 8.0, 40.0)),
    *(StudentT(nu=nu) for nu in (0.1, 1.0, 3.0, 30.0)),
    MultivariateT(nu=3.0),
    *(PowerLaplace(g=g) for g in (1.05, 2.2, 20.0)),
    *(LaplacePareto(g=g) for g in (0.5, 2.5, 4.0, 50.0)),
    *(
        family(sigma=sigma)
        for family in (LaplaceLogNormal, UniformLogNormal, ArsinhNormal)
        for sigma in (0.05, 0.5, 1.15, 4.0)
    ),
]

families = pytest.mark.parametrize("noise", FAMILIES, ids=repr)


def mass(noise: Noise, low: float, high: float) -> float:
    """Integrate the density over [low, high], 0 < low, in ln z."""
    cuts = np.linspace(math.log(low), math.log(high), 9)
    if isinstance(noise, LaplacePareto):
        knot = math.log(noise.g + 1)
        cuts = np.unique(np.clip(np.append(cuts, knot), cuts[0], cuts[-1]))
    return sum(
        integrate.quad(
            lambda x: float(noise.density(math.exp(x))) * math.exp(x), a, b, epsabs=0, epsrel=1e-11
        )[0]
        for a, b in itertools.pairwise(cuts)
    )


@families
def test_cdf_is_the_integral_of_the_density(noise: Noise) -> None:
    for low, high in ((1e-3, 0.1), (0.1, 1.0), (1.0, 3.0), (3.0, 20.0)):
        expected = float(noise.cdf(-low) - noise.cdf(-high))
        if expected > 1e-250:
            assert mass(noise, low, high) == pytest.approx(expected, rel=1e-9)


@families
def test_density_integrates_to_one(noise: Noise) -> None:
    far = min(-float(noise.quantile(1e-13)), 1e200)
    # within 1e-9 of 0 the density is its value there; beyond `far` the tail has a cdf
    around = 2e-9 * float(noise.density(0.0))
    x = np.linspace(math.log(1e-9), math.log(far), 50_001)
    halves = 2 * np.trapezoid(noise.density(np.exp(x)) * np.exp(x), x)
    assert around + halves + 2 * float(noise.cdf(-far)) == pytest.approx(1, abs=1e-5)


@families
def test_quantile_inverts_cdf_into_the_far_tail(noise: Noise) -> None:
    p = np.array([1e-300, 1e-100, 1e-30, 1e-10, 1e-3, 0.1, 0.24, 0.26, 0.4, 0.49, 0.4999999, 0.5])
    z = noise.quantile(p)
    reached = np.isfinite(z)
    assert reached[3:].all()
    np.testing.assert_allclose(noise.cdf(z)[reached], p[reached], rtol=1e-10)
    assert np.all(np.diff(z[reached]) > 0)
    np.testing.assert_allclose(noise.quantile(1 - p[5:]), -z[5:], rtol=1e-9, atol=1e-15)


@families
def test_symmetry_and_extremes(noise: Noise) -> None:
    z = np.array([0.0, 1e-300, 0.3, 2.0, 1e10, 1e300, math.inf])
    np.testing.assert_array_equal(noise.density(z), noise.density(-z))
    np.testing.assert_allclose(noise.cdf(z) + noise.cdf(-z), 1, rtol=1e-15)
    assert noise.cdf(0.0) == pytest.approx(0.5, rel=1e-14)
    assert noise.cdf(math.inf) == 1
    assert noise.cdf(-math.inf) == 0
    assert noise.density(math.inf) == 0
    assert noise.quantile(0.5) == 0
    assert noise.quantile(0.0) == -math.inf
    assert noise.quantile(1.0) == math.inf
    assert np.all(np.isfinite(noise.log_density([0.0, 1e-300, 1.0, 1e150])))
    assert noise.density(np.ones((2, 3))).shape == (2, 3)


@families
def test_variance_by_quadrature(noise: Noise) -> None:
    if math.isinf(noise.variance):
        heavy = {"generalized-cauchy": 3, "multivariate-t": 2, "student-t": 2, "power-laplace": 2, "lcp": 2}
        assert next(iter(noise.settings().values())) <= heavy[noise.name]
        return
    x = np.linspace(-30, 200, 50_001)
    z = np.exp(x)
    second = 2 * np.trapezoid(np.exp(noise.log_density(z) + 3 * x), x)
    assert second == pytest.approx(noise.variance, rel=1e-5)


@families
def test_sampler_passes_kolmogorov_smirnov(noise: Noise) -> None:
    """Massart's constant for the inequality of Dvoretzky, Kiefer and Wolfowitz: false alarm <= 1e-6.

    Compared at every 16th of the sorted draws: that misses 16/n at most, a hundredth of what is allowed.
    """
    n = 200_000
    places = np.arange(0, n, 16)
    cdf = noise.cdf(np.sort(noise.sample(reproducible(20240229), n))[places])
    distance = max(np.max((places + 1) / n - cdf), np.max(cdf - places / n))
    assert distance < math.sqrt(math.log(2 / 1e-6) / (2 * n))


@pytest.mark.parametrize("family", NOISES.values())
def test_no_release_draws_in_double_precision(family: type[Noise]) -> None:
    with pytest.raises(TypeError, match="double precision"):
        family().sample(secure(), 3)


@families
def test_balls_hold_what_doubles_say(noise: Noise) -> None:
    """The two uniform numbers of a draw are given, the quantiles of doubles are right to 1e-10."""
    for seed in range(20):
        rng = reproducible(seed)
        bits = Bits(int(rng.integers(2**64, dtype=np.uint64)))
        with precision(200):
            drawn, again = noise.enclosed(bits), noise.enclosed(bits)
            expected = in_doubles(noise, bits)
        assert float(drawn.rad()) <= 2.0**-120 * abs(float(drawn.mid()))
        assert drawn.overlaps(again)
        assert float(drawn.mid()) == pytest.approx(expected, rel=1e-10)


def in_doubles(noise: Noise, bits: Bits) -> float:
    """Return the same draw in doubles."""
    first = bits.sign() * float(bits.uniform().mid())
    if isinstance(noise, LaplaceLogNormal | UniformLogNormal):
        second = bits.sign(1) * float(Gaussian().quantile(1 - float(bits.uniform(1).mid()) / 2))
        base = first if isinstance(noise, UniformLogNormal) else math.copysign(math.log(abs(first)), first)
        return base * math.exp(noise.sigma * second)
    return math.copysign(float(noise.quantile(abs(first) / 2)), first)


@families
@number_of_draws(200, 400)
def test_releases_have_the_law_of_simulations(noise: Noise, runs: int) -> None:
    """Massart's constant for the inequality of Dvoretzky, Kiefer and Wolfowitz: false alarm <= 1e-6."""
    grid = OutputGrid(2.0**-30)
    draws = np.sort(grid.noisy(0, 1.0, noise, secure(), runs))
    assert np.all(np.ldexp(draws, 30) == np.rint(np.ldexp(draws, 30)))
    cdf = noise.cdf(draws)
    steps = np.arange(runs + 1) / runs
    distance = max(np.max(steps[1:] - cdf), np.max(cdf - steps[:-1]))
    assert distance < math.sqrt(math.log(2 / 1e-6) / (2 * runs))


def test_known_values() -> None:
    assert GeneralizedCauchy(gamma=2.0).cdf(1.0) == pytest.approx(0.75, rel=1e-15)
    assert StudentT(nu=1.0).cdf(-1.0) == pytest.approx(0.25, rel=1e-15)
    assert GeneralizedCauchy(gamma=2.0).cdf(-1e300) == pytest.approx(1e-300 / math.pi, rel=1e-12)
    assert GeneralizedCauchy(gamma=4.0).variance == pytest.approx(1)
    assert StudentT(nu=3.0).density(0.0) == pytest.approx(2 / (math.pi * math.sqrt(3)))
    assert Laplace().quantile(1e-300) == pytest.approx(math.log(2e-300))
    # the mean of a log-normal: 0.5 E[exp(-sigma Y)]
    assert LaplaceLogNormal(sigma=1.0).density(0.0) == pytest.approx(0.5 * math.exp(0.5), rel=1e-13)
    assert UniformLogNormal(sigma=1.0).density(0.0) == pytest.approx(0.5 * math.exp(0.5), rel=1e-13)


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_quantile_refuses_what_is_no_probability(p: float) -> None:
    with pytest.raises(ParameterError):
        Laplace().quantile(p)


@pytest.mark.parametrize(
    ("family", "value"),
    [
        (GeneralizedCauchy, 1.0),
        (GeneralizedCauchy, math.nan),
        (StudentT, 0.0),
        (StudentT, -1.0),
        (LaplacePareto, math.inf),
        (LaplaceLogNormal, 0.0),
        (UniformLogNormal, 5.0),
        (ArsinhNormal, -1.0),
    ],
)
def test_bad_parameters_name_the_field(family: type[Noise], value: float) -> None:
    (declared,) = family.parameters()
    with pytest.raises(ParameterError) as caught:
        family(**{declared.name: value})
    assert caught.value.field == declared.name


@pytest.mark.parametrize(("name", "family"), NOISES.items())
def test_every_family_introduces_itself(name: str, family: type[Noise]) -> None:
    assert family.name == name
    assert family.label
    assert family.summary.endswith(".")
    assert family.source
    assert all(declared.label and declared.help for declared in family.parameters())


def test_importing_the_noises_leaves_heavy_modules_alone() -> None:
    code = "import sys, engine.noise, engine.noise.certificate; print([m for m in sys.modules if m in HEAVY])"
    heavy = "HEAVY = ('scipy.stats', 'scipy.optimize', 'scipy.integrate', 'matplotlib'); "
    found = subprocess.run([sys.executable, "-c", heavy + code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


EXTREMES = [
    type(noise)(**{declared.name: bound})
    for noise in (family() for family in NOISES.values())
    for declared in noise.parameters()
    for bound in (declared.lower, declared.upper)
]


@pytest.mark.parametrize("noise", EXTREMES, ids=repr)
def test_no_value_has_an_atom(noise):
    """A value that comes twice would single out the true one: doubles leave room for all."""
    values = noise.sample(np.random.default_rng(3), 100_000)
    assert np.all(values != 0)
    assert np.unique(values).size == values.size
