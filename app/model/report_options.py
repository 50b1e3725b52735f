"""What a person wants in a report, and what it is made from."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import TYPE_CHECKING

from app.model.views import CURATOR, RELEASE, VIEWS

if TYPE_CHECKING:
    from app.model.kinds.databases import DatabaseCache
    from app.model.lazy_ledger import LazyLedger
    from app.model.state import SessionState
    from app.plots.snapshot import PictureSnapshot
    from engine.comparison import Comparison
    from engine.ledger import Ledger

REPORT_VIEWS = {
    RELEASE: f"{VIEWS[RELEASE]}: what may leave the room",
    CURATOR: f"{VIEWS[CURATOR]}: with private numbers",
}
"""What a report may hold, by the view that it shows; the first one unless a person picks another."""


@dataclasses.dataclass(frozen=True)
class ReportOptions:
    """What a person has chosen in the dialog.

    Attributes
    ----------
    title : str
        What the report is called.
    view : str
        A key of `REPORT_VIEWS`.
    figures : bool
        Whether each release has its figure.
    pictures : tuple of int
        Places of the pictures in sight that are wanted.
    author, notes : str
        What stands below the title; "" for nothing.
    """

    title: str
    view: str = "release"
    figures: bool = True
    pictures: tuple[int, ...] = ()
    author: str = ""
    notes: str = ""

    @property
    def private(self) -> bool:
        """Whether what is private is wanted, too."""
        return self.view == CURATOR


@dataclasses.dataclass(frozen=True, eq=False)
class ReportRequest:
    """Everything that a report is made from.

    Attributes
    ----------
    state : SessionState
    databases : DatabaseCache
        Raw data that were read before; looked at for what is private only.
    drawn : tuple of PictureSnapshot
        The pictures in sight.
    ledger : Ledger or LazyLedger
        What was spent on the data.
    when : datetime
    compared : Comparison or None
        What was compared, where that is in sight.
    """

    state: SessionState
    databases: DatabaseCache
    drawn: tuple[PictureSnapshot, ...]
    ledger: Ledger | LazyLedger
    wishes: ReportOptions
    when: datetime
    compared: Comparison | None = None
