"""Inputs and results of a comparison: mechanisms, a sweep, and the errors of each trial."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from engine.array_types import Floats, Ints
from engine.errors import ParameterError
from engine.findings import Finding
from engine.mechanisms.base import Mechanism
from engine.numerals import given
from engine.privacy import Privacy
from engine.signatures import Explained


@dataclasses.dataclass(frozen=True)
class ComparedMechanism:
    """A mechanism with all its parameters, and its label in the comparison.

    Created by `contenders_from`.
    """

    mechanism: Mechanism[Any]
    label: str  # unique within one comparison


@dataclasses.dataclass(frozen=True)
class Sweep(metaclass=Explained):
    """The varied quantity and its values; the same for all mechanisms.

    Attributes
    ----------
    name : str
        "epsilon"; "n", the number of records to draw; or a parameter of a mechanism ("t", "blocks", "beta"
        ...).  Mechanisms without that parameter stay unchanged.
    values : tuple of float
        In increasing order.

    See Also
    --------
    compare

    Examples
    --------
    >>> sweep = Sweep("epsilon", (0.1, 1.0, 10.0))
    >>> sweep.name, len(sweep.values)
    ('epsilon', 3)
    """

    name: str
    values: tuple[float, ...]

    if TYPE_CHECKING:

        def __init__(self, name: str, values: float | Iterable[float]) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise ParameterError("sweep", f'{given(self.name)} is no name; give Sweep("epsilon", (0.1, 1.0))')
        values: Any = self.values
        numbers = np.atleast_1d(np.asarray(list(values) if isinstance(values, Iterable) else values))
        if numbers.dtype.kind not in "iuf":
            raise ParameterError("sweep", f"{given(self.values)} are no values of {self.name}; give numbers")
        object.__setattr__(self, "values", tuple(numbers.tolist()))


SweepLike: TypeAlias = Sweep | tuple[str, float | Iterable[float]] | Mapping[str, float | Iterable[float]]
"""Types that functions accept as a sweep: one, a name and its values, or a mapping of the name to them."""


def as_sweep(sweep: SweepLike) -> Sweep:
    """Convert to a sweep; raise `ParameterError` for anything else."""
    if isinstance(sweep, Sweep):
        return sweep
    if isinstance(sweep, Mapping) and len(sweep) == 1:
        sweep = next(iter(sweep.items()))
    if isinstance(sweep, tuple | list) and len(sweep) == 2:
        return Sweep(*sweep)
    raise ParameterError("sweep", f'{given(sweep)} is no sweep; give Sweep("epsilon", (0.1, 1.0, 10.0))')


@dataclasses.dataclass(frozen=True)
class Trial:
    """One mechanism at one value of the sweep, as `compare` creates it."""

    contender: int
    position: int  # of the value in the sweep
    value: float
    mechanism: Mechanism[Any]  # with the value inserted
    privacy: Privacy  # requested; `cost` is that of a release
    n: int  # number of records to draw; all, except in a sweep of n
    # the value does not affect this mechanism: one trial stands for all values
    shared: bool = False

    @property
    def origin(self) -> int:
        """The index in the sweep that determines its seed: its own, or the first of those that share."""
        return 0 if self.shared else self.position


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """The result of a trial (private: errors reveal the true value); `compare` returns them."""

    trial: Trial
    asked: int  # requested runs; cancellation leaves fewer
    errors: Floats  # distances from the true value, shape (runs,); NaN where it refused to answer
    preparations: tuple[float, ...] = ()  # the seconds of each; the first one sorts the data, the others not
    drawing: float = 0.0  # seconds for all draws together
    problem: str = ""  # why the mechanism does not fit, so that there are no runs
    field: str = ""  # the parameter, or fact about the data, that the problem belongs to, if known
    # largest error of the trivial baseline: the midpoint of the public bounds; inf without bounds
    trivial_error: float = float("inf")

    @property
    def runs(self) -> int:
        return len(self.errors)

    @property
    def complete(self) -> bool:
        """Whether all requested runs were made, or none can be made."""
        return bool(self.problem) or self.runs == self.asked

    def followed_by(self, later: Outcome) -> Outcome:
        """Return this outcome with later runs of the same trial appended."""
        return dataclasses.replace(
            self,
            errors=np.concatenate([self.errors, later.errors]),
            preparations=self.preparations + later.preparations,
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
        """Mean error of the runs with an answer; NaN without any."""
        return float(np.mean(self.answered)) if self.answered.size else float("nan")

    @functools.cached_property
    def refused(self) -> int:
        return int(np.count_nonzero(np.isnan(self.errors)))

    @property
    def exact(self) -> float:
        """Share of the runs without error."""
        return float(np.mean(self.errors == 0))

    @property
    def preparing(self) -> float:
        """Median seconds of a preparation."""
        return float(np.median(self.preparations or 0.0))

    @property
    def seconds_per_run(self) -> float:
        """Seconds for one separate release: preparation and one draw."""
        return self.preparing + self.drawing / max(1, self.runs)

    @property
    def median_run(self) -> int | None:
        """The run with the median error, the lower one of two; None without runs."""
        order = np.argsort(np.where(np.isnan(self.errors), np.inf, self.errors), kind="stable")
        return int(order[(self.runs - 1) // 2]) if self.runs else None

    def quantile(self, share: float) -> float:
        """Return this quantile of the errors: inf for refusals, NaN without runs."""
        if not self.runs:
            return float("nan")
        position = int(np.ceil(share * self.runs)) - 1
        return float(self.ranked[max(0, position)])

    def within(self, error: float) -> float:
        return float(np.mean(self.ranked <= error))

    def curve(self, steps: int, lowest: float) -> tuple[Floats, Ints]:
        """Return increasing errors, and the number of runs within each; starts at a share of the answers."""
        answered = self.answered
        if not answered.size:
            return np.empty(0), np.empty(0, dtype=np.int64)
        drawn = np.linspace(lowest * answered.size, answered.size, min(answered.size, steps))
        ranks = np.unique(np.ceil(drawn).astype(np.int64))
        return answered[ranks - 1], ranks


@dataclasses.dataclass(frozen=True, repr=False)
class Needed:
    """The smallest epsilon at which enough errors are within a bound (private).

    Returned by `needed_epsilon`.
    """

    contender: ComparedMechanism
    epsilon: float | None  # None if even the largest is not sufficient, or there is a problem
    # contain the needed epsilon with confidence 99 %; `high` is inf if the largest may not be sufficient
    low: float
    high: float
    share_at: float  # share of runs within the bound at `epsilon`, or at the largest if that is None
    problem: str = ""  # why there was no search, or that the largest is not sufficient


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class NeededEpsilons:
    """The epsilons that mechanisms need, and the requirements (private).

    Returned by `needed_epsilons`.
    """

    # of each mechanism; None for pending ones
    answers: tuple[Needed | None, ...]
    contenders: tuple[ComparedMechanism, ...]
    within: float  # the largest allowed error
    share: float  # of the releases that must be within it
    runs: int  # at each epsilon; slow mechanisms may have fewer

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(contender.label for contender in self.contenders)

    def findings(self) -> Iterator[Finding]:
        """Yield the epsilon of each mechanism, with its confidence bounds."""
        for contender, answer in zip(self.contenders, self.answers, strict=True):
            if answer is not None:
                result = answer.problem or (answer.low, answer.epsilon, answer.high)
                yield Finding(f"{contender.label}: at least, epsilon, at most", result)
