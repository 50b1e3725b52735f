"""What a report is to hold."""

from __future__ import annotations

import dataclasses

from app.model.views import CURATOR, RELEASE, VIEWS

REPORT_VIEWS = {
    RELEASE: f"{VIEWS[RELEASE]}: what can be shared",
    CURATOR: f"{VIEWS[CURATOR]}: with confidential numbers",
}
"""What a report may hold, by the names of the window's views; the first one unless another is picked."""


@dataclasses.dataclass(frozen=True)
class ReportOptions:
    """What was chosen in the dialog.

    `view` is a key of `REPORT_VIEWS`; `figures` says whether each release has its figure, and `pictures`
    which of those in sight are wanted, by their index.  `author` and `notes` stand below the title.
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
