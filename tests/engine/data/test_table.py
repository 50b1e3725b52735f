"""Tables: immutable, rows numbered as a spreadsheet does, nothing dropped silently."""

import dataclasses
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.data import Column, Table
from engine.errors import DataError, ParameterError


def table(first_row=1, **columns):
    return Table("people", pa.table(columns), first_row=first_row)


PEOPLE = table(
    name=["Ann", "Bo", None, "Di"],
    age=[31, None, 45, 28],
    pay=[2.5, 3.0, None, 1e6],
)


def test_columns_know_type_missing_values_and_unit():
    units = dataclasses.replace(PEOPLE, units={"pay": "$"})
    assert units.columns == (
        Column("name", "text", 1),
        Column("age", "number", 1),
        Column("pay", "number", 1, "$"),
    )
    assert units.column("pay").unit == "$"
    assert units.n == 4


def test_preview_reads_as_a_person_would():
    assert PEOPLE.preview(3) == [("Ann", "31", "2.5"), ("Bo", "", "3"), ("", "45", "")]
    assert len(PEOPLE.preview()) == 4


def test_missing_values_are_refused_unless_somebody_chooses():
    with pytest.raises(DataError) as caught:
        PEOPLE.numbers("age")
    assert str(caught.value) == (
        "people, row 2, column 'age': the value is missing; "
        "fill it in, or choose to fill or drop missing values"
    )
    numbers = PEOPLE.numbers("age", missing="drop")
    np.testing.assert_array_equal(numbers.values, [31.0, 45.0, 28.0])
    assert numbers.values.dtype == np.float64
    assert numbers.dropped == 1


def test_points_drop_a_record_that_lacks_any_coordinate():
    with pytest.raises(DataError, match="row 2, column 'age': the value is missing"):
        PEOPLE.points(["pay", "age"])
    points = PEOPLE.points(["pay", "age"], missing="drop")
    np.testing.assert_array_equal(points.values, [[2.5, 31.0], [1e6, 28.0]])
    assert points.dropped == 2


def test_records_are_complete_that_have_a_value_in_each_column():
    np.testing.assert_array_equal(PEOPLE.complete(["pay", "age"], "drop"), [True, False, False, True])
    assert PEOPLE.complete([]).all()
    with pytest.raises(DataError, match="row 3, column 'name': the value is missing"):
        PEOPLE.complete(["name"])
    with pytest.raises(DataError, match="there is no column 'nmae'; try name"):
        PEOPLE.complete(["nmae"])
    with pytest.raises(DataError, match="column 'x, y': every record lacks a value"):
        table(x=["a", None], y=[None, "b"]).complete(["x", "y"], "drop")


def test_a_third_choice_and_no_column_are_wrong_parameters():
    with pytest.raises(ParameterError, match="'guess' is not possible; it must be refuse, fill or drop"):
        PEOPLE.numbers("age", missing="guess")
    with pytest.raises(ParameterError, match="missing: 'guess' is not possible"):
        PEOPLE.complete(["age"], missing="guess")
    with pytest.raises(ParameterError, match="column: no column is named"):
        PEOPLE.points([])


def test_an_unknown_column_is_answered_with_the_nearest_names():
    for ask in (PEOPLE.column, PEOPLE.numbers, lambda name: PEOPLE.points([name])):
        with pytest.raises(DataError, match="people: there is no column 'agee'; try age"):
            ask("agee")
    with pytest.raises(DataError, match="there is no column 'ZZZ'; try name, age, pay"):
        PEOPLE.numbers("ZZZ")


def test_text_is_no_number_and_the_columns_of_numbers_are_offered():
    with pytest.raises(DataError) as caught:
        PEOPLE.numbers("name")
    assert str(caught.value) == (
        "people, row 1, column 'name': the value is not a number; "
        "write it as digits with a decimal point (1234.5), state it as missing, state its type (days for "
        "dates, hours for times), or choose a column of numbers"
    )
    with pytest.raises(DataError, match="or choose a column of numbers"):
        table(name=["Ann"]).numbers("name")


@pytest.mark.parametrize("wrong", [0, 1, 499, 998, 999])
def test_the_first_wrong_cell_is_found_wherever_it_is(wrong):
    texts = [None if i % 10 == 5 else f" {i} " for i in range(1000)]
    texts[wrong] = "wr\nong"
    column = pa.chunked_array([texts[:300], texts[300:301], texts[301:]])
    with pytest.raises(DataError) as caught:
        table(first_row=2, x=column).numbers("x")
    assert caught.value.row == wrong + 2
    assert "the value is not a number" in str(caught.value)
    assert caught.value.confidential.startswith(r"'wr\nong'; ")


