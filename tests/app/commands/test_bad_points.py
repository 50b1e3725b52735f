"""Whatever is wrong with points or with a mechanism on blocks: one line that says what would be right."""

import pytest

NAMED = ("--column", "x", "--column", "y")
HEAPS = ("--example", "four-heaps", "--epsilon", 1)


@pytest.fixture
def square(csv):
    """Write the corners of a square; return its path."""
    return csv(["a,0,0", "b,0,1", "c,1,0", "d,1,1"], header="name,x,y", name="square.csv")


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ((), "--lower: a public lower bound is needed for each column"),
        (("--lower", "0,0"), "--upper: a public upper bound is needed for each column"),
        (("--lower", "0,0", "--upper", 1), "--upper: 1 bound, and --lower has 2"),
        (("--lower", 0, "--upper", 1), "there are several columns; choose one with --column: name, x, y"),
        (("--lower", "0,0,0", "--upper", "1,1,1"), "there are several columns; choose one with --column"),
        (("--column", "x", "--column", "y"), "bound is needed for column 'x'"),
        (
            ("--column", "x", "--column", "y", "--lower", "0,0,0", "--upper", 1),
            "3 bounds for 2 columns (x, y)",
        ),
        (("--column", "x", "--lower", "0,0", "--upper", 1), "2 bounds for 1 column (x)"),
        (("--column", "x", "--column", "x", "--lower", "0,0", "--upper", "1,1"), "'x' is named twice"),
        (("--column", "x", "--column", "z", "--lower", "0,0", "--upper", "1,1"), "'z'"),
        (("--column", "name", "--lower", 0, "--upper", 1), "row 2, column 'name': the value is not a number"),
        ((*NAMED, "--lower", "0,2", "--upper", "1,1"), "upper: column 'y': 1 is not above lower = 2"),
        ((*NAMED, "--lower", "0,nan", "--upper", "1,1"), "lower: column 'y'"),
    ],
)
def test_bounds_and_columns(refused, square, bounds, words):
    assert words in refused("run", "clusters", "--data", square, *bounds, "--epsilon", 1)


def test_a_simulation_may_take_the_columns_of_numbers(refused, square):
    words = ("run", "clusters", "--data", square, "--epsilon", 1, "--seed", 1, "--lower", 0, "--upper", 1)
    assert "it has 2 columns of numbers, and the bounds are those of 1" in refused(*words)


def test_one_bound_is_that_of_all_columns_that_are_named(cli, square):
    words = ("--data", square, "--column", "x", "--column", "y", "--lower", 0, "--upper", "1,2", "--seed", 1)
    assert "x 0 to 1, y 0 to 2" in cli("run", "covariance", *words, "--epsilon", 1).out


