"""Looking through a table, against loops over its rows."""

import math

import numpy as np
import pyarrow as pa
import pytest

from engine.data import Table
from engine.data.browsing import Browser
from engine.data.conditions import read_condition
from engine.errors import ParameterError

AGES = [40.0, None, 20.0, 40.0, 31.5, 20.0, 65.0]
NAMES = ["Ann", "bob", None, "Cleo", "ann", "Dan", "bob"]


@pytest.fixture
def browser():
    return Browser(Table("people.csv", pa.table({"age": AGES, "name": NAMES})), {"age": {3: 41.0}})


def rows(browser, **conditions):
    read = {name: read_condition(text, number=browser.is_number(name)) for name, text in conditions.items()}
    return browser.matching(read).tolist()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("> 31.5", [0, 3, 6]),
        (">=31.5", [0, 3, 4, 6]),
        ("≤ 20", [2, 5]),
        ("20", [2, 5]),
        ("!= 20", [0, 3, 4, 6]),
        ("20..40", [0, 2, 4, 5]),
        ("> 20 and < 41", [0, 4]),
        ("< 21 or = 65 or empty", [1, 2, 5, 6]),
        ("not empty", [0, 2, 3, 4, 5, 6]),
        ("41", [3]),
    ],
)
def test_conditions_on_numbers(browser, text, found):
    assert rows(browser, age=text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("an", [0, 4, 5]),
        ("= bob", [1, 6]),
        ("!= bob", [0, 3, 4, 5]),
        ("> Cl", [1, 3, 4, 5, 6]),
        ("A..C", [0]),
        ("empty", [2]),
        ("ann or dan", [0, 4, 5]),
    ],
)
def test_conditions_on_texts(browser, text, found):
    assert rows(browser, name=text) == found


def test_conditions_on_several_columns_hold_together(browser):
    assert rows(browser, age="> 30", name="an") == [0, 4]
    assert read_condition("  ", number=True) is None


@pytest.mark.parametrize("text", [">", "10..", "ten", "> ten", "< 3 and "])
def test_what_makes_no_sense_is_said(text):
    with pytest.raises(ParameterError, match="write for instance"):
        read_condition(text, number=True)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("column", ["age", "name"])
def test_order_is_stable_and_missing_ones_come_last(browser, column, descending):
    chosen = np.arange(7)
    cells = [*AGES[:3], 41.0, *AGES[4:]] if column == "age" else NAMES
    there = [row for row in chosen if cells[row] is not None]
    expected = sorted(there, key=lambda row: cells[row], reverse=descending)
    expected += [row for row in chosen if cells[row] is None]
    assert browser.ordered(chosen, column, descending=descending).tolist() == expected


def test_summaries(browser):
    ages = browser.summary("age", np.arange(7))
    there = [40.0, 20.0, 41.0, 31.5, 20.0, 65.0]
    assert (ages.count, ages.missing, ages.distinct) == (6, 1, 5)
    assert (ages.least, ages.median, ages.most) == (20.0, 35.75, 65.0)
    assert ages.mean == pytest.approx(sum(there) / 6)
    names = browser.summary("name", np.array([1, 2, 4, 6]))
    assert (names.count, names.missing, names.distinct, names.common[0]) == (3, 1, 2, ("bob", 2))
    nothing = browser.summary("age", np.array([1]))
    assert nothing.count == 0
    assert math.isnan(nothing.median)
