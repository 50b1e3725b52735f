"""What the budget was spent on, one release after the other: numbers for a picture."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.array_types import Floats, Ints

if TYPE_CHECKING:
    from engine.ledger import Cost


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