@pytest.mark.parametrize(
    ("value", "treatments"),
    [
        (float("nan"), ["refuse"]),
        (float("inf"), ["refuse", "drop", "fill"]),
        (float("-inf"), ["refuse", "drop", "fill"]),
    ],
)
def test_infinity_is_never_dropped_and_nan_never_unasked(value, treatments):
    for missing in treatments:
        with pytest.raises(DataError) as caught:
            table(x=[1.0, None, value, value]).numbers("x", missing, 0.0)
        assert (caught.value.row, caught.value.column) == (3, "x")
        assert "the value is not a finite number; write one, or choose to fill or drop" in str(caught.value)


def test_nan_is_missing_where_missing_values_are_left_out_or_replaced():
    values = table(x=[1.0, float("nan"), None, 4.0], y=[1, 2, 3, 4])
    assert [column.missing for column in values.columns] == [2, 0]
    dropped = values.points(["x", "y"], "drop")
    assert dropped.values.tolist() == [[1, 1], [4, 4]]
    assert (dropped.dropped, dropped.filled) == (2, 0)
    filled = values.numbers("x", "fill", 9)
    assert filled.values.tolist() == [1, 9, 9, 4]
    assert (filled.dropped, filled.filled) == (0, 2)
    assert values.complete(["x"], "drop").tolist() == [True, False, False, True]
    with pytest.raises(DataError, match="row 1, column 'x': the value is not a finite number"):
        table(x=[float("nan"), 1.0]).complete(["x"])
    with pytest.raises(DataError, match="every record lacks a value"):
        table(x=[float("nan"), None]).numbers("x", "drop")


def test_a_column_without_any_value():
    with pytest.raises(DataError, match="column 'x': every record lacks a value; at least one is needed"):
        table(x=pa.nulls(3, pa.float64()), y=[1, 2, 3]).numbers("x", "drop")
    with pytest.raises(DataError, match="column 'x': every value is missing; choose a column of numbers"):
        table(x=pa.nulls(3), y=[1, 2, 3]).numbers("x", "drop")
    with pytest.raises(DataError, match="column 'x, y': every record lacks a value"):
        table(x=[1, None], y=[None, 1]).points(["x", "y"], "drop")
    # filled, one more empty cell makes no error of a file: the only value may be one person's
    for empty in (pa.nulls(3), pa.nulls(3, pa.float64()), pa.nulls(3, pa.string())):
        assert table(x=empty, y=[1, 2, 3]).numbers("x", "fill", 2).values.tolist() == [2, 2, 2]


def test_a_table_without_records_columns_or_proper_names():
    with pytest.raises(DataError, match="people: there are column names but no records"):
        table(x=[])
    with pytest.raises(DataError, match="people: there are no columns"):
        table()
    with pytest.raises(DataError, match="people: the name of column 2 is empty; give every column a name"):
        Table("people", pa.table([[1], [2]], names=["x", ""]))


def test_nothing_in_a_table_changes():
    with pytest.raises(dataclasses.FrozenInstanceError):
        PEOPLE.source = "other"
    with pytest.raises(ValueError, match="read-only"):
        PEOPLE.numbers("age", "drop").values[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        table(x=[1.0, 2.0]).numbers("x").values[0] = 0


def test_integers_beyond_the_precision_of_a_float_are_rounded_to_the_nearest():
    values = table(x=[2**53 + 1, 2**62 + 1]).numbers("x").values
    np.testing.assert_array_equal(values, [2.0**53, 2.0**62])


@given(st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), min_size=1), st.integers(1, 5))
def test_dropping_keeps_the_others_in_order(values, chunk):
    column = pa.chunked_array([values[i : i + chunk] for i in range(0, len(values), chunk)], pa.float64())
    kept = [value for value in values if value is not None]
    if not kept:
        with pytest.raises(DataError):
            table(x=column).numbers("x", "drop")
        return
    numbers = table(x=column).numbers("x", "drop")
    assert list(numbers.values) == kept
    assert numbers.dropped == len(values) - len(kept)


def test_filled_values_leave_every_record_where_it_stands():
    ages = PEOPLE.numbers("age", "fill", 40)
    lacking = ~PEOPLE.complete(["age"], "drop")
    np.testing.assert_array_equal(ages.values[~lacking], PEOPLE.numbers("age", "drop").values)
    assert (ages.values[lacking] == 40).all()
    assert (ages.dropped, ages.filled) == (0, 1)
    points = PEOPLE.points(["pay", "age"], "fill", [7, 40])
    np.testing.assert_array_equal(points.values[:, 1], ages.values)
    assert len(points.values) == PEOPLE.n
    assert points.filled == 2
    assert PEOPLE.numbers("age", "drop").filled == 0


@pytest.mark.parametrize("fill", [None, [1], [1, math.nan], [1, math.inf]])
def test_each_column_needs_a_number_to_be_filled_with(fill):
    with pytest.raises(ParameterError, match=r"fill: missing values of each column \(pay, age\)"):
        PEOPLE.points(["pay", "age"], "fill", fill)
