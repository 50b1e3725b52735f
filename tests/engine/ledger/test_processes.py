"""A ledger that is killed, shared, or has no room: nothing that could have been seen is forgotten."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from payments import pay

from engine.ledger import Ledger, Limit, compose

HOUSE = Path(__file__).resolve().parents[3]
SCRIPT = HOUSE / "tests" / "support" / "spending_processes.py"


def run(*words):
    environment = os.environ | {"PYTHONPATH": f"{HOUSE}{os.pathsep}{SCRIPT.parent}"}
    done = subprocess.run(
        [sys.executable, "-P", SCRIPT, *map(str, words)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("rounds", [40, pytest.param(200, marks=pytest.mark.slow)])
def test_killed_at_any_moment_nothing_is_forgotten(path, rounds):
    found = run("kills", path, rounds, rounds)
    assert found["shown"] >= rounds / 2
    # some were killed in the midst of writing, some between the entry and the value: about one in
    # four, so that none among 200 has a probability below 1e-20
    assert rounds < 200 or found["journals"] + found["open"] > 0


def test_two_programs_at_once_keep_a_limit(path, costing):
    rounds = 8
    ledger = Ledger(path)
    limits = [Limit(0.1 * (turn + 1)) for turn in range(rounds)]
    for turn, limit in enumerate(limits):
        ledger.account(f"sha256:{turn}").set_limit(limit)
    made = run("race", path, 2, rounds)
    for turn, limit in enumerate(limits):
        entries = ledger.account(f"sha256:{turn}").entries()
        fits = next(k for k in range(1, 100) if not compose([costing()] * (k + 1)).within(limit))
        assert sum(each[turn] for each in made) == len(entries) == fits == turn + 1


def test_programs_at_once_keep_one_limit_for_all_neighbours(path):
    """Three of four workers spend twice as much for a row; whoever is stopped first, no more fits."""
    rounds, workers = 4, 4
    for turn in range(rounds):
        Ledger(path).account(f"sha256:{turn}").set_limit(Limit(1.0 + turn / 2))
    made = np.array(run("mixed", path, workers, rounds))
    for turn in range(rounds):
        account = Ledger(path).account(f"sha256:{turn}")
        assert made[:, turn].sum() == len(account.entries())
        spent = 0.1 * made[0, turn] + 0.2 * made[1:, turn].sum()
        assert account.spent().basic.epsilon == pytest.approx(spent)
        assert 1.0 + turn / 2 == pytest.approx(spent)  # a worker of replaced records goes on to the end


def test_a_forked_process_goes_on_with_the_ledger_of_its_parent(path):
    assert run("forked", path) == {"entries": 3}
    assert len(Ledger(path).account("sha256:0").entries()) == 3


def test_without_room_no_value_comes_about(path):
    found = run("full", path)
    assert found["error"].endswith("; nothing was released")
    assert "\n" not in found["error"]
    entries = Ledger(path).account("sha256:0").entries()
    assert 0 < found["drawn"] == len(entries) < 200
    assert all(entry.counts for entry in entries)
    # with room again, it goes on
    assert run("full", path)["drawn"] > 0


def test_sqlite_says_that_the_disk_is_full(path, costing, value, monkeypatch):
    from engine.ledger import storage

    account, draw = Ledger(path).account("sha256:1"), value()
    connect = storage.connect

    def small(path):
        connection = connect(path)
        connection.execute("PRAGMA max_page_count = 8")
        return connection

    monkeypatch.setattr(storage, "connect", small)

    def fill():
        while draw.drawn < 1000:
            pay(account, costing(), {"long": "x" * 500}, draw)

    with pytest.raises(storage.LedgerError, match=r"the disk is full; make room .*; nothing was released"):
        fill()
    monkeypatch.undo()
    assert draw.drawn == len(Ledger(path).account("sha256:1").entries())


def test_what_may_not_be_written_is_not_spent_on(folder, path, used):
    for name in ("file", "folder", "hidden", "nowhere", "away"):
        (folder / name).mkdir()
        if name != "nowhere":
            shutil.copy(path, folder / name / path.name)
    path.unlink()
    for name, file_mode, folder_mode in (
        ("file", 0o444, 0o777),
        ("folder", 0o666, 0o555),
        ("hidden", 0o000, 0o777),
        ("nowhere", None, 0o555),
        ("away", 0o666, 0o000),
    ):
        if file_mode is not None:
            (folder / name / path.name).chmod(file_mode)
        (folder / name).chmod(folder_mode)
    found = run("barred", folder)
    for name in found:
        (folder / name).chmod(0o755)
    assert sorted(found) == ["away", "file", "folder", "hidden", "nowhere"]
    for name, told in found.items():
        assert told["drawn"] == 0, name
        assert str(folder / name / path.name) in told["error"]
        assert "\n" not in told["error"]
        assert "damaged" not in told["error"]
    assert "it cannot be written" in found["file"]["error"]
