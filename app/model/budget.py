"""The budget of a dataset: what was ever spent, what may be, and what one more release would come to."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from app.model.budget_curves import BudgetCurves
from app.model.loss_sum import LossSum

if TYPE_CHECKING:
    from engine.ledger import Composition, LedgerEntry, Limit, SimilarData


@dataclasses.dataclass(frozen=True)
class Budget:
    """The budget of a dataset, for one row of the file; nothing in it is private.

    Attributes
    ----------
    title : str
        What the dataset is called.
    entries : tuple of LedgerEntry
        All releases that were ever begun, between whatever neighbours, the first one first.
    spent, limit : Composition or None, Limit or None
        None where nothing was spent, or no limit is set.
    next : Composition or None
        What it would come to with the release that Run would make, where there is a limit.
    over : bool
        Whether that is more than the limit.
    problem : str
        Why nothing can be released; "" if it can, as far as it is known.
    damaged : bool
        Whether the problem is a file that only the user can set aside.
    begun_after : str
        What the ledger says was set aside before it began; "" if nothing was.
    exposed : str
        Why others can write to the ledger, as it says itself; "" if they cannot.
    curves : BudgetCurves or None
        How it was spent, while it is looked at.
    losses : LossSum or None
        What the privacy losses of what was spent add up to, while it is looked at.
    limit_chosen : bool
        Whether a limit was ever set, or none on purpose; True where that is not known.
    recounted : str
        That releases of earlier versions are counted otherwise than then, as `Account.recounted` says.
    similar : tuple of SimilarData
        What the data resemble of which something was released, while nothing was of themselves.
    """

    title: str
    entries: tuple[LedgerEntry, ...] = ()
    spent: Composition | None = None
    limit: Limit | None = None
    next: Composition | None = None
    over: bool = False
    problem: str = ""
    damaged: bool = False
    begun_after: str = ""
    exposed: str = ""
    curves: BudgetCurves | None = None
    losses: LossSum | None = None
    limit_chosen: bool = True
    recounted: str = ""
    similar: tuple[SimilarData, ...] = ()
