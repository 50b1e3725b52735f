"""Privacy: values that make sense, sharing and composing a budget."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ParameterError
from engine.privacy import Privacy, compose


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.nan, math.inf])
def test_an_epsilon_that_makes_no_sense(epsilon):
    with pytest.raises(ParameterError, match="epsilon") as caught:
        Privacy(epsilon)
    assert caught.value.field == "epsilon"


@pytest.mark.parametrize("delta", [-1e-9, 1.0, 2.0, math.nan])
def test_a_delta_that_makes_no_sense(delta):
    with pytest.raises(ParameterError, match="delta"):
        Privacy(1.0, delta)


def test_parts_compose_to_the_whole():
    parts = Privacy(1.0, 1e-6).split([1, 2, 5])
    assert [part.epsilon for part in parts] == [0.125, 0.25, 0.625]
    whole = compose(parts)
    assert whole.epsilon == pytest.approx(1.0)
    assert whole.delta == pytest.approx(1e-6)


@given(st.floats(1e-9, 100), st.lists(st.floats(1e-9, 1), min_size=1, max_size=6))
def test_parts_are_never_more_than_the_whole(epsilon, shares):
    """In exact numbers, and less by last digits alone."""
    parts = Privacy(epsilon, 1e-6).split(shares)
    spent = sum(Fraction(part.epsilon) for part in parts)
    assert Fraction(epsilon) * (1 - Fraction(2) ** -48) < spent <= Fraction(epsilon)
    assert sum(Fraction(part.delta) for part in parts) <= Fraction(1e-6)
