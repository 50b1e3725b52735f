"""What can be expected of a mechanism on the data at hand, in words."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.model.wording.numbers import quantity, share

if TYPE_CHECKING:
    from engine.analysis.expected_error import ErrorEstimate


@dataclasses.dataclass(frozen=True)
class ExpectedWords:
    """A line or two beside Run; `private` if they depend on the data."""

    text: str
    private: bool = True


@dataclasses.dataclass(frozen=True)
class SwitchOffer:
    """Another choice that is worth a click: the words of a button, and fields of the state."""

    text: str
    fields: Mapping[str, Any]


def expected_words(estimate: ErrorEstimate, unit: str) -> ExpectedWords:
    """Say how far a release typically falls from the true value."""
    if estimate.answers == 0:
        return ExpectedWords("On these data it refuses to answer", estimate.private)
    if estimate.errors.typical == 0 and estimate.exact:
        return ExpectedWords(_mostly_exact(estimate, estimate.exact, unit), estimate.private)
    typical, most = (give_or_take(error, unit) for error in (estimate.errors.typical, estimate.errors.most))
    condition = "" if estimate.answers == 1 else ", if it answers"
    return ExpectedWords(f"Typical error {typical}{condition}\n(95 % within {most})", estimate.private)


def _mostly_exact(estimate: ErrorEstimate, exact: float, unit: str) -> str:
    """Say how many answers are without error, where most are."""
    answers = "releases" if estimate.answers == 1 else "answers"
    most = estimate.errors.most
    others = f"\n(95 % within {give_or_take(most, unit)})" if most else ""
    return f"No error in {share(exact)} of the {answers}{others}"


def give_or_take(error: float, unit: str) -> str:
    """Write an error so that no line ends between sign and number."""
    return f"±\N{NO-BREAK SPACE}{quantity(error, unit)}"
