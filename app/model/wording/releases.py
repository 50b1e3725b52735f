"""Texts about a future release: its public grid, and its expected error."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.model.wording.numbers import format_exact, number, quantity, share, superscript, with_unit
from engine.components import asked_of
from engine.mechanisms.facts import facts_of

if TYPE_CHECKING:
    from engine.analysis.expected_error import ErrorEstimate


SHORT = (-3, 13)
"""Powers of two that are short in full."""
FITTING = ("simplex", "top-down")
"""Names of post-processing steps that fit noisy counts to public facts."""
MAX_STEPS_LISTED = 3
"""Largest number of coordinates whose steps are listed one by one."""

Step = float | Sequence[float] | None
"""Same type as `Release.step`."""


def unit_of(mechanism: Any, unit: str) -> str:
    """Return the unit of the released numbers; "" for counts."""
    return "" if facts_of(mechanism).topic == "histograms" else answer_unit(asked_of(mechanism), unit)


def answer_unit(asked: Any, unit: str) -> str:
    """Return the unit of the answer of a query or mechanism; "" for counts."""
    return "" if getattr(asked, "counts", False) else unit


def grid_words(step: Step, unit: str = "", names: Sequence[str] = ()) -> str:
    """Return the grid of released numbers; "" if there is none.

    >>> grid_words(2.0**-22, "$"), grid_words(1.0), grid_words(250.0)
    ('multiples of 2⁻²² = 2.4×10⁻⁷\\u202f$', 'whole numbers', 'multiples of 250')
    """
    return joined(step, lambda one: multiples(one, unit), names)


def multiples(step: float, unit: str) -> str:
    """Return the grid of one number, with typographic exponents."""
    return multiples_in(
        step,
        unit,
        lambda: with_unit(format_exact(step), unit),
        lambda power: f"2{superscript(power)} = {with_unit(number(step, 2), unit)}",
    )


def multiples_in(step: float, unit: str, in_full: Callable[[], str], as_power: Callable[[int], str]) -> str:
    """Return the grid of one number: in full, or as a power of two where that is shorter."""
    if step == 1 and not unit:
        return "whole numbers"
    power = long_power(step)
    return f"multiples of {in_full() if power is None else as_power(power)}"


def long_power(step: float) -> int | None:
    """Return the exponent of a power of two that is long in full; None for other numbers."""
    mantissa, exponent = math.frexp(step)
    power = exponent - 1
    return power if mantissa == 0.5 and not SHORT[0] <= power <= SHORT[1] else None


def joined(step: Step, one: Callable[[float], str], names: Sequence[str] = ()) -> str:
    """Join the texts about each step, with names of coordinates where steps differ."""
    if step is None:
        return ""
    if isinstance(step, int | float):
        return one(float(step))
    steps = [float(each) for each in step]
    if len(set(steps)) == 1:
        return one(steps[0])
    if len(names) != len(steps) or len(steps) > MAX_STEPS_LISTED:
        return f"{one(min(steps))} to {one(max(steps))}, by coordinate"
    return ", ".join(f"{name}: {one(each)}" for name, each in zip(names, steps, strict=True))


def with_clamp(text: str, parameters: Mapping[str, Any]) -> str:
    """Add clamping or fitting to the description of the grid."""
    return ", ".join(part for part in (text, clamp_words(parameters), fit_words(parameters)) if part)


def sentence(text: str) -> str:
    """Return a text as a sentence; "" for ""."""
    return f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.?' else '.'}"


def with_counted(text: str, mechanism: Any) -> str:
    """Add the noun for the noisy numbers, if the released numbers are computed from them.

    `mechanism` is one, its class, or None where that is not known.
    """
    counted = getattr(mechanism, "counted_first", "") if text else ""
    return f"{text} of {counted}, from which the shares follow" if counted else text


def clamp_words(parameters: Mapping[str, Any]) -> str:
    """Return whether a number was clamped to the range of results; "" if there is no such choice."""
    texts = {"bounds": "clamped to the range of results", "none": "not clamped"}
    return texts.get(str(parameters.get("clamp")), "")


def fit_words(parameters: Mapping[str, Any]) -> str:
    """Return a note that noisy counts were fitted and lie on no grid; "" if they were not."""
    return "then fitted to the number of records" if parameters.get("post") in FITTING else ""


INEXACT = "not verified to the last bit"


def inexact_words(exact: bool, reason: str) -> str:
    """Return the note that privacy does not hold to the last bit, with the reason if known; "" if it does."""
    return "" if exact else f"{INEXACT}: {reason}" if reason else INEXACT


@dataclasses.dataclass(frozen=True)
class ExpectedWords:
    """One or two lines beside Run; `private` if they depend on the data."""

    text: str
    private: bool = True

    @property
    def headline(self) -> str:
        """The first line alone."""
        return self.text.partition("\n")[0].rstrip(",")

    @property
    def more(self) -> str:
        """The second line alone; "" without one."""
        return self.text.partition("\n")[2].strip("()")


@dataclasses.dataclass(frozen=True)
class SwitchOffer:
    """A suggested choice: the text of a button, and the fields to set."""

    text: str
    fields: Mapping[str, Any]


def expected_words(estimate: ErrorEstimate, unit: str) -> ExpectedWords:
    """Return the typical error of a release; where that is 0, the error that 95 % stay below."""
    if estimate.answers == 0:
        return ExpectedWords("On these data it refuses to answer", estimate.private)
    if estimate.errors.typical == 0 and estimate.exact:
        return ExpectedWords(_mostly_exact(estimate, estimate.exact, unit), estimate.private)
    typical, most = (give_or_take(error, unit) for error in (estimate.errors.typical, estimate.errors.most))
    condition = "" if estimate.answers == 1 else ", if it answers"
    most += f", {estimate.measure}" if estimate.measure else ""
    return ExpectedWords(f"Typical error {typical}{condition}\n(95 % within {most})", estimate.private)


def _mostly_exact(estimate: ErrorEstimate, exact: float, unit: str) -> str:
    """Return the error that 95 % of the answers stay below, where most are exact, and the share of these."""
    answers = "releases" if estimate.answers == 1 else "answers"
    most = estimate.errors.most
    if most == 0:
        return f"No error in {share(exact)} of the {answers}"
    reason = ", because they are clamped to a bound" if estimate.clamped else ""
    return (
        f"Error up to {give_or_take(most, unit)}\n"
        f"(in 95 % of the {answers}; {share(exact)} have no error{reason})"
    )


def give_or_take(error: float, unit: str) -> str:
    """Write an error with a space that keeps sign and number on one line."""
    return f"±\N{NO-BREAK SPACE}{quantity(error, unit)}"
