"""What a comparison asks and what it finds: contenders, a sweep, and errors for each of them."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.array_types import Floats, Ints
from engine.findings import Finding
from engine.mechanisms.base import Mechanism
from engine.privacy import Privacy


@dataclasses.dataclass(frozen=True)
class ComparedMechanism:
    """A mechanism with all its parameters, and what it is called beside the others.

    `contenders_from` makes them.

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
    position: int
    value: float
    mechanism: Mechanism[Any]
    privacy: Privacy
    n: int
    shared: bool = False

    @property
    def origin(self) -> int:
        """The place in the sweep from which it draws: its own, or the first of those that share."""
        return 0 if self.shared else self.position


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
    errors: Floats
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
    def answered(self) -> Floats:
        """Errors of the runs that answered, increasing."""
        return np.sort(self.errors[~np.isnan(self.errors)])

    @functools.cached_property
    def ranked(self) -> Floats:
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
    def exact(self) -> float:
        """Share of the runs that are off by nothing."""
        return float(np.mean(self.errors == 0))

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
        position = int(np.ceil(share * self.runs)) - 1
        return float(self.ranked[max(0, position)])

    def within(self, error: float) -> float:
        """Return the share of the runs that are within an error."""
        return float(np.mean(self.ranked <= error))

    def curve(self, steps: int, lowest: float) -> tuple[Floats, Ints]:
        """Return errors, increasing, from a share of the answers on, and how many runs are within each."""
        answered = self.answered
        if not answered.size:
            return np.empty(0), np.empty(0, dtype=np.int64)
        drawn = np.linspace(lowest * answered.size, answered.size, min(answered.size, steps))
        ranks = np.unique(np.ceil(drawn).astype(np.int64))
        return answered[ranks - 1], ranks


@dataclasses.dataclass(frozen=True, repr=False)
class Needed:
    """The smallest epsilon at which errors are within a bound so often (private).

    Returned by `needed_epsilon`.

    Attributes
    ----------
    contender : ComparedMechanism
    epsilon : float or None
        None where even the largest does not suffice, or `problem` says why there is none.
    low, high : float
        Hold the epsilon that is truly needed with confidence 99 %; `high` is inf where the largest
        is not sure to suffice.  Those at the lower end of the search may be smaller still.
    share_at : float
        Share of runs within the bound at `epsilon`, or at the largest where that is None.
    problem : str
        Why nothing could be searched, or that the largest does not suffice, in words.
    """

    contender: ComparedMechanism
    epsilon: float | None
    low: float
    high: float
    share_at: float
    problem: str = ""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class NeededEpsilons:
    """The epsilons that contenders need, and the question (private).

    Returned by `needed_epsilons`.

    Attributes
    ----------
    answers : tuple of Needed or None
        In the order of the contenders; None for those that were not looked at yet.
    contenders : tuple of ComparedMechanism
    within, share : float
        How large an error may be, and how often it has to be so small.
    runs : int
        At each epsilon that was tried.
    """

    answers: tuple[Needed | None, ...]
    contenders: tuple[ComparedMechanism, ...]
    within: float
    share: float
    runs: int

    @property
    def labels(self) -> tuple[str, ...]:
        """What the contenders are called."""
        return tuple(contender.label for contender in self.contenders)

    def findings(self) -> Iterator[Finding]:
        """Yield the epsilon of each contender, between the ends that the runs leave open."""
        for contender, answer in zip(self.contenders, self.answers, strict=True):
            if answer is not None:
                result = answer.problem or (answer.low, answer.epsilon, answer.high)
                yield Finding(f"{contender.label}: at least, epsilon, at most", result)
