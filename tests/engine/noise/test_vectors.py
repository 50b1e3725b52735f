"""Noise that is the same in every direction: its rule, its certificate, and its law as it is released."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from discrete import number_of_draws

from engine.aggregation.spaces import Euclidean
from engine.domain import Box
from engine.mechanisms.aggregators import MedianAggregator
from engine.mechanisms.aggregators.base import VectorAdditive, output_grids
from engine.mechanisms.release import Private
from engine.noise import LaplacePareto, MultivariateT, PowerLaplace
from engine.noise.base import SphericalNoise
from engine.noise.calibration import region
from engine.noise.certificate import certify
from engine.noise.divergences import SphericalPairs
from engine.privacy import Privacy
from engine.randomness import reproducible, secure
from engine.sampling.balls import Bits, precision

ONE = Privacy(1.0)
FAMILIES: list[SphericalNoise] = [
    MultivariateT(nu=0.5),
    MultivariateT(nu=2.0),
    MultivariateT(nu=20.0),
    PowerLaplace(g=1.05),
    PowerLaplace(g=2.2),
    PowerLaplace(g=9.0),
]
QUICK = (MultivariateT(nu=2.0), PowerLaplace(g=2.2))
families = pytest.mark.parametrize(
    "noise",
    [pytest.param(noise, marks=[] if noise in QUICK else pytest.mark.slow) for noise in FAMILIES],
    ids=repr,
)
FAR = 1e9


@families
@pytest.mark.parametrize("dimension", [1, 3, *(pytest.param(d, marks=pytest.mark.slow) for d in (2, 5, 10))])
def test_pairs_are_private_and_planted_mistakes_are_caught(noise: SphericalNoise, dimension: int) -> None:
    for epsilon, split in ((0.1, 0.5), (1.0, 0.1), (1.0, 0.5), (1.0, 0.9), (4.0, 0.5)):
        pair = noise.admissible(Privacy(epsilon), dimension, split=split)
        found = certify(noise, pair.alpha, pair.beta, Privacy(epsilon), dimension)
        assert found.private
        assert found.joint_delta == 0
        assert found.joint_epsilon >= 0.5 * epsilon
    pair = noise.admissible(ONE, dimension)
    assert not certify(noise, 2 * pair.alpha, pair.beta, ONE, dimension).private
    assert not certify(noise, pair.alpha, 2.5 * pair.beta, ONE, dimension).private
    if dimension > 2:
        line = noise.admissible(ONE)
        assert not certify(noise, line.alpha, line.beta, ONE, dimension).private


@pytest.mark.parametrize(
    ("dimension", "nu"),
    [
        (3, 3.0),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in itertools.product([1, 2, 3, 7], [0.7, 3.0, 9.0])
        ),
    ],
)
def test_the_rule_of_the_sum_is_private_and_looser(dimension: int, nu: float) -> None:
    """max(d, nu) beta + (nu + d)/(2 sqrt(nu)) alpha <= epsilon: either step at its own worst place."""
    noise = MultivariateT(nu=nu)
    slope = (nu + dimension) / (2 * math.sqrt(nu))
    beta = 0.5 / max(dimension, nu)
    assert certify(noise, 0.5 / slope, beta, ONE, dimension).private
    pair = noise.admissible(ONE, dimension)
    assert pair.beta == pytest.approx(beta)
    # sqrt(3) times for nu = d; never less
    assert pair.alpha >= 0.5 / slope * (1 + 1e-9)
    if nu == dimension:
        assert pair.alpha == pytest.approx(math.sqrt(3) * 0.5 / slope)
    # each alone costs exactly what the rule says, in the limit of small steps
    tiny = SphericalPairs(noise, np.array([0.0, 1e-6, -1e-6]), np.array([1e-6, 0.0, 0.0]), max(2, dimension))
    d = max(2, dimension)
    assert tiny.supremum[0] == pytest.approx((nu + d) / (2 * math.sqrt(nu)) * 1e-6, rel=1e-3)
    assert tiny.supremum[1:].max() == pytest.approx(max(d, nu) * 1e-6, rel=1e-3)


@families
@pytest.mark.parametrize("dimension", [2, 5])
def test_no_point_of_space_has_a_larger_log_ratio(noise: SphericalNoise, dimension: int) -> None:
    rng = reproducible(3)
    pair = noise.admissible(ONE, dimension)
    z = noise.sample_vectors(rng, 20_000, dimension)
    for lam, delta in zip(*region(pair.alpha, pair.beta), strict=True):
        shift = np.zeros(dimension)
        shift[0] = delta
        there = np.linalg.norm((z - shift) * math.exp(-lam), axis=1)
        loss = noise.log_radial(np.linalg.norm(z, axis=1), dimension)
        loss = loss - noise.log_radial(there, dimension) + dimension * lam
        bound = SphericalPairs(noise, np.array([lam]), np.array([delta]), dimension).supremum[0]
        assert loss.max() <= bound * (1 + 1e-9) + 1e-12
        assert bound <= 1 + 1e-9


@families
def test_divergence_against_a_plain_sum_in_the_plane(noise: SphericalNoise) -> None:
    x = np.sinh(np.linspace(-14, 14, 1001))
    r = np.hypot(x[:, None], x)
    weight = np.gradient(x)[:, None] * np.gradient(x)
    p = np.exp(noise.log_radial(r, 2))
    total = np.sum(p * weight)
    for lam, delta in ((0.3, 0.8), (-0.5, 0.6), (0.0, 1.0), (0.4, 0.0)):
        there = np.hypot(x[:, None] - delta, x) * math.exp(-lam)
        q = np.exp(noise.log_radial(there, 2) - 2 * lam)
        plain = np.sum(np.maximum(p - math.exp(0.2) * q, 0) * weight) / total
        found = SphericalPairs(noise, np.array([lam]), np.array([delta]), 2).divergence(0.2)[0]
        assert found == pytest.approx(plain, rel=2e-3, abs=2e-6)


@families
@pytest.mark.parametrize("dimension", [2, 7])
def test_lengths_follow_from_the_density(noise: SphericalNoise, dimension: int) -> None:
    t = np.linspace(-20, 70, 80_001)
    log_mass = noise.log_radial(np.exp(t), dimension) + dimension * t
    mass = np.exp(log_mass - log_mass.max())
    tails = np.array([0.999, 0.9, 0.5, 0.1, 1e-3, 1e-6])
    r = noise.radius_quantile(tails, dimension)
    beyond = [np.trapezoid(mass[t >= math.log(one)], t[t >= math.log(one)]) for one in r]
    np.testing.assert_allclose(beyond / np.trapezoid(mass, t), tails, rtol=3e-2)


@families
@pytest.mark.parametrize("dimension", [2, 5])
def test_balls_hold_what_doubles_say(noise: SphericalNoise, dimension: int) -> None:
    for _ in range(10):
        bits = [Bits() for _ in range(dimension)]
        with precision(200):
            drawn = [noise.enclosed_coordinate(bits, place) for place in range(dimension)]
            tail = float(bits[0].uniform(1).mid())
        assert all(float(one.rad()) <= 2.0**-120 * abs(float(one.mid())) for one in drawn)
        length = math.hypot(*(float(one.mid()) for one in drawn))
        assert length == pytest.approx(float(noise.radius_quantile(np.array(tail), dimension)), rel=1e-9)


@families
@number_of_draws(200, 400)
def test_releases_have_the_law_of_simulations(noise: SphericalNoise, runs: int) -> None:
    """Massart's constant for the inequality of Dvoretzky, Kiefer and Wolfowitz: false alarms <= 4e-7 in all.

    The lengths and two coordinates, of releases against exact laws or 400,000 simulated draws.
    """
    box = Box.of([-FAR] * 3, [FAR] * 3)
    center = np.array([1.0, 2.0, -3.0])
    ready = VectorAdditive(
        center=center,
        box=box,
        noise={},
        error=None,
        diagnostics=Private({}),
        exact=tuple(map(_fraction, center)),
        scale=np.full(3, 2.0),
        family=noise,
    )
    drawn = ready.draw(secure(), runs)
    for column, grid in zip(drawn.T, output_grids(box), strict=True):
        assert np.all(column % grid.step == 0)
    simulated = ready.simulated_noise(reproducible(5), 100_000)
    views = (lambda z: np.linalg.norm(z, axis=1), lambda z: z[:, 0], lambda z: z[:, 2] - z[:, 1])
    for view in views:
        known, seen = np.sort(view(simulated)), np.sort(view(drawn - center))
        cdf = np.searchsorted(known, seen) / len(known)
        steps = np.arange(runs + 1) / runs
        distance = max(np.max(steps[1:] - cdf), np.max(cdf - steps[:-1]))
        allowed = math.sqrt(math.log(2 / 5e-8) / 2)
        assert distance < allowed * (1 / math.sqrt(runs) + 1 / math.sqrt(len(known)))


def _fraction(value: float) -> Fraction:
    return Fraction(value)


def test_coordinates_that_were_calibrated_one_by_one_are_drawn_one_by_one() -> None:
    """A length that medians share would tell of all at once what was paid for each."""

    outputs = np.array(list(itertools.product([0.2, 0.5, 0.8], repeat=2)))
    space = Euclidean(Box.of([0, 0], [1, 1]))
    ready = MedianAggregator(noise=MultivariateT(nu=1.0)).prepare(outputs, space, 1, ONE)
    assert not ready.joint
    noise = np.abs(ready.simulated_noise(reproducible(1), 50_000) / ready.scale)
    both = np.mean((noise > 10).all(axis=1))
    each = np.mean(noise > 10)
    # a joint draw would have both far out in a tenth of all cases of one, not in each ** 2
    assert both == pytest.approx(each**2, abs=6 * math.sqrt(each**2 / 50_000))


def test_one_length_for_all_is_shorter_than_independent_coordinates() -> None:
    """At the same beta, and with the root of d that noise for the L1 norm pays in Euclidean space."""
    rng = reproducible(1)
    for dimension, gain in ((2, 1.7), (5, 2.2), (10, 2.5)):
        old, new = LaplacePareto(g=2.2), MultivariateT(nu=float(dimension))
        pair = old.admissible(ONE, dimension)
        vector = new.admissible(ONE, dimension, split=1 - pair.beta * dimension)
        assert vector.beta == pytest.approx(pair.beta)
        before = np.median(np.linalg.norm(old.sample_vectors(rng, 40_000, dimension), axis=1)) / pair.alpha
        after = np.median(np.linalg.norm(new.sample_vectors(rng, 40_000, dimension), axis=1)) / vector.alpha
        assert math.sqrt(dimension) * before > gain * after
