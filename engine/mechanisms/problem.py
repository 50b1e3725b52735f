"""Reasons why a mechanism cannot run with its settings, found without the data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from engine.errors import ParameterError


@dataclasses.dataclass(frozen=True)
class Problem:
    """A reason why a mechanism cannot run with its settings.

    Attributes
    ----------
    field : str
        The parameter, or fact about the data, that the message belongs to.
    message : str
        The mistake, and what would be right.

    See Also
    --------
    Mechanism, PublicFacts

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
    """Return the `ParameterError` that `check` raises for these arguments as a problem; else nothing."""
    try:
        check(*arguments)
    except ParameterError as error:
        return (Problem(error.field, error.problem),)
    return ()
