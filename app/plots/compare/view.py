"""What the pictures of a comparison show: what was found, where in the sweep, and who won there."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence

import numpy as np

from app.model.theme import Palette
from app.model.wording.numbers import number, quantity, share
from app.plots.compare.contender_style import ContenderStyle, contender_style, looks, spoken_names
from app.plots.compare.words import alone, sentence, so_far
from engine.comparison.compared import Comparison
from engine.comparison.results import Outcome
from engine.comparison.verdict import Verdict, verdict

_LONGEST = 70  # letters of a line of names

MAX_PLACES = 120
"""Values of a sweep that are drawn at most."""


@dataclasses.dataclass(frozen=True, eq=False)
class ComparisonView:
    """A comparison, and what is to be seen of it (private).

    Attributes
    ----------
    comparison : Comparison
    place : int
        Which value of the sweep.
    mode : str
        One of `MODES`.
    spread : str
        One of `SPREADS`.
    picked : tuple of int or None
        An index into the comparison's outcomes and a run of that: the one that was clicked.
    measure : str
        What an error is, in words.
    """

    comparison: Comparison
    place: int = 0
    mode: str = "dots"
    spread: str = "band"
    picked: tuple[int, int] | None = None
    measure: str = "distance from the truth"

    @classmethod
    def of(
        cls, comparison: Comparison, index: int | None = None, mode: str = "dots", spread: str = "band"
    ) -> ComparisonView:
        """Show a comparison at one value of the sweep: by default at the one in the middle."""
        last = len(comparison.sweep.values) - 1
        return cls(comparison, (last + 1) // 2 if index is None else min(index, last), mode, spread)

    @functools.cached_property
    def verdict(self) -> Verdict | None:
        """Who wins at the chosen value; None while that is not known."""
        return verdict(self.comparison.at(self.place))

    @property
    def largest(self) -> float | None:
        """What no error at the chosen value need exceed, as the public bounds tell."""
        return self.comparison.largest_error(self.place)

    @property
    def labels(self) -> tuple[str, ...]:
        """What the contenders are called."""
        return tuple(contender.label for contender in self.comparison.contenders)

    def style(self, contender: int, palette: Palette) -> ContenderStyle:
        """Return how a contender is drawn."""
        return contender_style(looks(self.comparison.contenders)[contender], palette)

    @property
    def value(self) -> float:
        """The value of the sweep at which errors are shown; NaN without any."""
        values = self.comparison.sweep.values
        return values[self.place] if 0 <= self.place < len(values) else float("nan")

    @property
    def caption(self) -> str:
        """What must be known of a saved picture."""
        runs = f"Simulated: {number(self.comparison.runs, 9)} runs each, from seed {self.comparison.seed}."
        return f"{runs} {so_far(self.comparison)}".strip()

    def outcome(self, contender: int, index: int | None = None) -> Outcome | None:
        """Return how a contender did at a value of the sweep; None where it has not begun."""
        return self.comparison.outcome(contender, self.place if index is None else index)

    def empty(self, contender: int) -> str:
        """Say why a contender has no errors at the chosen value; "" if it has some."""
        return why_empty(self.outcome(contender))

    def typical(self, contender: int) -> float:
        """Return the median error at the chosen value: inf for refusals, NaN without runs."""
        return self.comparison.median(contender, self.place)

    def typical_words(self, contender: int, unit: str) -> str:
        """Say how large the median error is at the chosen value, or why there is none."""
        typical = self.typical(contender)
        if self.empty(contender):
            return self.empty(contender)
        return "mostly refused" if math.isinf(typical) else f"median error {quantity(typical, unit)}"

    @property
    def order(self) -> list[int]:
        """The contenders, the one with the smallest median error at the chosen value first."""
        return self.comparison.order(self.place)

    @property
    def rows(self) -> list[int]:
        """The contenders that fit at the chosen value; a page says of the others why they do not."""
        return self.comparison.fitting(self.place)

    @property
    def lines(self) -> list[int]:
        """The contenders that fit at some value of the sweep, or have not begun."""
        return self.comparison.fitting()

    @property
    def places(self) -> list[int]:
        """The values of the sweep that are drawn: the chosen one, and so many others as can be told apart."""
        many = len(self.comparison.sweep.values)
        if many <= MAX_PLACES:
            return list(range(many))
        some = np.linspace(0, many - 1, MAX_PLACES).round().astype(int).tolist()
        return sorted({*some, self.place})

    def along(self, contender: int) -> list[Outcome]:
        """Return the outcomes of a contender that are drawn, those that have runs."""
        result = (self.outcome(contender, index) for index in self.places)
        return [outcome for outcome in result if outcome is not None and outcome.runs]

    def left_out(self, shown: Sequence[int]) -> str:
        """Return a line that names the contenders that are not among those shown; "" if all are."""
        names = spoken_names(self.labels)
        missing = [name for index, name in enumerate(names) if index not in shown]
        text = f"not shown: {', '.join(missing)}"
        if len(text) > _LONGEST:
            text = f"not shown: {number(len(missing))} that do not fit"
        return f"\n{text}" if missing else ""

    def wins(self, contender: int) -> bool:
        """Tell whether a contender is better than the others by more than chance explains."""
        verdict = self.verdict
        return verdict is not None and verdict.significant and verdict.best.trial.contender == contender

    def remarks(self, contender: int) -> list[str]:
        """Return what must be said of a contender in a word or two, wherever it is shown."""
        outcome = self.outcome(contender)
        texts = [] if contender in self.comparison.private else ["Not DP"]
        if outcome is not None and outcome.refused:
            texts.append(f"{share(outcome.refused / outcome.runs)} refused")
        return texts

    def finding(self, unit: str = "") -> str:
        """Say who wins at the chosen value."""
        names = spoken_names(self.labels)
        tried = [outcome for outcome in self.comparison.at(self.place) if outcome.runs]
        if self.verdict is None and len(tried) == 1:
            return alone(tried[0], unit, names)
        return sentence(self.verdict, unit, names, self.largest)

    def sentence(self, unit: str = "") -> str:
        """Say who wins at the chosen value, and how far the comparison is."""
        begun, text = so_far(self.comparison), self.finding(unit)
        return f"{begun}. {text}" if begun else text


def why_empty(outcome: Outcome | None) -> str:
    """Say why there are no errors; "" if there are some."""
    if outcome is None:
        return "not begun yet"
    if outcome.problem:
        return outcome.problem
    if not outcome.runs:
        return "no run is finished yet"
    return "all refused to answer" if outcome.refused == outcome.runs else ""
