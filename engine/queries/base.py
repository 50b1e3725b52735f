"""The base class of queries: their value and their sensitivities.

For replace-one neighbours (n public) and a database x,

* local:       LS(x)    = max |f(x) - f(y)| over neighbours y,
* at distance: A^(k)(x) = max LS(y) over y that differ from x in at most k records,
* smooth:      S*(x)    = max_k exp(-beta k) A^(k)(x),
* global:      GS       = max LS(x) over all x.

Source: Nissim, Raskhodnikova, Smith 2007, Definitions 2.1, 3.1 and Claim 3.2.
Everything but the global sensitivity is computed from raw data and is private.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, ParamSpec, TypeAlias, TypeVar

import numpy as np

from engine.arguments import as_data, as_domain, as_query
from engine.array_types import Floats
from engine.components import Component
from engine.data.database import DatabaseT
from engine.domain import Interval, check_number
from engine.errors import ParameterError
from engine.numerals import short
from engine.privacy import NEIGHBOURS
from engine.progress import Progress, parts, silent
from engine.shown import ShownInALine

ERROR = 2.0**-35
"""Relative error of a computed S*, of any query, for up to 2^30 records.

Differences of values are rounded once.  Within the reach of a search, logarithms of
``exp(-beta k) A^(k)`` are below 2^11 and have an error below 2^-41.  Among pairs that close, each of the
30 levels of the search for the best pair may miss one (`engine.queries.monotone`).
"""


@dataclasses.dataclass(frozen=True, repr=False)
class SmoothSensitivity(ShownInALine):
    """The exact smooth sensitivity S*, or an upper bound, and the distance that decides it (private).

    See `Median`.

    Attributes
    ----------
    value : float
        S*; an upper bound of it where the query says `smooth_is_bound`.
    argmax_k : int
        The k at which ``exp(-beta k) A^(k)`` is largest.
    beta : float

    See Also
    --------
    Median, sensitivity_profile
    """

    value: float
    argmax_k: int
    beta: float


def largest_discounted(levels: Floats, beta: float) -> SmoothSensitivity:
    """Return max_k exp(-beta k) A^(k), for A^(0), A^(1), ... in `levels`."""
    discounted = levels * np.exp(-beta * np.arange(levels.size))
    k = int(np.argmax(discounted))
    return SmoothSensitivity(float(discounted[k]), k, beta)


class WeightedRanks(NamedTuple):
    """A run of ranks with one weight, both ends included."""

    first: int
    last: int
    weight: int


_OF_DATA = {
    "exact_value",
    "value",
    "span",
    "sensitivity_at_distance",
    "smooth_sensitivity",
    "smooth_sensitivities",
    "distance_beyond",
    "local_sensitivity",
}
"""Methods of queries whose first argument is data."""

_OF_DOMAIN = {"exact_global_sensitivity", "global_sensitivity", "value_range"}
"""Methods of queries whose first argument is a domain."""

P = ParamSpec("P")
R = TypeVar("R")


def _reads_data(method: Callable[P, R]) -> Callable[P, R]:
    """Let a method take all data that mean the same, and refuse others in one line."""

    @functools.wraps(method)
    def reading(self: Any, data: Any, *given: Any, **named: Any) -> R:
        if getattr(data, "kind", None) != self.reads:
            data = as_data(data, self)
        return method(self, data, *given, **named)

    return reading  # type: ignore[return-value]


def _reads_domain(method: Callable[P, R]) -> Callable[P, R]:
    """Let a method take a pair of bounds for a domain."""

    @functools.wraps(method)
    def reading(self: Any, domain: Any, *given: Any, **named: Any) -> R:
        if type(domain) is not Interval:
            domain = as_domain(domain, self)
        return method(self, domain, *given, **named)

    return reading  # type: ignore[return-value]


class Query(Component, abc.ABC, Generic[DatabaseT], family="query"):
    """A function f of the data to release; `Median` is one.

    Attributes
    ----------
    reads : str
        The kind of data it reads: "column", "weighted-graph" …
    worst_cases : str
        The function that makes worst-case neighbours for an audit, as "package.module:name"; its arguments
        are those of `engine.audit.worst_case_pairs`.
    realises : str
        The function of query, data, k and progress that makes the neighbours that decide S*, in the same
        form; "" if unknown.
    neighbours : str
        The neighbouring relation: what one person's record is.
    is_whole : bool
        Whether f(x) is a whole number.
    decline : float
        The exponent p of S* = c / beta^p on ordinary data, by which `Automatic` chooses noise; 0 if S*
        is nearly constant.
    counts : bool
        Whether its values are numbers or shares of records, without the unit of the data.
    smooth_is_bound : bool
        Whether only upper bounds of A^(k) and S* are known.  Let U^(k) >= A^(k) with
        U^(k)(x) <= U^(k+1)(y) for all neighbours x and y, and U^(n) = GS if k ends at n.  Then
        S = max_k exp(-beta k) U^(k) is a beta-smooth upper bound, and its releases are as private.
    """

    reads: ClassVar[str] = "column"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_columns:pairs_of_columns"
    realises: ClassVar[str] = ""
    neighbours: ClassVar[str] = NEIGHBOURS
    is_whole: ClassVar[bool] = False
    decline: ClassVar[float] = 0.5
    counts: ClassVar[bool] = False
    smooth_is_bound: ClassVar[bool] = False
    inexact_distance: ClassVar[str] = ""  # why `distance_beyond` may be wrong; "" if it is exact
    many: ClassVar[int] = 100_000  # with more records, one S* is a long computation

    def __init_subclass__(cls, family: str = "", **facts: Any) -> None:
        super().__init_subclass__(family=family, **facts)
        for names, wrap in ((_OF_DATA, _reads_data), (_OF_DOMAIN, _reads_domain)):
            for name in names & set(vars(cls)):
                setattr(cls, name, wrap(vars(cls)[name]))

    if not TYPE_CHECKING:  # a type checker would accept any name

        def __getattr__(self, name: str) -> Any:
            if name in ("run", "release", "prepare"):
                own = f"AutoRelease(query={type(self).__name__}())"
                raise AttributeError(f"a query releases nothing; give a mechanism: {own}.run(data, privacy)")
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def explore(self, data: DatabaseT, progress: Progress = silent) -> None:
        """Compute the slow part of `exact_value`, if there is one, and store it with the data."""

    def follow(self, data: DatabaseT, before: DatabaseT, progress: Progress = silent) -> None:
        """Reuse results about `before`, the previous step of the same path, if that helps."""

    @abc.abstractmethod
    def exact_value(self, data: DatabaseT) -> Fraction:
        """Return f(x) without rounding, for a release."""

    @_reads_data
    def value(self, data: DatabaseT) -> float:
        """Return the double nearest to f(x)."""
        return float(self.exact_value(data))

    @abc.abstractmethod
    def exact_global_sensitivity(self, domain: Interval, n: int) -> Fraction:
        """Return GS without rounding; it depends on public facts only."""

    @_reads_domain
    def global_sensitivity(self, domain: Interval, n: int) -> float:
        """Return the double nearest to GS."""
        return float(self.exact_global_sensitivity(domain, n))

    @_reads_domain
    def value_range(self, domain: Interval, n: int) -> Interval:
        """Return the public range in which f(x) lies."""
        return domain

    def span(self, data: DatabaseT) -> tuple[float, float] | None:
        """Return the two values whose difference is f(x), or None (private)."""
        return None

    def weighted_ranks(self, n: int) -> tuple[WeightedRanks, ...]:
        """Return the ranks whose weighted sum, divided by `divisor`, is f(x); () if f is no such sum."""
        return ()

    def divisor(self, n: int) -> int:
        """Return the divisor of the weighted sum of values at ranks."""
        return 1

    def saturation(self, data: DatabaseT) -> int:
        """Return a distance from which on A^(k) is GS: at most the number of records (private)."""
        return data.records

    def error(self, n: int) -> float:
        """Return the relative error of a computed S* and A^(k) for n records (public)."""
        return ERROR

    @abc.abstractmethod
    def sensitivity_at_distance(self, data: DatabaseT, k_max: int, progress: Progress = silent) -> Floats:
        """Return A^(0), ..., A^(k_max), exactly, or bounds if `smooth_is_bound`."""

    @_reads_data
    def smooth_sensitivity(
        self, data: DatabaseT, beta: float, progress: Progress = silent
    ) -> SmoothSensitivity:
        """Return the exact S* for smoothness `beta` > 0, or a bound if `smooth_is_bound`.

        By default the largest of all ``exp(-beta k) A^(k)``; a query may have a faster way.
        """
        at_distance = self.sensitivity_at_distance(data, self.saturation(data), progress)
        return largest_discounted(at_distance, beta)

    @_reads_data
    def smooth_sensitivities(
        self, data: DatabaseT, betas: Sequence[float], progress: Progress = silent
    ) -> tuple[SmoothSensitivity, ...]:
        """Return `smooth_sensitivity` for each of `betas`; some queries share work between them."""
        steps = zip(betas, parts(len(betas), progress), strict=True)
        return tuple(self.smooth_sensitivity(data, beta, here_on) for beta, here_on in steps)

    @_reads_data
    def distance_beyond(
        self, data: DatabaseT, bound: float, farthest: int, progress: Progress = silent
    ) -> int:
        """Return min{k: A^(k) > bound}, or `farthest` if there is none below it."""
        k_max = min(31, farthest)
        while True:
            exceeding = np.flatnonzero(self.sensitivity_at_distance(data, k_max, progress) > bound)
            if exceeding.size:
                return int(exceeding[0])
            if k_max >= farthest:
                return farthest
            k_max = min(4 * k_max, farthest)

    @_reads_data
    def local_sensitivity(self, data: DatabaseT, progress: Progress = silent) -> float:
        """Return LS(x) = A^(0)(x)."""
        return float(self.sensitivity_at_distance(data, 0, progress)[0])

    def problem(self, domain: Interval, n: int) -> tuple[str, str] | None:
        """Return (field, message) if the query is impossible for n records, else None."""
        return None


QueryLike: TypeAlias = Query[Any] | type[Query[Any]] | str
"""Types that functions accept as a query: a query, its class or its name."""


def checked_query(query: QueryLike) -> Query[Any]:
    """Convert to a query."""
    made: Query[Any] = as_query(query)
    return made


FIRST_REACH = 64
"""The first search for S* covers this distance."""

SMALLEST = 2.0**-1000
"""An S* below this share of GS is the same as 0 in doubles."""

NEGLIGIBLE = 2.0**-40
"""No mechanism uses an S* below this share of GS."""


def check_beta(beta: float) -> None:
    """Raise `ParameterError` unless `beta` is a finite number above 0."""
    check_number("beta", beta)
    if not (math.isfinite(beta) and beta > 0):
        raise ParameterError("beta", f"{short(beta)} is not possible; it must be a finite number above 0")


def decisive_reach(largest: float, best: float, beta: float, share: float = SMALLEST) -> int:
    """Return the K with ``largest * exp(-beta k) <= best`` for all k >= K.

    Computed in logarithms, because the power underflows long before the answer.  A `best` below
    `share` of `largest` counts as that share.
    """
    return max(0, math.ceil(-math.log(max(best / largest, share)) / beta))


def paid(beta: float, error: float) -> tuple[float, float]:
    """Return the smoothness for computing S, and the factor that turns the result into a valid bound.

    The computed S has a relative error that depends on the data.  Multiplied by 1 + 2 error it is at least
    the exact S and exceeds it by at most 4 errors.  So its logarithm changes by up to 4 errors more between
    neighbours; a smaller smoothness covers this.  If the smoothness becomes 0, the global sensitivity,
    which is constant, takes its place.
    """
    return max(0.0, (beta - 4 * error) * (1 - 2.0**-50)), 1 + 2 * error
