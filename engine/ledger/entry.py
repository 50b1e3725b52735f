"""One release in the ledger."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from engine.ledger.cost import Cost

State = Literal["open", "spent", "void"]


@dataclasses.dataclass(frozen=True)
class LedgerEntry:
    """One release, as it was written down in a `Ledger`.

    Attributes
    ----------
    id : int
        Its place in the ledger; later entries have larger ones, whatever the clock says.
    when : datetime
        With its time zone.
    cost : Cost
        As the release states it; ``cost.row`` is what it counts.
    about : mapping
        What was released and how; public.
    value : Any
        What was released, if it was kept.
    state : {"open", "spent", "void"}
        "open" until the value is out, for ever if the program was killed before it could say so: such
        a value may have been seen, so it counts.  "void" where no value came about: it does not.
    over : bool
        Whether the user went beyond the limit knowingly.
    earlier : bool
        Whether a version wrote it that added up releases for each kind of neighbours apart.
    """

    id: int
    when: datetime
    cost: Cost
    about: Mapping[str, Any]
    value: Any = None
    state: State = "open"
    over: bool = False
    earlier: bool = False

    @property
    def exact(self) -> bool:
        """Whether the privacy holds to the last bit, as `engine.mechanisms.release.Release.exact` says."""
        return not self.cost.inexact

    @property
    def counts(self) -> bool:
        """Whether its cost is spent."""
        return self.state != "void"
