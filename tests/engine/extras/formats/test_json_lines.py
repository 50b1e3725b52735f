"""JSON lines: one object per line, faults named by the record's row."""

import json
from functools import partial

import numpy as np
import pytest
import table_files

from engine.data import read_table
from engine.errors import DataError
from engine.progress import Cancelled

write = partial(table_files.write, name="people.jsonl")
fault = partial(table_files.fault, name="people.jsonl")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_types_and_missing_values(tmp_path, mark, newline):
    lines = ['{"x": 1, "s": "ä", "b": true}', "", '{"x": 2.5, "s": null}', '{"b": false, "d": "2024-02-29"}']
    table = read_table(write(tmp_path, mark + newline.join(lines).encode()))
    assert [(column.name, column.type, column.missing) for column in table.columns] == [
        ("x", "number", 1),
        ("s", "text", 2),
        ("b", "boolean", 1),
        ("d", "date", 2),
    ]
    assert table.format == "JSON lines, UTF-8"
    with pytest.raises(DataError, match="row 3, column 'x': the value is missing"):
        table.numbers("x")


def test_the_content_and_not_the_suffix_says_that_it_is_json(tmp_path):
    assert read_table(write(tmp_path, '{"x": 1}\n', name="people.csv")).numbers("x").values == [1]


def test_a_record_may_bring_a_new_column_late(tmp_path):
    table = read_table(write(tmp_path, '{"x": 1}\n' * 200_000 + '{"x": 0.5, "y": 2}'))
    assert (table.n, table.column("y").missing, table.numbers("x").values[-1]) == (200_001, 200_000, 0.5)


@pytest.mark.parametrize(
    ("early", "late", "kind"),
    [
        ("1", "0.5", "number"),
        ("null", "0.5", "number"),
        (str(2**60 + 1), "0.5", "number"),
        ('"2024-02-29"', '"soon"', "text"),
        ('"2024-02-29"', "null", "date"),
    ],
)
def test_a_column_that_changes_its_kind_after_the_first_megabyte(tmp_path, early, late, kind):
    path = write(tmp_path, f'{{"i": 1, "x": {early}}}\n' * 90_000 + f'{{"x": {late}, "i": 2}}\n')
    for columns in (None, ["x"]):
        table = read_table(path, columns=columns)
        assert (table.n, table.column("x").type) == (90_001, kind)
    if kind == "text":
        assert table.preview(1) == [("2024-02-29",)]


def test_only_the_wanted_columns_are_kept(tmp_path):
    path = write(tmp_path, '{"x": 1, "y": 2}')
    assert [column.name for column in read_table(path, columns=["y"]).columns] == ["y"]
    with pytest.raises(DataError, match="there is no column 'z'; try x, y"):
        read_table(path, columns=["z"])


@pytest.mark.parametrize(("good", "width"), [(1, 1), (1200, 1000)])  # in the first megabyte, and after it
def test_a_line_cut_in_the_middle(tmp_path, good, width):
    for cut in ('{"x": 2', '{"x": "two', '{"x"'):
        error = fault(tmp_path, ('{"x":' + " " * width + "1}\n") * good + cut)
        assert error.row == good + 1
        assert "it is not one complete JSON object" in str(error)
        assert error.confidential.replace('\\"', '"') == f"'{cut}'"
        assert "one object per line" in str(error)


@pytest.mark.parametrize("line", ["hello", "3", "[1, 2]", '{"x": 1} y'])
def test_a_line_that_is_no_object(tmp_path, line):
    error = fault(tmp_path, f'{{"x": 1}}\n{line}\n')
    assert error.row == 2
    assert "it is not one complete JSON object; write one object per line" in str(error)


