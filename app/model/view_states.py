"""Choices about the look of a page or workspace that are not part of the session state."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from engine.audit import MIN_RUNS, MOVED
from engine.mechanisms.problem import Problem

WHICH = "enter the record and its new value; if records were moved by hand, the last one is used"

RUNS, MAX_RUNS = 20_000, 1_000_000
CONFIDENCES = (0.95, 0.99, 0.999, 0.9999)

DEFAULT_SEED = 1
"""Default seed of simulations."""


@dataclasses.dataclass(frozen=True)
class AuditChoice:
    """The choices for an audit."""

    pair: str = ""  # name of a pair of neighbours; "" for the first pair
    bug: str = ""  # name of a planted bug; "" for none
    runs: int = RUNS  # simulated releases of each database
    confidence: float = 0.999
    seed: int = DEFAULT_SEED  # of these releases
    record: int | None = None  # the moved record, counted from 0; only for the pair `MOVED`
    value: str = ""  # its new value as typed

    def but(self, **changes: Any) -> AuditChoice:
        """Return the choice with changes."""
        return dataclasses.replace(self, **changes)

    def arguments(self, source: Any) -> dict[str, Any]:
        """Return the arguments of an audit by name; `source`, a builder, parses the new value of a record."""
        names = ["pair", "bug", "runs", "confidence", "seed"]
        moved = {"record": self.record, "value": source.record(self.value)} if self.pair == MOVED else {}
        return {name: getattr(self, name) for name in names} | moved

    def problem(self) -> Problem | None:
        """Return the problem that keeps the audit from running, if the choices alone show one."""
        if not MIN_RUNS <= self.runs <= MAX_RUNS:
            return Problem("runs", f"{self.runs} runs are not possible; choose {MIN_RUNS} to {MAX_RUNS}")
        if self.pair == MOVED and (self.record is None or not self.value):
            return Problem("record", WHICH)
        return None


@dataclasses.dataclass(frozen=True)
class AuditViewState:
    """State of the tab "Audit"."""

    choice: AuditChoice = dataclasses.field(default_factory=AuditChoice)
    shows: str = "guess-who"  # a key of `app.model.pages.audit.SHOWS`
    prior: int = 50  # an attacker's prior probability of the likelier database, in percent
    done: bool = False  # whether this choice was audited


@dataclasses.dataclass(frozen=True)
class CompareViewState:
    """State of the workspace "Compare"."""

    # done, searched: whether this choice was compared, and whether its smallest epsilon was searched
    done: bool = False
    searched: bool = False


@dataclasses.dataclass(frozen=True)
class BesideViewState:
    """State of the second picture."""

    # another picture of the page; "" for none; None for the default where there is space for two
    tab: str | None = None
    mechanism: str = ""  # name of its mechanism; "" for the chosen one


WALL_SHOWS = ("picture", "data", "both")
"""The pictures that a step of a lesson can show on the wall."""


@dataclasses.dataclass(frozen=True)
class WallView:
    """The parts of a page that are visible in presentation mode; a step of a lesson chooses them."""

    shows: str = "picture"  # one of `WALL_SHOWS`
    attempt: str = ""  # the task of the step; it names the controls in quotes
    sentence: str = ""  # of the step; "" outside lessons, where the page's own takes its place

    @property
    def has_data(self) -> bool:
        """Whether the picture of the data is visible."""
        return self.shows != "picture"

    @property
    def has_picture(self) -> bool:
        """Whether the picture of the open tab is visible."""
        return self.shows != "data"

    @property
    def has_error(self) -> bool:
        """Whether its sentence or task speaks of the expected error."""
        return any(word in self.sentence + self.attempt for word in ("typical error", "sentence below"))

    def needs(self, *labels: str) -> bool:
        """Tell whether the task names a control with one of these labels."""
        return any(f"“{label.replace('&', '')}”" in self.attempt for label in labels)


@dataclasses.dataclass(frozen=True)
class ViewState:
    """State of a page or workspace that is not part of the session.

    Fields that a page does not use keep their defaults.
    """

    tab: str = ""  # name of the picture; "" if there are none
    # pictures for which the user switched the logarithmic vertical axis on or off
    log: Mapping[str, bool] = dataclasses.field(default_factory=dict)
    k: int = 0  # distance whose deciding cut is marked, for a graph
    simulated: bool = False  # whether simulated releases are shown although there is a real one
    noise: bool = False  # whether possible answers are drawn in the picture of the data
    # options of the pictures of a page: see `OptionGroup`
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    beside: BesideViewState = BesideViewState()
    # audit, compare: state of the tab "Audit", and of the workspace "Compare"
    audit: AuditViewState = AuditViewState()
    compare: CompareViewState = CompareViewState()
