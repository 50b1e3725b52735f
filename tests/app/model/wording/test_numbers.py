"""Numbers as users read them."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import app
from app.model.wording.numbers import THIN, number, plain, quantity, share, tick_texts, times, within

APP = Path(app.__file__).parent


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


def test_numbers_in_sentences_follow_the_format():
    """What users read is written by `numbers`; but not what lessons and files say to their authors."""
    written = re.compile(r"\{[^{}]*:(,|,?\.?\d*g)\}")
    own = (
        "documents",
        "lessons",
        "wording/numbers.py",
        "plots/formula_outlines.py",
    )
    found = [
        f"{path.relative_to(APP)}:{place}"
        for path in APP.rglob("*.py")
        if not path.relative_to(APP).as_posix().startswith(own[:2])
        if not path.as_posix().endswith(own[2:])
        for place, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if written.search(line) and 'float(f"' not in line and ">>>" not in line
    ]
    assert found == []


@pytest.mark.parametrize(
    ("label", "said"),
    [("Smooth sensitivity", "smooth sensitivity"), ("CoinPress", "CoinPress"), ("PrivTree", "PrivTree")],
)
def test_a_label_within_a_sentence_begins_small_unless_it_is_a_name(label, said):
    assert within(label) == said


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (2.5, "2.5 times below global"),
        (0.5, "0.5 times below global"),
        (1.0, "as large as global"),
        (1.0001, "about as large as global"),
        (0.9999, "about as large as global"),
        (1.01, "1.01 times below global"),
    ],
)
def test_once_is_said_in_words(ratio, words):
    assert times(ratio, "below global", "as large as global") == words


def test_what_is_once_something_is_that_itself():
    assert times(1.04, "the baseline", digits=2) == "about the baseline"
    assert times(1.04, "the baseline") == "1.04 times the baseline"
