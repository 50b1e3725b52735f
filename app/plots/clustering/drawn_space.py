"""What every picture of a space of points needs to know of what it shows."""

from __future__ import annotations

from typing import Protocol

from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.domain import Interval


class DrawnSpace(Protocol):
    """What every result in a space of points has."""

    @property
    def directions(self) -> tuple[Direction, ...]:
        """One or two."""

    @property
    def window(self) -> tuple[Interval, ...]:
        """What is in view along each direction."""

    @property
    def flat(self) -> bool:
        """Whether there is one direction only."""

    @property
    def records(self) -> Records | None:
        """The data (private)."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """What has a lane of its own where there is one direction, the first one highest."""
