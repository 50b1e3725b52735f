"""A comparison in plain words: who wins, by how much, and whether that is more than chance."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.model.wording.number_format import grouped
from app.model.wording.numbers import number, quantity, share
from app.model.wording.ratios import times
from engine.comparison.compared import Comparison
from engine.comparison.results import Outcome
from engine.comparison.verdict import Verdict

_MAX_SPANS = 3
_SYMBOLS = {"epsilon": "ε", "delta": "δ", "beta": "β", "gamma": "γ"}


def sentence(
    verdict: Verdict | None,
    unit: str = "",
    labels: Sequence[str] = (),
    largest: float | None = None,
) -> str:
    """Say in one or two sentences who wins and by how much.

    Parameters
    ----------
    verdict : Verdict or None
    unit : str
        Unit of the errors.
    labels : sequence of str
        What the contenders are called, by their numbers; else what their mechanisms are called.
    largest : float or None
        What no error need exceed, as the public bounds tell.
    """
    if verdict is None:
        return "There are no two private mechanisms to compare yet."
    best, other = verdict.best, verdict.other
    name = _name(best, labels)
    middle = best.quantile(0.5)
    if math.isinf(middle):
        return f"None of them is of any use here: even {name} refuses to answer at least every other time."
    within = _within(middle, unit)
    if verdict.useless:
        limit = (
            ""
            if largest is None
            else f", where the midpoint of the bounds is within {quantity(largest, unit)}"
        )
        return f"None of them is of much use here: even with {name} only {within}{limit}."
    second = _name(other, labels)
    if min(best.runs, other.runs) < verdict.fewest:
        return (
            f"{name} has the smallest median error so far: {within}. {grouped(best.runs)} runs of each are "
            f"too few to tell it from {second}; at least {grouped(verdict.fewest)} are needed."
        )
    if not verdict.significant:
        return f"{name} and {second} do not differ significantly: {within} with {name}. {_undecided(verdict)}"
    return f"{name} wins: {within}, {_gap(verdict, second, other.quantile(0.5), unit)}."


def leaders(comparison: Comparison, names: Sequence[str], places: Sequence[int] | None = None) -> str:
    """Say which of the private contenders has the smallest median error along the sweep."""
    sweep, spans = comparison.sweep, comparison.leaders(places)
    if not spans:
        return "No private mechanism has released anything yet."
    if len(spans) == 1:
        where = "" if len(sweep.values) == 1 else " all along"
        return f"{names[spans[0][0]]} has the smallest median error{where}."
    if len(spans) > _MAX_SPANS:
        return f"The smallest median error changes hands {number(len(spans) - 1)} times."
    texts = [f"{names[spans[0][0]]} up to {value_words(sweep.name, spans[0][2])}"]
    texts += [f"{names[winner]} from {value_words(sweep.name, start)} on" for winner, start, _ in spans[1:]]
    return f"Smallest median error: {', '.join(texts)}."


def sweep_words(name: str) -> str:
    """Return what is varied, as it stands below an axis."""
    texts = {"epsilon": "ε  (less private →)", "n": "n, records that are drawn"}
    return texts.get(name, _symbol(name))


def value_words(name: str, value: float) -> str:
    """Return one value of a sweep: "ε = 0.5"."""
    return f"{_symbol(name)} = {number(value)}"


def measured_words(comparison: Comparison) -> str:
    """Say what errors are measured from where fewer records are drawn; "" where none are left out."""
    if comparison.sweep.name != "n":
        return ""
    query = getattr(comparison.contenders[0].mechanism, "query", None)
    what = "what is true" if query is None else f"the {query.label.lower()}"
    return f"Errors are distances from {what} of the drawn records."


def alone(outcome: Outcome, unit: str = "", labels: Sequence[str] = ()) -> str:
    """Say how far off the only contender is."""
    middle = outcome.quantile(0.5)
    if math.isinf(middle):
        return f"{_name(outcome, labels)} refuses to answer at least every other time."
    return f"{_name(outcome, labels)}: {_within(middle, unit)}."


def so_far(comparison: Comparison) -> str:
    """Say that a comparison is preliminary, and how many of all runs it has; "" if it is complete."""
    if comparison.complete:
        return ""
    asked = comparison.trials * comparison.runs
    runs = f"{grouped(comparison.made)} of {grouped(asked)}"
    return f"Preliminary, {share(comparison.made / asked)} of the runs ({runs})"


def _within(error: float, unit: str) -> str:
    where = f"within {quantity(error, unit)} of the truth" if error else "exactly right"
    return f"half of the releases are {where}"


def _gap(verdict: Verdict, second: str, other: float, unit: str) -> str:
    """Say how much nearer the best is than the second one with a median error, and within what limits."""
    if math.isinf(other):
        return f"while {second} refuses to answer at least every other time"
    if math.isinf(verdict.ratio):
        return f"while {second} is typically off by {quantity(other, unit)}"
    low, high = number(verdict.low, 3), number(verdict.high, 3)
    limits = f"at least {low}" if math.isinf(verdict.high) else f"{low} to {high}"
    sure = f"{limits} with {share(verdict.confidence)} confidence"
    return f"{times(verdict.ratio, f'as near as with {second}')} ({sure})"


def _undecided(verdict: Verdict) -> str:
    """Say what the runs leave open, and how many more would tell."""
    runs = grouped(verdict.best.runs)
    needed = verdict.runs_needed
    if needed is None and verdict.ratio > 1 and not verdict.low > 0:
        return f"After {runs} runs each that may be chance; more runs tell more."
    if needed is None:
        return f"After {runs} runs each, no difference is in sight that more runs could show."
    return f"After {runs} runs each that may be chance; about {number(needed, 1)} runs would tell."


def _name(outcome: Outcome, labels: Sequence[str]) -> str:
    index = outcome.trial.contender
    return labels[index] if index < len(labels) else outcome.trial.mechanism.label


def _symbol(name: str) -> str:
    return _SYMBOLS.get(name, name)
