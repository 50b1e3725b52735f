"""How much a release may reveal: epsilon, delta and between which databases.

Throughout the engine, neighbours are databases that differ in *one record that is
replaced by another* (substitution); the number of records n is public.  An epsilon
of a tool that adds or removes records is not comparable: the same word, another
promise.  Some mechanisms can state theirs for a record that is *left empty*
(`engine.mechanisms.relation`), which is comparable.
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
from engine.numerals import short

P = ParamSpec("P")
R = TypeVar("R")

NEIGHBOURS = "replace-one"
"""The neighbouring relation of every mechanism here: one record replaced, n public."""

ZERO_OUT = "zero-out"
"""One record left empty, which then counts for nothing; n, which counts empty records, is public.

Kairouz, McMahan, Song, Thakkar, Thakurta, Xu 2021, Definition 1.1, call it so.
"""

NODE = "node"
"""All edges of one vertex of a graph; one edge is a case of it, and the n vertices are public."""

EDGE = "edge"
"""One edge of a graph added or removed; the n vertices are public."""

EDGE_WEIGHT = "edge-weight"
"""The weight of one edge of a graph; which vertices its edges join is public."""

ROW_STEPS = {NEIGHBOURS: 1, EDGE_WEIGHT: 1, ZERO_OUT: 2, EDGE: 2, NODE: 2}
"""How many steps between neighbours lead from a file to any in which one row is replaced: at most so many,
and as many for some files.  By them budgets add up what releases state between different neighbours.

* replace-one: that is the step.
* edge-weight: the rows of a file of edges are its records.  The ends of an edge are public, so that another
  row is one with another weight, and that is the step.  Of other ends nothing is promised.
* zero-out: the record is left empty, and filled: 2.  One step changes a record that is empty before or after
  it, and so none that is filled on both sides.
* edge: one edge goes, the other comes: 2.  One step changes one edge, and these are two, unless the row that
  is new joins the same vertices.
* node: the edge {a, b} becomes {c, d}.  Vertex a is given its edges without {a, b}, and vertex c its edges
  with {c, d}: 2.  Where the two share a vertex, giving that one other edges is enough; where they do not, no
  vertex is an end of both, so that one step cannot change both.
