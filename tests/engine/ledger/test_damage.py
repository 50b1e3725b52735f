"""Whatever happens to the file: all of it is there, or it is refused and stays where it is."""

import random
import sqlite3

import pytest
from payments import pay

from engine.ledger import Ledger, LedgerDamaged, LedgerError


def told(path):
    return {
        (account.name, account.title, account.limit): account.entries() for account in Ledger(path).accounts()
    }


def check(path, content, used, costing, value):
    """Open a file with this content; tell whether it was refused."""
    path.write_bytes(content)
    draw = value()
    problem = ""
    try:
        found = told(path)
        pay(Ledger(path).account("sha256:1"), costing(), {}, draw)
    except LedgerError as error:
        problem = str(error)
    if problem:
        assert draw.drawn == 0
        assert str(path) in problem
        assert "\n" not in problem
        with pytest.raises(LedgerError):  # and so does every later start
            pay(Ledger(path).account("sha256:1"), costing(), {}, draw)
        return True
    assert found == used
    after = told(path)
    assert sum(map(len, after.values())) == sum(map(len, used.values())) + 1
    return False


@pytest.mark.parametrize("step", [101, pytest.param(1, marks=pytest.mark.slow)])
def test_a_changed_byte_is_found_or_changes_nothing(path, used, costing, value, step):
    content, rng = path.read_bytes(), random.Random(1)
    places = sorted({*range(0, 100, max(1, step // 10)), *range(rng.randrange(step), len(content), step)})
    refused = 0
    for give_name in places:
        changed = bytearray(content)
        changed[give_name] ^= rng.choice([1, 2, 128, 255])
        refused += check(path, bytes(changed), used, costing, value)
    # most of a page is what was written, some of it is empty
    assert 0 < refused < len(places)


@pytest.mark.parametrize("step", [211, pytest.param(3, marks=pytest.mark.slow)])
def test_a_cut_file_is_refused(path, used, costing, value, step):
    content = path.read_bytes()
    for length in sorted({*range(0, len(content), step), *range(0, len(content), 512), len(content) - 1}):
        # SQLite takes zeros for what is missing, and one seal in 256 ends with a zero
        only_zeros = not any(content[length:])
        assert check(path, content[:length], used, costing, value) or only_zeros, length
    assert not check(path, content, used, costing, value)


def test_rows_that_sqlite_does_not_miss_are_missed(path, used):
    content = path.read_bytes()
    for sentence in (
        "DELETE FROM event WHERE id = 2",
        "DELETE FROM event WHERE id = (SELECT max(id) FROM event)",
        "UPDATE event SET text = replace(CAST(text AS TEXT), '0.3', '0.1') WHERE id = 4",
        "UPDATE event SET id = id + 100 WHERE id > 2",
        "UPDATE event SET kind = CAST('void' AS BLOB) WHERE id = 3",
        "DELETE FROM head",
        "UPDATE head SET events = events - 1",
        "UPDATE head SET key = zeroblob(32)",
        "UPDATE head SET key = NULL",
        "DROP TABLE event",
        "INSERT INTO event SELECT id + 100, kind, text, seal FROM event",
    ):
        path.write_bytes(content)
        connection = sqlite3.connect(path)
        try:
            with connection:
                connection.execute(sentence)
        except sqlite3.IntegrityError:
            continue
        finally:
            connection.close()
        with pytest.raises(LedgerDamaged, match="the ledger is damaged"):
            told(path)


def test_what_is_no_ledger_is_refused_and_left_alone(folder, path):
    other = sqlite3.connect(path)
    with other:
        other.execute("CREATE TABLE event (id)")
    other.close()
    foreign = path.read_bytes()
    for content in (b"", b"x,y\n1,2\n" * 600, foreign, b"\0" * 8192):
        path.write_bytes(content)
        for _ in range(2):
            with pytest.raises(LedgerDamaged):
                Ledger(path)
        assert path.read_bytes() == content
    with pytest.raises(LedgerError, match="a folder and no ledger"):
        Ledger(folder)
    with pytest.raises(LedgerError, match="cannot be created"):
        Ledger(path / "below" / "a file")


def test_a_newer_version_is_refused(path, used):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 4")
    connection.close()
    with pytest.raises(LedgerError, match="a newer version of Sensiscope") as caught:
        Ledger(path)
    assert not isinstance(caught.value, LedgerDamaged)
    with pytest.raises(LedgerError, match="a newer version"):
        Ledger.set_aside(path)


def test_a_person_sets_a_damaged_ledger_aside(path, used, costing, value):
    for number in (1, 2):
        path.write_bytes(path.read_bytes()[:-512])  # one byte may be a zero, which SQLite takes for missing
        damaged = path.read_bytes()
        moved = Ledger.set_aside(path)
        assert moved == path.with_name(f"ledger.sqlite.damaged-{number}")
        assert moved.read_bytes() == damaged
        new = Ledger(path)
        assert new.begun_after == str(moved)
        assert new.accounts() == []
        pay(new.account("sha256:1"), costing(), {}, value())
    with pytest.raises(LedgerError, match="not damaged"):
        Ledger.set_aside(path)
    assert len(Ledger(path).account("sha256:1").entries()) == 1


def test_a_journal_without_its_ledger_is_not_taken_for_that_of_a_new_one(path, used):
    path.unlink()
    (path.parent / f"{path.name}-journal").write_bytes(b"left")
    assert Ledger.begun(path)
    for _ in range(2):
        with pytest.raises(LedgerDamaged, match="no longer exists"):
            Ledger(path)
    assert not path.exists()
    moved = Ledger.set_aside(path)
    assert moved.with_name(f"{moved.name}-journal").read_bytes() == b"left"
    assert Ledger(path).accounts() == []
    assert Ledger(path).begun_after == str(moved)
    # and another time
    path.unlink()
    (path.parent / f"{path.name}-journal").write_bytes(b"left again")
    again = Ledger.set_aside(path)
    assert again.name.endswith(".damaged-2")
    assert Ledger(path).begun_after == str(again)


def test_where_no_ledger_is_none_is_set_aside_or_made(path):
    with pytest.raises(LedgerError, match="no ledger to set aside"):
        Ledger.set_aside(path)
    assert not path.exists()


def test_folders_that_were_made_are_on_the_disk_before_a_ledger_is_used(folder, monkeypatch):
    from engine.ledger import storage

    settled = []
    monkeypatch.setattr(storage, "_settle", settled.append)
    Ledger(folder / "a" / "b" / "ledger.sqlite")
    assert set(settled) == {folder / "a" / "b", folder / "a", folder}


def test_a_ledger_that_is_being_made_by_two_is_one(path, monkeypatch):
    from engine.ledger import storage

    give_name, other = storage.give_name, []

    def late(source, target):
        monkeypatch.setattr(storage, "give_name", give_name)
        other.append(Ledger(path).key_id)
        give_name(source, target)

    monkeypatch.setattr(storage, "give_name", late)
    assert [Ledger(path).key_id] == other
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_disk_without_second_names_will_do(path, monkeypatch):
    import os

    def link(source, target):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    made = Ledger(path).key_id
    assert Ledger(path).key_id == made
    path.write_bytes(b"")
    assert Ledger.set_aside(path).read_bytes() == b""
