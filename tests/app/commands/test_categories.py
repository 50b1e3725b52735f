"""Categories on the command line: public lists, tables of counts, the mode, randomized answers."""

import csv as csv_files
import itertools
import json

import numpy as np
import pytest

from engine.catalog import sanitizers
from engine.data import EXAMPLES

CATEGORICAL = [name for name, cls in sanitizers().items() if cls.reads == "categories"]
ADMISSIONS = ("--example", "admissions", "--epsilon", 1)
TWO = ("--column", "department", "--column", "admitted")


@pytest.fixture
def poll(csv):
    """A poll with 60 answers."""
    rows = [f'{"yes" if i % 3 else "no"},{i % 2},"north, west"' for i in range(59)]
    return csv([*rows, 'maybe,0,"north, west"'], header="vote,female,region")


@pytest.mark.parametrize("name", CATEGORICAL)
def test_every_mechanism_runs_on_the_lists_of_the_card(cli, name):
    column = ("--column", "department")
    content = cli("run", name, *ADMISSIONS, *column, "--json").json
    assert (content["mechanism"], content["simulated"]) == (name, False)
    assert content["privacy"] == {"epsilon": 1, "delta": 0, "neighbours": "replace-one"}
    assert content["parameters"]["columns"] == ["department"]
    assert content["parameters"]["categories"] == [list("ABCDEF")]
    assert set(content["noise"]) >= {"family", "alpha", "beta"}
    text = cli("run", name, *ADMISSIONS, *column).out
    assert "public categories" in text
    assert "department: A, B, C, D, E, F" in text
    assert "confidential:" not in text


def test_a_table_is_written_down_cell_by_cell(cli):
    content = cli("run", "contingency-table", *ADMISSIONS, *TWO, "--seed", 1, "--show-private", "--json").json
    cells, true = content["value"]["cells"], content["diagnostics"]["true_value"]["cells"]
    expected = [list(some) for some in itertools.product("ABCDEF", ("admitted", "rejected"))]
    assert [cell["categories"] for cell in cells] == [cell["categories"] for cell in true] == expected
    assert [cell["count"] for cell in true][:4] == [601, 332, 370, 215]
    counts = np.array([cell["count"] for cell in cells])
    assert counts.sum() == pytest.approx(4526)
    np.testing.assert_allclose(counts, [cell["count"] for cell in true], atol=40)
    assert content["noise"]["scale"] == pytest.approx(2, rel=1e-14)
    assert (content["diagnostics"]["unseen"], content["diagnostics"]["dropped"]) == (0, 0)


def test_two_columns_are_told_as_a_cross_table(cli):
    out = cli("run", "contingency-table", *ADMISSIONS, *TWO).out
    assert "department \\ admitted  admitted  rejected" in out
    assert "released contingency-table  12 counts" in out
    three = cli("run", "contingency-table", *ADMISSIONS).out
    assert "gender  admitted  department" in three


def test_margins_and_gaussian_noise(cli):
    words = ("--margins", "pairs", "--noise", "gaussian", "--delta", 1e-6, "--post", "none")
    content = cli("run", "contingency-table", *ADMISSIONS, *words, "--json").json
    assert [margin["columns"] for margin in content["value"]["margins"]] == [
        ["gender", "admitted"],
        ["gender", "department"],
        ["admitted", "department"],
    ]
    assert (content["noise"]["family"], content["privacy"]["delta"]) == ("gaussian", 1e-6)
    out = cli("run", "contingency-table", *ADMISSIONS, *words).out
    assert out.count(" \\ ") == 3


def test_the_mode_and_what_it_is_not(cli):
    content = cli("run", "mode", *ADMISSIONS, *TWO, "--show-private", "--json").json
    assert content["value"] == content["diagnostics"]["true_value"] == ["F", "rejected"]
    assert "released mode      F, rejected" in cli("run", "mode", *ADMISSIONS, *TWO).out


def test_randomized_answers_say_that_they_are_private_one_by_one(cli):
    where = ("run", "randomized-response", *ADMISSIONS, "--column", "gender")
    value = cli(*where, "--json").json["value"]
    assert sum(value["answers"].values()) == 4526
    assert value["shares"]["male"] == pytest.approx(0.5946, abs=0.1)
    assert "local model" in cli(*where).out
    assert "± 0.014" in cli(*where).out


def test_lists_of_a_file_are_given_on_the_command_line(cli, poll):
    lists = (
        "--column",
        "female",
        "--categories",
        "0,1",
        "--column",
        "region",
        "--categories",
        '"north, west", south',
    )
    content = cli(
        "run", "contingency-table", "--data", poll, *lists, "--epsilon", 1, "--show-private", "--json"
    ).json
    assert content["parameters"]["categories"] == [["0", "1", "other"], ["north, west", "south", "other"]]
    counts = [cell["count"] for cell in content["diagnostics"]["true_value"]["cells"]]
    assert counts == [31, 0, 0, 29, 0, 0, 0, 0, 0]


def test_values_that_are_not_listed_count_as_other_as_on_a_sheet(cli, refused, poll, tmp_path):
    where = (
        "run",
        "contingency-table",
        "--data",
        poll,
        "--column",
        "vote",
        "--categories",
        "yes,no",
        "--epsilon",
        1,
    )
    message = refused(*where, "--unseen", "refuse")
    for words in ("row 61", "column 'vote'", "the value is not among", "yes, no", "unseen = other"):
        assert words in message
    content = cli(*where, "--show-private", "--json").json
    assert content["parameters"]["categories"] == [["yes", "no", "other"]]
    assert [cell["count"] for cell in content["diagnostics"]["true_value"]["cells"]] == [39, 20, 1]
    assert content["diagnostics"]["unseen"] == 1
    public = cli(*where, "--unseen", "other")
    assert "unseen" not in public.out + public.err
    sheet = tmp_path / "sheet.toml"
    sheet.write_text(
        'epsilon = 1\n[columns.vote]\ncategories = ["yes", "no"]\n[[questions]]\nask = "table of vote"'
    )
    (asked,) = cli("ask", sheet, "--data", poll, "--json").json["questions"]
    assert [cell["group"] for cell in asked["groups"]] == content["parameters"]["categories"][0]


