"""Sheets as values and as TOML files: written, read again, and refused with the place of a mistake."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from engine.errors import DataError, ParameterError
from engine.questions.declarations import ColumnDeclaration, Declarations
from engine.questions.question import Question, joined
from engine.questions.sheet import Sheet

TWELVE_LINES = """\
epsilon = 1.0
data = "employees.csv"
[columns.salary]
lower = 0
upper = 200000
[columns.department]
categories = ["Sales", "IT", "other"]
[[questions]]
ask = "median of salary by department where age >= 30"
weight = 2
[[questions]]
ask = "mean of salary"
"""

FULL = Sheet(
    [
        Question("median", ("salary",), by="department", where=("age >= 30 or age < 20", "city = 'Bern'")),
        Question("quantile", ('a "b" c\'',), q=0.123456789, weight=2.5, method="exponential"),
        Question("share", where=("salary > 50000",), interval=0.25, population=True, assumed=0.1),
        Question("table", ("department", "city")),
    ],
    2.5,
    1e-6,
    Declarations(
        (
            ColumnDeclaration("salary", 0, 200_000, 0.01, unit="CHF", source="looked"),
            ColumnDeclaration("department", categories=("Sales", 'the \x7f\t"other"'), other=False),
            ColumnDeclaration("naïve name", -1.5, 2, missing="fill", fill=0.0),
            ColumnDeclaration("", 0, 1),
        ),
        person="id",
        person_rule="last",
        public_groups=frozenset({"department", "city"}),
    ),
    "data/employees.csv",
)


def test_sheet_of_twelve_lines(tmp_path: Path) -> None:
    path = tmp_path / "pay.toml"
    path.write_text(TWELVE_LINES)
    sheet = Sheet.read(path)
    assert (sheet.epsilon, sheet.delta, sheet.data, sheet.name) == (1.0, 0.0, "employees.csv", "pay")
    assert sheet.declarations.column("salary").upper == 200000
    assert sheet.declarations.column("department").categories == ("Sales", "IT", "other")
    assert [question.weight for question in sheet.questions] == [2, 1]


@pytest.mark.parametrize(
    "sheet",
    [
        FULL,
        Sheet(["count by city"]),
        Sheet([Question("histogram", ("age",), edges=(18, 65))]),
        Sheet(["count by city"], declarations=Declarations(person="id", most_rows=3)),
        Sheet(
            ["mean of x"], declarations=Declarations((ColumnDeclaration("x", np.float64(0), np.float64(3)),))
        ),
    ],
)
def test_sheets_survive_a_file(sheet: Sheet, tmp_path: Path) -> None:
    sheet.save(tmp_path / "sheet.toml")
    again = Sheet.read(tmp_path / "sheet.toml")
    # several conditions become one
    expected = [
        dataclasses.replace(question, where=(joined(question.where),) if question.where else ())
        for question in sheet.questions
    ]
    assert list(again.questions) == expected
    assert again.declarations == sheet.declarations
    assert (again.epsilon, again.delta, again.data) == (sheet.epsilon, sheet.delta, sheet.data)
    assert again.as_toml() == sheet.as_toml()


def test_keys_beside_the_words(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(
        '[[questions]]\nask = "quantile of pay"\nq = 0.9\nby = "city"\nwhere = ["age > 3", "age < 9"]\n'
        '[[questions]]\nask = "count"\nby = "city"\n'
        '[[questions]]\nask = "count where age > 1"\nwhere = "age < 3"\n'
    )
    first, second, third = Sheet.read(path).questions
    assert first == Question("quantile", ("pay",), 0.9, "city", ("age > 3", "age < 9"))
    assert second == Question("count", by="city")
    assert third.where == ("age > 1", "age < 3")


QUESTION = '[[questions]]\nask = "count by city"\n'

WRONG = {
    "": "it has no questions",
    "epsilon = ": "wrong.toml, line 1",
    'epsilon = "1"\n' + QUESTION: "epsilon must be a number",
    "epsilon = true\n" + QUESTION: "epsilon must be a number",
    "epsilon = -1\n" + QUESTION: "epsilon: -1 is not possible",
    "data = 3\n" + QUESTION: "data must be text in quotes",
    "epsilom = 1\n" + QUESTION: "'epsilom' is unknown",
    "columns = 3\n" + QUESTION: "columns must be tables",
    "rule = 'largst'\n" + QUESTION: "'largst' is no rule",
    "person = 'id'\nrows = 0\n" + QUESTION: "rows: 0 is not possible",
    "person = 'id'\nrows = 1.5\n" + QUESTION: "rows: 1.5 is not possible",
    "public_groups = 'city'\n" + QUESTION: "public_groups must be a list of texts",
    "[columns.pay]\nlower = 'low'\n" + QUESTION: "lower of column 'pay' must be a number",
    "[columns.pay]\nlowest = 1\n" + QUESTION: "'lowest' is unknown in [columns.pay]",
    "[columns.pay]\nmissing = 'skip'\n" + QUESTION: "'skip' is not possible for column 'pay'",
    "[columns.city]\ncategories = 'Bern'\n" + QUESTION: "categories of column 'city' must be a list",
    "[columns.city]\nother = 'no'\n" + QUESTION: "other of column 'city' must be true or false",
    QUESTION
    + '[[questions]]\nask = "meen of pay"\n': "wrong.toml, line 3: question 2: 'meen' is no statistic",
    QUESTION + "weight = 0\n": "wrong.toml, line 1: question 1: 0 is not possible; it must be above 0",
    QUESTION + "weight = 'two'\n": "question 1: 'two' is not possible; it must be a number",
    QUESTION + "wheight = 2\n": "'wheight' is unknown in question 1",
    QUESTION + "by = 'age'\n": "'by' stands in the words and beside them",
    QUESTION + "edges = [18]\n": "only a histogram has edges",
    "[[questions]]\nask = 'histogram of age'\nedges = '18, 65'\n": "question 1: '18, 65' is not possible",
    QUESTION + "q = 0.5\n": "only a quantile has q",
    QUESTION + "where = 3\n": "where in question 1 must be a list of texts",
    QUESTION + "where = 'age >>'\n": "question 1: 'age >>'",
    "[[questions]]\nweight = 1\n": "question 1 has no text",
    "questions = [3]\n": "question 1 has no text",
}


@pytest.mark.parametrize("text", WRONG)
def test_mistakes_name_their_place(text: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(DataError) as refused:
        Sheet.read(path)
    assert WRONG[text] in str(refused.value)
    assert str(refused.value).startswith("wrong.toml")
    assert "\n" not in str(refused.value)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        Sheet.read(tmp_path / "none.toml")


def test_impossible_values_in_python() -> None:
    with pytest.raises(ParameterError):
        Sheet(["mean of x"], epsilon=0)
    with pytest.raises(ParameterError):
        ColumnDeclaration("x", missing="skip")
    with pytest.raises(ParameterError):
        Declarations(person_rule="first")
