"""The ledger itself: its file, whoever shares it, and what is told in one line."""

import dataclasses
import os
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from payments import pay

from engine.ledger import Cost, Ledger, LedgerDamaged, LedgerError, Limit, Overspent, compose
from engine.ledger import account as account_module
from engine.ledger import ledger as module
from engine.privacy import NO_PROMISE


def test_what_is_written_is_there_when_it_is_opened_again(path, used):
    names = {title: entries for (_, title, _), entries in used.items()}
    assert [entry.state for entry in names["first.csv"]] == ["spent", "spent", "void"]
    assert [entry.value for entry in names["first.csv"]] == [3.5, [1.0, {"a": None}], None]
    assert Ledger(path).account("sha256:1").spent() == compose(
        [entry.cost for entry in names["first.csv"][:2]]
    )
    assert [each.name for each in path.parent.iterdir()] == [path.name]  # no draft, no journal
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_clock_that_goes_backwards_changes_no_order(path, costing, value, monkeypatch):
    class Clock(datetime):
        @classmethod
        def now(cls):
            return next(times)

    start = datetime(2026, 1, 1, tzinfo=UTC)
    times = iter([start, start - timedelta(days=400), start - timedelta(days=800), start])
    account = Ledger(path).account("sha256:1")
    monkeypatch.setattr(module, "datetime", Clock)
    for name in ("a", "b"):
        pay(account, costing(), {"release": name}, value())
    entries = Ledger(path).account("sha256:1").entries()
    assert [entry.about["release"] for entry in entries] == ["a", "b"]
    assert entries[1].when < entries[0].when
    assert all(entry.when.tzinfo for entry in entries)


def test_threads_share_a_ledger(ledger, costing):
    account, drawn = ledger.account("sha256:1"), []
    account.set_limit(Limit(2.0))  # basic composition allows 20

    def spend():
        try:
            for _ in range(20):
                pay(account, costing(), {}, lambda: drawn.append(1) or 1)
        except Overspent:
            pass

    threads = [threading.Thread(target=spend) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(drawn) == len(account.entries()) == 20
    assert not account.spent().within(Limit(1.99))


def test_the_folder_is_made_and_names_may_be_strange(folder, costing, value, monkeypatch):
    path = folder / "new" / "folder #1 %41?" / "mein Büchlein.sqlite"
    pay(Ledger(path).account("sha256:1"), costing(), {}, value())
    assert stat.S_IMODE((folder / "new").stat().st_mode) & 0o700 == 0o700
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    monkeypatch.chdir(path.parent)
    relative = Ledger(Path(path.name))
    monkeypatch.chdir(folder)
    assert len(relative.account("sha256:1").entries()) == 1
    link = folder / "link.sqlite"
    link.symlink_to(path)
    pay(Ledger(link).account("sha256:1"), costing(), {}, value())
    assert len(Ledger(path).account("sha256:1").entries()) == 2
    assert not any("journal" in each.name or "new" in each.suffix for each in path.parent.iterdir())


def test_a_ledger_that_another_program_holds_is_waited_for_and_then_named(path, costing, value, monkeypatch):
    import sqlite3

    from engine.ledger import storage

    account, draw = Ledger(path).account("sha256:1"), value()
    monkeypatch.setattr(storage, "LOCK_WAIT_SECONDS", 0.05)
    holder = sqlite3.connect(path, isolation_level=None)
    try:
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LedgerError, match=r"another program .* nothing was released"):
            pay(account, costing(), {}, draw)
    finally:
        holder.close()
    assert draw.drawn == 0
    pay(account, costing(), {}, draw)


def test_a_ledger_that_is_replaced_while_it_is_open_is_noticed(path, costing, value):
    ledger, draw = Ledger(path), value()
    account = ledger.account("sha256:1")
    pay(account, costing(), {}, draw)
    older = path.read_bytes()
    pay(account, costing(), {}, draw)
    newer = path.read_bytes()
    path.write_bytes(older)  # a copy that knows less
    with pytest.raises(LedgerError, match=r"older copy; put the newer .*; nothing was released") as caught:
        pay(account, costing(), {}, draw)
    assert not isinstance(caught.value, LedgerDamaged)  # to set it aside would not help
    path.write_bytes(newer)
    assert len(account.entries()) == 2
    path.unlink()
    with pytest.raises(LedgerError, match=r"no longer exists.*nothing was released"):
        pay(account, costing(), {}, draw)
    Ledger(path)
    with pytest.raises(LedgerError, match=r"another ledger than before.*nothing was released"):
        pay(account, costing(), {}, draw)
    assert draw.drawn == 2


def test_what_is_not_exact_says_so_and_why(ledger, path, costing, value):
    account = ledger.account("sha256:1")
    pay(account, costing(), {}, value())
    pay(account, dataclasses.replace(costing(), inexact="sums are rounded"), {}, value())
    pay(account, Cost(NO_PROMISE, None, "replace-one", "sums are rounded"), {}, value())
    assert [entry.exact for entry in account.entries()] == [True, False, False]
    assert [entry.cost.inexact for entry in account.entries()] == ["", "sums are rounded", "sums are rounded"]


def test_ledgers_from_before_exact_releases_are_read(path, costing, value, monkeypatch):
    whole = account_module.charge_content

    def before(*arguments):
        return {name: part for name, part in whole(*arguments).items() if name != "inexact"}

    with monkeypatch.context() as patch:
        patch.setattr(account_module, "charge_content", before)
        pay(Ledger(path).account("sha256:1"), costing(0.5), {}, value())
    (entry,) = Ledger(path).account("sha256:1").entries()
    assert (entry.exact, entry.cost) == (True, costing(0.5))


@pytest.mark.skipif(os.name != "posix", reason="rights are told by other means")
def test_a_ledger_that_others_can_write_to_is_named(path, used):
    assert Ledger(path).exposed == Ledger(None).exposed == ""
    for mode in (0o640, 0o660, 0o606):
        path.chmod(mode)
        named = Ledger(path).exposed
        assert bool(named) == (mode != 0o640)
        assert named == "" or (str(path) in named and f"mode {mode:o}" in named and "\n" not in named)
    path.chmod(0o600)
    path.parent.chmod(0o777)
    assert "replace" in Ledger(path).exposed
    path.parent.chmod(0o1777)
    assert Ledger(path).exposed == ""
