"""`sensiscope run`: one release, and nothing else from raw data unless it is asked for."""

import re

import pytest
from grids import without_grid
from json_keys import RUN_OF_A_NUMBER

WHERE = ("--example", "salaries", "--epsilon", 1)


def test_release_has_exactly_the_promised_keys(cli):
    found = cli("run", "median", *WHERE, "--method", "smooth", "--json")
    assert found.status == 0
    assert found.err == ""
    content = found.json
    assert list(content) == [*RUN_OF_A_NUMBER, "spent"]
    assert content["mechanism"] == "median"
    assert isinstance(content["value"], float)
    assert content["privacy"] == {"epsilon": 1, "delta": 0, "neighbours": "replace-one"}
    assert content["noise"]["family"] == "power-laplace"
    assert content["noise"]["alpha"] > 0
    assert content["noise"]["beta"] > 0
    assert content["parameters"]["method"] == "smooth"
    assert content["parameters"]["even"] == "lower"
    assert content["simulated"] is False
    assert content["version"]


def test_a_public_rule_chooses_the_method(cli):
    """It is the same as one stated, and an option of another method chooses that one."""
    auto, text = cli("run", "median", *WHERE, "--json").json, cli("run", "median", *WHERE).out
    assert auto["parameters"]["method"] == "exponential"
    assert auto["noise"] == {"family": None, "alpha": None, "beta": None}
    assert "expected errors" in text
    assert text.index("Exponential mechanism ±") < text.index("Laplace ±")
    assert cli("run", "mean", *WHERE, "--json").json["parameters"]["method"] == "laplace"
    for option in (("--noise", "student-t"), ("--constants", "published", "--noise", "lognormal")):
        found = cli("run", "median", *WHERE, *option, "--json")
        assert found.status != 0 or found.json["parameters"]["method"] == "smooth"


def test_diagnostics_only_when_asked_for(cli):
    content = cli("run", "median", *WHERE, "--method", "smooth", "--show-private", "--json").json
    assert list(content) == [*RUN_OF_A_NUMBER, "spent", "diagnostics"]
    assert {"true_value", "local", "smooth", "global", "scale", "argmax_k"} <= set(content["diagnostics"])


def test_nothing_computed_from_raw_data_is_printed_but_the_release(cli, csv):
    where = ("--data", csv([123.25] * 60 + [-9] * 37 + [987.5] * 60), "--lower", 0, "--upper", 1000)
    where += ("--epsilon", 0.5, "--seed", 5, "--method", "smooth")
    full = cli("run", "median", *where, "--show-private", "--json").json
    private = full.pop("diagnostics")
    assert private["true_value"] == 123.25
    assert private["clamped"] == 37
    outcome = cli("run", "median", *where, "--json")
    assert outcome.json == full
    assert outcome.err == ""
    # whatever is a number in the text is one of the public ones, and the grid is known without the data
    outcome = cli("run", "median", *where)
    assert full["step"] == 2.0**-31  # 2^-40 of the power of two below the sensitivity, 1000
    out = without_grid(outcome.out, full["step"])
    printed = {float(word.replace(",", "")) for word in re.findall(r"(?<![\w.])-?\d[\d,]*\.?\d*", out)}
    public = {0, 1000, 157, 0.5, 5, full["noise"]["g"], round(full["value"], 5)}
    public |= {full["parameters"]["farthest"]}
    public |= {float(f"{full['noise'][name]:.5g}") for name in ("alpha", "beta")}
    assert printed <= public | {float(f"{full['value']:.8g}")}
    assert outcome.err == ""


def test_a_release_is_never_the_same_twice(cli):
    values = {cli("run", "median", *WHERE, "--json").json["value"] for _ in range(3)}
    assert len(values) == 3


