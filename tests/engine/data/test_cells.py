"""Cells of text files: numbers, and what is missing."""

import numpy as np
import pytest
from table_files import write

from engine.data import read_table
from engine.errors import DataError


def test_padded_numbers_are_numbers(tmp_path):
    table = read_table(write(tmp_path, "a, b,c\n 1 , 2.5,x\n2, NA ,y\n"))
    assert [(column.type, column.missing) for column in table.columns] == [
        ("number", 0),
        ("number", 1),
        ("text", 0),
    ]
    np.testing.assert_array_equal(table.numbers("b", "drop").values, [2.5])


def test_the_words_that_mean_missing(tmp_path):
    words = ["", "NA", "N/A", "n/a", "#N/A", "NULL", "null", "<NA>", '""']
    table = read_table(write(tmp_path, "id,x\n0,1\n" + "".join(f"1,{word}\n" for word in words)))
    assert table.column("x").missing == len(words)
    numbers = table.numbers("x", "drop")
    assert (list(numbers.values), numbers.dropped) == ([1.0], len(words))


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("nan", "nan"),
        ("NaN", "nan"),
        ("inf", "inf"),
        ("-inf", "-inf"),
        ("1e999", "inf"),
    ],
)
def test_nan_and_infinity_are_errors_if_missing_values_are_refused(tmp_path, word, says):
    table = read_table(write(tmp_path, f"id,x\n0,1\n1,{word}\n2,\n"))
    assert table.column("x").missing == 1 + (says == "nan")
    with pytest.raises(DataError) as caught:
        table.numbers("x")
    assert str(caught.value) == (
        "people.csv, row 3, column 'x': the value is not a finite number; write one, "
        "or choose to fill or drop missing values, NaN among them"
    )
    assert caught.value.confidential == says


def test_the_first_text_among_many_numbers_is_named(tmp_path):
    lines = [f"{i},{i / 7}" for i in range(100_000)]
    lines[70_000] = "70000,seven thousand and a few more dollars"
    lines[80_000] = "80000,oops"
    table = read_table(write(tmp_path, "id,pay\n" + "\n".join(lines)))
    assert table.column("pay").type == "text"
    with pytest.raises(DataError) as caught:
        table.numbers("pay")
    assert (caught.value.row, caught.value.column) == (70_002, "pay")
    assert caught.value.confidential == "'seven thousand and a few more…'; numeric columns are id"
    assert "with a decimal point (1234.5), state it as missing, state its type" in str(caught.value)


def test_a_decimal_comma_is_not_guessed_at(tmp_path):
    table = read_table(write(tmp_path, "x\ty\n1\t3,145\n"))
    with pytest.raises(DataError, match=r"row 2, column 'y': the value is not a number; .* decimal point"):
        table.numbers("y")


def test_numbers_that_turn_from_integers_to_fractions_late(tmp_path):
    values = [str(i) for i in range(300_000)] + ["0.5"]
    table = read_table(write(tmp_path, "x\n" + "\n".join(values)))
    assert table.numbers("x").values[-1] == 0.5


@pytest.mark.parametrize(
    ("early", "late", "kind", "shown"),
    [
        ("", "1.5", "number", ("", "1.5")),
        ("", "word", "text", ("", "word")),
        ("7", "word", "text", ("7", "word")),
        *(
            pytest.param(early, late, "text", (early, late), marks=pytest.mark.slow)
            for early, late in (("007", "word"), ("true", "maybe"), ("2020-01-01", "2020-01-01 10:00"))
        ),
        ("9", "99999999999999999999", "number", ("9", "1e+20")),
    ],
)
def test_a_column_that_changes_its_kind_after_the_first_megabyte(tmp_path, early, late, kind, shown):
    path = write(tmp_path, "i,x,y\n" + f"1,{early},2\n" * 200_000 + f"1,{late},2.5\n")
    for columns in (None, ["x", "y"]):
        table = read_table(path, columns=columns)
        assert [table.column(name).type for name in ("x", "y")] == [kind, "number"]
        cells = [record[-2] for record in table.preview(300_001)]
        assert (cells[0], cells[-1]) == shown


def test_blank_lines_in_a_single_column_are_missing_values(tmp_path):
    table = read_table(write(tmp_path, "x\n1\n\n3\n"))
    assert (table.n, table.column("x").missing) == (3, 1)
    with pytest.raises(DataError, match="row 3, column 'x': the value is missing"):
        table.numbers("x")


def test_a_blank_line_between_records_keeps_the_rows_in_place(tmp_path):
    table = read_table(write(tmp_path, "x,y\n1,2\n\n3,oops\n\n\n"))
    assert table.n == 3
    with pytest.raises(DataError) as caught:
        table.numbers("y")
    assert caught.value.row == 4
