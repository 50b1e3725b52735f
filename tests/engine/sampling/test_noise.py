"""Vectors of Laplace and Gaussian noise: rounding and thresholds, exact and in doubles."""

import math

import numpy as np
import pytest
from flint import arb
from scipy.special import chdtrc, ndtr

from engine.errors import ParameterError
from engine.randomness import random_words, reproducible, secure
from engine.sampling import laws
from engine.sampling import noise as module
from engine.sampling.balls import precision
from engine.sampling.noise import add_noise, is_above, noise_step

FAMILIES = ["laplace", "gaussian"]


@pytest.mark.parametrize("scale", [1e-9, 0.3, 1.0, 2.0, 1e6, 2e9, 1e15])
def test_the_step_divides_one_or_is_whole(scale):
    step = noise_step(scale)
    assert math.frexp(step)[0] == 0.5
    assert step == 1 or (step < 1 and step <= scale * 2.0**-19) or (step > 1 and step <= scale * 2.0**-39)


def below(family, z):
    return (
        ndtr(z)
        if family == "gaussian"
        else np.where(z < 0, np.exp(-np.abs(z)) / 2, 1 - np.exp(-np.abs(z)) / 2)
    )


@pytest.mark.parametrize("rng", [secure, lambda: reproducible(3)], ids=["release", "simulation"])
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scale", [0.4, 2.0, 30.0])
def test_rounded_noise_has_its_law(family, scale, rng):
    """Chi-square over whole numbers, tails together; false alarm 1e-7 (1e-6 in all)."""
    n, reach = 40_000, math.ceil(4 * scale)
    drawn = add_noise(np.full(n, 7.0), scale, family, 1.0, rng()) - 7
    assert np.all(drawn == np.rint(drawn))
    edges = np.arange(-reach, reach + 2) - 0.5
    cells = np.diff(below(family, edges / scale))
    expected = n * np.append(cells, 1 - cells.sum())
    counted, _ = np.histogram(drawn, edges)
    observed = np.append(counted, n - counted.sum())
    kept = expected >= 5
    expected = np.append(expected[kept], expected[~kept].sum() + 1e-9)
    observed = np.append(observed[kept], observed[~kept].sum())
    kept = expected >= 1
    statistic = np.sum((observed[kept] - expected[kept]) ** 2 / expected[kept])
    assert chdtrc(kept.sum() - 1, statistic) > 1e-7


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scale", [0.01, 3.0, 1e12])
def test_doubles_and_balls_round_alike(family, scale, monkeypatch):
    """The same words, once with doubles first and once with balls alone."""
    words = random_words(300)
    words = np.concatenate([words, np.array([0, 1, 2, 3, 2**64 - 1, 2**63, 5 << 33], dtype=np.uint64)])
    monkeypatch.setattr(module, "random_words", lambda size: words[:size])
    monkeypatch.setattr("engine.sampling.balls.random_bits", lambda size: (1 << size) // 3)
    values = np.linspace(-1e3, 1e3, words.size)
    first = add_noise(values, scale, family, 2.0**-6, secure())
    above = is_above(values, scale, 1.0, secure())
    monkeypatch.setattr(module, "MIN_UNITS", 2**54)
    assert np.array_equal(first, add_noise(values, scale, family, 2.0**-6, secure()))
    assert np.array_equal(above, is_above(values, scale, 1.0, secure()))


@pytest.mark.parametrize("family", FAMILIES)
def test_doubles_keep_their_error_bound(family):
    """What decides in doubles is within a 16th of the error that is allowed for, against balls."""
    rng = reproducible(5)
    uniform = np.concatenate(
        [rng.random(2000), 2.0 ** -rng.uniform(1, 33, 2000), 1 - 2.0 ** -rng.uniform(1, 33, 2000)]
    )
    quantile = laws.laplace if family == "laplace" else laws.normal
    from scipy.special import ndtri

    doubles = -np.log(uniform) if family == "laplace" else -ndtri(uniform / 2)
    with precision(200):
        for p, z in zip(uniform.tolist(), doubles.tolist(), strict=True):
            error = abs(float(quantile(arb(p) / 2) - z))
            assert error <= module.ACCURACY / 16 * (1 + abs(z))


@pytest.mark.parametrize("rng", [secure, lambda: reproducible(4)], ids=["release", "simulation"])
def test_thresholds_are_passed_with_their_probability(rng):
    """A binomial count, six standard deviations: false alarm below 1e-8."""
    n = 200_000
    for margin in (-3.0, 0.5):
        passed = np.count_nonzero(is_above(np.full(n, 1.0), 2.0, 1.0 + margin, rng()))
        p = float(below("laplace", -margin / 2.0))
        assert abs(passed - n * p) < 6 * math.sqrt(n * p * (1 - p))


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_and_nothing_at_all(family):
    assert add_noise(np.zeros((2, 3)), 1.0, family, 1.0, secure()).shape == (2, 3)
    assert add_noise([], 1.0, family, 1.0, secure()).size == 0
    assert is_above([], 1.0, 0.0, secure()).size == 0


def test_values_far_beyond_the_noise():
    assert add_noise([2.0**52 + 1], 1e-9, "laplace", 1.0, secure()).tolist() == [2.0**52 + 1]
    found = add_noise([1e200], 1e190, "gaussian", 2.0**600, secure())
    assert found[0] == pytest.approx(1e200, rel=1e-8)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"scale": 0.0}, "above 0"),
        ({"scale": float("nan")}, "above 0"),
        ({"family": "cauchy"}, "choose laplace or gaussian"),
    ],
)
def test_noise_that_cannot_be_is_refused(changed, said):
    with pytest.raises(ParameterError, match=said):
        add_noise([1.0], **{"scale": 1.0, **changed})


def test_without_a_generator_the_noise_is_that_of_a_release(monkeypatch):
    words = np.array([2**63], dtype=np.uint64)  # a uniform number of 1/2
    monkeypatch.setattr(module, "random_words", lambda size: words)
    assert add_noise([0.0], 1.0, step=0.5).tolist() == [0.5]  # ln 2
    assert is_above([0.0], 1.0, 0.69).tolist() == [True]
    assert is_above([0.0], 1.0, 0.7).tolist() == [False]
