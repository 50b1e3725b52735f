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
    from app.model.release_record import ReleaseRecord
    from engine.ledger import Composition, Cost, LedgerEntry, Limit, SimilarData


USUAL_DELTA = 1e-6
"""Usual δ: public, and far below 1/n for all but the largest data."""
USE_DELTA = f"Use δ = 10{superscript(round(math.log10(USUAL_DELTA)))}"
"""Label of the button that chooses it."""


NOT_COUNTED = (
    "Privacy losses hold if the releases and their costs were fixed beforehand, and count against no limit."
)
"""Explains why privacy losses are listed apart from the other compositions."""


@dataclasses.dataclass(frozen=True)
class LossSum:
    """The sum of privacy losses, or the reason why there is none."""

    privacy: Privacy | None = None  # None where there is no sum, or no guarantee
    missing: str = ""  # the missing package, or another reason

    @classmethod
    def of(cls, spent: Composition, progress: Progress = silent) -> LossSum:
        """Add up the losses if dp-accounting is installed; slow for many releases.

        Needs a delta: a limit without one has no such sum.
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
"""Number of grid points of the sum; more would not be visible."""


@dataclasses.dataclass(frozen=True, eq=False)
class BudgetCurves:
    """The cost of the first releases of a dataset together (public)."""

    releases: Ints  # of shape (c,): numbers of releases, increasing from 0
    # of shape (c,): epsilon by "basic", "advanced" and "zcdp" composition, by "basic" alone without a slack;
    # NaN where no guarantee is left
    spent: Mapping[str, Floats]
    used: str = "basic"  # the composition that counts now
    limit: float | None = None  # the largest epsilon allowed

    @classmethod
    def of(cls, costs: Sequence[Cost], slack: float, used: str, limit: float | None) -> BudgetCurves:
        """Add up the costs of releases, given oldest first; zero releases cost nothing."""
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
"""Compositions by name, with their attributes of `engine.ledger.Composition`."""


@dataclasses.dataclass(frozen=True)
class Budget:
    """The budget of a dataset, for one row of the file; all of it is public."""

    title: str  # name of the dataset
    # all releases ever started, whatever their neighbours, oldest first
    entries: tuple[LedgerEntry, ...] = ()
    # spent, limit: None if no budget was used, or no limit is set
    spent: Composition | None = None
    limit: Limit | None = None
    next: Composition | None = None  # the total after the release that Run would make; None without a limit
    over: bool = False  # whether this total exceeds the limit
    problem: str = ""  # the known reason why no release is possible; "" if there is none
    damaged: bool = False  # whether the problem is a damaged ledger, which only the user can set aside
    begun_after: str = ""  # the older ledger that was set aside before this one began; "" if none
    exposed: str = ""  # the reason why others can write to the ledger; "" if they cannot
    curves: BudgetCurves | None = None  # use of the budget over time; only while the view is open
    limit_chosen: bool = True  # whether the user ever chose a limit, or no limit; True if unknown
    recounted: str = ""  # note that releases of earlier versions now count differently: `Account.recounted`
    # similar datasets with releases; only if this dataset has none of its own
    similar: tuple[SimilarData, ...] = ()
    # the newest releases whose values the ledger stored, oldest first
    records: tuple[ReleaseRecord, ...] = ()
