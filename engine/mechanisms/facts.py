"""Small values that a mechanism has: facts about its class, output, resources, mistakes to plant."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from engine.array_types import Floats
from engine.free_memory import MemoryNeeded
from engine.mechanisms.problem import Problem


@dataclasses.dataclass(frozen=True)
class Facts:
    """What front ends ask about a class of mechanisms.

    A class states them in its head and inherits the others:
    ``class Mode(CategoriesMechanism, shape="category")``.
    """

    topic: str = ""  # mechanisms of one topic are shown together; "" is one number
    shape: str = "number"  # what a released value looks like, which decides how it is shown
    is_private: bool = True  # one that is not takes no budget, and says so
    is_random: bool = True  # whether two draws of the same data may differ
    on_step: bool = False  # whether all released numbers are multiples of `step`
    most_columns: int | None = None  # of the data; None for any number
    hides: str = "Noise"  # what hides a record, in a word or two
    why: str = ""  # it is nearer to the truth than others, in a sentence
    is_one_choice: bool = False  # among many candidates: a step of other mechanisms, by itself
    is_shifted: bool = False  # whether its cells are cubes at a random place
    library: Any = None  # another one that draws it; such a mechanism is compared where it is named only
    # Whether it is compared with others, by what is asked and n: not where it never answers
    is_meant_for: Callable[[Any, int], bool] = lambda asked, n: True

    def is_offered(self, asked: Any, n: int) -> bool:
        """Tell whether it is compared with others that answer what is asked."""
        return self.library is None and self.is_meant_for(asked, n)


def facts_of(asked: Any) -> Facts:
    """Return the facts of what is asked of data: those of a mechanism; of a query there are none."""
    facts: Facts = getattr(asked, "facts", Facts())
    return facts


@dataclasses.dataclass(frozen=True)
class Output:
    """What drawn values mean: functions of these and of the domain."""

    released: Callable[[Floats, Any], Any]  # one drawn value as it leaves; None for a refusal
    true_answer: Callable[[Any, Any], Any]  # the true value, which is private, in the same form
    in_order: Callable[[Floats, Any], Floats]  # drawn values as they are released: sets are sorted
    # How far drawn values are from the true one, shape (size,); NaN where refused
    errors: Callable[[Floats, Any, Any], Floats]
    largest_error: Callable[[Any, int], float]  # what no error need exceed, from domain and n; inf if unknown


@dataclasses.dataclass(frozen=True)
class Resources:
    """About how much memory `prepare` takes beside the data, and how many seconds a draw takes."""

    memory: MemoryNeeded = dataclasses.field(default_factory=MemoryNeeded)
    seconds: float = 0.0


@dataclasses.dataclass(frozen=True)
class Mistake:
    """A mistake of `engine.mechanisms.planted` in one mechanism, from its `_mistakes`."""

    worst: str = ""  # the pair of neighbours on which it shows best; "" for that of the mistake
    problems: Callable[[Any], tuple[Problem, ...]] = lambda domain: ()  # why an audit would not find it
    # Changes what the mechanism has prepared, where the mistake does not do so itself
    plant: Callable[[Any], Any] = lambda ready: ready