def test_text_among_numbers(tmp_path):
    error = fault(tmp_path, '{"x": null}\n{"x": 1}\n\n{"x": "two"}\n')
    assert str(error) == (
        "people.jsonl, row 3, column 'x': its type differs from the rows above; "
        "write the same type in every row, or null"
    )
    assert error.confidential == "'two' is text; the rows above have a number"
    for word, kind in (("true", "'True' is true or false"), ("[1]", "'[1]' is a list")):
        error = fault(tmp_path, f'{{"x": 1}}\n{{"x": {word}}}')
        assert (error.row, error.column) == (2, "x")
        assert error.confidential == f"{kind}; the rows above have a number"


def test_a_name_that_stands_twice_in_an_object(tmp_path):
    error = fault(tmp_path, '{"x": 1}\n{"x": 1, "x": 2}\n')
    assert (error.row, error.column) == (2, "x")
    assert "the name occurs twice in the object; keep one" in str(error)


def test_objects_without_names(tmp_path):
    assert "there are no columns; at least one is needed" in str(fault(tmp_path, "{}\n{}\n"))


@pytest.mark.parametrize("line", ['{"x": "é"}', '{"é": 1}', '{"x": [{"é": 1}]}'])
def test_bytes_that_are_not_utf_8(tmp_path, line):
    error = fault(tmp_path, ('{"y": 1}\n' + line).encode("latin-1"))
    assert str(error).startswith("people.jsonl, row 2: it is not UTF-8 text; save the file as UTF-8")


@pytest.mark.parametrize(("word", "says"), [("NaN", "nan"), ("-Infinity", "-inf")])
def test_nan_and_infinity(tmp_path, word, says):
    table = read_table(write(tmp_path, f'{{"x": 1}}\n{{"x": {word}}}\n'))
    with pytest.raises(DataError, match="row 2, column 'x': the value is not a finite") as caught:
        table.numbers("x")
    assert caught.value.confidential == says


DEEP = 9000


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (b'{"a":' + b"[" * DEEP + b"]" * DEEP + b"}\n", 1),
        (b'{"x": "[[{"}\n\n' + b'{"a":' * DEEP + b"1" + b"}" * DEEP, 2),
        (b'{"a":\n' * DEEP + b"1" + b"}\n" * DEEP, 65),
        (b'{"x": 123456789}\n' * 100_000 + b'{"a":' + b"[" * DEEP + b"]" * DEEP + b"}\n", 100_001),
    ],
)
def test_what_is_nested_too_deep_for_the_parser_is_refused_with_its_row(tmp_path, text, row):
    file = tmp_path / "deep.jsonl"
    file.write_bytes(text)
    with pytest.raises(DataError, match=f"row {row}: lists or objects are nested more than 64 deep"):
        read_table(file)


def test_brackets_in_words_are_not_nested(tmp_path):
    file = tmp_path / "words.jsonl"
    words = "[" * 100 + '"' + "{" * 100 + "\\"
    file.write_text(json.dumps({"a": words, "b": [1]}) + "\n")
    assert read_table(file).data["a"].to_pylist() == [words]


def test_nested_values_are_shown_but_are_no_numbers(tmp_path):
    table = read_table(write(tmp_path, '{"x": [1, 2], "y": 3}\n'))
    assert table.preview() == [("[1, 2]", "3")]
    with pytest.raises(
        DataError,
        match="it holds lists, objects or bytes instead of single numbers; choose a column",
    ):
        table.numbers("x")


def test_cancelling_ends_the_reading(tmp_path):
    path = write(tmp_path, '{"x": 1, "y": 2.5}\n' * 300_000)

    def impatient(fraction, message=""):
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_table(path, progress=impatient)


def test_cancelling_ends_the_search_for_a_fault(tmp_path):
    path = write(tmp_path, '{"x": 1}\n' * 150_000 + '{"x"')

    def impatient(fraction, message=""):
        if message.startswith("looking for the fault") and fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_table(path, progress=impatient)


def test_latin_1_when_stated(tmp_path):
    table = read_table(write(tmp_path, '{"name": "José", "x": 1}\n'.encode("latin-1")), encoding="latin-1")
    np.testing.assert_array_equal(table.numbers("x").values, [1])
    assert table.preview() == [("José", "1")]
