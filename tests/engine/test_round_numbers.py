"""Round numbers beside any other."""

from hypothesis import given
from hypothesis import strategies as st

from engine.round_numbers import nice


@given(st.floats(1e-300, 1e300))
def test_nice_numbers_enclose(value: float):
    assert nice(value, up=False) <= value * (1 + 1e-8)
    assert nice(value, up=True) >= value * (1 - 1e-8)
    assert nice(value, up=True) / nice(value, up=False) <= 1.51
