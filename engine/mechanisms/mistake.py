"""How a mechanism says that a mistake can be planted in it, which need not know the mechanism."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from engine.mechanisms.problem import Problem


def _none(domain: Any) -> tuple[Problem, ...]:
    return ()


def _as_usual(ready: Any) -> Any:
    return ready


@dataclasses.dataclass(frozen=True)
class Mistake:
    """A mistake of `engine.mechanisms.planted` in one mechanism, from `Mechanism.mistakes`.

    Attributes
    ----------
    worst : str
        The pair of neighbours on which it shows best; "" for that of the mistake.
    problems : callable
        Tells by the domain why an audit would not find it.
    plant : callable
        Changes what the mechanism has prepared, where the mistake does not do so itself.
    """

    worst: str = ""
    problems: Callable[[Any], tuple[Problem, ...]] = _none
    plant: Callable[[Any], Any] = _as_usual
