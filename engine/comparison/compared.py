"""The results of a comparison."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.comparison.results import ComparedMechanism, Outcome, Sweep
from engine.comparison.verdict import verdict
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
            won = verdict(self.at(position))
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

    def largest_error(self, position: int) -> float | None:
        """Return an upper bound of errors at one value, from public bounds; None without one."""
        largest = min((outcome.largest for outcome in self.at(position) if outcome.runs), default=math.inf)
        return largest if math.isfinite(largest) else None

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

    def best_medians(self, positions: Sequence[int]) -> list[float]:
        """Return the smallest median error of any private mechanism at each value; NaN without one."""
        medians = ([self.median(contender, position) for contender in self.private] for position in positions)
        return [min((one for one in some if not math.isnan(one)), default=math.nan) for some in medians]

    def leaders(self, positions: Sequence[int] | None = None) -> list[tuple[int, float, float]]:
        """Return the private mechanisms with the smallest median error, each with its range of values."""
        spans: list[tuple[int, float, float]] = []
        for position in range(len(self.sweep.values)) if positions is None else positions:
            value = self.sweep.values[position]
            medians = {contender: self.median(contender, position) for contender in self.private}
            answering = [contender for contender, median in medians.items() if math.isfinite(median)]
            if answering:
                best = min(answering, key=medians.__getitem__)
                start = spans.pop()[1] if spans and spans[-1][0] == best else value
                spans.append((best, start, value))
        return spans

    def of(self, contender: int) -> tuple[Outcome, ...]:
        return self._by_contender.get(contender, ())

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
