"""Data that may be looked at, and of which no release may be made: whatever is made of them knows it, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np


class LookOnlyArray(np.ndarray[Any, np.dtype[Any]]):
    """Values of a table of which no release may be made; what numpy makes of them says so, too.

    Attributes
    ----------
    release_problem : str
        Why no release may be made, and what to do instead.
    """

    release_problem: str = ""

    def __array_finalize__(self, source: Any) -> None:
        self.release_problem = problem_of(source)

    def __array_function__(
        self,
        func: Callable[..., Any],
        types: Iterable[type],
        args: Iterable[Any],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """Mark what is put together of several arrays."""
        made = super().__array_function__(func, types, args, kwargs)
        return look_only(made, self.release_problem) if isinstance(made, np.ndarray) else made

    def __reduce__(self) -> tuple[Any, ...]:
        """Arrive in another process with the reason."""
        return look_only, (np.asarray(self), self.release_problem)


def look_only(values: Any, problem: str) -> Any:
    """Return an array that says why no release may be made of it; the same one where nothing is wrong."""
    if not problem:
        return values
    marked = np.asarray(values).view(LookOnlyArray)
    marked.release_problem = problem
    return marked


def problem_of(data: Any) -> str:
    """Return why no release may be made of data; "" where nothing speaks against it."""
    return str(getattr(data, "release_problem", ""))
