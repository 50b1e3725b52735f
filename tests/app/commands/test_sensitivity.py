"""`sensiscope sensitivity`: the JSON that others script against, and the text that users read."""

import math

import pytest

KEYS = ["query", "n", "column", "value", "beta", "local", "smooth", "global", "argmax_k"]
KEYS += ["at_distance", "version"]


def test_worked_example_of_the_literature(cli, ten):
    found = cli("sensitivity", "median", "--data", ten, "--lower", 0, "--upper", 1000, "--beta", 2, "--json")
    assert found.status == 0
    assert found.err == ""
    content = found.json
    assert list(content) == KEYS
    assert content["query"] == "median"
    assert content["n"] == 10
    assert content["value"] == 5
    assert content["beta"] == 2
    assert content["local"] == 1
    assert content["smooth"] == 1
    assert content["global"] == 1000
    assert content["argmax_k"] == 0
    assert content["at_distance"][:4] == [1, 2, 3, 4]


def test_at_distance_reaches_past_the_deciding_k(cli, ten):
    content = cli(
        "sensitivity", "median", "--data", ten, "--lower", 0, "--upper", 1000, "--beta", 0.5, "--json"
    ).json
    last = len(content["at_distance"]) - 1
    beyond = content["global"] * math.exp(-content["beta"] * last)
    assert beyond < content["smooth"] or last >= content["n"]
    discounted = [a * math.exp(-content["beta"] * k) for k, a in enumerate(content["at_distance"])]
    assert max(discounted) == pytest.approx(content["smooth"], rel=1e-12)
    assert discounted[content["argmax_k"]] == pytest.approx(content["smooth"], rel=1e-12)


@pytest.mark.parametrize("k_max", [0, 3, 10, 25])
def test_k_max_gives_exactly_one_more(cli, ten, k_max):
    content = cli(
        *("sensitivity", "median", "--data", ten, "--lower", 0, "--upper", 1000),
        *("--beta", 2, "--k-max", k_max, "--json"),
    ).json
    assert len(content["at_distance"]) == k_max + 1
    assert content["at_distance"] == sorted(content["at_distance"])


@pytest.mark.parametrize("query", ["median", "winsorized-mean"])
def test_beyond_n_there_is_nothing_to_compute(cli, ten, query):
    where = ("sensitivity", query, "--data", ten, "--lower", 0, "--upper", 1000, "--beta", 1, "--json")
    at_distance = cli(*where, "--k-max", 200_000).json["at_distance"]
    assert len(at_distance) == 200_001
    assert at_distance[:26] == pytest.approx(cli(*where, "--k-max", 25).json["at_distance"])
    assert set(at_distance[10:]) == {at_distance[10]}
    assert at_distance[10] == pytest.approx(cli(*where).json["global"])


def test_beta_follows_from_epsilon_and_noise(cli, ten):
    where = ("--data", ten, "--lower", 0, "--upper", 1000)
    for noise in (("--noise", "generalized-cauchy", "--gamma", 3), ("--noise", "student-t"), ()):
        family = noise[1] if noise else "auto"
        pair = cli("noise", family, "--epsilon", 0.7, *noise[2:], "--json").json
        content = cli("sensitivity", "median", *where, "--epsilon", 0.7, *noise, "--json").json
        assert content["beta"] == pair["beta"]


def test_default_noise_with_delta_is_what_the_rule_chooses(cli, ten):
    where = ("--data", ten, "--lower", 0, "--upper", 1000)
    pair = cli("noise", "auto", "--epsilon", 10, "--delta", 1e-6, "--json").json
    assert pair["family"] == pair["families"][0]["family"] == "arsinh-normal"
    content = cli("sensitivity", "median", *where, "--epsilon", 10, "--delta", 1e-6, "--json").json
    assert content["beta"] == pair["beta"]


def test_auto_chooses_the_share_itself(refused, ten):
    words = ("sensitivity", "median", "--data", ten, "--lower", 0, "--upper", 1000, "--epsilon", 1)
    assert "--split: auto chooses it" in refused(*words, "--split", 0.2)


