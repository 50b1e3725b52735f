"""Question and answer of a comparison: contenders, a sweep, and the errors of each trial."""

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
    """

    mechanism: Mechanism[Any]
    label: str  # distinct among the contenders of one comparison


@dataclasses.dataclass(frozen=True)
class Sweep:
    """The quantity that is varied, and its values; the same for all contenders.

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
    """One contender at one value of the sweep, as `compare` makes it."""

    contender: int
    position: int  # of the value in the sweep
    value: float
    mechanism: Mechanism[Any]  # that of the contender, with the value in it
    privacy: Privacy  # asked for; `cost` says what a release costs
    n: int  # how many records are drawn from the data; all of them, but in a sweep of n
    # the value changes nothing about this contender: the trial is made once, and stands for all values
    shared: bool = False

    @property
    def origin(self) -> int:
        """The place in the sweep from which it draws: its own, or the first of those that share."""
        return 0 if self.shared else self.position


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """How a trial went (private: errors tell the true value); `compare` returns them."""

    trial: Trial
    asked: int  # runs asked for; a cancel leaves fewer
    errors: Floats  # distances from the true value, shape (runs,); NaN where it refused to answer
    # seconds to look at the data once, and for all draws together; a process that knows the order of the data
    # from an earlier trial does not sort them again
    preparing: float = 0.0
    drawing: float = 0.0
    problem: str = ""  # why the mechanism does not fit, and there are no runs
    # no error need exceed it, as public bounds tell; inf where they do not
    largest: float = float("inf")

    @property
    def runs(self) -> int:
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
    """

    contender: ComparedMechanism
    epsilon: float | None  # None where even the largest does not suffice, or there is a problem
    # hold the epsilon that is needed with confidence 99 %; `high` is inf where the largest may not suffice
    low: float
    high: float
    share_at: float  # share of runs within the bound at `epsilon`, or at the largest where that is None
    problem: str = ""  # why nothing could be searched, or that the largest does not suffice


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class NeededEpsilons:
    """The epsilons that contenders need, and the question (private).

    Returned by `needed_epsilons`.
    """

    # of each contender; None for those to come
    answers: tuple[Needed | None, ...]
    contenders: tuple[ComparedMechanism, ...]
    within: float  # the largest allowed error
    share: float  # of the releases that must keep to it
    runs: int  # at each epsilon

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(contender.label for contender in self.contenders)

    def findings(self) -> Iterator[Finding]:
        """Yield the epsilon of each contender, between the ends that the runs leave open."""
        for contender, answer in zip(self.contenders, self.answers, strict=True):
            if answer is not None:
                result = answer.problem or (answer.low, answer.epsilon, answer.high)
                yield Finding(f"{contender.label}: at least, epsilon, at most", result)
