"""Arrays that carry the reason why no release may be made of them."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

REFUSE = "refuse"
"""Default treatment of missing values."""


class LookOnlyArray(np.ndarray[Any, np.dtype[Any]]):
    """Values of a table with restrictions on releases; arrays computed from them inherit these.

    `release_problem` says why no release may be made and how to change that; it is "" if one may.  `missing`
    is the treatment of missing values; some neighbouring relations do not allow all of them.
    `rows_of_person` is the most records of one person, if rows belong to persons; 0 if a row is a record.
    """

    release_problem: str = ""
    missing: str = REFUSE
    rows_of_person: int = 0

    def __array_finalize__(self, source: Any) -> None:
        self.release_problem, self.missing = problem_of(source), missing_of(source)
        self.rows_of_person = rows_of_person(source)

    def __array_function__(
        self,
        func: Callable[..., Any],
        types: Iterable[type],
        args: Iterable[Any],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """Mark results computed from several arrays."""
        made = super().__array_function__(func, types, args, kwargs)
        return look_only(made, *marks_of(*args, kwargs)) if isinstance(made, np.ndarray) else made

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Return sums and means as plain numbers, unless no release may be made of them."""
        if return_scalar and not self.release_problem:
            return np.asarray(array)[()]
        wrapped = super().__array_wrap__(array, context, return_scalar)
        return look_only(wrapped, *marks_of(self, *context[1])) if context else wrapped

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with the reason."""
        return look_only, (np.asarray(self), self.release_problem, self.missing, self.rows_of_person)


def look_only(values: Any, problem: str, missing: str = REFUSE, rows: int = 0) -> Any:
    """Return an array marked with a release problem, the treatment of missing values, and `rows_of_person`.

    The array itself if there is nothing to mark.
    """
    if not problem and missing == REFUSE and not rows:
        return values
    marked = np.asarray(values).view(LookOnlyArray)
    marked.release_problem, marked.missing, marked.rows_of_person = problem, missing, rows
    return marked


def marks_of(*values: Any) -> tuple[str, str, int]:
    """Return the marks of all arrays combined, including those in lists and dictionaries."""
    problem, missing, rows = "", REFUSE, 0
    for one in values:
        if isinstance(one, Mapping):
            marks = marks_of(*one.values())
        elif isinstance(one, list | tuple):
            # a list that begins with a number contains no arrays, and may be long
            marks = marks_of(*([] if one and isinstance(one[0], numbers.Number) else one))
        else:
            marks = problem_of(one), missing_of(one), rows_of_person(one)
        problem = problem or marks[0]
        missing = marks[1] if missing == REFUSE else missing
        rows = max(rows, marks[2])
    return problem, missing, rows


def problem_of(data: Any) -> str:
    """Return why no release may be made of data; "" if one may."""
    return str(getattr(data, "release_problem", ""))


def missing_of(data: Any) -> str:
    """Return the treatment of missing values: one of `engine.data.categories.MISSING_CHOICES`."""
    return str(getattr(data, "missing", REFUSE))


def rows_of_person(data: Any) -> int:
    """Return the most records of one person; 0 if a row is a record, whoever it belongs to."""
    return int(getattr(data, "rows_of_person", 0))
