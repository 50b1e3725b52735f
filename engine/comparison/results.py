"""What a comparison asks and what it finds: contenders, a sweep, and errors for each of them."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.mechanisms.base import Mechanism
from engine.privacy import Privacy

_Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Contender:
    """A mechanism with all its parameters, and what people call it beside the others.

    `labelled` makes them.

    Attributes
    ----------
    mechanism : Mechanism
    label : str
        Distinct among the contenders of one comparison.
    """

    mechanism: Mechanism[Any]
    label: str


@dataclasses.dataclass(frozen=True)
class Sweep:
    """What is varied, one value after the other, for all contenders alike.

    Attributes
    ----------
    name : str
        "epsilon"; "n", which draws so many records; or a parameter that a contender declares
        ("t", "blocks", "beta" ...).  Contenders without that parameter stay as they are.
    values : tuple of float
        In increasing order.

    Examples
    --------
    >>> sweep = Sweep("epsilon", (0.1, 1.0, 10.0))
    >>> sweep.name, len(sweep.values)
    ('epsilon', 3)
    """

    name: str
    values: tuple[float, ...]


@dataclasses.dataclass(frozen=True)
class Trial:
    """One contender at one value of the sweep, as `compare` makes it.

    Attributes
    ----------
    contender, place : int
        Which contender, and which value of the sweep.
    value : float
        The value of the sweep.
    mechanism : Mechanism
        The contender with that value in it.
    privacy : Privacy
        What is asked for; `cost` says what a release costs.
    n : int
        How many records are drawn from the data; all of them, but in a sweep of n.
    shared : bool
        Whether the value changes nothing about this contender.  Such a trial is made once, and what
        comes out stands for all values: the same errors at each.
    """

    contender: int
    place: int
    value: float
    mechanism: Mechanism[Any]
    privacy: Privacy
    n: int
    shared: bool = False

    @property
    def origin(self) -> int:
        """The place in the sweep from which it draws: its own, or the first of those that share."""
        return 0 if self.shared else self.place


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """How a trial went (private: errors tell the true value); `compare` returns them.

    Attributes
    ----------
    trial : Trial
    asked : int
        Runs that were asked for; fewer are there after a cancel.
    errors : ndarray, shape (runs,)
        Distances from the true value; NaN where the mechanism refused to answer.
    preparing, drawing : float
        Seconds that looking at the data took, once, and all draws together.  What a process has
        found out about the data for an earlier trial, such as their order, it does not find again.
    problem : str
        Why there are no runs, in words, if the mechanism does not fit.
    largest : float
        What no error need exceed, as the public bounds tell; inf where they tell nothing.
    """

    trial: Trial
    asked: int
    errors: _Floats
    preparing: float = 0.0
    drawing: float = 0.0
    problem: str = ""
    largest: float = float("inf")

    @property
    def runs(self) -> int:
        """Runs that were made."""
        return len(self.errors)

    @property
    def complete(self) -> bool:
        """Whether as many runs were made as asked for, or none can be made."""
        return bool(self.problem) or self.runs == self.asked

    def followed_by(self, later: Outcome) -> Outcome:
        """Return this and what later runs of the same trial gave."""
        return dataclasses.replace(
            self,
            errors=np.concatenate([self.errors, later.errors]),
            drawing=self.drawing + later.drawing,
            problem=later.problem,
        )

    @functools.cached_property
    def answered(self) -> _Floats:
        """Errors of the runs that answered, increasing."""
        return np.sort(self.errors[~np.isnan(self.errors)])

    @functools.cached_property
    def ranked(self) -> _Floats:
        """All errors, increasing; a refusal is worse than any error."""
        return np.sort(np.where(np.isnan(self.errors), np.inf, self.errors))

    @functools.cached_property
    def mean(self) -> float:
        """Mean error of the runs that answered; NaN without any."""
        return float(np.mean(self.answered)) if self.answered.size else float("nan")

    @functools.cached_property
    def refused(self) -> int:
        """Number of runs without an answer."""
        return int(np.count_nonzero(np.isnan(self.errors)))

    @property
    def seconds_per_run(self) -> float:
        """Seconds that one release of its own takes: looking at the data, and one draw."""
        return self.preparing + self.drawing / max(1, self.runs)

    @property
    def median_run(self) -> int | None:
        """The run with the median error, the lower one of two; None where there are no runs."""
        order = np.argsort(np.where(np.isnan(self.errors), np.inf, self.errors), kind="stable")
        return int(order[(self.runs - 1) // 2]) if self.runs else None

    def quantile(self, share: float) -> float:
        """Return the error that this share of the runs stays within: inf for refusals, NaN without runs."""
        if not self.runs:
            return float("nan")
        place = int(np.ceil(share * self.runs)) - 1
        return float(self.ranked[max(0, place)])


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Everything that was found so far (private), from `compare`.

    Attributes
    ----------
    contenders : tuple of Contender
    sweep : Sweep
    outcomes : tuple of Outcome
        In the order of the sweep's values, and of the contenders at each; those that have not
        begun are left out.
    runs, seed : int
        As they were asked for.  Every contender draws from the same seeds.
    """

    contenders: tuple[Contender, ...]
    sweep: Sweep
    outcomes: tuple[Outcome, ...]
    runs: int
    seed: int

    @property
    def trials(self) -> int:
        """How many trials there are in the end."""
        return len(self.contenders) * len(self.sweep.values)

    @functools.cached_property
    def complete(self) -> bool:
        """Whether all of it was done; a comparison that was cancelled keeps what it has."""
        return len(self.outcomes) == self.trials and all(outcome.complete for outcome in self.outcomes)

    @functools.cached_property
    def made(self) -> int:
        """Runs that were made, of all trials together."""
        return sum(outcome.runs for outcome in self.outcomes)

    @functools.cached_property
    def tried(self) -> frozenset[int]:
        """Places of the sweep at which there are runs."""
        return frozenset(outcome.trial.place for outcome in self.outcomes if outcome.runs)

    def at(self, place: int) -> tuple[Outcome, ...]:
        """Return the outcomes at one value of the sweep."""
        return self._by_place.get(place, ())

    def outcome(self, contender: int, place: int) -> Outcome | None:
        """Return how a contender did at one value of the sweep; None where it has not begun."""
        return next((one for one in self.at(place) if one.trial.contender == contender), None)

    def largest_error(self, place: int) -> float | None:
        """Return what no error at one value need exceed, as public bounds tell; None where they do not."""
        largest = min((outcome.largest for outcome in self.at(place) if outcome.runs), default=math.inf)
        return largest if math.isfinite(largest) else None

    def of(self, contender: int) -> tuple[Outcome, ...]:
        """Return the outcomes of one contender, along the sweep."""
        return self._by_contender.get(contender, ())

    @functools.cached_property
    def _by_place(self) -> dict[int, tuple[Outcome, ...]]:
        return _grouped(self.outcomes, lambda outcome: outcome.trial.place)

    @functools.cached_property
    def _by_contender(self) -> dict[int, tuple[Outcome, ...]]:
        return _grouped(self.outcomes, lambda outcome: outcome.trial.contender)


def _grouped(outcomes: Sequence[Outcome], key: Callable[[Outcome], int]) -> dict[int, tuple[Outcome, ...]]:
    groups: dict[int, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return {number: tuple(group) for number, group in groups.items()}
