"""What a user chooses to have audited."""

from __future__ import annotations

import dataclasses
from typing import Any

from engine.audit import MIN_RUNS, MOVED
from engine.mechanisms.problem import Problem

WHICH = "write which record becomes what; where records can be moved by hand, the last one is taken"

RUNS, MAX_RUNS = 20_000, 1_000_000
CONFIDENCES = (0.95, 0.99, 0.999, 0.9999)

DEFAULT_SEED = 1
"""The seed of simulations until the user asks for a new one."""


@dataclasses.dataclass(frozen=True)
class AuditChoice:
    """The choices for an audit.

    Attributes
    ----------
    pair : str
        The name of a pair of neighbours; "" for the first there is.
    bug : str
        The name of a planted bug; "" for none.
    runs, seed : int
        Simulated releases of either database, and what they are drawn from.
    confidence : float
    record : int or None
        Which record is moved, counted from 0; only of the pair `MOVED`.
    value : str
        What it becomes, as it was typed.
    """

    pair: str = ""
    bug: str = ""
    runs: int = RUNS
    confidence: float = 0.999
    seed: int = DEFAULT_SEED
    record: int | None = None
    value: str = ""

    def but(self, **changes: Any) -> AuditChoice:
        """Return the choice with some changes."""
        return dataclasses.replace(self, **changes)

    def arguments(self, source: Any) -> dict[str, Any]:
        """Return what an audit of it takes, by name.

        Parameters
        ----------
        source : DatasetBuilder
            Reads the value that a record becomes.
        """
        names = ["pair", "bug", "runs", "confidence", "seed"]
        moved = {"record": self.record, "value": source.record(self.value)} if self.pair == MOVED else {}
        return {name: getattr(self, name) for name in names} | moved

    def problem(self) -> Problem | None:
        """Return what keeps it from being audited, as far as the choices alone tell."""
        if not MIN_RUNS <= self.runs <= MAX_RUNS:
            return Problem("runs", f"{self.runs} runs are not possible; choose {MIN_RUNS} to {MAX_RUNS}")
        if self.pair == MOVED and (self.record is None or not self.value):
            return Problem("record", WHICH)
        return None
