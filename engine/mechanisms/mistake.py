"""How a mechanism says that a mistake can be planted in it, which need not know the mechanism."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from engine.mechanisms.problem import Problem


@dataclasses.dataclass(frozen=True)
class Mistake:
    """A mistake of `engine.mechanisms.planted` in one mechanism, from its `_mistakes`."""

    worst: str = ""  # the pair of neighbours on which it shows best; "" for that of the mistake
    problems: Callable[[Any], tuple[Problem, ...]] = lambda domain: ()  # why an audit would not find it
    # Changes what the mechanism has prepared, where the mistake does not do so itself
    plant: Callable[[Any], Any] = lambda ready: ready
