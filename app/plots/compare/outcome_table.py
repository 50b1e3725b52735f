"""What was compared as rows for a file or a report (private)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from app.model.wording.formatting import format_count
from engine.comparison import Comparison, Outcome

CONFIDENTIAL = "Confidential"
"""What each row of a saved table says of itself."""

Table = tuple[list[str], list[list[Any]]]


SWEPT = "Swept"
"""The column that is called by what is varied."""

Cell = Callable[[Comparison, Outcome], Any]

CELLS: dict[str, tuple[str, Cell]] = {
    "Mechanism": ("Mechanism", lambda c, o: c.contenders[o.trial.contender].label),
    SWEPT: ("", lambda _, o: o.trial.value),
    "Median error": ("Median", lambda _, o: o.quantile(0.5)),
    "Mean error": ("Mean", lambda _, o: o.mean),
    "95 % within": ("95 % in", lambda _, o: o.quantile(0.95)),
    "Runs": ("Runs", lambda _, o: o.runs),
    "Refused": ("Refused", lambda _, o: o.refused),
    "Seconds per run": ("Seconds", lambda _, o: o.seconds_per_run if o.runs else math.nan),
    "Remark": (
        "Remark",
        lambda _, o: o.problem or ("" if o.complete else f"of {format_count(o.asked)} runs"),
    ),
}
"""What each column is called in a file and, for short, in the window, and what stands in it."""


def saved_table(comparison: Comparison) -> Table:
    """Return the table for a file, with what that must say of itself: a row for each trial."""
    header = [comparison.sweep.name if name == SWEPT else name for name in CELLS]
    rows = [
        [*(known(cell(comparison, outcome)) for _, cell in CELLS.values()), CONFIDENTIAL]
        for outcome in comparison.outcomes
    ]
    return [*header, "Status"], rows


def known(value: Any) -> Any:
    """Return a value, or nothing where it is not known."""
    return "" if isinstance(value, float) and math.isnan(value) else value
