"""The automatic method: a public rule chooses how to release a number."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, TypeVar, cast

import numpy as np

from engine.components import registry_of
from engine.data.database import Database
from engine.domain import Interval
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.rank_interval import covers_parameter, share_parameter
from engine.mechanisms.release import Release
from engine.mechanisms.scalar import ScalarMechanism
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.exactness import PUBLIC

MechanismT = TypeVar("MechanismT")

CANDIDATES = ("laplace", "gaussian", "exponential", "smooth")
"""Methods to choose from.  Those with a public interval come first, then those with one in ranks."""

EQUAL = 1.01
"""Errors that differ by a smaller factor count as equal."""


@dataclasses.dataclass(frozen=True)
class MethodError:
    """A method and its expected error (public)."""

    method: ScalarMechanism
    error: float | None  # stays below it in 95 % of releases; None if unknown
    problem: Problem | None = None  # why the method is not possible


@dataclasses.dataclass(frozen=True)
class AutoRelease(ScalarMechanism, is_meant_for=lambda asked, n: False):
    """Release the answer by the method with the smallest expected error.

    The rule uses public facts alone: query, bounds, resolution, n and budget.  It compares the errors that
    95 % of releases stay below, if the records lie evenly between the bounds.  At equal error it prefers a
    method with a public interval.  Smooth sensitivity is left out where it is the same for every beta, as for
    a mean.  Graphs have no such model: they get smooth sensitivity.

    Source: sensiscope.

    Examples
    --------
    A mean gets Laplace noise.  The median of many ages is chosen by its rank.

    >>> from engine import Interval, Mean, Median, Privacy
    >>> ages = Interval(0, 120, resolution=1)
    >>> for query in (Mean(), Median()):
    ...     print(AutoRelease(query=query).choose(ages, 3000, Privacy(0.5)).label)
    Global sensitivity, Laplace
    Exponential mechanism
    """

    name: ClassVar[str] = "auto"
    label: ClassVar[str] = "Automatic"
    summary: ClassVar[str] = "the method with the smallest expected error, by a public rule"
    source: ClassVar[str] = "sensiscope"
    exact_because: ClassVar[str] = PUBLIC

    error_share: float = share_parameter()
    covers: str = covers_parameter()

    @property
    def guarantee(self) -> Guarantee:
        """An upper bound: the chosen method may spend no delta."""
        return Guarantee()

    def expected_errors(self, domain: Interval, n: int, privacy: Privacy) -> tuple[MethodError, ...]:
        """Return the expected error of each candidate (public)."""
        flat = self.query.reads == "column" and self.query.decline == 0  # S* is the same for every beta
        names = [name for name in CANDIDATES if not (flat and name == "smooth")]
        return tuple(self._error_of(name, domain, n, privacy) for name in names)

    def _error_of(self, name: str, domain: Interval, n: int, privacy: Privacy) -> MethodError:
        kind: Any = registry_of("mechanism")[name]
        given = {"query": self.query, "clamp": self.clamp}
        if any(declared.name == "error_share" for declared in kind.parameters()):
            given |= {"error_share": self.error_share, "covers": self.covers}
        method = kind(**given)
        wrong = method.problems(privacy, domain, n)
        return MethodError(
            method.resolve(privacy),
            None if wrong else method.expected_error(domain, n, privacy),
            wrong[0] if wrong else None,
        )

    def choose(self, domain: Interval, n: int, privacy: Privacy) -> ScalarMechanism:
        """Return the method that the rule chooses (public)."""
        return best(self.expected_errors(domain, n, privacy))

    def problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        return super().problems(privacy, domain, n) or self.choose(domain, n, privacy).problems(
            privacy, domain, n
        )

    def prepare(self, data: Database, privacy: Privacy, progress: Progress = silent) -> Prepared:
        return self.choose(data.domain, data.n, privacy).prepare(data, privacy, progress)

    def release(
        self,
        prepared: Prepared,
        data: Database,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        chosen = self.choose(data.domain, data.n, privacy)
        return chosen.release(prepared, data, privacy, rng, progress)


def best(errors: tuple[MethodError, ...]) -> ScalarMechanism:
    """Return the method with the smallest error; the first one of those with equal errors."""
    possible = [one for one in errors if one.problem is None]
    if errors[-1].problem is None and errors[-1].error is None:
        return errors[-1].method  # there is no public model
    known = [one.error for one in possible if one.error is not None]
    least = min(known, default=0.0)
    chosen = (one for one in possible if one.error is not None and one.error <= EQUAL * least)
    return next(chosen, errors[0]).method


def resolve_method(mechanism: MechanismT, domain: Any, n: int, privacy: Privacy) -> MechanismT:
    """Return the method that `AutoRelease` chooses for these public facts; any other mechanism itself."""
    if isinstance(mechanism, AutoRelease):
        return cast("MechanismT", mechanism.choose(domain, n, privacy))
    return mechanism
