"""Refuses a release of data that may only be looked at, or were read as its neighbours do not allow."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from engine.data.look_only import REFUSE, missing_of, problem_of
from engine.errors import DataError
from engine.mechanisms.relation import check_missing
from engine.randomness import SecureGenerator

P = ParamSpec("P")
R = TypeVar("R")


def check_releasable(data: Any, rng: Any) -> None:
    """Raise `DataError` where `rng` makes a release, and none may be made of the data.

    A simulation with a seed is no release: it passes.
    """
    if isinstance(rng, SecureGenerator):
        refuse_look_only(data)


def refuse_look_only(data: Any) -> None:
    """Raise `DataError` if no release may be made of the data."""
    if problem := problem_of(data):
        raise DataError(problem)


def refuses_look_only(release: Callable[P, R]) -> Callable[P, R]:
    """Have the method that makes a release refuse data that may only be looked at, however they are given.

    And data of which missing values were filled or dropped, where its relation does not allow that.
    """

    @functools.wraps(release)
    def refusing(*given: P.args, **named: P.kwargs) -> R:
        every = (*given, *named.values())
        source = next((one for one in every if isinstance(one, SecureGenerator)), None)
        mechanism: Any = given[0]
        for one in every[1:]:
            check_releasable(one, source)
            if (missing := missing_of(one)) != REFUSE:
                check_missing(mechanism.relation, missing)
        return release(*given, **named)

    return refusing
