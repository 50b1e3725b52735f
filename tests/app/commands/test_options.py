"""The parts that read words and write numbers."""

import math

import pytest

from app.commands.support.console import finite, one_line
from app.commands.support.mechanism_options import mechanism_parameters
from app.commands.support.options import ParameterOptions, Parser, join_negative_numbers, numbers, whole
from app.model.wording.console import facts, number
from app.model.wording.numbers import THIN


@pytest.mark.parametrize("word", ["-5", "-.5", "-1e9", "-inf", "-nan", "-5,-3"])
def test_negative_numbers_are_values(word):
    assert join_negative_numbers(["--lower", word, "--json"]) == [f"--lower={word}", "--json"]


@pytest.mark.parametrize(
    "words", [["--lower", "5"], ["--json", "-h"], ["--lower=1", "-5"], ["a", "-5"], ["--", "--x", "-5"]]
)
def test_all_else_is_left_alone(words):
    assert join_negative_numbers(words) == words


def test_whole_numbers():
    assert [whole(text) for text in ("0", "12", "1e6", str(10**30))] == [0, 12, 10**6, 10**30]
    for text in ("-1", "1.5", "nan", "inf", "1e999", "x", ""):
        with pytest.raises(Exception, match="whole number"):
            whole(text)


def test_numbers_separated_by_commas():
    assert numbers("1,-2.5") == (1, -2.5)
    with pytest.raises(Exception, match="'' is not a number"):
        numbers("1,")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (48139, f"48{THIN}139"),
        (62.352385, "62.352"),
        (-257835.26, f"-257{THIN}835"),
        (0.00012345678, "0.00012346"),
        (1.2e-9, "1.2e-09"),
        (3e20, "3e+20"),
        (math.inf, "infinite"),
        (1000.0, f"1{THIN}000"),
    ],
)
def test_numbers_for_people(value, text):
    assert number(value) == text


def test_numbers_for_programs():
    import numpy as np

    content = {"a": np.float64(1.5), "b": np.array([1.0, np.inf]), "c": {"d": (math.nan, None, True, "x", 3)}}
    assert finite(content) == {"a": 1.5, "b": [1.5 - 0.5, None], "c": {"d": [None, None, True, "x", 3]}}


def test_one_line():
    assert one_line("a\n b\x1b[0m\udcff") == "a b\\x1b[0m\\udcff"


def test_columns_are_aligned():
    assert facts([("a", "1", "x"), ("long", "200", "y")]) == "  a     1    x\n  long  200  y"


def test_a_list_of_public_numbers_may_stand_in_a_file(cli, tmp_path):
    file = tmp_path / "prior.csv"
    file.write_text("column,weight\nx,1\ny,2.5\n")
    asked = ("run", "scored-choice", "--example", "three-clusters", "--epsilon", 1, "--seed", 1, "--json")
    told = cli(*asked, "--prior", f"@{file}").json["parameters"]
    assert told["prior"] == "1, 2.5"
    assert str(file) not in str(told)
    file.write_text("column,weight\nx,1\ny,0\n")
    found = cli(*asked, "--prior", f"@{file}")
    assert (found.status, found.out) == (2, "")
    assert "--prior: prior.csv, row 3: '0' is not a number above 0" in found.err


def test_the_help_of_a_shared_option_says_what_it_is_for_each_owner():
    told = {}
    for name, declared in mechanism_parameters().declarations().items():
        parser = Parser(add_help=False)
        options = ParameterOptions(mechanism_parameters().owners, only=[name])
        options.add_to(parser, "parameters")
        [action] = parser._actions
        told[name] = action
        for owner, parameter in declared.items():
            assert parameter.help.rstrip(".") in action.help.replace("%%", "%"), (name, owner)
            assert set(parameter.choices) <= set(action.metavar.split("|"))
            if not parameter.choices:
                assert parameter.bounds() in action.help
    assert "synthetic: Parts of each axis (a whole number at least 1 and at most 1,024; de" in (
        told["bins"].help
    )
    assert "counts: clamp: pull counts" in told["post"].help
    assert "(clamp|none; default clamp)" in told["post"].help
    assert told["cells"].metavar == "CELLS|shifted|cubes"


def test_an_option_that_is_a_number_for_one_and_a_word_for_another(cli):
    begin = ("--example", "planted-disc", "--epsilon", 1, "--seed", 1)
    for words in (("privtree", "--cells", "cubes"), ("stable-cell", "--delta", 1e-6, "--cells", 16)):
        assert (cli("run", *words, *begin).err, words) == ("", words)
    found = cli("run", "privtree", "--cells", 16, *begin)
    assert (found.status, found.out) == (2, "")
    assert "cells: 16 is not possible; it must be one of shifted, cubes" in found.err
