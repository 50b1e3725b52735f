"""Where a path of neighbouring databases may lead: databases at the bounds, which are easy to picture."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from engine.array_types import Floats
from engine.domain import Interval
from engine.errors import ParameterError

FAR_ENDS = ("lower", "upper", "halves")
"""Where records that are numbers may go: to a bound, or half of them to each."""


def check_known(name: str, names: Collection[str]) -> None:
    """Raise `ParameterError` unless `name` is one of `names`."""
    if name not in names:
        raise ParameterError("target", f"{name!r} is not possible; it must be one of {', '.join(names)}")


def values_at(name: str, count: int, domain: Interval) -> Floats:
    """Return `count` records at the bounds: those of one of `FAR_ENDS`."""
    check_known(name, FAR_ENDS)
    if name == "halves":
        return np.where(np.arange(count) < count // 2, domain.lower, domain.upper)
    return np.full(count, getattr(domain, name), dtype=np.float64)
