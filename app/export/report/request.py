"""The input of a report."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import TYPE_CHECKING

from app.model.report_document import REPORT_VIEWS
from engine import __version__
from engine.errors import SensiscopeError

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from app.model.kept_data import DatabaseCache
    from app.model.ledger import AnyLedger
    from app.model.report_document import ReportOptions
    from app.model.state import SessionState
    from app.plots.figure_panel import FigurePanel
    from engine.comparison import Comparison
    from engine.ledger import Account

PUBLIC = f"{REPORT_VIEWS['release']}. It holds only public facts and releases."


@dataclasses.dataclass(frozen=True, eq=False)
class ReportRequest:
    """Everything that a report is made from.

    `databases` are raw data that were read before, used for private parts only; `drawn` are the open
    pictures, and `compared` the comparison if it is open.
    """

    state: SessionState
    databases: DatabaseCache
    drawn: tuple[FigurePanel, ...]
    ledger: AnyLedger
    options: ReportOptions
    when: datetime
    compared: Comparison | None = None

    def account_of(self, dataset: Dataset | None) -> tuple[Account | None, str]:
        """Return the account of some data, and the problem with the ledger if there is one."""
        try:
            return (None if dataset is None else dataset.account_in(self.ledger)), ""
        except SensiscopeError as error:
            return None, str(error)

    def about(self) -> tuple[tuple[str, str], ...]:
        """Return the facts at the top of the report."""
        facts = {
            "Date": f"{self.when:%Y-%m-%d %H:%M %Z}".strip(),
            "Made with": f"Sensiscope {__version__}",
            "Author": self.options.author,
            "Notes": self.options.notes,
        }
        return tuple((name, text) for name, text in facts.items() if text)
