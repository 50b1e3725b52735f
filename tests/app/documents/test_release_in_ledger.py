"""Releases that the ledger stored, as the lists of releases show them."""

import dataclasses
from datetime import UTC, datetime

import pytest

from app.documents.releases import release_in_ledger
from app.model.release_record import about_data, with_stored
from engine.ledger import LedgerEntry
from engine.ledger.account import _kept
from engine.ledger.cost import Cost


def entry_of(record, **changes):
    """Return the entry that a ledger would have of a release."""
    release = record.release
    cost = Cost(release.privacy, None, release.neighbours, record.inexact if not release.exact else "")
    about = {"release": release.query, "of": record.subject, **about_data(record, record.treatment)}
    entry = LedgerEntry(1, record.when, cost, about, state="spent", **_kept(release))
    return dataclasses.replace(entry, **changes)


def test_every_kind_of_release_comes_back_from_the_ledger(work):
    for record in work.state.releases:
        found = release_in_ledger(entry_of(record), record.dataset, record.title)
        assert found is not None, record.release.mechanism
        assert found.is_same(record)
        ignored = {"elsewhere": False, "inexact": "", "release": record.release}
        assert dataclasses.replace(found, **ignored) == dataclasses.replace(record, **ignored)
        for name in ("mechanism", "noise", "parameters", "error", "step", "version", "neighbours"):
            assert getattr(found.release, name) == getattr(record.release, name), name


@pytest.mark.parametrize(
    "changes", [{"state": "open"}, {"state": "void"}, {"facts": None}, {"value": "no number"}]
)
def test_what_the_ledger_does_not_know_is_not_listed(work, changes):
    record = work.state.releases[0]
    assert release_in_ledger(entry_of(record, **changes), record.dataset, record.title) is None


def test_a_mechanism_that_is_missing_now_is_not_listed(work):
    entry = entry_of(work.state.releases[0])
    unknown = dataclasses.replace(entry, facts={**entry.facts, "mechanism": "of a plug-in"})
    assert release_in_ledger(unknown, "", "") is None


def test_a_long_value_is_not_stored(work):
    release = dataclasses.replace(work.state.releases[0].release, value=[0.0] * 30_000)
    assert _kept(release) == {}
    release = dataclasses.replace(release, value=1.5, parameters={"names": ["x"] * 30_000})
    assert _kept(release) == {"value": 1.5}


def test_a_release_is_listed_once_and_equal_answers_as_often_as_they_were_given(work):
    record = work.state.releases[0]
    refusals = [
        dataclasses.replace(
            record,
            release=dataclasses.replace(record.release, value=None),
            when=datetime(2025, 1, day, tzinfo=UTC),
        )
        for day in (1, 2, 3)
    ]
    stored = [*refusals, record]
    assert with_stored([record], stored) == stored
    assert with_stored([refusals[2]], refusals) == refusals
    assert with_stored([], stored) == sorted(stored, key=lambda one: one.when)
    assert with_stored([record], []) == [record]
