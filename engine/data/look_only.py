"""Facts that decide whether values may be released; all that is made of the values carries them."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

REFUSE = "refuse"
"""The treatment of missing values, unless another one is chosen."""


class LookOnlyArray(np.ndarray[Any, np.dtype[Any]]):
    """Values of a table of which no release may be made, or not each; what numpy makes of them says so, too.

    `release_problem` says why, and what to do instead ("" where one may be made); `missing`, what was to be
    done with missing values: not every relation allows all of that.
    """

    release_problem: str = ""
    missing: str = REFUSE

    def __array_finalize__(self, source: Any) -> None:
        self.release_problem, self.missing = problem_of(source), missing_of(source)

    def __array_function__(
        self,
        func: Callable[..., Any],
        types: Iterable[type],
        args: Iterable[Any],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """Mark what is put together of several arrays."""
        made = super().__array_function__(func, types, args, kwargs)
        return look_only(made, *marks_of(*args, kwargs)) if isinstance(made, np.ndarray) else made

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Return sums and means as numbers, as usual arrays do, unless no release may be made of them."""
        if return_scalar and not self.release_problem:
            return np.asarray(array)[()]
        wrapped = super().__array_wrap__(array, context, return_scalar)
        return look_only(wrapped, *marks_of(self, *context[1])) if context else wrapped

    def __reduce__(self) -> tuple[Any, ...]:
        """Arrive in another process with the reason."""
        return look_only, (np.asarray(self), self.release_problem, self.missing)


def look_only(values: Any, problem: str, missing: str = REFUSE) -> Any:
    """Return an array that says why no release may be made of it, and how missing values were treated.

    The same one where neither is to be said.
    """
    if not problem and missing == REFUSE:
        return values
    marked = np.asarray(values).view(LookOnlyArray)
    marked.release_problem, marked.missing = problem, missing
    return marked


def marks_of(*values: Any) -> tuple[str, str]:
    """Return what `look_only` says of all arrays together, those in lists and dictionaries, too."""
    problem, missing = "", REFUSE
    for one in values:
        if isinstance(one, Mapping):
            marks = marks_of(*one.values())
        elif isinstance(one, list | tuple):
            # one that begins with a number holds no arrays, and may be long
            marks = marks_of(*([] if one and isinstance(one[0], numbers.Number) else one))
        else:
            marks = problem_of(one), missing_of(one)
        problem = problem or marks[0]
        missing = marks[1] if missing == REFUSE else missing
    return problem, missing


def problem_of(data: Any) -> str:
    """Return why no release may be made of data; "" where nothing speaks against it."""
    return str(getattr(data, "release_problem", ""))


def missing_of(data: Any) -> str:
    """Return what was to be done with missing values: one of `engine.data.categories.MISSING_CHOICES`."""
    return str(getattr(data, "missing", REFUSE))
