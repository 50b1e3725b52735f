"""Questions in words: read, written and read again; mistakes say what would be right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.data.frames import as_table
from engine.data.rows import read_row_condition
from engine.errors import DataError, ParameterError
from engine.questions.question import STATISTICS, Question, joined
from engine.questions.words import read_question

READ = {
    "median of salary by department where age >= 30": Question(
        "median", ("salary",), by="department", where=("age >= 30",)
    ),
    "quantile 0.9 of salary": Question("quantile", ("salary",), 0.9),
    "Mean of monthly pay": Question("mean", ("monthly pay",)),
    "average of pay": Question("mean", ("pay",)),
    "sum of pay by city": Question("sum", ("pay",), by="city"),
    "count by city where city in ('Bern', 'Basel')": Question(
        "count", by="city", where=("city in ('Bern', 'Basel')",)
    ),
    "share where salary > 50000 by department": Question("share", by="department", where=("salary > 50000",)),
    "histogram of age": Question("histogram", ("age",)),
    "table of city, department": Question("table", ("city", "department")),
    "table of city and department": Question("table", ("city", "department")),
    "median of `where is` by `a and b`": Question("median", ("where is",), by="a and b"),
    "count where note = 'stand by me' or note is empty": Question(
        "count", where=("note = 'stand by me' or note is empty",)
    ),
}


@pytest.mark.parametrize("text", READ)
def test_words_are_read_and_written(text: str) -> None:
    question = read_question(text)
    assert question == READ[text]
    assert read_question(question.as_text()) == question


WRONG = {
    "": "is empty",
    "meen of pay": "did you mean mean or median?",
    "median pay": "'pay' is not understood after median",
    "median of pay of age": "'of' stands twice",
    "median of pay where": "nothing follows 'where'",
    "median of pay and age": "names 2 columns; write median of one column",
    "median": "names no column",
    "quantile of pay": "write quantile 0.9 of salary",
    "quantile 1.5 of pay": "it must be from 0 to 1",
    "count": "the number of rows is public",
    "count of pay where age > 3": "reads no column",
    "share by city": "a share needs a condition",
    "table": "a table needs columns",
    "count by city and age": "there are 2 columns of groups; name one",
    "count where age >> 3": "has a value that is neither a number nor a text",
}


@pytest.mark.parametrize("text", WRONG)
def test_mistakes_say_what_would_be_right(text: str) -> None:
    with pytest.raises(ParameterError) as refused:
        read_question(text)
    assert WRONG[text] in str(refused.value)
    assert "\n" not in str(refused.value)


def test_unknown_columns_are_refused_with_similar_ones() -> None:
    for text in ("median of salery", "count by departmnt", "share where salry > 3"):
        with pytest.raises((ParameterError, DataError)) as refused:
            read_question(text, ["salary", "department"])
        assert "salary" in str(refused.value) or "department" in str(refused.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("weight", 0),
        ("weight", float("nan")),
        ("q", 1.01),
        ("interval", 1),
        ("assumed", 0),
        ("weight", True),
        ("weight", "2"),
    ],
)
def test_impossible_numbers_are_refused(field: str, value: Any) -> None:
    with pytest.raises(ParameterError) as refused:
        Question("median", ("pay",), **{field: value})
    assert refused.value.field == field


NAMES = st.text(
    st.characters(blacklist_characters="`", blacklist_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1
)
COLUMNS = st.one_of(NAMES, st.sampled_from(["of", "by", "where", "and", "a and b", "in", "x,y", "'q'"]))


@given(
    st.sampled_from([name for name in STATISTICS if name not in ("count", "share")]),
    st.lists(COLUMNS, min_size=1, max_size=3, unique=True),
    COLUMNS,
    st.floats(0, 1),
)
def test_any_names_survive(statistic: str, columns: list[str], by: str, q: float) -> None:
    named = tuple(columns) if statistic == "table" else tuple(columns[:1])
    question = Question(statistic, named, q if statistic == "quantile" else 0.5, by)
    assert read_question(question.as_text()) == question


CONDITIONS = [
    "age >= 30",
    "age < 20 or age > 60",
    "city in ('Bern', 'Basel') or `by and by` = 2",
    'city != "a ""b"""',
    "age is empty or city is not empty and age > 1",
]


@given(st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=3))
def test_several_conditions_all_hold_in_words_too(conditions: list[str]) -> None:
    rng = np.random.default_rng(1)
    table = as_table(
        {
            "age": [None if age < 3 else float(age) for age in rng.integers(0, 80, 200)],
            "city": rng.choice(["Bern", "Basel", 'a "b"', "Chur"], 200),
            "by and by": rng.integers(0, 4, 200),
        }
    )
    holds = np.logical_and.reduce([read_row_condition(text).holds(table) for text in conditions])
    assert (read_row_condition(joined(tuple(conditions))).holds(table) == holds).all()
    question = Question("count", where=tuple(conditions))
    (text,) = read_question(question.as_text()).where
    assert (read_row_condition(text).holds(table) == holds).all()
