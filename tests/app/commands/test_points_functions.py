"""Functions from a file, run on blocks by the command line."""

import numpy as np
import pytest

HEAPS = ("--example", "four-heaps", "--epsilon", 1)
FUNCTION = """
def middle(block):
    print("a secret of the data")
    return block.mean(axis=0)

def never(block):
    raise ValueError("a secret of the data")

def half(block):
    if block[0, 0] < 0.5:
        raise ValueError("a secret of the data")
    return block.mean(axis=0)

def spread(block):
    return [float(block.std())]
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Write a file of functions into the current folder."""
    (tmp_path / "own.py").write_text(FUNCTION)
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("own")
def test_a_function_from_a_file(cli):
    bounds = ("--output-lower", "0,0", "--output-upper", "1,1", "--seconds", 5, "--blocks", 10)
    words = ("run", "sample-aggregate", "--function", "own.py:middle", *HEAPS, *bounds, "--seed", 1)
    content = cli(*words, "--show-private", "--json").json
    built_in = cli(
        *("run", "sample-aggregate", "--function", "mean", *HEAPS, "--blocks", 10, "--seed", 1),
        *("--show-private", "--json"),
    ).json
    assert content["parameters"]["function"] == "own.py:middle"
    assert content["parameters"]["output_upper"] == [1, 1]
    np.testing.assert_allclose(content["value"], built_in["value"], rtol=1e-12)
    assert content["diagnostics"]["fell_back"] == 0
    single = ("own.py:spread", *HEAPS, "--output-lower", 0, "--output-upper", 1, "--blocks", 10, "--json")
    assert isinstance(cli("run", "sample-aggregate", "--function", *single).json["value"], float)


@pytest.mark.usefixtures("own")
@pytest.mark.slow
def test_how_many_blocks_fell_back_is_private(cli):
    bounds = ("--output-lower", "0,0", "--output-upper", "1,1", "--blocks", 10, "--seed", 1)
    for name in ("middle", "half", "never"):
        words = ("run", "sample-aggregate", "--function", f"own.py:{name}", *HEAPS, *bounds)
        for form in ((), ("--json",)):
            public = cli(*words, *form)
            assert public.status == 0
            assert public.err == ""
            assert "fell" not in public.out
            assert "secret" not in public.out
        fell_back = cli(*words, "--show-private", "--json").json["diagnostics"]["fell_back"]
        assert {"middle": fell_back == 0, "half": 0 < fell_back < 10, "never": fell_back == 10}[name]


def test_noise_wider_than_the_bounds_is_said(cli):
    found = cli("run", "noisy-average", "--example", "one-to-ten", "--epsilon", 0.01)
    assert "wider than the bounds" in found.err
