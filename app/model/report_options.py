"""What a report is to hold."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from app.model.views import CURATOR, RELEASE, VIEWS

if TYPE_CHECKING:
    pass

REPORT_VIEWS = {
    RELEASE: f"{VIEWS[RELEASE]}: what can be shared",
    CURATOR: f"{VIEWS[CURATOR]}: with confidential numbers",
}
"""What a report may hold, by the names of the window's views; the first one unless another is picked."""


@dataclasses.dataclass(frozen=True)
class ReportOptions:
    """What was chosen in the dialog.

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
        return self.view == "curator"
