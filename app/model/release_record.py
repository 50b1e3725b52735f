"""Entries of the release history."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from app.model.wording.releases import inexact_words
from engine.mechanisms.release import Private, Release
from engine.privacy import NO_PROMISE

if TYPE_CHECKING:
    from app.model.dataset import Dataset


class Releasing(Protocol):
    """The part of a state that a record keeps."""

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


def about_data(data: Releasing, treatment: str = "") -> dict[str, Any]:
    """Return the public facts of a ledger entry about the data, from which the history shows a release."""
    return {
        "place": data.location,
        "unit": data.unit,
        "looked": data.looked,
        "edited": data.edited,
        "coordinates": list(data.coordinates),
        "treatment": treatment,
    }


@dataclasses.dataclass(frozen=True)
class ReleaseRecord:
    """A release in the history; all of it is public.

    `dataset` names its account in the ledger; empty for simulations. `subject` is a short noun for the data,
    and `location` their place in the file. `coordinates` are columns of points or categories. `elsewhere` is
    a note about a session file that this ledger has not sealed, so that the release may never have happened.
    `inexact` is the reason if `Release.exact` is false. `treatment` says which rows of a table were left out,
    as a rule.
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
    treatment: str = ""

    @property
    def flaw(self) -> str:
        """The note that privacy does not hold to the last bit, with the reason; "" if it does."""
        return inexact_words(self.release.exact, self.inexact)

    @property
    def promises(self) -> bool:
        """Whether the release has a privacy guarantee."""
        return self.release.privacy != NO_PROMISE

    def is_same(self, other: ReleaseRecord) -> bool:
        """Return whether both describe one release."""
        mine, its = ((one.query, one.privacy, one.value) for one in (self.release, other.release))
        return mine == its

    @classmethod
    def of(
        cls,
        release: Release,
        state: Releasing,
        account: str = "",
        inexact: str = "",
        treatment: str = "",
    ) -> ReleaseRecord:
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
            treatment=treatment,
        )


def with_stored(own: Sequence[ReleaseRecord], stored: Sequence[ReleaseRecord]) -> list[ReleaseRecord]:
    """Return the releases of a session and those that the ledger alone has, oldest first."""
    rest = list(stored)
    for record in reversed(own):
        twin = next((one for one in reversed(rest) if one.is_same(record)), None)
        rest = [one for one in rest if one is not twin]
    return sorted([*rest, *own], key=lambda one: one.when)
