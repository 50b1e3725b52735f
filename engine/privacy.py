"""Privacy budgets: epsilon, delta, and the neighbouring relation.

Neighbours differ in *one replaced record* (substitution), and n is public.  An epsilon for added or removed
records means something else; one for an *emptied* record (`engine.mechanisms.relation`) is comparable.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from numbers import Real
from types import CodeType
from typing import Any, ParamSpec, TypeAlias, TypeVar

from engine.errors import ParameterError
from engine.numerals import given, short
from engine.signatures import Explained

P = ParamSpec("P")
R = TypeVar("R")

NEIGHBOURS = "replace-one"
"""Default neighbouring relation: one record replaced, n public."""

ZERO_OUT = "zero-out"
"""One record becomes empty and is then ignored; n counts empty records, too, and is public.

Named in Kairouz, McMahan, Song, Thakkar, Thakurta, Xu 2021, Definition 1.1.
"""

NODE = "node"
"""All edges of one vertex of a graph may change, including a single edge; the n vertices are public."""

EDGE = "edge"
"""One edge of a graph added or removed; the n vertices are public."""

EDGE_WEIGHT = "edge-weight"
"""The weight of one edge of a graph changes; the ends of all edges are public."""

SAME_GROUP = "same-group"
"""One record replaced by another of the same group; n, and who belongs to which group, are public."""

PERSON = "person"
"""All rows of one person may change; the set of persons is public."""

PERSON_SAME_GROUP = "person-same-group"
"""All rows of one person may change, but not the person's group; persons and their groups are public."""

OF_PERSONS = {NEIGHBOURS: PERSON, SAME_GROUP: PERSON_SAME_GROUP}
"""The relation of a release whose records are persons, by its relation for records."""

ROW_STEPS = {
    NEIGHBOURS: 1,
    EDGE_WEIGHT: 1,
    SAME_GROUP: 1,
    PERSON: 2,
    PERSON_SAME_GROUP: 2,
    ZERO_OUT: 2,
    EDGE: 2,
    NODE: 2,
}
"""Most steps between neighbours that one replaced row of a file can take; some files need that many.  Budgets
use it to add up releases with different neighbouring relations.

* replace-one: 1, by definition.
* edge-weight: 1.  A row is an edge, its ends are public, and the step changes its weight.  Nothing is
  promised for other ends.
* same-group: 1.  The group of a row is public, and the step changes the rest of the row.  Nothing is promised
  for another group.
* person, person-same-group: 2, when a row moves from one person to another: one person loses a row, then the
  other gains it.  A step changes one person, so two are needed.  Nothing is promised for a row that brings a
  new person or takes away the last row of one, which changes the public set of persons.
* zero-out: 2, empty the record, then fill it.  A step involves an empty record, so one step cannot replace a
  filled record by another.
* edge: 2, remove one edge, add the other.  A step changes one edge, so two are needed unless the new row
  joins the same vertices.
* node: 2, when the edge {a, b} becomes {c, d}.  Vertex a loses {a, b}, then vertex c gains {c, d}.  One step
  is enough if the edges share a vertex; otherwise no vertex has both, and one step cannot change both.
"""


