"""The grid of scores: nothing on it is rounded, and no two numbers come to be farther apart."""

import math
from fractions import Fraction

import numpy as np
import pytest

from engine.sampling.scores import FINE, LARGEST, on_grid, up_to_grid


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
