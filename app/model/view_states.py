"""How a page or workspace looks: what the user has chosen there, as far as the session does not know it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
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


@dataclasses.dataclass(frozen=True)
class AuditViewState:
    """How the tab "Audit" looks.

    Attributes
    ----------
    choice : AuditChoice
    shows : str
        A key of `app.model.pages.audit.SHOWS`.
    prior : int
        How sure an attacker is beforehand that the data are the first of both databases, in percent.
    done : bool
        Whether just this was audited.
    """

    choice: AuditChoice = dataclasses.field(default_factory=AuditChoice)
    shows: str = "outcomes"
    prior: int = 50
    done: bool = False


@dataclasses.dataclass(frozen=True)
class CompareViewState:
    """What was worked out in the workspace "Compare".

    Attributes
    ----------
    done, searched : bool
        Whether just this was compared, and whether the epsilon was searched that is needed.
    """

    done: bool = False
    searched: bool = False


@dataclasses.dataclass(frozen=True)
class BesideViewState:
    """What stands beside the open picture.

    Attributes
    ----------
    tab : str or None
        Another picture of the page; "" for none; None for one where there is room for two.
    mechanism : str
        By name the one of which it is, "" for the one that is chosen.
    """

    tab: str | None = None
    mechanism: str = ""


@dataclasses.dataclass(frozen=True)
class ViewState:
    """What is open in a page or workspace, as far as the session does not know it.

    What a place does not have stays at its first value.

    Attributes
    ----------
    tab : str
        The picture; "" where there are none.
    log : mapping of str to bool
        Which pictures have a logarithmic vertical axis, or have none, because the user chose so.
    k : int
        Of a graph, the distance whose deciding cut is marked.
    simulated : bool
        Whether they are to be seen although there is a real one.
    options : mapping of str to object
        What is chosen about the pictures of a page: see `OptionGroup`.
    beside : BesideViewState
    audit, compare
        The choices of the tools of the tab "Audit", and what was worked out in the workspace "Compare".
    """

    tab: str = ""
    log: Mapping[str, bool] = dataclasses.field(default_factory=dict)
    k: int = 0
    simulated: bool = False
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    beside: BesideViewState = BesideViewState()
    audit: AuditViewState = AuditViewState()
    compare: CompareViewState = CompareViewState()
