"""Sums of doubles are exact."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.sampling.sums import CHUNK, exact_sum


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=40))
def test_any_doubles(values):
    assert exact_sum(values) == sum(map(Fraction, values), Fraction(0))


@pytest.mark.parametrize("size", [CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_many_numbers(size):
    values = np.random.default_rng(size).lognormal(10, 3, size)
    assert exact_sum(values) == sum(map(Fraction, values.tolist()), Fraction(0))


def test_the_largest_numbers_do_not_overflow():
    values = np.full(CHUNK, 1.7e308)
    assert exact_sum(values) == CHUNK * Fraction(1.7e308)