def test_a_seed_makes_a_reproducible_simulation_that_says_so(cli):
    contents = [cli("run", "median", *WHERE, "--seed", seed, "--json").json for seed in (7, 7, 8)]
    assert all(content["simulated"] is True for content in contents)
    assert contents[0] == contents[1]
    assert contents[0]["value"] != contents[2]["value"]
    text = cli("run", "median", *WHERE, "--seed", 7).out
    assert "SIMULATION" in text
    assert "not a release" in text
    assert "released" not in text
    assert "SIMULATION" not in cli("run", "median", *WHERE).out


def test_text_names_privacy_and_neighbours(cli):
    out = cli("run", "median", *WHERE).out
    assert "epsilon = 1, delta = 0 between databases with one record replaced, n public" in out
    assert "true_value" not in out


@pytest.mark.parametrize("method", ["smooth", "laplace", "gaussian", "exponential", "propose-test-release"])
def test_every_method(cli, method):
    more = {"gaussian": ("--delta", 1e-6), "propose-test-release": ("--delta", 1e-6, "--bound", 5000)}
    found = cli("run", "median", *WHERE, "--method", method, *more.get(method, ()), "--json")
    assert found.status == 0, found.err
    assert list(found.json) == [*RUN_OF_A_NUMBER, "spent"]
    assert found.json["parameters"]["method"] == method
    assert {"family", "alpha", "beta"} <= set(found.json["noise"])


@pytest.mark.parametrize(
    "query", ["median", "quantile", "minimum", "maximum", "mean", "trimmed-mean", "winsorized-mean"]
)
def test_every_query(cli, query):
    found = cli("run", query, *WHERE, "--json")
    assert found.json["mechanism"] == query
    assert found.json["value"] is not None


def test_refusal_of_propose_test_release_is_null_and_said_in_words(cli, csv):
    words = ("run", "median", "--data", csv([0, 0, 0, 10, 10]), "--lower", 0, "--upper", 10, "--epsilon", 0.1)
    words += ("--delta", 1e-6, "--method", "propose-test-release", "--bound", 0.5, "--seed", 1)
    found = cli(*words, "--json")
    assert found.status == 0
    assert found.json["value"] is None
    assert "refused" in found.err
    assert "refused" in cli(*words).out


def test_resolution_rounds_the_release(cli):
    found = cli("run", "median", *WHERE, "--resolution", 500, "--json").json
    assert found["value"] % 500 == 0
    assert (found["step"], found["exact"]) == (500, True)


@pytest.mark.parametrize(("resolution", "step"), [((), 2.0**-22), (("--resolution", 1e-9), 2.0**-22)])
def test_a_release_is_a_multiple_of_its_step(cli, resolution, step):
    found = cli("run", "median", *WHERE, *resolution, "--json").json
    assert found["step"] == step
    assert (found["value"] / step).is_integer()


def test_the_text_says_the_grid_and_whether_the_value_was_clamped(cli):
    out = cli("run", "median", *WHERE).out
    assert "multiples of 2^-22 = 2.4e-07 $, clamped to the range of results" in out
    out = cli("run", "median", *WHERE, "--resolution", 2500, "--clamp", "none").out
    assert "multiples of 2,500 $, not clamped" in out


def test_what_is_not_exact_says_so_before_it_is_released_and_beside_epsilon(cli):
    words = ("run", "winsorized-mean", *WHERE, "--delta", 1e-6, "--method", "propose-test-release")
    words += ("--bound", 5000)
    found = cli(*words)
    assert "warning: not verified to the last bit: the distance" in found.err
    assert "n public; not verified to the last bit: the distance" in found.out
    assert cli(*words, "--json").json["exact"] is False
    listed = cli("budget", "--example", "salaries", "--json").json["entries"]
    assert [entry["exact"] for entry in listed] == [False, False]
    assert "not verified to the last bit: the distance" in cli("budget", "--example", "salaries").out


