"""One limit for all releases of a file, whatever neighbours they are stated between, on the command line."""

import shutil
from pathlib import Path

import pytest

EARLIER = Path(__file__).parents[2] / "engine" / "ledger" / "earlier.sqlite"
"""As `tests/engine/ledger/test_one_row.py` says; of the file that is written here."""

EDGES = "source,target,weight\n0,1,3\n1,2,1\n0,2,2\n2,3,4\n3,0,1\n1,3,5\n"

RELEASES = {
    "mst": ("mst", "--upper", 5, "--method", "laplace"),
    "mean": ("mean", "--column", "weight", "--lower", 0, "--upper", 5, "--method", "laplace"),
    "triangles": ("triangles", "--vertices", 5, "--method", "laplace"),
    "vertices": ("triangles", "--vertices", 5, "--method", "lipschitz-extension"),
}


@pytest.fixture
def where(tmp_path):
    """The file of edges, and a ledger of its own."""
    (tmp_path / "edges.csv").write_text(EDGES)
    return ("--data", tmp_path / "edges.csv", "--ledger", tmp_path / "l.sqlite")


def test_a_limit_of_1_lets_the_first_of_three_releases_through(cli, where):
    assert cli("budget", *where, "--limit-epsilon", 1).status == 0
    made = [cli("run", *RELEASES[name], *where, "--epsilon", 1) for name in ("mst", "mean", "triangles")]
    assert [each.status for each in made] == [0, 2, 2]
    assert made[0].spent == (
        "edges.csv now, for one row of the file: 1 release, epsilon = 1, delta = 0; the limit is "
        "epsilon = 1, delta = 0\n"
    )
    for refused in made[1:]:
        assert (refused.out, refused.err.count("\n")) == ("", 1)
        assert "epsilon 1, delta 0 is spent for one row of the file, and with this release" in refused.err
    assert "epsilon 3, above the limit of epsilon 1" in made[2].err


def test_a_limit_says_all_that_is_promised(cli, where):
    pure = cli("budget", *where, "--limit-epsilon", 1, "--slack", 1e-4).out
    assert "epsilon = 1, delta = 0\n" in pure
    assert "composition)" not in pure
    more = ("budget", *where, "--limit-epsilon", 1, "--limit-delta", 1e-6)
    assert "epsilon = 1, delta = 2e-06 (1e-06 of it for composition)\n" in cli(*more).out
    limit = cli(*more, "--json").json["limit"]
    assert limit == {
        **{"epsilon": 1, "delta": 1e-6, "slack": 1e-6},
        "whole": {"epsilon": 1, "delta": 2e-6},
    }


def test_to_raise_a_limit_with_a_delta_both_are_stated(cli, where):
    cli("budget", *where, "--limit-epsilon", 1, "--limit-delta", 1e-6)
    refused = cli("run", *RELEASES["mean"], *where, "--epsilon", 2)
    assert "(sensiscope budget --limit-epsilon E --limit-delta D)" in refused.err


def test_of_a_limit_without_a_delta_nothing_with_one_is_told(cli, where):
    cli("budget", *where, "--limit-epsilon", 3)
    spent = cli("run", *RELEASES["mean"], *where, "--epsilon", 0.01, "--json").json["spent"]
    assert spent == {"epsilon": 0.01, "delta": 0, "method": "basic", "basic": {"epsilon": 0.01, "delta": 0}}
    told = cli("budget", *where).out
    assert "zcdp" not in told
    assert "the least" not in told
    assert "privacy losses" not in told
    found = cli("budget", *where, "--json").json["spent"]
    assert (found["advanced"], found["zcdp"], found["pld"]) == (None, None, None)


def test_what_a_release_states_and_what_it_counts_stand_side_by_side(cli, where):
    said = cli("run", *RELEASES["vertices"], *where, "--epsilon", 0.25)
    assert "note: the budget counts epsilon = 0.5, for one row of the file" in said.err
    told = cli("budget", *where).out
    assert "epsilon = 0.25, delta = 0, counts epsilon = 0.5" in told
    assert "epsilon = 0.25, delta = 0, between graphs with one vertex given other edges" in told
    found = cli("budget", *where, "--json").json
    (entry,) = found["entries"]
    assert (entry["epsilon"], entry["neighbours"], entry["row"]["epsilon"]) == (0.25, "node", 0.5)
    assert found["spent_of_a_vertex"] == {"epsilon": 0.25, "delta": 0}
    cli("run", *RELEASES["mean"], *where, "--epsilon", 0.25)
    found = cli("budget", *where, "--json").json
    assert (found["spent"]["basic"]["epsilon"], found["spent_of_a_vertex"]) == (0.75, None)


def test_an_earlier_ledger_is_added_up_anew_and_that_is_said_in_a_line(cli, where):
    shutil.copy(EARLIER, where[-1])
    told = cli("budget", *where).out
    assert "5 releases, for one row of the file, beyond the limit" in told
    assert "epsilon = 3.75, delta = 0 by basic composition" in told
    assert "releases of earlier versions are now counted together" in told
    assert "releases for edge weights hide the weight in a row, but not which vertices it joins" in told
    refused = cli("run", *RELEASES["mean"], *where, "--epsilon", 0.1)
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert "releases of earlier versions are now counted together" in refused.err
    over = cli("run", *RELEASES["mean"], *where, "--epsilon", 0.25, "--overspend", "--json")
    assert over.json["spent"]["epsilon"] == 4
    assert "now counted together" in cli("budget", *where[2:]).out