def test_split_moves_beta(cli, ten):
    where = ("--data", ten, "--lower", 0, "--upper", 1000, "--epsilon", 1, "--noise", "lcp", "--json")
    betas = [cli("sensitivity", "median", *where, "--split", split).json["beta"] for split in (0.2, 0.8)]
    assert betas[0] == pytest.approx(4 * betas[1])


@pytest.mark.parametrize(
    ("query", "value"),
    [
        (("median",), 5),
        (("median", "--even", "average"), 5.5),
        (("quantile", "--q", "1"), 10),
        (("minimum",), 1),
        (("maximum",), 10),
        (("mean",), 5.5),
        (("trimmed-mean", "--trim", "0.2"), 5.5),
        (("winsorized-mean", "--trim", "0.2"), 5.5),
    ],
)
def test_every_query_and_its_parameters(cli, ten, query, value):
    content = cli(
        "sensitivity", *query, "--data", ten, "--lower", 0, "--upper", 20, "--beta", 0.3, "--json"
    ).json
    assert content["query"] == query[0]
    assert content["value"] == pytest.approx(value)
    assert 0 < content["local"] <= content["smooth"] <= content["global"]


@pytest.mark.parametrize(
    ("values", "value"), [([3], 3), ([3, 4], 3), ([7] * 9, 7), ([-50, -60, -70], 0), ([500, 600], 10)]
)
def test_small_equal_and_outlying_data_work(cli, csv, values, value):
    content = cli(
        "sensitivity", "median", "--data", csv(values), "--lower", 0, "--upper", 10, "--beta", 1, "--json"
    ).json
    assert content["n"] == len(values)
    assert content["value"] == value
    assert content["global"] == 10


def test_negative_bounds(cli, csv):
    path = csv([-3, -2, -1])
    for lower in (("--lower", "-5"), ("--lower=-5",), ("--lower", "-.5e1"), ("--lower", "-5e0")):
        found = cli("sensitivity", "median", "--data", path, *lower, "--upper", "-0.5", "--beta", 1, "--json")
        assert found.json["global"] == 4.5


def test_text_says_that_everything_is_private_and_for_which_neighbours(cli):
    found = cli("sensitivity", "median", "--example", "salaries", "--epsilon", 1)
    assert found.status == 0
    assert "confidential" in found.out
    assert "one record replaced, n public" in found.out
    assert "10,001" in found.out
    for word in ("local", "smooth", "global", "beta", "A^(k)"):
        assert word in found.out


def test_bounds_of_an_example_come_from_its_card_unless_given(cli):
    card = next(e for e in cli("catalog", "--json").json["examples"] if e["name"] == "salaries")
    own = cli("sensitivity", "median", "--example", "salaries", "--beta", 1, "--json").json
    assert own["global"] == card["upper"] - card["lower"]
    half = card["upper"] / 2
    given = cli("sensitivity", "median", "--example", "salaries", "--upper", half, "--beta", 1, "--json").json
    assert given["global"] == half - card["lower"]


def test_of_a_columnar_file_only_the_named_column_is_read(cli, tmp_path, monkeypatch):
    """Of text all columns are; a column that does not do is told with all that the file offers."""
    import pyarrow as pa
    from pyarrow import parquet

    from engine.data import reading as module

    asked, read_file = [], module.read_file

    def reading(*arguments, columns=None, **more):
        asked.append(columns)
        return read_file(*arguments, columns=columns, **more)

    monkeypatch.setattr(module, "read_file", reading)
    path = tmp_path / "people.parquet"
    parquet.write_table(
        pa.table({"age": [30.0, 40.0, 50.0], "name": ["a", "b", "c"], "pay": [1, 2, 3]}), path
    )
    bounds = ("--lower", 0, "--upper", 100, "--beta", 1, "--json")
    assert cli("sensitivity", "median", "--data", path, "--column", "age", *bounds).json["value"] == 40
    assert asked == [["age"]]
    found = cli("sensitivity", "median", "--data", path, "--column", "name", *bounds)
    assert found.status == 2
    assert "numeric columns are age, pay)" in found.err
    assert asked == [["age"], ["name"], None]
