"""Why a mechanism cannot be run as it is asked to, told without the data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from engine.errors import ParameterError


@dataclasses.dataclass(frozen=True)
class Problem:
    """A combination that makes no sense, in words, and the field it stands beside.

    Attributes
    ----------
    field : str
        The parameter, or fact about the data, beside which the message belongs.
    message : str
        What is wrong and what would be right.

    Examples
    --------
    >>> from engine import Interval, Privacy, ProposeTestRelease
    >>> [problem] = ProposeTestRelease().problems(Privacy(1.0), Interval(0, 100), n=10)
    >>> print(problem.field, "|", problem.message)
    delta | the test can fail, so it needs delta above 0 (say 1e-6) and below 0.5
    """

    field: str
    message: str


def problems_of(check: Callable[..., object], *arguments: Any) -> tuple[Problem, ...]:
    """Return the problem for which `check` of these arguments raises `ParameterError`, if it does."""
    try:
        check(*arguments)
    except ParameterError as error:
        return (Problem(error.field, error.problem),)
    return ()
