"""Numbers as users read them."""

from __future__ import annotations

import math

import pytest

from app.model.wording.numbers import THIN, number, plain, quantity, share, tick_texts


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (200_000, "200 000"),
        (40_760.37, "40 760"),
        (1450, "1 450"),
        (103.4, "103"),
        (16.44, "16.4"),
        (9.999, "10"),
        (0.012345, "0.0123"),
        (-3, "−3"),
        (9_999_999, "9 999 999"),
        (1e12, "10¹²"),
        (-1.5e12, "−1.5×10¹²"),
        (9.999e-10, "10⁻⁹"),
        (2.38e-11, "2.38×10⁻¹¹"),
        (5e-324, "4.94×10⁻³²⁴"),
        (1.7976931348623157e308, "1.8×10³⁰⁸"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "–"),
    ],
)
def test_number(value: float, text: str):
    assert number(value).replace(THIN, " ") == text


def test_more_digits_on_demand():
    assert number(40_760.37, 7).replace(THIN, " ") == "40 760.37"


def test_a_unit_stands_behind_and_never_in_the_next_line():
    assert quantity(12, "$") == f"12{THIN}$"
    assert quantity(12) == "12"


def test_two_dollars_are_no_formula():
    assert plain("1 $ or 2 $") == r"1 \$ or 2 \$"


@pytest.mark.parametrize(
    ("probability", "text"),
    [(0.0, "0 %"), (0.05, "5 %"), (0.1234, "12 %"), (0.99951, "99.95 %"), (1.0, "100 %"), (3e-8, "3×10⁻⁸")],
)
def test_share(probability: float, text: str):
    assert share(probability).replace(THIN, " ") == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0, 50_000, 100_000], ["0", "50 000", "100 000"]),
        ([0, 2.5, 5], ["0", "2.5", "5.0"]),
        ([-0.01, 0, 0.01], ["−0.01", "0", "0.01"]),
        ([0, 5e11, 1e12], ["0", "0.5×10¹²", "1.0×10¹²"]),
        ([0, 1e-9, 2e-9], ["0", "10⁻⁹", "2×10⁻⁹"]),
        ([1e12, 1e12 + 1], ["1.000000000000×10¹²", "1.000000000001×10¹²"]),
        ([0.0], ["0"]),
    ],
)
def test_tick_texts(values: list[float], texts: list[str]):
    assert [text.replace(THIN, " ") for text in tick_texts(values)] == texts