@dataclasses.dataclass(frozen=True)
class Privacy(metaclass=Explained):
    """(epsilon, delta)-differential privacy for replace-one neighbours, n public.

    Parameters
    ----------
    epsilon : float
        Bound on the change of log-odds that a release can cause by one person's record.
    delta : float, default 0
        Additive slack: the probability of any set of outcomes is at most e^epsilon times that on a
        neighbouring database, plus delta.

    Raises
    ------
    ParameterError
        If epsilon is not a finite number above 0, or delta is not in [0, 1).

    See Also
    --------
    Concentrated, Ledger

    Examples
    --------
    Two thirds of the budget for one step, the rest for the other:

    >>> Privacy(1.5, 1e-6).split([2, 1])
    (Privacy(epsilon=1.0, delta=6.666666666666666e-07), Privacy(epsilon=0.5, delta=3.333333333333333e-07))
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        for name in ("epsilon", "delta"):
            if not _is_number(getattr(self, name)):
                raise ParameterError(
                    name, f"{given(getattr(self, name))} is not possible; it must be a number"
                )
        if not (math.isfinite(self.epsilon) and self.epsilon > 0):
            raise ParameterError(
                "epsilon", f"{short(self.epsilon)} is not possible; it must be a finite number above 0"
            )
        if not 0 <= self.delta < 1:
            raise ParameterError(
                "delta",
                f"{short(self.delta)} is not possible; it must be at least 0 and below 1 (far below 1/n)",
            )

    def split(self, shares: Sequence[float]) -> tuple[Privacy, ...]:
        """Split the budget in proportion to `shares`; the parts together never exceed it."""
        epsilons, deltas = _parts(self.epsilon, shares), _parts(self.delta, shares)
        return tuple(map(Privacy, epsilons, deltas))

    def for_group(self, size: int) -> Privacy:
        """Return the guarantee of the same release for `size` records together, such as a family.

        Databases that differ in g records are g steps apart.  Applying Pr[x] <= e^eps Pr[x'] + delta g times
        gives g eps and delta (1 + e^eps + ... + e^((g-1) eps)), which is at most g e^((g-1) eps) delta.  No
        smaller pair follows from (eps, delta) alone.  The bounds are rounded up.

        Parameters
        ----------
        size : int
            Number of records that may change together, at least 1.

        Returns
        -------
        Privacy
            `NO_PROMISE` if delta reaches 1, or epsilon is not finite.

        Raises
        ------
        ParameterError
            If `size` is below 1 or above 10^9.

        Notes
        -----
        Source: Dwork, Roth 2014, Theorem 2.2; Vadhan 2017, Lemma 2.2, with delta.

        Examples
        --------
        >>> Privacy(1.0).for_group(3)
        Privacy(epsilon=3.0, delta=0.0)
        >>> Privacy(1.0, 1e-6).for_group(20) == NO_PROMISE
        True
        """
        if not 1 <= size <= _LARGEST_GROUP:
            raise ParameterError(
                "group", f"{size} is not possible; it must be at least 1 and at most {_LARGEST_GROUP:,}"
            )
        if size == 1:
            return self
        epsilon = size * self.epsilon
        if math.isinf(epsilon):
            return NO_PROMISE
        if Fraction(epsilon) < size * Fraction(self.epsilon):
            epsilon = math.nextafter(epsilon, math.inf)
        if self.delta == 0:
            return Privacy(epsilon)
        # in logarithms, since e^epsilon may overflow: the sum is (e^(g eps) - 1) / (e^eps - 1)
        steps = epsilon - self.epsilon + _log_share(epsilon) - _log_share(self.epsilon)
        log_delta = math.log(self.delta) + steps + _ROUNDING * (1 + epsilon)
        if log_delta > -_ROUNDING:
            return NO_PROMISE
        # one double higher, since subnormal numbers have few digits
        return Privacy(epsilon, math.nextafter(math.exp(log_delta), 1))


_LARGEST_GROUP = 10**9

_ROUNDING = 1e-12
"""Upper bound for the rounding error of a few operations on logarithms."""


def _log_share(epsilon: float) -> float:
    """Return ln(1 - e^-epsilon)."""
    return math.log(-math.expm1(-epsilon))


def _parts(whole: float, shares: Sequence[float]) -> list[float]:
    """Return parts of a number whose exact sum does not exceed it, despite rounding."""
    total = math.fsum(shares)
    parts = [whole * share / total for share in shares]
    while sum(map(Fraction, parts)) > Fraction(whole):
        parts = [math.nextafter(part, 0) for part in parts]
    return parts


@dataclasses.dataclass(frozen=True)
class NoPromise(Privacy):
    """The cost of a release that is not differentially private: infinite epsilon.

    `NO_PROMISE` is its only instance.

    Parameters
    ----------
    epsilon : float, default inf
    delta : float, default 0

    Examples
    --------
    Histograms with exact counts need it:

    >>> from engine import NO_PROMISE, ShiftedHistogram
    >>> NO_PROMISE.epsilon, ShiftedHistogram.facts.is_private
    (inf, False)
    """

    epsilon: float = math.inf

    def __post_init__(self) -> None:
        """Skip the validation of `Privacy`: epsilon is infinite."""

    def for_group(self, size: int) -> Privacy:
        """Return itself: without a promise to one record there is none to several."""
        return self


NO_PROMISE = NoPromise()
"""The cost of a release that is not differentially private, and the budget to state for it."""


@dataclasses.dataclass(frozen=True)
class NothingLeft(Privacy):
    """The rest of a budget that is used up: epsilon is 0, and nothing can be released with it."""

    epsilon: float = 0.0

    def __post_init__(self) -> None:
        """Skip the validation of `Privacy`, as a budget cannot be 0."""


NOTHING_LEFT = NothingLeft()


def compose(parts: Iterable[Privacy]) -> Privacy:
    """Return the total cost of several releases on the same data (basic composition).

    `NO_PROMISE` if one of them promises nothing, or delta reaches 1.  Source: Nissim, Stemmer, Vadhan 2016,
    Theorem 2.1.
    """
    spent = tuple(parts)
    delta = math.fsum(part.delta for part in spent)
    if NO_PROMISE in spent or delta >= 1:
        return NO_PROMISE
    return Privacy(math.fsum(part.epsilon for part in spent), delta)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


PrivacyLike: TypeAlias = Privacy | float | tuple[float, float]
"""Types that functions accept as a budget: a `Privacy`, epsilon, or (epsilon, delta)."""


def as_privacy(privacy: PrivacyLike) -> Privacy:
    """Convert a budget, epsilon, or (epsilon, delta) to a `Privacy`; raise `ParameterError`."""
    if isinstance(privacy, Privacy) and privacy != NOTHING_LEFT:
        return privacy
    numbers: Any = privacy if isinstance(privacy, tuple | list) else (privacy,)
    if len(numbers) not in (1, 2) or not all(map(_is_number, numbers)):
        raise ParameterError(
            "privacy", f"{given(privacy)} is not a budget; give Privacy(epsilon, delta), or epsilon alone"
        )
    return Privacy(*map(float, numbers))


def for_persons(privacy: Privacy, relation: str, rows: int) -> tuple[Privacy, str]:
    """Return the cost and relation of a release for persons with at most `rows` records each; 0: for records.

    Other rows of one person change at most so many records, which is group privacy.

    Raises
    ------
    ParameterError
        If the relation allows no other records: nothing follows for a person.
    """
    if not rows or relation in OF_PERSONS.values():
        return privacy, relation
    if relation not in OF_PERSONS:
        problem = f"'{relation}' says nothing about a person; choose {NEIGHBOURS}, or make each row a record"
        raise ParameterError("relation", problem)
    return privacy.for_group(rows), OF_PERSONS[relation]


def neighbours_of(asked: Any) -> str:
    """Return the neighbouring relation for the sensitivities of a query."""
    neighbours: str = getattr(asked, "neighbours", NEIGHBOURS)
    return neighbours


def takes_budget(function: Callable[P, R]) -> Callable[P, R]:
    """Let a public method accept epsilon, or (epsilon, delta), for `privacy`."""
    code: CodeType = function.__code__  # inspecting the signature would slow down the start by 3 ms
    index = code.co_varnames.index("privacy")

    @functools.wraps(function)
    def taking(*given: P.args, **named: P.kwargs) -> R:
        if "privacy" in named:
            budget: Any = named["privacy"]
            named["privacy"] = as_privacy(budget)
        elif len(given) > index:
            every: Any = list(given)
            every[index] = as_privacy(every[index])
            return function(*every, **named)
        return function(*given, **named)

    return taking
