"""Why a mechanism cannot be run as it is asked to, told without the data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from engine.errors import ParameterError


@dataclasses.dataclass(frozen=True)
class Problem:
    """A combination that makes no sense, in words, and the field it stands beside."""

    field: str
    message: str


def problems_of(check: Callable[..., object], *arguments: Any) -> tuple[Problem, ...]:
    """Return the problem for which `check` of these arguments raises `ParameterError`, if it does."""
    try:
        check(*arguments)
    except ParameterError as error:
        return (Problem(error.field, error.problem),)
    return ()
