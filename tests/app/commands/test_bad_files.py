"""Files that hold no data of the kind that is asked for: one line that says what, and where."""

import contextlib
import os
import sqlite3
from pathlib import Path

import pytest

BOUNDS = ("--lower", 0, "--upper", 10)


@pytest.fixture
def from_file(refused):
    """Refuse a file for a release, and for its sensitivity with what is confidential about it."""

    def call(path, *words):
        where = ("--data", path, *BOUNDS, *words)
        message = refused("run", "median", *where, "--epsilon", 1)
        more = refused("sensitivity", "median", *where, "--beta", 1, "--json").removeprefix(message)
        assert not more or more.startswith(" (confidential: "), (message, more)
        return message + more

    return call


def test_no_such_file(from_file, tmp_path):
    assert "nothere.csv" in from_file(tmp_path / "nothere.csv")


def test_a_directory(from_file, tmp_path):
    message = from_file(tmp_path)
    assert "folder" in message or "directory" in message


def test_an_empty_file(from_file, tmp_path):
    (tmp_path / "empty.csv").write_bytes(b"")
    assert "empty" in from_file(tmp_path / "empty.csv")


def test_a_header_without_records(from_file, csv):
    assert "record" in from_file(csv([]))


def test_binary_rubbish(from_file, tmp_path):
    (tmp_path / "rubbish.csv").write_bytes(bytes(range(256)) * 40)
    assert "rubbish.csv" in from_file(tmp_path / "rubbish.csv")


def test_a_row_with_too_many_cells(from_file, csv):
    message = from_file(csv(["1,2", "3,4,5", "6,7"], header="x,y"), "--column", "x")
    assert "row 3" in message


def test_text_among_numbers_names_row_and_column(from_file, csv):
    message = from_file(csv([1, 2, "abc", 4]))
    assert "row 4" in message
    assert "column 'x'" in message
    assert "(confidential: 'abc'; no column is numeric)" in message


@pytest.mark.parametrize("name", ["range.xls", "one.zip", "days.sav", "days.dta", "days.xpt"])
def test_a_damaged_file(from_file, name):
    file = Path(__file__).parents[2] / "engine" / "data" / "formats" / "damaged" / name
    message = from_file(file)
    assert name in message
    assert "get the whole file again" in message


def test_a_view_that_grows(refused, tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "v.sqlite")) as made:
        made.execute("CREATE VIEW v AS SELECT hex(zeroblob(100000000)) AS x")
        made.commit()
    data = ("median", "--data", tmp_path / "v.sqlite", "--column", "x", *BOUNDS)
    assert "a row of more than 16,777,216 bytes" in refused("sensitivity", *data, "--beta", 1)
    assert "not row by row" in refused("run", *data, "--epsilon", 1)


@pytest.mark.parametrize("word", ["NaN", "inf", "-inf"])
def test_what_is_not_finite_names_row_and_column(from_file, csv, word):
    message = from_file(csv([1, word, 3]))
    assert "row 3" in message
    assert "column 'x'" in message


def test_unknown_column(from_file, csv):
    message = from_file(csv(["1,2"], header="height,weight"), "--column", "hight")
    assert "hight" in message
    assert "height" in message


def test_a_column_must_be_chosen_where_there_are_several(refused, csv):
    """Which of them hold numbers alone is said where the records may be seen."""
    where = ("median", "--data", csv(["a,1,2"], header="name,height,weight"), *BOUNDS)
    message = refused("run", *where, "--epsilon", 1)
    assert message == "data.csv: there are several columns; choose one with --column: name, height, weight"
    message = refused("sensitivity", *where, "--beta", 1)
    assert message == "data.csv: several columns of numbers; choose one with --column: height, weight"


def test_only_some_of_many_columns_are_offered(refused, csv):
    path = csv([",".join("1" * 30)], header=",".join(f"c{i}" for i in range(30)))
    for verb, budget in (("run", "--epsilon"), ("sensitivity", "--beta")):
        assert refused(verb, "median", "--data", path, *BOUNDS, budget, 1).endswith("c8, c9, …")


def test_a_western_encoding_is_detected_and_said_others_are_stated(from_file, cli, tmp_path):
    (tmp_path / "latin.csv").write_bytes("name,x\nZoë,1\nJörg,2\n".encode("latin-1"))
    assert "'klingon' is unknown" in from_file(
        tmp_path / "latin.csv", "--column", "x", "--encoding", "klingon"
    )
    where = ("--data", tmp_path / "latin.csv", *BOUNDS, "--beta", 1, "--json")
    found = cli("sensitivity", "median", *where)
    assert found.json["value"] == 1
    assert "latin.csv is read as text, comma-separated, CP1252; state --encoding" in found.err
    assert cli("sensitivity", "median", *where, "--encoding", "latin-1").err == ""
    (tmp_path / "russian.csv").write_bytes("name,x\nИван,1\n".encode("cp1251"))
    assert "confidential: the byte 0xc8" in from_file(tmp_path / "russian.csv", "--column", "x")


