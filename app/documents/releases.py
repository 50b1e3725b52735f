"""Releases in a session file: the records of the history, nothing private."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from app.documents.schema import (
    FLAG,
    NAME,
    Anything,
    DocumentError,
    ListOf,
    Number,
    OneOf,
    OptionalOf,
    Record,
    Text,
    ValueKind,
    object_in,
    quote,
)
from app.model.release_record import ReleaseRecord
from app.model.wording.neighbours import WORDS
from app.releases.registry import shape_of
from app.releases.text import details, kept_words, kind_words, release_table, value_words
from engine.catalog import questions
from engine.mechanisms import MECHANISMS
from engine.mechanisms.release import Private, Release
from engine.privacy import NO_PROMISE, Privacy

if TYPE_CHECKING:
    from engine.ledger import Account, LedgerEntry

MAX_RELEASES = 100_000
MAX_STORED = 200
"""Largest number of releases that are read from a ledger for lists and reports."""


class RecordedCost:
    """The cost of a release; null if it has no guarantee."""

    _fields = Record(Privacy, {"epsilon": Number(), "delta": Number()})

    def plain(self, value: Privacy) -> Any:
        return None if value == NO_PROMISE else self._fields.plain(value)

    def read(self, plain: Any, where: str) -> Privacy:
        return NO_PROMISE if plain is None else self._fields.read(plain, where)


class Moment:
    """A time in ISO 8601, with its offset from UTC."""

    def plain(self, value: datetime) -> str:
        return value.isoformat()

    def read(self, plain: Any, where: str) -> datetime:
        text = Text(40).read(plain, where)
        try:
            result = datetime.fromisoformat(text)
        except ValueError:
            result = datetime.min
        if result.tzinfo is None:
            raise DocumentError(where, f"{quote(text)} is not a time such as 2026-01-31T12:00:00+01:00")
        return result


class ReleasedFacts:
    """An object of released numbers and words."""

    def plain(self, value: Any) -> Any:
        return Anything().plain(value)

    def read(self, plain: Any, where: str) -> Any:
        return Anything().read(object_in(plain, where), where)


class Steps:
    """The step of a grid, one for each coordinate, or none."""

    _one = Number(0, open=True)
    _several = ListOf(_one, shortest=1, make=list)

    def plain(self, value: Any) -> Any:
        return [float(one) for one in value] if isinstance(value, list) else value

    def read(self, plain: Any, where: str) -> Any:
        if plain is None:
            return None
        kind: ValueKind = self._several if isinstance(plain, list) else self._one
        return kind.read(plain, where)


def _release(**fields: Any) -> Release:
    return Release(**fields, simulated=False, diagnostics=Private({}))


def record_kind() -> Record:
    """Return the kind of a release in the history; its mechanism is any registered one."""
    release = Record(
        _release,
        {
            "mechanism": OneOf(MECHANISMS),
            "query": OneOf(questions()),
            "value": Anything(),
            "privacy": RecordedCost(),
            "noise": ReleasedFacts(),
            "parameters": ReleasedFacts(),
            "error": OptionalOf(Number(0)),
            "step": Steps(),
            "exact": FLAG,
            "neighbours": OneOf(WORDS),
            "version": Text(40),
        },
        later={"step": None, "exact": True},
    )
    return Record(
        ReleaseRecord,
        {
            "release": release,
            "dataset": Text(128),
            "title": Text(1000),
            "subject": Text(1000),
            "place": Text(4000),
            "unit": Text(200),
            "when": Moment(),
            "looked": FLAG,
            "edited": FLAG,
            "coordinates": ListOf(NAME, 10_000),
            "elsewhere": FLAG,
            "inexact": Text(1000),
            "treatment": Text(10_000),
        },
        later={"inexact": "", "treatment": ""},
        sparse=("treatment",),
        attributes={"place": "location"},
    )


def stored_releases(account: Account) -> tuple[ReleaseRecord, ...]:
    """Return the newest releases whose values the ledger stored, oldest first.

    Raises `LedgerError` if the ledger cannot be read.
    """
    newest = account.entries()[-MAX_STORED:]
    stored = (release_in_ledger(entry, account.name, account.title) for entry in newest)
    return tuple(record for record in stored if record is not None)


def release_in_ledger(entry: LedgerEntry, account: str, title: str) -> ReleaseRecord | None:
    """Return the release of a ledger entry; None if the ledger did not store enough to show it."""
    about, facts = entry.about, entry.facts
    if entry.state != "spent" or facts is None:
        return None
    between = {"neighbours": entry.cost.neighbours, "exact": entry.exact}
    release = {**facts, "value": entry.value, "privacy": RecordedCost().plain(entry.cost.privacy), **between}
    plain = {
        "release": release,
        "dataset": account,
        "title": title,
        "subject": about.get("of", ""),
        "when": entry.when.isoformat(),
        "elsewhere": False,
        "inexact": entry.cost.inexact,
        **{name: about.get(name, otherwise) for name, otherwise in _DATA.items()},
    }
    try:
        return ShownRelease().read(plain, "")
    except DocumentError:  # of a plug-in that is missing, or of another version
        return None


_DATA: Mapping[str, Any] = {
    "place": "",
    "unit": "",
    "looked": False,
    "edited": False,
    "coordinates": [],
    "treatment": "",
}
"""The facts about the data, and what they are for entries without them."""


class ShownRelease:
    """A release that the history can show."""

    def __init__(self) -> None:
        self._record = record_kind()

    def plain(self, value: ReleaseRecord) -> Any:
        return self._record.plain(value)

    def read(self, plain: Any, where: str) -> ReleaseRecord:
        """Return the release, if the history can describe it completely."""
        record: ReleaseRecord = self._record.read(plain, where)
        try:
            fits = record.release.value is None or shape_of(record.release).fits(record)
            for shown in (value_words, details, kept_words, kind_words, release_table):
                shown(record)
        except Exception:  # any error while describing it: the value does not fit its mechanism
            fits = False
        if not fits:
            raise DocumentError(f"{where}.release.value", "cannot be a release of this mechanism")
        return record