def test_bounds_of_an_example_are_those_of_its_card_only(refused):
    where = ("--example", "penguins", "--column", "year", "--column", "bill_depth_mm", "--epsilon", 1)
    assert "bound is needed for column 'year'" in refused("run", "clusters", *where)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("clusters", "--blocks", 102), "102 blocks of 101 records are not possible; use at most 101"),
        (("clusters", "--blocks", 40), "hold 2 each, and the function needs 3; use at most 33 blocks"),
        (("clusters", "--blocks", 2), "2 is not possible; it must be a whole number at least 3"),
        (("clusters", "--blocks", "many"), "'many' is not a whole number"),
        (("clusters", "--k", 0), "0 is not possible"),
        (("clusters", "--k", 32, "--example", "one-to-ten"), "10 records are too few for 3 blocks of 32"),
        (("lloyd", "--k", 11, "--example", "one-to-ten"), "10 records cannot have 11 centers"),
        (("clusters", "--aggregator", "shortest-interval"), "use the center of attention"),
        (("clusters", "--sampling", "subsets", "--most", 1), "use s of at least"),
        (("clusters", "--sampling", "subsets", "--most", 2, "--check", "delta"), "delta"),
        (("sample-aggregate", "--function", "regression", "--column", "x"), "at least two columns"),
        (("clusters", "--noise", "gaussian"), "delta above 0"),
    ],
)
def test_what_cannot_be_done_with_these_points(refused, words, message):
    where = HEAPS if "--example" not in words else HEAPS[2:]
    assert message in refused("run", *words, *where)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("median", "--blocks", 3), "--blocks: median does not use it; it belongs to clusters, mixture"),
        (("lloyd", "--aggregator", "median"), "--aggregator: lloyd does not use it"),
        (("clusters", "--function", "mean"), "--function: clusters does not use it"),
        (("noisy-average", "--sampling", "partition"), "--sampling: noisy-average does not use it"),
        (("clusters", "--method", "laplace"), "--method: clusters is a mechanism of its own"),
        (("clusters", "--resolution", 0.1), "--resolution: clusters has a grid of its own"),
        (("clusters", "--vertices", 3), "--vertices: clusters reads points"),
        (("clusters", "--rounds", 3), "it belongs to lloyd"),
        (("clusters", "--restarts", 3), "it belongs to --function k-means, --function mixture"),
        (("clusters", "--q", 0.3), "it belongs to quantile"),
        (("clusters", "--constants", "tight"), "it belongs to smooth"),
        (("median", "--bound", 3), "it belongs to propose-test-release, --function regression"),
        (("median", "--k", 3), "it belongs to k-means-on-cells, clusters"),
        (("lloyd", "--noise", "laplace"), "lloyd has its own noise; --noise belongs to --aggregator"),
        (("clusters", "--aggregator", "average", "--noise", "laplace"), "average has its own noise"),
        (("clusters", "--aggregator", "average", "--g", 4), "--g: average has no such parameter"),
        (("sample-aggregate", "--seconds", 1), "it belongs to --function FILE.py:NAME"),
        (("sample-aggregate", "--output-lower", 1), "mean has bounds of its own"),
    ],
)
def test_options_of_something_else(refused, words, message):
    assert message in refused("run", *words, *HEAPS)


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        (("clsters",), "clusters"),
        (("sample-agregate",), "sample-aggregate"),
        (("sample-aggregate", "--function", "medain"), "median"),
        (("clusters", "--aggregator", "avrage"), "average"),
        (("clusters", "--sampling", "subset"), "subsets"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(refused, words, nearest):
    assert nearest in refused("run", *words, *HEAPS).partition("try ")[2]


def test_a_mechanism_has_no_sensitivity_to_show(refused):
    message = refused("sensitivity", "clusters", "--example", "four-heaps", "--beta", 1)
    assert "sensiscope run clusters --show-private" in message


def test_graphs_are_no_points_and_points_no_graph(refused):
    assert "try salaries" in refused("run", "clusters", "--example", "karate", "--epsilon", 1)
    assert "try karate" in refused("run", "mst", "--example", "geyser", "--epsilon", 1)


BOX = ("--output-lower", "0,0", "--output-upper", "1,1")


@pytest.mark.parametrize(
    ("target", "bounds", "message"),
    [
        ("own.py:f", (), "--output-lower: own.py:f needs public lower bounds"),
        ("own.py:f", BOX[:2], "--output-upper: own.py:f needs public upper bounds"),
        ("own.py:f", (*BOX[:2], "--output-upper", 1), "1 bound, and --output-lower has 2"),
        ("own.py:f", ("--output-lower", 1, "--output-upper", 0), "not above lower"),
        ("own.py:", BOX, "write FILE.py:NAME"),
        ("own.py:g", BOX, "has no function 'g'; it has f"),
        ("other.py:f", BOX, "other.py cannot be read"),
        ("wrong.py:f", BOX, "line 2 of wrong.py is not valid Python"),
        ("fails.py:f", BOX, "line 1 of fails.py: ZeroDivisionError"),
        ("own.py:f", (*BOX, "--seconds", 0), "seconds: 0.0 is not possible"),
    ],
)
def test_functions_that_are_not_there(refused, tmp_path, monkeypatch, target, bounds, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text("def f(block):\n    return block.mean(axis=0)\n")
    (tmp_path / "wrong.py").write_text("def f(block):\n    return (\n")
    (tmp_path / "fails.py").write_text("1 / 0\ndef f(block): pass\n")
    assert message in refused("run", "sample-aggregate", "--function", target, *bounds, *HEAPS)


@pytest.mark.parametrize(
    "body", ["raise ValueError('a secret')", "import time; time.sleep(60)"], ids=["raises", "sleeps"]
)
def test_a_function_that_misbehaves_ends_in_a_release(cli, tmp_path, body):
    path = tmp_path / "own.py"
    path.write_text(f"def f(block):\n    {body}\n")
    words = ("run", "sample-aggregate", "--function", f"{path}:f", *HEAPS, *BOX, "--blocks", 3)
    found = cli(*words, "--seconds", 0.3, "--show-private", "--json")
    assert found.status == 0
    assert "secret" not in found.out + found.err
    assert found.json["diagnostics"]["fell_back"] == 3
    assert found.json["diagnostics"]["center"] == [0.5, 0.5]
