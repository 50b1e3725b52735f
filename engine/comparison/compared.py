"""The results of a comparison."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.comparison.results import ComparedMechanism, Outcome, Sweep
from engine.comparison.verdict import Verdict, verdict
from engine.findings import Finding
from engine.numerals import grouped
from engine.shown import ShownInALine


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Comparison(ShownInALine):
    """The outcomes of a comparison so far (private), from `compare`."""

    contenders: tuple[ComparedMechanism, ...]
    sweep: Sweep
    # by the sweep's values, then by mechanism; without those that have not begun
    outcomes: tuple[Outcome, ...]
    runs: int  # as requested; all mechanisms draw from the same seeds
    seed: int
    each: tuple[int, ...] = ()  # runs of each mechanism, as requested, if some have fewer

    @property
    def asked(self) -> int:
        """The requested runs of all trials."""
        each = self.each or (self.runs,) * len(self.contenders)
        return sum(each) * len(self.sweep.values)

    def has_fewer(self, contender: int) -> bool:
        """Tell whether fewer runs of a mechanism were requested than of others."""
        return bool(self.each) and self.each[contender] < self.runs

    def findings(self) -> Iterator[Finding]:
        """Yield median errors at each value of the sweep, the best mechanism there, and running times."""
        for position, value in enumerate(self.sweep.values):
            at = f"{self.sweep.name} = {value:g}"
            for outcome in self.at(position):
                label = self.contenders[outcome.trial.contender].label
                yield Finding(f"{at}, {label}: median error", outcome.problem or outcome.quantile(0.5))
            won = self.verdict(position)
            if won is not None:
                label = self.contenders[won.best.trial.contender].label
                yield Finding(f"{at}: best is {label}; ratio of the next median error", won.ratio)
        for outcome in self.outcomes:
            if not outcome.problem:
                label = f"{self.contenders[outcome.trial.contender].label}: seconds to prepare, to draw"
                yield Finding(label, (outcome.preparing, outcome.drawing))

    @property
    def in_a_line(self) -> str:
        counts = {
            "mechanisms": len(self.contenders),
            f"values of {self.sweep.name}": len(self.sweep.values),
            "runs": self.runs,
        }
        written = ", ".join(f"{name}: {grouped(count)}" for name, count in counts.items())
        return f"{written}; {'' if self.complete else 'incomplete, '}confidential"

    @property
    def trials(self) -> int:
        return len(self.contenders) * len(self.sweep.values)

    @functools.cached_property
    def complete(self) -> bool:
        """Whether all runs were made; a cancelled comparison keeps its results so far."""
        return len(self.outcomes) == self.trials and all(outcome.complete for outcome in self.outcomes)

    @functools.cached_property
    def made(self) -> int:
        return sum(outcome.runs for outcome in self.outcomes)

    @functools.cached_property
    def tried(self) -> frozenset[int]:
        """Indices of the sweep's values with runs."""
        return frozenset(outcome.trial.position for outcome in self.outcomes if outcome.runs)

    def at(self, position: int) -> tuple[Outcome, ...]:
        return self._by_position.get(position, ())

    def outcome(self, contender: int, position: int) -> Outcome | None:
        """Return the outcome of a mechanism at one value of the sweep; None if it has not begun."""
        return next((one for one in self.at(position) if one.trial.contender == contender), None)

    def trivial_error(self, position: int) -> float | None:
        """Return the largest error of the trivial baseline at one value; None if the answers have no bounds.

        The baseline ignores the data and answers with the midpoint of the bounds, which errs by at most half
        of their distance.
        """
        errors = (outcome.trivial_error for outcome in self.at(position) if outcome.runs)
        least = min(errors, default=math.inf)
        return least if math.isfinite(least) else None

    def plot(self, axes: Any = None) -> Any:
        """Draw median errors against the sweep on axes of matplotlib, or on new ones; return the axes."""
        from engine.plots import plot_comparison

        return plot_comparison(self, axes)

    def to_pandas(self) -> Any:
        """Return the errors of each mechanism at each value as a pandas frame (confidential)."""
        rows = [
            {
                "label": self.contenders[outcome.trial.contender].label,
                self.sweep.name: outcome.trial.value,
                "median": outcome.quantile(0.5),
                "mean": float(outcome.answered.mean()) if outcome.answered.size else math.nan,
                "p95": outcome.quantile(0.95),
                "runs": outcome.runs,
            }
            for outcome in self.outcomes
        ]
        return importlib.import_module("pandas").DataFrame(rows)

    def median(self, contender: int, position: int) -> float:
        """Return a median error: inf if most runs refused, NaN without runs."""
        outcome = self.outcome(contender, position)
        return math.nan if outcome is None else outcome.quantile(0.5)

    def order(self, position: int) -> list[int]:
        """Return the mechanisms by increasing median error at one value."""
        medians = [self.median(contender, position) for contender in range(len(self.contenders))]
        known = [math.inf if math.isnan(median) else median for median in medians]
        return sorted(range(len(known)), key=known.__getitem__)

    def fitting(self, position: int | None = None) -> list[int]:
        """Return the mechanisms that fit at one value, or at any, including those not tried yet."""
        tried_at = [
            [one for one in self.of(contender) if position in (None, one.trial.position)]
            for contender in range(len(self.contenders))
        ]
        return [i for i, tried in enumerate(tried_at) if not tried or not all(one.problem for one in tried)]

    @property
    def private(self) -> list[int]:
        """Indices of the mechanisms with a guarantee; the others are references."""
        return [i for i, one in enumerate(self.contenders) if one.mechanism.facts.is_private]

    def verdict(self, position: int) -> Verdict | None:
        """Return the verdict at one value of the sweep; None while fewer than two private ones have runs."""
        if position not in self._verdicts:
            self._verdicts[position] = verdict(self.at(position))
        return self._verdicts[position]

    def winner(self, position: int) -> int | None:
        """Return the private mechanism that is significantly better than all others at one value, if any.

        One that is the only possible one wins if it answers.
        """
        won = self.verdict(position)
        if won is not None:
            return won.best.trial.contender if won.significant else None
        possible = [contender for contender in self.fitting(position) if contender in self.private]
        answers = len(possible) == 1 and math.isfinite(self.median(possible[0], position))
        return possible[0] if answers else None

    def winners(self, positions: Sequence[int]) -> list[tuple[int | None, float, float]]:
        """Return who wins along the sweep, with ranges of values; None where there is no clear winner."""
        spans: list[tuple[int | None, float, float]] = []
        for position in positions:
            if any(outcome.runs for outcome in self.at(position) if outcome.trial.contender in self.private):
                value, winner = self.sweep.values[position], self.winner(position)
                start = spans.pop()[1] if spans and spans[-1][0] == winner else value
                spans.append((winner, start, value))
        return spans

    def of(self, contender: int) -> tuple[Outcome, ...]:
        return self._by_contender.get(contender, ())

    @functools.cached_property
    def _verdicts(self) -> dict[int, Verdict | None]:
        return {}

    @functools.cached_property
    def _by_position(self) -> dict[int, tuple[Outcome, ...]]:
        return _grouped(self.outcomes, lambda outcome: outcome.trial.position)

    @functools.cached_property
    def _by_contender(self) -> dict[int, tuple[Outcome, ...]]:
        return _grouped(self.outcomes, lambda outcome: outcome.trial.contender)


def _grouped(outcomes: Sequence[Outcome], key: Callable[[Outcome], int]) -> dict[int, tuple[Outcome, ...]]:
    groups: dict[int, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return {number: tuple(group) for number, group in groups.items()}
