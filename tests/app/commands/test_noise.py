"""`sensiscope noise`: the pair, the quantiles and the certificate of every family."""

import math

import pytest

PURE = ["generalized-cauchy", "student-t", "lcp"]
APPROXIMATE = ["laplace", "gaussian", "laplace-log-normal", "uniform-log-normal", "arsinh-normal"]
KEYS = ["family", "parameters", "epsilon", "delta", "dimension", "alpha", "beta", "sd", "quantiles"]


@pytest.mark.parametrize("family", PURE)
def test_pure_families(cli, family):
    found = cli("noise", family, "--epsilon", 1, "--json")
    assert found.status == 0
    assert found.err == ""
    content = found.json
    assert list(content) == [*KEYS, "certified_epsilon", "version"]
    assert (content["family"], content["epsilon"], content["delta"], content["dimension"]) == (
        family,
        1,
        0,
        1,
    )
    assert content["alpha"] > 0
    assert content["beta"] > 0
    assert list(content["quantiles"]) == ["0.5", "0.95"]
    assert content["quantiles"]["0.5"] == pytest.approx(0, abs=1e-12)
    assert 0.5 < content["certified_epsilon"] <= 1 + 1e-9


@pytest.mark.parametrize("family", APPROXIMATE)
def test_families_that_need_delta(cli, family):
    content = cli("noise", family, "--epsilon", 1, "--delta", 1e-6, "--json").json
    assert list(content) == [*KEYS, "certified_delta", "version"]
    assert content["certified_delta"] <= 1e-6 * (1 + 1e-6)


def test_laplace_by_hand(cli):
    content = cli("noise", "laplace", "--epsilon", 1, "--delta", 1e-6, "--json").json
    assert content["sd"] == pytest.approx(math.sqrt(2))
    assert content["quantiles"]["0.95"] == pytest.approx(math.log(10))


def test_tight_rule_of_lcp(cli):
    content = cli("noise", "lcp", "--g", 5, "--epsilon", 2, "--split", 0.25, "--json").json
    assert content["parameters"] == {"g": 5}
    assert content["alpha"] == pytest.approx(0.5)
    assert content["beta"] == pytest.approx(1.5 / 5)


def test_infinite_variance_is_null(cli):
    content = cli("noise", "generalized-cauchy", "--gamma", 2, "--epsilon", 1, "--json").json
    assert content["sd"] is None
    assert "infinite" in cli("noise", "generalized-cauchy", "--gamma", 2, "--epsilon", 1).out


def test_text_gives_pair_quantiles_certificate_and_neighbours(cli):
    out = cli("noise", "lcp", "--epsilon", 0.5).out
    for word in (
        "alpha",
        "beta",
        "standard deviation",
        "95 %",
        "certificate",
        "one record replaced, n public",
    ):
        assert word in out
    assert "is verified" in out


def test_dimension(cli):
    one, three = (cli("noise", "lcp", "--epsilon", 1, "--dimension", d, "--json").json for d in (1, 3))
    assert three["dimension"] == 3
    assert three["beta"] < one["beta"]
    assert three["certified_epsilon"] <= 1 + 1e-9


def test_published_pairs_are_certified_and_wrong_ones_warned_of(cli):
    outcome = cli("noise", "laplace", "--epsilon", 1, "--delta", 1e-6, "--constants", "published", "--json")
    assert outcome.json["certified_delta"] <= 1e-6 * (1 + 1e-6)
    assert outcome.err == ""


def test_a_pair_that_is_not_private_gets_a_warning(cli, monkeypatch):
    from engine.noise import Gaussian
    from engine.noise.base import Admissible

    # the conference version's pair, which sliding alone breaks
    wrong = Admissible(1 / math.sqrt(math.log(1e3)), 1 / (2 * math.log(1e3)), "Example 3")
    monkeypatch.setattr(Gaussian, "admissible", lambda *_, **__: wrong)
    words = ("gaussian", "--epsilon", 1, "--delta", 1e-3, "--constants", "published")
    outcome = cli("noise", *words, "--json")
    assert outcome.status == 0
    assert outcome.json["certified_delta"] > 1e-3
    assert outcome.err.startswith("sensiscope: warning: ")
    assert "NOT" in outcome.err
    assert outcome.err.count("\n") == 1
    assert "NOT DP as promised" in cli("noise", *words).out


def test_both_facts_about_published_pairs_can_be_seen(cli):
    """The conference's Gaussian pair is neither; its pair for gamma = 4 is private all the same."""
    out = cli("noise", "gaussian", "--epsilon", 1, "--delta", 1e-3).out
    conference = next(line for line in out.splitlines() if "Example 3" in line)
    assert "Not DP" in conference
    assert "is violated" in conference
    out = cli("noise", "generalized-cauchy", "--epsilon", 1).out
    conference = next(line for line in out.splitlines() if "Example 2" in line)
    assert "is DP" in conference
    assert "is violated" in conference
    assert "in print" not in cli("noise", "lcp", "--epsilon", 1).out
