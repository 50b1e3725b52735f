"""A table with where it came from, and what was released of it."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.model.wording.inexact import inexact_words
from engine.mechanisms.release import Private, Release
from engine.privacy import NO_PROMISE

if TYPE_CHECKING:
    from app.model.state import SessionState
    from engine.data import Table


@dataclasses.dataclass(frozen=True, eq=False)
class Dataset:
    """A table, and where it came from.

    `digest` names the dataset for the budget: what is spent on a file stays spent when the file is
    opened again, moved or copied.  It is "sha256:…" of all bytes of a file, "example:…" for what comes
    with the program, and private: who guesses the data can check the guess with it.
    """

    table: Table
    digest: str = dataclasses.field(repr=False)
    path: Path | None = None
    example: str | None = None

    @classmethod
    def of_example(cls, name: str) -> Dataset:
        """Read a bundled example."""
        from engine.data import example_digest, load_example

        return cls(load_example(name), example_digest(name), example=name)

    @property
    def title(self) -> str:
        """The name that people know it by."""
        return self.path.name if self.path else self.table.source

    def column(self, name: str) -> Any:
        """Return the `engine.data.Column` of that name, or None."""
        return next((column for column in self.table.columns if column.name == name), None)


@dataclasses.dataclass(frozen=True)
class ReleaseRecord:
    """A release as the history keeps it: nothing in it is private.

    `dataset` is the name of its account in the ledger; nothing for what was only simulated, which has
    none.  `subject` is what the query was asked of, in a word; `place` says where it stands in the file.
    `coordinates` are the columns of points or categories.  `elsewhere` is said of what
    stood in a session file that was not sealed with this ledger: who knows whether it was ever released.
    `inexact` says why its privacy does not hold to the last bit, where `Release.exact` is false.
    """

    release: Release
    dataset: str
    title: str
    subject: str
    place: str
    unit: str
    when: datetime
    looked: bool
    edited: bool
    coordinates: tuple[str, ...] = ()
    elsewhere: bool = False
    inexact: str = ""

    @property
    def flaw(self) -> str:
        """That its privacy does not hold to the last bit, and why; "" where it does."""
        return inexact_words(self.release.exact, self.inexact)

    @property
    def promises(self) -> bool:
        """Whether the release promises any privacy."""
        return self.release.privacy != NO_PROMISE

    @classmethod
    def of(cls, release: Release, state: SessionState, account: str = "", inexact: str = "") -> ReleaseRecord:
        """Record `release`, made in `state` and entered in `account`, without its private diagnostics."""
        assert state.dataset is not None
        return cls(
            release=dataclasses.replace(release, diagnostics=Private({})),
            dataset=account,
            title=state.dataset.title,
            subject=state.subject,
            place=state.place,
            unit=state.unit,
            when=datetime.now().astimezone(),
            looked=state.looked,
            edited=state.edited,
            coordinates=state.coordinates,
            inexact=inexact,
        )