def test_global_noise_says_its_error_and_when_it_drowns_the_bounds(cli, csv):
    found = cli(
        *("run", "median", "--data", csv([1, 2, 3]), "--lower", 0, "--upper", 10),
        *("--epsilon", 0.1, "--method", "laplace"),
    )
    assert "95 % within" in found.out
    assert "wider than the range of possible results (10)" in found.err


@pytest.mark.parametrize("values", [[3], [3, 4], [7] * 9, [-50, -60], [500, 600]])
def test_small_equal_and_outlying_data_work(cli, csv, values):
    where = ("--data", csv(values), "--lower", 0, "--upper", 10, "--epsilon", 1, "--json")
    for method in ("smooth", "laplace", "exponential"):
        found = cli("run", "median", *where, "--method", method)
        assert found.status == 0, found.err
        assert isinstance(found.json["value"], float)


def test_missing_values_are_refused_or_dropped_as_the_person_says(cli, refused, csv):
    path = csv(["1,a", "2,b", ",c", "4,d"], header="x,y")
    where = ("run", "median", "--data", path, "--column", "x", "--lower", 0, "--upper", 5, "--epsilon", 1)
    assert "row 4" in refused(*where)
    found = cli(
        *where, "--missing", "drop", "--method", "smooth", "--complete", 3, "--show-private", "--json"
    )
    assert found.json["diagnostics"]["dropped"] == 1
    assert "n, the number of all others, is taken as public" in found.err
    # filled with the stated value, every record counts
    found = cli(*where, "--missing", "fill", "--fill", 1.5, "--show-private", "--json")
    assert found.json["diagnostics"]["true_value"] == 1.5
    assert "Each missing value of x counts as 1.5" in found.err
    assert "one value for each column (x)" in refused(*where, "--missing", "fill")
    assert "'x' is no number" in refused(*where, "--missing", "fill", "--fill", "x")
    assert "one value for each column (x)" in refused(*where, "--missing", "fill", "--fill", "1,2")
    assert "belongs to --missing fill" in refused(*where, "--fill", 1)


@pytest.mark.parametrize("constants", ["tight", "published"])
def test_constants(cli, constants):
    found = cli("run", "median", *WHERE, "--noise", "generalized-cauchy", "--constants", constants, "--json")
    assert found.json["parameters"]["constants"] == constants


def test_a_published_pair_that_is_not_private_is_never_released(cli, refused):
    """The pair in print for Laplace noise breaks its promise for a large epsilon."""
    where = ("--example", "salaries", "--epsilon", 30, "--delta", 1e-3)
    more = ("--noise", "laplace", "--constants", "published")
    assert "does not give epsilon = 30, delta = 0.001" in refused("run", "median", *where, *more)
    outcome = cli("sensitivity", "median", *where, *more, "--json")
    assert outcome.status == 0
    assert "does NOT give epsilon = 30, delta = 0.001" in outcome.err


@pytest.mark.parametrize("seed", [(), ("--seed", 1)])
def test_of_a_columnar_file_no_more_than_one_column_is_held(cli, tmp_path, monkeypatch, seed):
    """A simulation reads only its own; the account of a release is found by all, one after the other."""
    import pyarrow as pa
    from pyarrow import parquet

    from engine.data import reading as module

    asked, read_file = [], module.read_file

    def reading(*arguments, columns=None, **more):
        asked.append(columns)
        return read_file(*arguments, columns=columns, **more)

    monkeypatch.setattr(module, "read_file", reading)
    path = tmp_path / "people.parquet"
    parquet.write_table(pa.table({"age": [30.0, 40.0, 50.0], "pay": [1, 2, 3]}), path)
    where = ("--data", path, "--column", "age", "--lower", 0, "--upper", 100, "--epsilon", 1, "--json")
    assert cli("run", "median", *where, *seed).json["simulated"] is bool(seed)
    assert asked == [["age"]] if seed else [["age"], ["age"], ["pay"]]
    if not seed:
        assert len(cli("budget", "--data", path, "--json").json["entries"]) == 1