def test_examples_with_missing_values_and_categories_beside_numbers(cli, refused):
    where = ("run", "mode", "--example", "penguins", "--column", "sex", "--epsilon", 1)
    assert "row 5, column 'sex': the value is missing" in refused(*where)
    found = cli(*where, "--missing", "drop", "--json")
    assert found.json["value"] in ("male", "female")
    assert "n, the number of all others, is taken as public" in found.err


LISTED = ("--column", "x", "--categories", "1,2")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--column", "x"), "--categories: a public list of what column 'x' may hold is needed"),
        ((), "--column: name the columns of categories"),
        (("--column", "x", "--categories", "a", "--categories", "b"), "2 lists for 1 column (x)"),
        (("--column", "x", "--categories", '"a,b'), "does not close its double quotes"),
        (("--column", "x", "--categories", ""), "column 'x' has none"),
        (("--column", "x", "--categories", "a,,b"), "has an empty category"),
        (("--column", "x", "--categories", "a,b,a"), "'a' is listed twice"),
        (("--column", "x", "--column", "x", "--categories", "a", "--categories", "b"), "'x' is named twice"),
        ((*LISTED, "--unseen", "drop"), "drop belongs to --by"),
        ((*LISTED, "--lower", 0), "--lower: contingency-table reads columns of categories"),
        ((*LISTED, "--noise", "lcp"), "must be one of laplace, gaussian"),
        ((*LISTED, "--unseen", "other", "--noise", "gaussian"), "delta: 0 is not possible"),
        ((*LISTED, "--nu", 3), "--nu: contingency-table has no such parameter"),
        ((*LISTED, "--unseen", "other", "--margins", "pairs"), "pairs need at least two columns"),
        ((*LISTED, "--resolution", 1), "has a grid of its own"),
        ((*LISTED, "--blocks", 3), "--blocks: contingency-table does not use it"),
        (("--column", "y", "--categories", "1,2"), "there is no column 'y'; try x"),
        (("--column", "x", "--categories", "1,2,1.0"), "'1' and '1.0' are the same"),
    ],
)
def test_mistakes_are_explained_in_a_line(refused, ten, words, message):
    assert message in refused("run", "contingency-table", "--data", ten, *words, "--epsilon", 1)


def test_options_and_examples_of_other_data_are_refused(refused, ten):
    lists = ("--categories", "1,2")
    assert "belongs to contingency-table" in refused(
        *("run", "median", "--data", ten, "--lower", 0, "--upper", 10, "--epsilon", 1, *lists)
    )
    for example, holds in (("karate", "is a graph"), ("salaries", "holds columns of numbers")):
        message = refused("run", "mode", "--example", example, "--epsilon", 1)
        assert f"{example} {holds}" in message
        assert message.endswith("try penguins, admissions, blood-types")
    assert "admissions holds categories" in refused(
        "run", "median", "--example", "admissions", "--epsilon", 1
    )
    assert "choose one column" in refused("run", "randomized-response", *ADMISSIONS)


def test_noise_that_drowns_the_counts_is_said(cli):
    found = cli("run", "contingency-table", "--example", "admissions", "--epsilon", 0.001)
    assert "larger than the average count (189)" in found.err
    answers = (
        "run",
        "randomized-response",
        "--example",
        "admissions",
        "--column",
        "gender",
        "--epsilon",
        0.01,
    )
    assert "larger than the average share (0.5)" in cli(*answers).err


def test_long_tables_are_cut_for_people_and_whole_in_json(cli, csv):
    labels = [f"label {i}" for i in range(300)]
    path = csv(labels, header="x")
    where = ("run", "contingency-table", "--data", path, "--column", "x", "--categories", ",".join(labels))
    assert "… and 261 rows more, which --json writes down" in cli(*where, "--epsilon", 1).out
    assert len(cli(*where, "--epsilon", 1, "--json").json["value"]["cells"]) == 301


@pytest.mark.parametrize("name", CATEGORICAL)
def test_figures_say_what_is_private(cli, drawn, name, tmp_path):
    where = ("run", name, *ADMISSIONS, "--column", "department", "--seed", 1)
    for private in ((), ("--show-private",)):
        assert cli(*where, *private, "--plot", tmp_path / "figure.png").status == 0
        assert ("Confidential: computed from raw data" in drawn[-1]) == bool(private)


def test_the_file_of_the_example_is_what_the_card_says():
    from engine.resources import resource

    card = EXAMPLES["admissions"]
    with resource("examples", card.file).open(newline="", encoding="utf-8") as file:
        rows = list(csv_files.DictReader(file))
    assert len(rows) == card.n
    for own in card.categories:
        assert {row[own.name] for row in rows} == set(own.labels)


def test_nothing_but_the_release_is_printed(cli):
    full = cli("run", "contingency-table", *ADMISSIONS, "--seed", 3, "--show-private", "--json").json
    full.pop("diagnostics")
    outcome = cli("run", "contingency-table", *ADMISSIONS, "--seed", 3, "--json")
    assert json.loads(outcome.out) == full
    assert outcome.err == ""
