"""Errors of the engine name the options that mend them."""

import pytest

from app.commands.support.remedies import with_options
from engine.errors import DataError, NamesInDoubt, ParameterError, SensiscopeError, UnknownName

KNOWN = ("--header", "--encoding", "--missing", "--type", "--dates", "--sheet", "--range", "--epsilon")
KNOWN += ("--max-depth", "--example", "--column", "--vertices")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ParameterError("epsilon", "0 is too small"), "--epsilon: 0 is too small"),
        (ParameterError("max_depth", "0 is too small"), "--max-depth: 0 is too small"),
        (ParameterError("types", "no type"), "--type: no type"),
        (ParameterError("share", "0 is too small"), "share: 0 is too small"),
        (UnknownName("example", "x", ["karate"]), "--example: there is no example 'x'; try karate"),
        (UnknownName("page", "x", ["median"]), "there is no page 'x'; try median"),
        (
            DataError("it is bad; state its encoding", row=3),
            "row 3: it is bad; state its encoding (--encoding)",
        ),
        (
            DataError("it is bad; choose another sheet or range"),
            "it is bad; choose another sheet or range (--sheet, --range)",
        ),
        (DataError("no header; correct it"), "no header; correct it"),
        (DataError("it is bad; choose it with --column"), "it is bad; choose it with --column"),
        (
            DataError("its numbers are stored as text; store them as numbers"),
            "its numbers are stored as text; store them as numbers (--type)",
        ),
        (
            DataError("the value is not a number; choose a column", source="a.xlsx", row=2),
            "a.xlsx, row 2: the value is not a number; choose a column (--column, --header, --range)",
        ),
        (SensiscopeError("state its encoding"), "state its encoding"),
    ],
)
def test_the_option_is_named(error, text):
    assert with_options(error, KNOWN) == text


def test_only_options_that_the_command_has_are_named():
    assert (
        with_options(DataError("it is bad; state its encoding"), ["--header"])
        == "it is bad; state its encoding"
    )


def test_names_in_doubt_are_stated_by_an_option():
    text = with_options(NamesInDoubt("a.csv", 1, True), KNOWN)
    assert text.endswith("state --header 1 if it holds names, --header 0 if it is a record")


def test_a_value_with_blanks_is_quoted():
    text = with_options(DataError('state delimiter="fixed 8,4" or header="1-2"'), ())
    assert text == "state --delimiter 'fixed 8,4' or --header 1-2"


def test_real_files(refused, csv, tmp_path):
    begin = ("--lower", 0, "--upper", 9, "--epsilon", 1, "--seed", 1)
    missing = csv(["a,1", "b,", "c,2"], header="name,x")
    assert "(--missing)" in refused("run", "median", "--data", missing, "--column", "x", *begin)
    coded = tmp_path / "coded.csv"
    coded.write_bytes(b"x,y\n1,\xe9\n2,\xe9\n")
    assert "--encoding" in refused(
        "run", "median", "--data", coded, "--column", "x", *begin, "--encoding", "utf-8"
    )
    dates = csv(["1/2/2020", "3/4/2020"], header="born", name="dates.csv")
    typed = ("--column", "born", "--type", "born=days")
    assert "--dates" in refused("run", "median", "--data", dates, *typed, *begin)


@pytest.fixture
def mended(refused, csv):
    """Return the message of a command on a file with these lines."""

    def message(lines, *options, name="agee.csv"):
        header, *cells = lines
        return refused("run", *options, "--data", csv(cells, header=header, name=name), "--epsilon", 1)

    return message


MEDIAN = ("median", "--lower", 0, "--upper", 9)


def test_a_cell_of_the_header_or_below_the_table(mended):
    units = mended(["time,mass", "[s],[kg]", "1,2.5", "2,3.5"], *MEDIAN, "--column", "mass")
    assert "row 2" in units
    assert "--header" in units
    foot = mended(["x", "1", "2", "3", "Total: 6"], *MEDIAN, "--column", "x")
    assert "row 5" in foot
    assert "--header" not in foot


def test_the_option_with_an_unknown_column_is_named(mended):
    assert mended(["age", "1"], *MEDIAN, "--column", "agee").endswith("try age (--column)")
    typed = mended(["age", "1"], *MEDIAN, "--column", "age", "--type", "agee=number")
    assert typed.endswith("try age (--type)")


def test_an_undeclared_category(mended):
    words = ("--column", "dep", "--categories", "a,b", "--unseen", "refuse")
    problem = mended(["dep", "a", "c"], "mode", *words)
    assert problem.endswith("(--categories, --unseen)")
