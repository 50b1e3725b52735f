"""Refuses a release of data that may only be looked at."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from engine.data.look_only import problem_of
from engine.errors import DataError
from engine.randomness import SecureGenerator

P = ParamSpec("P")
R = TypeVar("R")


def check_releasable(data: Any, rng: Any) -> None:
    """Raise `DataError` where `rng` makes a release, and none may be made of the data.

    A simulation with a seed is no release: it passes.
    """
    problem = problem_of(data)
    if problem and isinstance(rng, SecureGenerator):
        raise DataError(problem)


def refuses_look_only(release: Callable[P, R]) -> Callable[P, R]:
    """Have the method that makes a release refuse data that may only be looked at, however they are given."""

    @functools.wraps(release)
    def refusing(*given: P.args, **named: P.kwargs) -> R:
        every = (*given, *named.values())
        source = next((one for one in every if isinstance(one, SecureGenerator)), None)
        for one in every:
            check_releasable(one, source)
        return release(*given, **named)

    return refusing
