"""Public conditions on rows, one record for each person, and at most so many rows of a person."""

import datetime
import itertools

import numpy as np
import pyarrow as pa
import pytest

from engine import DataError, Interval, ParameterError
from engine.data import Table
from engine.data.look_only import problem_of
from engine.data.reading_parts import read_parts
from engine.data.rows import all_hold, combine_rows, keep_rows, read_row_condition

PEOPLE = Table(
    "people.csv",
    pa.table(
        {
            "age": [31.0, 29.0, None, 45.0, float("nan")],
            "city": ["Bern", " Basel", None, "Zug", "Bern"],
            "hours per week": [40, 20, 38, None, 8],
            "active": [True, False, True, None, False],
            "born": [
                datetime.date(1990, 5, 1),
                datetime.date(2000, 1, 1),
                None,
                None,
                datetime.date(1980, 1, 2),
            ],
            "in (or out)": ["in", "out", "in", "out", "in"],
            "nothing": pa.nulls(5),
        }
    ),
)


def rows(text):
    return np.flatnonzero(read_row_condition(text).holds(PEOPLE)).tolist()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("age >= 31", [0, 3]),
        ("age≥31", [0, 3]),
        ("age != 31", [1, 3]),
        ("age == 31", [0]),
        ("age < 31", [1]),
        ("age > -1e0", [0, 1, 3]),
        ("age in (29, 45)", [1, 3]),
        ("age is empty", [2, 4]),
        ("age is not empty", [0, 1, 3]),
        ("hours per week <= 20", [1, 4]),
        ('"hours per week" = 40', [0]),
        ("city = Bern", [0, 4]),
        ("city = 'Basel'", [1]),
        ('city != "Bern"', [1, 3]),
        ("city in ('Bern', Zug)", [0, 3, 4]),
        ("active = true", [0, 2]),
        ("active != yes", [1, 4]),
        ("born >= 1990-05-01", [0, 1]),
        ("born = 2000-01-01", [1]),
        ("born in (1990-05-01, 1980-01-02)", [0, 4]),
        ("age > 30 and city = Bern", [0]),
        ("age > 30 AND city = Bern or city = Basel", [0, 1]),
        ("`in (or out)` = 'in' and hours per week > 10", [0, 2]),
        ("nothing > 5", []),
        ("nothing is empty", [0, 1, 2, 3, 4]),
    ],
)
def test_a_condition_holds_for_the_rows_that_satisfy_it(text, expected):
    assert rows(text) == expected


def test_quotes_inside_a_text_are_doubled():
    table = Table("names.csv", pa.table({"name": ["O'Brien", 'the "best"', "x and y"]}))
    holds = lambda text: np.flatnonzero(read_row_condition(text).holds(table)).tolist()  # noqa: E731
    assert holds("name = 'O''Brien'") == [0]
    assert holds('name = "the ""best"""') == [1]
    assert holds("name = 'x and y'") == [2]


def test_all_conditions_must_hold():
    read = read_row_condition
    assert all_hold((), PEOPLE) is None
    both = all_hold([read("age > 30"), read("city = Bern")], PEOPLE)
    assert np.flatnonzero(both).tolist() == [0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("age", "is no condition; write for instance age >= 30"),
        ("age >=", "lacks a value"),
        (">= 30", "names no column"),
        ("age >= 30 and", "is no condition"),
        ("age in (1, 2", "closing parenthesis"),
        ("age in ()", "lacks a value"),
        ("city = 'Bern", "quote that is not closed"),
        ("18 < age < 30", "neither a number nor a text"),
    ],
)
def test_a_text_that_is_no_condition_is_refused(text, words):
    with pytest.raises(ParameterError, match=words) as caught:
        read_row_condition(text)
    assert caught.value.field == "where"


def test_an_unknown_column_is_refused_with_similar_names():
    with pytest.raises(DataError, match="there is no column 'agee'; try age"):
        read_row_condition("agee > 3").holds(PEOPLE)
    with pytest.raises(DataError, match="there is no column 'agee'; try age"):
        read_row_condition("agee > 3", ("age", "city"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("age = 'x'", "it holds numbers"),
        ("age = nan", "it holds numbers"),
        ("city > Bern", "it holds text, which has no order"),
        ("city = 5", 'write "5" in quotes'),
        ("city = true", 'write "true" in quotes'),
        ("city = 2000-01-01", 'write "2000-01-01" in quotes'),
        ("active > true", "no order"),
        ("active = 5", "true and false"),
        ("active = 'true'", "true and false"),
        ("born > 5", "dates or times"),
        ("born = '2000-01-01'", "dates or times"),
    ],
)
def test_a_comparison_must_fit_the_type_of_its_column(text, words):
    """Otherwise one cell could change what all others are compared with."""
    with pytest.raises(DataError, match=words) as caught:
        read_row_condition(text).holds(PEOPLE)
    assert not caught.value.confidential
    assert not any(cell in str(caught.value) for cell in ("Basel", "1990", "31"))


