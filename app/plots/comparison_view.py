"""What the pictures of a comparison show: what was found, where in the sweep, and who won there."""

from __future__ import annotations

import dataclasses

from app.plots.comparison_words import Judgement, sentence, so_far
from engine.comparison.results import Comparison, Contender, Outcome

MODES = {"dots": "Dots", "box": "Boxes", "ecdf": "Share within"}
"""How errors at one value of the sweep can be drawn, and what people call it."""

SPREADS = {"band": "Middle 90 %", "dots": "Runs"}
"""How the frontier shows that runs differ, and what people call it."""


@dataclasses.dataclass(frozen=True, eq=False)
class ComparisonView:
    """A comparison, and what is to be seen of it (private).

    Attributes
    ----------
    comparison : Comparison
    place : int
        Which value of the sweep.
    verdict : Judgement or None
        Who wins there; None while nobody knows.
    mode : str
        One of `MODES`.
    spread : str
        One of `SPREADS`.
    picked : tuple of int or None
        An index into the comparison's outcomes and a run of that: the one that was clicked.
    largest : float or None
        The largest error that is possible (public), where there is one.
    measure : str
        What an error is, in words.
    """

    comparison: Comparison
    place: int = 0
    verdict: Judgement | None = None
    mode: str = "dots"
    spread: str = "band"
    picked: tuple[int, int] | None = None
    largest: float | None = None
    measure: str = "distance from the truth"

    @property
    def labels(self) -> tuple[str, ...]:
        """What the contenders are called."""
        return tuple(contender.label for contender in self.comparison.contenders)

    @property
    def value(self) -> float:
        """The value of the sweep at which errors are shown; NaN without any."""
        values = self.comparison.sweep.values
        return values[self.place] if 0 <= self.place < len(values) else float("nan")

    def outcome(self, contender: int, place: int | None = None) -> Outcome | None:
        """Return how a contender did at a value of the sweep; None where it has not begun."""
        at = self.comparison.at(self.place if place is None else place)
        return next((outcome for outcome in at if outcome.trial.contender == contender), None)

    def sentence(self, unit: str = "") -> str:
        """Say who wins at the chosen value, and how far the comparison is."""
        begun = so_far(self.comparison)
        words = sentence(self.verdict, unit, self.labels, self.largest)
        return f"{begun}: {words}" if begun else words


def is_private(contender: Contender) -> bool:
    """Tell whether a contender promises anything at all; one that does not is a reference."""
    return bool(getattr(contender.mechanism, "is_private", True))


def why_empty(outcome: Outcome | None) -> str:
    """Say why there are no errors; "" if there are some."""
    if outcome is None:
        return "not begun yet"
    if outcome.problem:
        return outcome.problem
    if not outcome.runs:
        return "no run is finished yet"
    return "all refused to answer" if outcome.refused == outcome.runs else ""
