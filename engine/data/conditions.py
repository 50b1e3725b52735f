"""Conditions on a value, as one writes them ("> 100", "10..20", "empty", a part of a text); and on many."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.array_types import Bools, Floats
from engine.data.arrays import array_of, fill_null
from engine.domain import Interval
from engine.errors import ParameterError

OPERATORS = (">=", "<=", "!=", ">", "<", "=")
"""What a condition may begin with, the longest first."""

_COMPARISONS = dict(
    zip(OPERATORS, ("greater_equal", "less_equal", "not_equal", "greater", "less", "equal"), strict=True)
)
"""The functions of numpy as of pyarrow."""

_ALIKE = {"≥": ">=", "≤": "<=", "≠": "!=", "==": "="}
_TYPESET = {plain: sign for sign, plain in _ALIKE.items() if plain != "="}
_SPLIT = {word: re.compile(rf"\s+{word}\s+", re.IGNORECASE) for word in ("or", "and")}


@dataclasses.dataclass(frozen=True)
class Condition:
    """What is asked of each value of a column.

    One of the alternatives must hold; each is a list of comparisons of which all must hold: an operator, and
    the values that it needs.  Besides `OPERATORS` there are "..", between two values, "in", a part of a text,
    "empty" and "filled".
    """

    alternatives: tuple[tuple[tuple[str, Any, Any], ...], ...]

    def holds(self, values: Any) -> Bools:
        """Return for which values it holds, shape (n,)."""
        numbers = isinstance(values, np.ndarray)
        one: Callable[..., Bools] = _of_numbers if numbers else _of_texts
        result = np.zeros(len(values), dtype=bool)
        for comparisons in self.alternatives:
            all_hold = np.ones(len(values), dtype=bool)
            for comparison in comparisons:
                all_hold &= one(values, *comparison)
            result |= all_hold
        return result


def read_condition(text: str, *, number: bool, read: Callable[[str], float] = float) -> Condition | None:
    """Read a condition; None if nothing is asked."""
    if not text.strip():
        return None
    return Condition(
        tuple(
            tuple(_comparison(part.strip(), number, read) for part in _SPLIT["and"].split(alternative))
            for alternative in _SPLIT["or"].split(text.strip())
        )
    )


def typeset(text: str) -> str:
    """Return a condition with the signs of mathematics: "x ≤ 5"; it can be read all the same."""
    for plain, sign in _TYPESET.items():
        text = text.replace(plain, sign)
    return text


def _comparison(text: str, number: bool, read: Callable[[str], float]) -> tuple[str, Any, Any]:
    """Read one comparison."""
    for sign, plain in _ALIKE.items():
        text = text.replace(sign, plain)
    if text.lower() in ("empty", "not empty"):
        return ("empty" if text.lower() == "empty" else "filled"), None, None
    operator = next((one for one in OPERATORS if text.startswith(one)), "")
    low, dots, high = (part.strip() for part in text.partition(".."))
    if not operator and dots:
        return "..", _value(low, number, read), _value(high, number, read)
    value = _value(text.removeprefix(operator).strip(), number, read)
    return operator or ("=" if number else "in"), value, None


def _value(text: str, number: bool, read: Callable[[str], float]) -> Any:
    if not text:
        raise ParameterError("condition", "a value is missing; write for instance > 100, 10..20 or empty")
    if not number:
        return text
    try:
        return read(text)
    except ValueError:
        raise ParameterError(
            "condition", f"'{text}' is not a number; write for instance > 100, 10..20 or empty"
        ) from None


def _of_numbers(values: Floats, operator: str, low: Any, high: Any) -> Bools:
    """Return for which numbers a comparison holds; for none that is missing, unless it asks for these."""
    missing = np.isnan(values)
    if operator in ("empty", "filled"):
        return missing if operator == "empty" else ~missing
    if operator == "..":
        between: Bools = (values >= low) & (values <= high)
        return between
    result: Bools = getattr(np, _COMPARISONS[operator])(values, low) & ~missing
    return result


def _of_texts(values: Any, operator: str, low: Any, high: Any) -> Bools:
    """Return for which texts a comparison holds; capitals do not matter to what is searched for."""
    import pyarrow.compute as pc

    if operator in ("empty", "filled"):
        result = values.is_null() if operator == "empty" else values.is_valid()
    elif operator == "in":
        result = pc.match_substring(values, low, ignore_case=True)
    elif operator == "..":
        result = pc.and_(pc.greater_equal(values, low), pc.less_equal(values, high))
    else:
        result = getattr(pc, _COMPARISONS[operator])(values, low)
    mask: Bools = array_of(fill_null(result, False))
    return mask


def distinct_values(conditions: Sequence[Condition], domain: Interval) -> Floats:
    """Return values between the bounds among which each combination of truths occurs that can occur.

    A comparison changes its truth at the numbers that it names alone: the bounds, these numbers, and one
    value between any two neighbours of them, are enough.  They are public.
    """
    named = [
        number
        for condition in conditions
        for comparisons in condition.alternatives
        for _, *numbers in comparisons
        for number in numbers
        if number is not None and domain.lower < number < domain.upper
    ]
    ends = np.unique([domain.lower, *named, domain.upper])
    return np.unique([*ends, *(ends[:-1] + np.diff(ends) / 2)])


def truth_table(conditions: Sequence[Condition], domain: Interval) -> Bools:
    """Return all combinations of truths that can occur, shape (m, number of conditions)."""
    values = distinct_values(conditions, domain)
    return np.unique(np.stack([one.holds(values) for one in conditions], axis=1), axis=0)
