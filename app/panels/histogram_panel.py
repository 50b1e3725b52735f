"""The form of a release of a histogram: mechanism, its parameters, and whether it is private at all."""

from __future__ import annotations

from typing import ClassVar

from app.panels.mechanism_panel import MechanismPanel
from app.session import Session


class HistogramPanel(MechanismPanel):
    """Edits the mechanism of the session, where it releases cells with counts."""

    topic = "histograms"
    tuning: ClassVar[frozenset[str]] = frozenset({"max_depth"})

    def __init__(self, session: Session) -> None:
        super().__init__(session, "how deep cells are cut")
