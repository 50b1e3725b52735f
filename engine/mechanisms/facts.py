"""Small values that describe a mechanism: its class, output, resources and plantable mistakes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from engine.array_types import Floats
from engine.free_memory import MemoryNeeded
from engine.mechanisms.problem import Problem


@dataclasses.dataclass(frozen=True)
class Facts:
    """Facts about a class of mechanisms, for front ends.

    A class sets them in its head and inherits the others:
    ``class Mode(CategoriesMechanism, shape="category")``.
    """

    topic: str = ""  # group of mechanisms shown together; "" for those that release one number
    shape: str = "number"  # form of a released value, which decides how it is drawn
    is_private: bool = True  # False: not differentially private; it takes no budget
    is_random: bool = True  # whether two draws for the same data may differ
    on_step: bool = False  # whether all released numbers are multiples of `step`
    most_columns: int | None = None  # largest number of columns; None for any number
    hides: str = "Noise"  # what hides a record, in one or two words
    why: str = ""  # why its error can be smaller than that of others, in one sentence
    is_one_choice: bool = False  # whether it makes one choice among many candidates; a step of others
    is_shifted: bool = False  # whether its cells are randomly shifted cubes
    library: Any = None  # library that draws for it; such a mechanism is compared only if named
    # Whether to compare it with others for this question and n; False if it would never answer
    is_meant_for: Callable[[Any, int], bool] = lambda asked, n: True

    def is_offered(self, asked: Any, n: int) -> bool:
        """Return whether comparisons include it for this question and n."""
        return self.library is None and self.is_meant_for(asked, n)


def facts_of(asked: Any) -> Facts:
    """Return the facts of a mechanism; a query has the default facts."""
    facts: Facts = getattr(asked, "facts", Facts())
    return facts


@dataclasses.dataclass(frozen=True)
class Output:
    """Functions that interpret drawn values; each also takes the domain."""

    released: Callable[[Floats, Any], Any]  # converts a drawn value to its released form; None: refused
    true_answer: Callable[[Any, Any], Any]  # converts the true value (private) to the same form
    in_order: Callable[[Floats, Any], Floats]  # sorts drawn values as a release does (sets only)
    # Distances of drawn values from the true value, shape (size,); NaN for a refusal
    errors: Callable[[Floats, Any, Any], Floats]
    # Largest error of an answer that ignores the data, from domain and n; inf if unknown
    trivial_error: Callable[[Any, int], float]


@dataclasses.dataclass(frozen=True)
class Resources:
    """Approximate memory of `prepare` in addition to the data, and seconds per draw."""

    memory: MemoryNeeded = dataclasses.field(default_factory=MemoryNeeded)
    seconds: float = 0.0


@dataclasses.dataclass(frozen=True)
class Mistake:
    """How a mistake of `engine.mechanisms.planted` affects one mechanism; from its `_mistakes`."""

    worst: str = ""  # the pair of neighbours that shows it best; "" for the pair of the mistake
    problems: Callable[[Any], tuple[Problem, ...]] = lambda domain: ()  # why an audit would not find it
    # Changes the prepared mechanism, if the mistake does not do so itself
    plant: Callable[[Any], Any] = lambda ready: ready