def test_a_row_alone_decides_whether_it_satisfies_a_condition():
    conditions = [read_row_condition(text) for text in ("age > 30", "city = Bern or age is empty")]
    for condition, row in itertools.product(conditions, range(PEOPLE.n)):
        alone = Table("one.csv", PEOPLE.data.slice(row, 1))
        assert condition.holds(alone).tolist() == [condition.holds(PEOPLE)[row]]


VISITS = Table(
    "visits.csv",
    pa.table(
        {
            "who": ["a", "b", "a", "c", "b", "a"],
            "paid": [1.0, 10.0, None, None, 30.0, 5.0],
            "points": [1, 2, 3, 4, 5, 7],
            "city": ["Bern", "Zug", "Basel", None, "Chur", None],
        }
    ),
    release_problem="ask first",
)


def combined(rule, column):
    table = combine_rows(VISITS, "who", rule)
    return dict(zip(table.data["who"].to_pylist(), table.data[column].to_pylist(), strict=True))


@pytest.mark.parametrize(
    ("rule", "paid", "points"),
    [
        ("mean", {"a": 3, "b": 20, "c": None}, {"a": 11 / 3, "b": 3.5, "c": 4}),
        ("sum", {"a": 6, "b": 40, "c": None}, {"a": 11, "b": 7, "c": 4}),
        ("largest", {"a": 5, "b": 30, "c": None}, {"a": 7, "b": 5, "c": 4}),
        ("last", {"a": 5, "b": 30, "c": None}, {"a": 7, "b": 5, "c": 4}),
    ],
)
def test_rows_of_a_person_are_combined_by_a_rule(rule, paid, points):
    assert combined(rule, "paid") == paid
    assert combined(rule, "points") == points
    assert combined(rule, "city") == {"a": None, "b": "Chur", "c": None}


def test_rows_of_a_person_are_counted():
    assert combined("count", "rows") == {"a": 3, "b": 2, "c": 1}
    assert combined("count", "paid") == {"a": 5, "b": 30, "c": None}


def test_persons_stay_in_the_order_of_their_last_rows_and_keep_the_release_problem():
    table = combine_rows(VISITS, "who", "sum")
    assert table.data["who"].to_pylist() == ["c", "b", "a"]
    assert problem_of(table) == "ask first"
    assert table.n == 3


def test_rows_of_one_person_change_this_record_only():
    def records(rows_of_b):
        rows = [("a", 1.1), *[("b", one) for one in rows_of_b], ("c", 0.1), ("a", 2.2), ("c", 0.2)]
        table = Table("t", pa.table({"who": [who for who, _ in rows], "x": [x for _, x in rows]}))
        result = combine_rows(table, "who", "sum").data.to_pylist()
        return {row["who"]: row["x"] for row in result if row["who"] != "b"}

    assert records([]) == records([0.3]) == records([0.3] * 1000)


def test_a_row_without_its_person_or_an_unknown_rule_is_refused():
    table = Table("t.csv", pa.table({"who": ["a", None], "x": [1, 2]}), first_row=2)
    with pytest.raises(DataError, match=r"row 3, column 'who': the identifier is missing"):
        combine_rows(table, "who")
    with pytest.raises(ParameterError, match="'most' is no rule"):
        combine_rows(VISITS, "who", "most")
    with pytest.raises(DataError, match="there is no column 'whom'; try who"):
        combine_rows(VISITS, "whom")


def test_at_most_so_many_rows_of_a_person_stay():
    rows_of = lambda table: table.data["points"].filter(pa.array(table.kept)).to_pylist()  # noqa: E731
    assert rows_of(keep_rows(VISITS, "who", 3, b"key")) == [1, 2, 3, 4, 5, 7]
    kept = keep_rows(VISITS, "who", 1, b"key")
    assert sorted(kept.data["who"].filter(pa.array(kept.kept)).to_pylist()) == ["a", "b", "c"]
    assert kept.n == VISITS.n  # how many rows count is confidential
    assert read_parts(kept, "points", Interval(0, 10)).sizes.tolist() == [3]
    with pytest.raises(DataError, match="the number of rows that count is confidential"):
        kept.numbers("points")
    choices = {tuple(rows_of(keep_rows(VISITS, "who", 1, bytes([key])))) for key in range(40)}
    assert len(choices) == 6  # each of 3 x 2 choices
    with pytest.raises(ParameterError, match="at least 1"):
        keep_rows(VISITS, "who", 0, b"key")


def test_which_rows_of_a_person_stay_depends_on_this_person_alone():
    def kept(others):
        who, points = ["a", *["b"] * others, "a", "a", "c"], range(others + 4)
        table = Table(
            "t",
            pa.table(
                {"who": who, "points": [one if who[one] == "b" else who[:one].count("a") for one in points]}
            ),
        )
        chosen = keep_rows(table, "who", 1, b"key")
        rows = chosen.data.filter(pa.array(chosen.kept)).to_pylist()
        return [row["points"] for row in rows if row["who"] == "a"]

    assert kept(0) == kept(1) == kept(7)
