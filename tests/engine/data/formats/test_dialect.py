"""Delimited text: delimiters, quotes and encodings."""

import numpy as np
import pytest
from table_files import fault, write

from engine.data import read_table
from engine.errors import ParameterError


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends(tmp_path, delimiter, newline):
    lines = [["name", "age", "pay"], ["Ann", "31", "2.5"], ["Bo", "45", "1e3"]]
    table = read_table(write(tmp_path, newline.join(delimiter.join(line) for line in lines)))
    assert [(column.name, column.type) for column in table.columns] == [
        ("name", "text"),
        ("age", "number"),
        ("pay", "number"),
    ]
    np.testing.assert_array_equal(table.points(["age", "pay"]).values, [[31, 2.5], [45, 1000]])


def test_the_format_is_said_in_words(tmp_path):
    assert read_table(write(tmp_path, "a;b\n1;2\n")).format == "text, semicolon-separated, UTF-8"
    assert read_table(write(tmp_path, "a\n1\n")).format == "text, single column, UTF-8"


def test_the_delimiter_that_fits_most_records_wins_over_one_inside_the_cells(tmp_path):
    table = read_table(write(tmp_path, "name;remark, if any\nAnn;a, b, c\nBo;none\n"))
    assert table.preview() == [("Ann", "a, b, c"), ("Bo", "none")]


@pytest.mark.parametrize("quote", ["'", '"'])
def test_quotes_protect_delimiters_and_line_breaks(tmp_path, quote):
    text = "a,b\n1,Qx, yQ\n2,Qone\ntwoQ\n3,z\n".replace("Q", quote)
    table = read_table(write(tmp_path, text))
    assert table.preview() == [("1", "x, y"), ("2", "one\ntwo"), ("3", "z")]


def test_an_apostrophe_is_no_quote(tmp_path):
    table = read_table(write(tmp_path, "name,age\nO'Hara,3\nD'Arcy,4\n"))
    assert table.preview()[0] == ("O'Hara", "3")


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")],
)
def test_encodings_with_a_byte_order_mark(tmp_path, encoding, mark):
    table = read_table(write(tmp_path, mark + "größe,κ\r\n1.5,ä\r\n2,€\r\n\r\n".encode(encoding)))
    assert [column.name for column in table.columns] == ["größe", "κ"]
    assert table.preview() == [("1.5", "ä"), ("2", "€")]


def test_western_words_are_recognised_and_others_have_to_be_stated(tmp_path):
    table = read_table(write(tmp_path, "name,age\nAnn,3\nJosé,4\n".encode("latin-1")))
    assert table.preview()[1] == ("José", "4")
    assert table.reading.values["encoding"] == "cp1252"
    content = "name,age\nAnn,3\nИван,4\n".encode("cp1251")
    error = fault(tmp_path, content)
    assert (error.row, error.column) == (3, "name")
    assert "it is not UTF-8 text; save the file as UTF-8, or state its encoding" in str(error)
    assert read_table(write(tmp_path, content), encoding="cp1251").preview()[1] == ("Иван", "4")


def test_an_unknown_encoding_is_a_wrong_parameter(tmp_path):
    for encoding in ("klingon", "hex"):
        with pytest.raises(ParameterError, match=r"encoding: .* try utf-8"):
            read_table(write(tmp_path, "a\n1\n"), encoding=encoding)


@pytest.mark.parametrize("stated", ["utf-16", "utf-16-le"])
def test_a_stated_encoding_may_have_a_mark_or_not(tmp_path, stated):
    for mark in (b"", b"\xff\xfe"):
        table = read_table(write(tmp_path, mark + "a,b\n1,2\n".encode("utf-16-le")), encoding=stated)
        assert table.preview() == [("1", "2")]


def test_text_longer_in_utf_8_than_on_disk_arrives_whole(tmp_path):
    names = ["€" * 50 + str(index) for index in range(40_000)]
    path = write(
        tmp_path, ("name,i\n" + "".join(f"{name},{i}\n" for i, name in enumerate(names))).encode("utf-16")
    )
    assert [name for name, _ in read_table(path).preview(40_000)] == names


def test_names_lose_surrounding_blanks_and_line_breaks(tmp_path):
    table = read_table(write(tmp_path, 'a, b ,"c\n d"\n1,2,3\n'))
    assert [column.name for column in table.columns] == ["a", "b", "c d"]


@pytest.mark.parametrize(
    ("lines", "doubtful"),
    [
        ("id;pay|1;1.234|2;5.678", ("pay",)),
        ("id;pay|1;|2;1.222", ("pay",)),
        ("id;pay;rate|1;1.234;2.5|2;5.678;1", ()),  # the rate tells
        ("id;pay;rate|1;1.234;2,5|2;5.678;1", ()),
        ("id;pay|1;0.234|2;1.222", ()),  # no group of thousands begins with 0
        ("id,pay|1,1.234", ()),  # commas are taken
        ("id;host;pay|1;10.0.0.1;1.234", ("pay",)),
    ],
)
def test_points_that_could_stand_between_thousands_are_named(tmp_path, lines, doubtful):
    file = write(tmp_path, lines.replace("|", "\n"))
    assert read_table(file).reading.doubtful == doubtful
    assert read_table(file, decimal=".").reading.doubtful == ()
