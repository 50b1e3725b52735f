"""Options and settings of every verb."""

import json

import pytest

from app.commands.main import COMMANDS


def test_quiet_leaves_out_notes(cli, monkeypatch, tmp_path):
    monkeypatch.setenv("SENSISCOPE_LEDGER", str(tmp_path / "ledger.sqlite"))
    words = ("run", "mean", "--example", "salaries", "--epsilon", 1)
    loud, quiet = cli(*words), cli(*words, "--quiet")
    assert loud.spent
    assert (quiet.err, quiet.spent) == ("", "")
    assert quiet.out.strip().startswith("released mean")


def test_the_environment_chooses_json(cli, monkeypatch):
    monkeypatch.setenv("SENSISCOPE_FORMAT", "json")
    assert json.loads(cli("noise", "lcp", "--epsilon", 1).out)["family"] == "lcp"


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_help_of_a_verb_fits_a_screen(cli, verb):
    assert len(cli(verb, "--help").out.splitlines()) <= 41
