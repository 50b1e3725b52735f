"""Choices by weight and coins have the law that they should, to the last bit; scores lie on a grid."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from scipy.special import chdtrc

from engine.errors import ParameterError
from engine.randomness import random_words, reproducible, secure
from engine.sampling import choice as module
from engine.sampling.choice import FINE, LARGEST, choose, coins, flip_coins, on_grid, up_to_grid

SOURCES = pytest.mark.parametrize("rng", [secure, lambda: reproducible(8)], ids=["release", "simulation"])


def from_table(weights):
    logs = np.log(
        np.asarray(weights, dtype=np.float64),
        where=np.asarray(weights) > 0,
        out=np.full(len(weights), -np.inf),
    )
    return logs, lambda place: arb(weights[place]).log()


@SOURCES
def test_places_come_with_their_weights(rng):
    """Chi-square, false alarm 1e-7."""
    weights, n = [1.0, 5.0, 0.0, 2.0, 0.5], 20_000
    logs, enclosed = from_table(weights)
    source = rng()
    drawn = np.bincount([choose(logs, enclosed, source, 3.0) for _ in range(n)], minlength=5)
    assert drawn[2] == 0
    expected = n * np.array([1.0, 5.0, 2.0, 0.5]) / 8.5
    assert chdtrc(3, np.sum((drawn[[0, 1, 3, 4]] - expected) ** 2 / expected)) > 1e-7


def test_the_balls_choose_as_the_doubles_do(monkeypatch):
    logs, enclosed = from_table([1.0, 5.0, 3.0, 2.0, 0.5, 0.0])
    for _ in range(200):
        words = random_words(6)
        monkeypatch.setattr(module, "random_words", lambda size, words=words: words)
        monkeypatch.setattr(module, "MIN_UNITS", 1 << 20)
        quick = choose(logs, enclosed, secure(), 3.0)
        monkeypatch.setattr(module, "MIN_UNITS", 1 << 54)
        assert choose(logs, enclosed, secure(), 3.0) == quick


def test_a_tie_in_doubles_is_broken_by_further_bits(monkeypatch):
    """Equal words and equal weights: only bits beyond the first 53 decide, and either may win."""
    monkeypatch.setattr(module, "random_words", lambda size: np.full(size, 1 << 63, dtype=np.uint64))
    logs, enclosed = from_table([1.0, 1.0])
    assert {choose(logs, enclosed, secure(), 1.0) for _ in range(64)} == {0, 1}  # false alarm 2^-63


@pytest.mark.parametrize("extreme", [0, 2**64 - 1])
def test_extreme_words_decide_nothing_alone(monkeypatch, extreme):
    monkeypatch.setattr(module, "random_words", lambda size: np.array([extreme, 1 << 63], dtype=np.uint64))
    logs, enclosed = from_table([1.0, 1.0])
    assert choose(logs, enclosed, secure(), 1.0) == (0 if extreme else 1)


def test_a_single_candidate():
    logs, enclosed = from_table([4.0])
    assert choose(logs, enclosed, secure(), 2.0) == 0


@SOURCES
@pytest.mark.parametrize("probability", [0.0, 1e-3, 0.3, 1.0])
def test_coins_fall_with_their_probability(rng, probability):
    """Six standard deviations: false alarm below 1e-8."""
    n = 100_000
    heads = np.count_nonzero(coins(probability, lambda: arb(probability), n, rng()))
    assert abs(heads - n * probability) <= 6 * math.sqrt(n * probability * (1 - probability))


@SOURCES
@pytest.mark.parametrize("probability", [0, Fraction(3, 4), 0.3, 1])
def test_flipped_coins_take_any_exact_probability(rng, probability):
    """Six standard deviations: false alarm below 1e-8."""
    n = 100_000
    heads = np.count_nonzero(flip_coins(probability, n, rng()))
    share = float(probability)
    assert abs(heads - n * share) <= 6 * math.sqrt(n * share * (1 - share))


@pytest.mark.parametrize("probability", [-0.1, 1.5, math.nan])
def test_a_probability_outside_of_0_to_1_is_refused(probability):
    with pytest.raises(ParameterError, match="it must be from 0 to 1"):
        flip_coins(probability, 1)


def test_a_coin_at_the_edge_asks_for_further_bits(monkeypatch):
    """A word equal to the leading bits of 1/3: the next bits of either decide."""
    word = (2**64 - 1) // 3
    monkeypatch.setattr(module, "random_words", lambda size: np.full(size, word, dtype=np.uint64))
    found = coins(1 / 3, lambda: arb(1) / 3, 200, secure())
    assert 0 < np.count_nonzero(found) < 200  # false alarm 2^-100


def test_few_digits_decide_nothing(monkeypatch):
    """A word of zeros may stand for a number that loses to any other one."""
    monkeypatch.setattr(module, "random_words", lambda size: np.array([0, 1 << 63], dtype=np.uint64))
    monkeypatch.setattr("engine.sampling.balls.random_bits", lambda size: 1)
    logs, enclosed = from_table([1.0, math.exp(-4.2)])
    assert choose(logs, enclosed, secure(), 5.0) == 1


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e5, 1e9, 1e15, 1e300])
@pytest.mark.parametrize("sensitivity", [FINE, 1.0, 2.0, 37.0])
def test_the_sensitivity_stays(scale, sensitivity):
    rng = np.random.default_rng(1)
    values = rng.normal(0, scale, 2000)
    others = values + sensitivity * rng.uniform(-1, 1, 2000)
    gaps = [abs(Fraction(a) - Fraction(b)) <= sensitivity for a, b in zip(values, others, strict=True)]
    moved = np.abs(on_grid(values) - on_grid(others))[gaps]
    assert moved.max() <= sensitivity


def test_numbers_move_down_by_less_than_a_step():
    values = np.random.default_rng(2).normal(0, 1e6, 1000)
    moved = on_grid(values)
    assert np.all((moved <= values) & (values < moved + FINE))
    assert np.array_equal(on_grid(moved), moved)
    # the largest and the finest of them differ by what doubles hold
    assert Fraction(LARGEST) + Fraction(LARGEST - FINE) == Fraction(LARGEST + (LARGEST - FINE))
    assert on_grid([math.inf, -math.inf, 1e300]).tolist() == [LARGEST, -LARGEST, LARGEST]


@pytest.mark.parametrize("slack", [0.0, FINE, 1 / 3, 246.9, 1e12, -0.5 - FINE / 3])
def test_slacks_are_rounded_up(slack):
    found = up_to_grid(slack)
    assert slack <= found < slack + FINE or found == slack
    assert Fraction(found) / Fraction(FINE) == int(Fraction(found) / Fraction(FINE))
