"""What was released, as the history keeps it."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from app.model.wording.releases import inexact_words
from engine.mechanisms.release import Private, Release
from engine.privacy import NO_PROMISE

if TYPE_CHECKING:
    from app.model.dataset import Dataset


class Releasing(Protocol):
    """What a record says of the state in which a release was made."""

    @property
    def dataset(self) -> Dataset | None: ...
    @property
    def subject(self) -> str: ...
    @property
    def location(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def looked(self) -> bool: ...
    @property
    def edited(self) -> bool: ...
    @property
    def coordinates(self) -> tuple[str, ...]: ...


@dataclasses.dataclass(frozen=True)
class ReleaseRecord:
    """A release as the history keeps it: nothing in it is private.

    `dataset` is the name of its account in the ledger; nothing for what was only simulated, which has
    none.  `subject` is what the query was asked of, in a word; `location` says where it stands in the file.
    `coordinates` are the columns of points or categories.  `elsewhere` is said of what
    stood in a session file that was not sealed with this ledger: who knows whether it was ever released.
    `inexact` says why its privacy does not hold to the last bit, where `Release.exact` is false.
    """

    release: Release
    dataset: str
    title: str
    subject: str
    location: str
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
    def of(cls, release: Release, state: Releasing, account: str = "", inexact: str = "") -> ReleaseRecord:
        """Record `release`, made in `state` and entered in `account`, without its private diagnostics."""
        assert state.dataset is not None
        return cls(
            release=dataclasses.replace(release, diagnostics=Private({})),
            dataset=account,
            title=state.dataset.title,
            subject=state.subject,
            location=state.location,
            unit=state.unit,
            when=datetime.now().astimezone(),
            looked=state.looked,
            edited=state.edited,
            coordinates=state.coordinates,
            inexact=inexact,
        )