def test_names_that_the_file_lacks_are_said(cli, tmp_path):
    path = tmp_path / "r.txt"
    path.write_text('"x" "x"\n"a" 1.5 2\n"b" 2.5 3\n"c" 3.5 4\n')
    where = ("sensitivity", "median", "--data", path, *BOUNDS, "--beta", 1, "--json")
    found = cli(*where, "--column", "x 2")
    assert found.json["value"] == 3
    assert (
        "r.txt is read as text, separated by blanks, UTF-8; state --delimiter if that is wrong" in found.err
    )
    assert "r.txt: columns without a name are called “column 1”" in found.err
    assert "r.txt: columns with a name that another column has are called “x 2”" in found.err
    stated = cli(*where, "--column", "x", "--delimiter", "blanks", "--header", "1")
    assert "--delimiter" not in stated.err


def test_the_one_column_of_numbers_need_not_be_named_where_nothing_is_released(cli, csv):
    """One record more may make numbers of another column."""
    path = csv(["ann,1", "bob,2"], header="name,x")
    assert cli("sensitivity", "median", "--data", path, *BOUNDS, "--beta", 1).status == 0
    assert cli("run", "median", "--data", path, *BOUNDS, "--epsilon", 1).status == 2
    assert cli("run", "median", "--data", path, *BOUNDS, "--epsilon", 1, "--seed", 1).status == 0
    assert cli("run", "median", "--data", csv([1, 2]), *BOUNDS, "--epsilon", 1).status == 0


@pytest.mark.skipif(
    os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all"
)
def test_no_permission(from_file, csv):
    path = csv([1])
    path.chmod(0)
    assert "permission" in from_file(path).lower()


def test_points_that_could_stand_between_thousands_are_told_with_the_remedy(cli, tmp_path):
    (tmp_path / "paid.csv").write_text("id;pay\n1;1.234\n2;5.678\n")
    where = ("--data", tmp_path / "paid.csv", "--column", "pay", "--lower", 0, "--upper", 9000, "--beta", 1)
    assert "pay can be read in two ways" in cli("sensitivity", "maximum", *where).err
    told = cli("sensitivity", "maximum", *where, "--decimal", ",", "--json")
    assert (told.json["value"], told.err) == (5678, "")


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ('id,pay\n1,"1,234"\n2,"5,678"\n', 5678, "1,234 above a thousand"),
        ("id;pay\n1;1,234\n2;5,678\n", 5.678, "1,234 is just above 1"),
    ],
)
def test_commas_with_two_readings_are_told_with_the_remedy(cli, tmp_path, text, value, said):
    (tmp_path / "paid.csv").write_text(text)
    where = ("--data", tmp_path / "paid.csv", "--column", "pay", "--lower", 0, "--upper", 9000, "--beta", 1)
    told = cli("sensitivity", "maximum", *where, "--json")
    assert told.json["value"] == value
    assert "pay can be read in two ways" in told.err
    assert said in told.err
    for sign, stated in ((".", 5678), (",", 5.678)):
        told = cli("sensitivity", "maximum", *where, "--decimal", sign, "--json")
        assert (told.json["value"], told.err) == (stated, "")


@pytest.mark.parametrize("verb", ["run", "sensitivity"])
def test_a_record_above_all_others_is_not_lost(refused, cli, tmp_path, verb):
    path = tmp_path / "iris.data"
    path.write_text("5.1,1.4,setosa\n4.9,1.4,setosa\n4.7,1.3,setosa\n")
    how = ("--epsilon", 1) if verb == "run" else ("--beta", 1)
    words = (verb, "median", "--data", path, *BOUNDS, *how)
    message = refused(*words, "--column", "5.1")
    assert message == (
        "iris.data, row 1: it could hold the names of the columns, or be a record like those below it; state "
        "--header 1 if it holds names, --header 0 if it is a record"
    )
    for column, header, n in (("column 1", 0, 3), ("5.1", 1, 2)):
        outcome = cli(*words, "--column", column, "--header", header, "--json")
        assert outcome.status == 0
        assert outcome.json.get("n", n) == n
