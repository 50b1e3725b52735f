"""The form of a release of a histogram or a table of counts: mechanism and parameters."""

from __future__ import annotations

from itertools import groupby
from typing import Any, ClassVar

from app.panels.component_boxes import offer
from app.panels.mechanism_panel import MechanismPanel
from app.session import Session


class HistogramPanel(MechanismPanel):
    """Edits the mechanism of the session, where it releases cells, tables, or what counts are good for."""

    topic = "histograms"
    tuning: ClassVar[frozenset[str]] = frozenset(
        {"max_depth", "region", "centers", "post", "threshold", "share", "sampler", "steps"}
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session, "what is right as it is for nearly everybody")

    def _offer(self, mechanisms: dict[str, Any]) -> None:
        """Add the mechanisms: those that promise nothing, those that do, those on categories."""
        for _, group in groupby(mechanisms.items(), key=lambda item: (item[1].is_private, item[1].reads)):
            if self.query.count():
                self.query.insertSeparator(self.query.count())
            offer(self.query, dict(group))
