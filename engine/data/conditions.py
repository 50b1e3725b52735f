"""Parse and apply conditions on values: "> 100", "10..20", "empty", or a part of a text."""

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
"""Operators of a condition, the longest first."""

COMPARISONS = dict(
    zip(OPERATORS, ("greater_equal", "less_equal", "not_equal", "greater", "less", "equal"), strict=True)
)
"""Names of the comparison functions, the same in numpy and pyarrow."""

ALIKE = {"≥": ">=", "≤": "<=", "≠": "!=", "==": "="}
"""Operators by other ways to write them."""

_TYPESET = {plain: sign for sign, plain in ALIKE.items() if plain != "="}
_SPLIT = {word: re.compile(rf"\s+{word}\s+", re.IGNORECASE) for word in ("or", "and")}


@dataclasses.dataclass(frozen=True)
class Condition:
    """A condition on each value of a column.

    One of the alternatives must hold.  Each is a list of comparisons that must all hold: an operator and its
    values.  Besides `OPERATORS` there are ".." (between two values), "in" (contains a text), "empty" and
    "filled".
    """

    alternatives: tuple[tuple[tuple[str, Any, Any], ...], ...]

    def holds(self, values: Any) -> Bools:
        """Return for which values the condition holds, shape (n,)."""
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
    """Parse a condition; None if the text is empty."""
    if not text.strip():
        return None
    return Condition(
        tuple(
            tuple(_comparison(part.strip(), number, read) for part in _SPLIT["and"].split(alternative))
            for alternative in _SPLIT["or"].split(text.strip())
        )
    )


def typeset(text: str) -> str:
    """Return a condition with mathematical signs, "x ≤ 5"; the parser accepts them, too."""
    for plain, sign in _TYPESET.items():
        text = text.replace(plain, sign)
    return text


def _comparison(text: str, number: bool, read: Callable[[str], float]) -> tuple[str, Any, Any]:
    """Parse one comparison."""
    for sign, plain in ALIKE.items():
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
    """Return for which numbers a comparison holds; missing ones fail, unless it tests for them."""
    missing = np.isnan(values)
    if operator in ("empty", "filled"):
        return missing if operator == "empty" else ~missing
    if operator == "..":
        between: Bools = (values >= low) & (values <= high)
        return between
    result: Bools = getattr(np, COMPARISONS[operator])(values, low) & ~missing
    return result


def _of_texts(values: Any, operator: str, low: Any, high: Any) -> Bools:
    """Return for which texts a comparison holds; searches ignore case."""
    import pyarrow.compute as pc

    if operator in ("empty", "filled"):
        result = values.is_null() if operator == "empty" else values.is_valid()
    elif operator == "in":
        result = pc.match_substring(values, low, ignore_case=True)
    elif operator == "..":
        result = pc.and_(pc.greater_equal(values, low), pc.less_equal(values, high))
    else:
        result = getattr(pc, COMPARISONS[operator])(values, low)
    mask: Bools = array_of(fill_null(result, False))
    return mask


def distinct_values(conditions: Sequence[Condition], domain: Interval) -> Floats:
    """Return values between the bounds that cover every possible combination of truth values.

    A comparison changes only at the numbers that it names.  The bounds, these numbers and one value between
    neighbours are enough.  The values are public.
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
    """Return all possible combinations of truth values, shape (m, number of conditions)."""
    values = distinct_values(conditions, domain)
    return np.unique(np.stack([one.holds(values) for one in conditions], axis=1), axis=0)
