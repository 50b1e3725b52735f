"""The budget of a dataset: spent, allowed, and after one more release."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from app.model.wording.numbers import superscript
from engine.array_types import Floats, Ints
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from engine.ledger import Composition, Cost, LedgerEntry, Limit, SimilarData


USUAL_DELTA = 1e-6
"""Public, and far below 1/n for all but the largest data."""
USE_DELTA = f"Use δ = 10{superscript(round(math.log10(USUAL_DELTA)))}"
"""What a button says that chooses it."""


NOT_COUNTED = (
    "Privacy losses hold if the releases and their costs were fixed beforehand, and count against no limit."
)
"""Why it stands beside the other compositions, and not among them."""


@dataclasses.dataclass(frozen=True)
class LossSum:
    """The sum, or why it is not told.

    Attributes
    ----------
    privacy : Privacy or None
        None where it is not told, and where nothing is promised.
    missing : str
        What would have to be installed, or what else is in the way.
    """

    privacy: Privacy | None = None
    missing: str = ""

    @classmethod
    def of(cls, spent: Composition, progress: Progress = silent) -> LossSum:
        """Add the losses up, if dp-accounting is there; of many releases it takes a while.

        A limit without a delta has no such sum, since that takes a delta.
        """
        from engine.errors import ParameterError

        if not spent.slack:
            return cls()
        try:
            result = spent.by_losses(progress)
        except ParameterError as error:
            return cls(missing=error.problem)
        return cls(None if result == NO_PROMISE else result)


MAX_POINTS = 80
"""Places at which it is added up; more could not be told apart."""


@dataclasses.dataclass(frozen=True, eq=False)
class BudgetCurves:
    """What the first releases of a dataset cost together (public).

    Attributes
    ----------
    releases : ndarray of int, shape (c,)
        Numbers of releases, increasing from 0.
    spent : mapping of str to ndarray, shape (c,)
        Epsilon by "basic", "advanced" and "zcdp" composition, by "basic" alone without a slack; NaN where
        nothing is promised any more.
    used : {"basic", "advanced", "zcdp"}
        The one that counts now.
    limit : float or None
        The epsilon that is not to be passed.
    """

    releases: Ints
    spent: Mapping[str, Floats]
    used: str = "basic"
    limit: float | None = None

    @classmethod
    def of(cls, costs: Sequence[Cost], slack: float, used: str, limit: float | None) -> BudgetCurves:
        """Add up the costs of the first releases, the oldest first; of none nothing is spent."""
        from engine.ledger import compose

        ends = np.unique(np.linspace(0, len(costs), min(len(costs), MAX_POINTS) + 1).round().astype(np.int64))
        parts = (compose(costs[start:end], slack) for start, end in itertools.pairwise(ends.tolist()))
        sums = list(itertools.accumulate(part for part in parts if part is not None))
        spent = {
            name: np.array([0.0, *(getattr(one, field).epsilon for one in sums)])
            for name, field in COMPOSITIONS.items()
            if slack or name == "basic"
        }
        known = {name: np.where(np.isfinite(values), values, np.nan) for name, values in spent.items()}
        return cls(ends, known, used, limit)


COMPOSITIONS = {"basic": "basic", "advanced": "advanced", "zcdp": "concentrated"}
"""The compositions by name, and where `engine.ledger.Composition` has them."""


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
