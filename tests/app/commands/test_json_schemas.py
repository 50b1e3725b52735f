"""The JSON of each verb, against the schemas in the documentation."""

import json

import pytest
from jsonschema import Draft202012Validator

from engine import LaplaceRelease, Sample, load_example
from engine.resources import resource

SCHEMAS = json.loads(resource("schemas", "command-line.json").read_text("utf-8"))
SALARIES = ("--example", "salaries")
BY = ("--by", "island", "--categories", "Biscoe,Dream,Torgersen")
PENGUINS = ("--example", "penguins", "--column", "body_mass_g", *BY)
LINES = {
    "run": [
        ("median", *SALARIES, "--epsilon", "1"),
        ("mean", *SALARIES, "--epsilon", "1", "--seed", "1", "--show-private", "--group", "2"),
        ("histogram-noisy", "--example", "geyser", "--bins", "3", "--epsilon", "1"),
        ("mst", "--example", "roads", "--epsilon", "1"),
        ("clusters", "--example", "three-clusters", "--k", "3", "--epsilon", "1", "--delta", "1e-6"),
        ("median", *PENGUINS, "--lower", "2000", "--upper", "7000", "--epsilon", "1"),
    ],
    "sensitivity": [("median", *SALARIES, "--epsilon", "1"), ("mst", "--example", "k3", "--beta", "0.1")],
    "noise": [("lcp", "--epsilon", "1"), ("laplace", "--epsilon", "1", "--delta", "1e-6")],
    "compare": [("median:smooth", "median:laplace", *SALARIES, "--epsilon", "1", "--runs", "20")],
    "audit": [("median:laplace", *SALARIES, "--epsilon", "1", "--runs", "2000")],
    "plan": [("clusters", "--k", "2", "--n", "1e5", "--lower", "0,0", "--upper", "1,1", "--epsilon", "1")],
    "bounds": [(*SALARIES, "--column", "salary", "--lower", "0", "--upper", "1e9", "--epsilon", "1")],
    "budget": [(), SALARIES],
    "catalog": [()],
}


def test_the_schemas_are_schemas():
    for schema in SCHEMAS["$defs"].values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    ("verb", "words"), [(verb, words) for verb, lines in LINES.items() for words in lines], ids=str
)
def test_the_json_of_a_verb_fits_its_schema(verb, words, cli, monkeypatch, tmp_path):
    monkeypatch.setenv("SENSISCOPE_LEDGER", str(tmp_path / "ledger.sqlite"))
    outcome = cli(verb, *words, "--json")
    assert outcome.status == 0, outcome.err
    found = json.loads(outcome.out)
    assert list(problems(verb, found)) == []
    if verb not in ("catalog", "plan"):  # whose names are those of the components
        assert found.keys() <= SCHEMAS["$defs"][verb]["properties"].keys()


def test_json_and_python_name_the_same_things_alike(cli):
    printed = cli("run", "mean", *SALARIES, "--method", "laplace", "--epsilon", "1", "--seed", "3", "--json")
    data = Sample(load_example("salaries").numbers("salary").values, (0, 500_000))
    made = LaplaceRelease("mean").run(data, 1, seed=3).to_dict()
    common = printed.json.keys() & made.keys() - {
        "privacy",
        "parameters",
    }  # the command states more about these
    assert common == {
        "mechanism",
        "query",
        "method",
        "value",
        "interval",
        "step",
        "exact",
        "noise",
        "simulated",
        "version",
    }
    assert {name: printed.json[name] for name in common - {"noise"}} == {
        name: made[name] for name in common - {"noise"}
    }
    assert printed.json["noise"].items() >= made["noise"].items()
    assert (made["query"], made["method"]) == ("mean", "laplace")


def test_a_missing_part_is_found():
    assert list(problems("run", {"mechanism": "median", "version": "1"}))


def problems(verb, found):
    validator = Draft202012Validator({"$ref": f"#/$defs/{verb}", "$defs": SCHEMAS["$defs"]})
    return [f"{list(error.path)}: {error.message}"[:200] for error in validator.iter_errors(found)]


@pytest.mark.parametrize("dry", [True, False])
def test_the_json_of_a_sheet_fits_its_schema(cli, tmp_path, dry):
    (tmp_path / "data.csv").write_text("x\n" + "\n".join(str(i % 50) for i in range(500)))
    sheet = """epsilon = 1.0
[columns.x]
lower = 0
upper = 50
[[questions]]
ask = "median of x"
"""
    (tmp_path / "sheet.toml").write_text(sheet)
    more = ["--dry-run"] if dry else ["--ledger", tmp_path / "ledger.sqlite"]
    outcome = cli("ask", tmp_path / "sheet.toml", "--data", tmp_path / "data.csv", "--json", *more)
    assert outcome.status == 0, outcome.err
    assert problems("ask", json.loads(outcome.out)) == []