"""


@dataclasses.dataclass(frozen=True)
class Privacy:
    """(epsilon, delta)-differential privacy for replace-one neighbours, n public.

    Parameters
    ----------
    epsilon : float
        Bound on the log-odds that a release can change by one person's record.
    delta : float, default 0
        Slack of the bound: no set of outcomes is more probable than e^epsilon times its
        probability on a neighbouring database, plus delta.

    Raises
    ------
    ParameterError
        If epsilon is not a finite number above 0, or delta is not in [0, 1).

    Examples
    --------
    Two thirds of the budget for one step, and what is left for the other:

    >>> Privacy(1.5, 1e-6).split([2, 1])
    (Privacy(epsilon=1.0, delta=6.666666666666666e-07), Privacy(epsilon=0.5, delta=3.333333333333333e-07))
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
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
        """Share the budget: parts proportional to `shares`, which together are no more than the whole."""
        epsilons, deltas = _parts(self.epsilon, shares), _parts(self.delta, shares)
        return tuple(map(Privacy, epsilons, deltas))

    def for_group(self, size: int) -> Privacy:
        """Return what the same release promises to `size` records together, as of one family.

        From a database to one that differs in g records there are g steps between neighbours, so
        Pr[x] <= e^eps Pr[x'] + delta is put into itself g times: g eps, and
        delta (1 + e^eps + ... + e^((g-1) eps)), which is at most g e^((g-1) eps) delta.  No
        smaller pair follows from (eps, delta) alone.  The bounds are rounded up.

        Parameters
        ----------
        size : int
            Number of records that may change together, at least 1.

        Returns
        -------
        Privacy
            `NO_PROMISE` where delta would not be below 1, or epsilon no finite number.

        Raises
        ------
        ParameterError
            If `size` is below 1 or above a thousand million.

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
        # in logarithms, because e^epsilon may be too large: the sum is (e^(g eps) - 1) / (e^eps - 1)
        steps = epsilon - self.epsilon + _log_share(epsilon) - _log_share(self.epsilon)
        log_delta = math.log(self.delta) + steps + _ROUNDING * (1 + epsilon)
        if log_delta > -_ROUNDING:
            return NO_PROMISE
        # the next number above, because the smallest ones have few digits
        return Privacy(epsilon, math.nextafter(math.exp(log_delta), 1))


_LARGEST_GROUP = 10**9

_ROUNDING = 1e-12
"""More than the rounding of a few operations on logarithms."""


def _log_share(epsilon: float) -> float:
    """Return ln(1 - e^-epsilon)."""
    return math.log(-math.expm1(-epsilon))


def _parts(whole: float, shares: Sequence[float]) -> list[float]:
    """Return parts of a number whose exact sum is not above it, whatever was rounded on the way."""
    total = math.fsum(shares)
    parts = [whole * share / total for share in shares]
    while sum(map(Fraction, parts)) > Fraction(whole):
        parts = [math.nextafter(part, 0) for part in parts]
    return parts


@dataclasses.dataclass(frozen=True)
class NoPromise(Privacy):
    """What a release costs that is not differentially private: no epsilon is large enough.

    `NO_PROMISE` is the only one.

    Parameters
    ----------
    epsilon : float, default inf
    delta : float, default 0

    Examples
    --------
    It is what histograms with exact counts ask for.

    >>> from engine import NO_PROMISE, ShiftedHistogram
    >>> NO_PROMISE.epsilon, ShiftedHistogram.facts.is_private
    (inf, False)
    """

    epsilon: float = math.inf

    def __post_init__(self) -> None:
        """Accept what no other promise may be."""

    def for_group(self, size: int) -> Privacy:
        """Return itself: what promises nothing to one record promises nothing to several."""
        return self


NO_PROMISE = NoPromise()
"""The cost of a release that is not differentially private, and the budget to ask for."""


def compose(parts: Iterable[Privacy]) -> Privacy:
    """Return what several releases on the same data cost together (basic composition).

    `NO_PROMISE` where one of them promises nothing, or delta reaches 1.
    Source: Nissim, Stemmer, Vadhan 2016, Theorem 2.1.
    """
    spent = tuple(parts)
    delta = math.fsum(part.delta for part in spent)
    if NO_PROMISE in spent or delta >= 1:
        return NO_PROMISE
    return Privacy(math.fsum(part.epsilon for part in spent), delta)


PrivacyLike: TypeAlias = Privacy | float | tuple[float, float]
"""What functions take as a budget: one, or epsilon alone, or (epsilon, delta)."""


def as_privacy(privacy: PrivacyLike) -> Privacy:
    """Take a budget as it is, or as epsilon, or as (epsilon, delta); raise `ParameterError`."""
    if isinstance(privacy, Privacy):
        return privacy
    numbers = privacy if isinstance(privacy, tuple | list) else (privacy,)
    if len(numbers) not in (1, 2) or not all(
        isinstance(number, Real) and not isinstance(number, bool) for number in numbers
    ):
        raise ParameterError(
            "privacy", f"{privacy!r} is no budget; give Privacy(epsilon, delta), or epsilon alone"
        )
    return Privacy(*map(float, numbers))


def neighbours_of(asked: Any) -> str:
    """Return between which databases sensitivities are meant where something is asked."""
    neighbours: str = getattr(asked, "neighbours", NEIGHBOURS)
    return neighbours


def takes_budget(function: Callable[P, R]) -> Callable[P, R]:
    """Have a public method take epsilon alone, or (epsilon, delta), for `privacy`, too."""
    code: CodeType = function.__code__  # its signature would cost the start 3 ms
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
