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
