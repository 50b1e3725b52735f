"""Sensitivity as users look at it: against k, against beta, along a path (all of it private)."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.arguments import as_data
from engine.array_types import Floats, Ints
from engine.data.database import WalkableT
from engine.errors import ParameterError
from engine.findings import Finding
from engine.privacy import NEIGHBOURS
from engine.progress import Progress, each, part, silent
from engine.queries.base import Query, QueryLike, check_beta, checked_query, decisive_reach
from engine.shown import ShownInALine
from engine.signatures import explained


@dataclasses.dataclass(frozen=True, repr=False)
class SensitivityProfile(ShownInALine):
    """The sensitivities of one query on one dataset (private), from `sensitivity_profile`."""

    n: int  # Number of records, or of vertices of a graph
    value: float  # f(x)
    beta: float  # Smoothness
    at_distance: Floats  # shape (K + 1,); A^(0), ..., A^(K)
    local: float  # LS = A^(0), S* and GS
    smooth: float
    global_: float
    argmax_k: int  # The distance that decides S*
    neighbours: str = NEIGHBOURS  # What changes in one step; as in `Query`
    bound: bool = False  # Whether A^(k), LS and S* are upper bounds, as `Query.smooth_is_bound` says

    def plot(self, axes: Any = None) -> Any:
        """Draw A^(k) against k on axes of matplotlib, or on new ones; return the axes."""
        from engine.plots import plot_profile

        return plot_profile(self, axes)

    def findings(self) -> Iterator[Finding]:
        sign = " <=" if self.bound else ""
        yield Finding("true value", self.value)
        yield Finding(f"local sensitivity{sign}", self.local)
        yield Finding(f"smooth sensitivity {smooth_name(self.bound)}", self.smooth)
        yield Finding("global sensitivity", self.global_, public=True)
        yield Finding(f"the k that decides {'S' if self.bound else 'S*'}", self.argmax_k)
        yield Finding(f"A^(0), A^(1), ...{sign}", self.at_distance)

    @property
    def discounted(self) -> Floats:
        """``exp(-beta k) A^(k)``, whose maximum over all k is S*."""
        discount: Floats = np.exp(-self.beta * np.arange(self.at_distance.size))
        return discount * self.at_distance


@dataclasses.dataclass(frozen=True, repr=False)
class SensitivitySweep(ShownInALine):
    """LS, S* and GS over a range of beta (private), from `sensitivity_sweep`."""

    betas: Floats  # shape (m,)
    local: float  # LS
    smooth: Floats  # shape (m,); S* for each beta
    global_: float  # GS
    neighbours: str = NEIGHBOURS  # As in `Query`
    bound: bool = False  # As in `SensitivityProfile`

    def plot(self, axes: Any = None) -> Any:
        """Draw the sensitivities against beta on axes of matplotlib, or on new ones; return the axes."""
        from engine.plots import plot_sweep

        return plot_sweep(self.betas, self, "beta", axes)


def smooth_name(bound: bool) -> str:
    """Return the name of S*, or of an upper bound."""
    return "S <=" if bound else "S*"


@explained
def sensitivity_profile(
    query: QueryLike,
    data: Any,
    beta: float,
    k_max: int | None = None,
    *,
    k_within: tuple[int, int] | None = None,
    progress: Progress = silent,
) -> SensitivityProfile:
    """Return the sensitivities of `query` on `data`.

    Parameters
    ----------
    query : Query
    data : Sample, WeightedGraph or SimpleGraph
        The data to read.
    beta : float
        Smoothness, above 0.
    k_max : int, optional
        Last distance of `at_distance`.  By default the first from which on ``exp(-beta k) GS`` is below S*,
        so that it covers the decisive one; at most the number of records, where A^(k) is GS.
    k_within : tuple of int, optional
        Limits of that default, for a picture that is neither empty nor slow: the cost grows with the
        square of the distance.
    progress : Progress

    Returns
    -------
    SensitivityProfile

    Raises
    ------
    ParameterError
        If beta is not above 0, or `k_max` is negative.

    See Also
    --------
    sensitivity_sweep, sensitivity_path, Median

    Examples
    --------
    The median of 1 to 10: one record moves it by 1, one more with each k.

    >>> from engine import Interval, Median, Sample
    >>> data = Sample(range(1, 11), Interval(0, 1000))
    >>> found = sensitivity_profile(Median(), data, beta=2.0, k_max=3)
    >>> found.at_distance.tolist(), found.smooth, found.global_
    ([1.0, 2.0, 3.0, 4.0], 1.0, 1000.0)
    """
    query = checked_query(query)
    data = as_data(data, query)
    check_beta(beta)
    if k_max is not None and k_max < 0:
        raise ParameterError("k_max", f"{k_max} is not possible; it must be a whole number at least 0")
    problem = query.problem(data.domain, data.n)
    if problem is not None:
        raise ParameterError(*problem)
    largest = query.global_sensitivity(data.domain, data.n)
    smooth = query.smooth_sensitivity(data, beta, part(progress, 0.0, 0.2))
    if k_max is None:
        reach = decisive_reach(largest, smooth.value, beta) + 1
        least, most = k_within or (0, reach)
        k_max = min(data.records, max(least, min(reach, most)))
    # no database is farther away
    reachable = min(k_max, data.records)
    at_distance = query.sensitivity_at_distance(data, reachable, part(progress, 0.2, 1.0))
    at_distance = np.pad(at_distance, (0, k_max - reachable), mode="edge")
    return SensitivityProfile(
        n=data.n,
        value=query.value(data),
        beta=beta,
        at_distance=at_distance,
        local=float(at_distance[0]),
        smooth=smooth.value,
        global_=largest,
        argmax_k=smooth.argmax_k,
        neighbours=query.neighbours,
        bound=query.smooth_is_bound,
    )


@explained
def sensitivity_sweep(
    query: QueryLike, data: Any, betas: ArrayLike, *, progress: Progress = silent
) -> SensitivitySweep:
    """Return LS, S* and GS for each of `betas`: when does smooth sensitivity pay?

    Parameters
    ----------
    query : Query
    data : Sample, WeightedGraph or SimpleGraph
    betas : array_like, shape (m,)
        Above 0.
    progress : Progress

    Returns
    -------
    SensitivitySweep

    See Also
    --------
    sensitivity_profile, sensitivity_against_epsilon

    Examples
    --------
    Small betas look far, to where the median can jump.

    >>> from engine import Interval, Median, Sample
    >>> data = Sample(range(1, 11), Interval(0, 1000))
    >>> found = sensitivity_sweep(Median(), data, betas=[0.5, 2.0])
    >>> found.smooth.round(1).tolist(), found.local, found.global_
    ([81.7, 1.0], 1.0, 1000.0)
    """
    query = checked_query(query)
    data = as_data(data, query)
    grid = np.asarray(betas, dtype=np.float64)
    results = query.smooth_sensitivities(data, grid.tolist(), part(progress, 0.0, 0.9))
    return SensitivitySweep(
        betas=grid,
        local=query.local_sensitivity(data, part(progress, 0.9, 1.0)),
        smooth=np.array([one.value for one in results]),
        global_=query.global_sensitivity(data.domain, data.n),
        neighbours=query.neighbours,
        bound=query.smooth_is_bound,
    )


LEAP_NEIGHBOURS = 60
"""Steps shown before and after a leap."""


@dataclasses.dataclass(frozen=True, repr=False)
class SensitivityPath(ShownInALine):
    """f, LS, S* and GS while x becomes y one record at a time (private), from `sensitivity_path`."""

    length: int  # Number of steps from x to y
    changed: Ints  # shape (steps,); How many records have been replaced
    value: Floats  # shape (steps,); f, LS and S* there
    local: Floats
    smooth: Floats
    global_: float  # GS, the same everywhere
    neighbours: str = NEIGHBOURS  # What changes in one step; as in `Query`
    bound: bool = False  # Whether LS and S* are upper bounds, as `Query.smooth_is_bound` says

    def plot(self, axes: Any = None) -> Any:
        """Draw local and smooth sensitivity on axes of matplotlib, or on new ones; return the axes."""
        from engine.plots import plot_path

        return plot_path(self, axes)

    def findings(self) -> Iterator[Finding]:
        yield Finding("records changed so far", self.changed)  # around the leap: where that is, data say
        yield Finding("value", self.value)
        yield Finding(f"local sensitivity{' <=' if self.bound else ''}", self.local)
        yield Finding(f"smooth sensitivity {smooth_name(self.bound)}", self.smooth)


@explained
def sensitivity_path(
    query: QueryLike,
    start: Any,
    end: Any,
    beta: float,
    steps: int = 101,
    *,
    within: tuple[int, int] | None = None,
    progress: Progress = silent,
) -> SensitivityPath:
    """Walk from `start` to `end`, replacing one record after the other.

    At most `steps` of the databases on the way, evenly spread, are evaluated.

    Parameters
    ----------
    query : Query
    start, end : Sample, WeightedGraph or SimpleGraph
        As many records each.
    beta : float
        Smoothness, above 0.
    steps : int
        How many databases to evaluate at most.
    within : (int, int), optional
        The first and the last number of records changed; by default 0 and all of them.
    progress : Progress

    Returns
    -------
    SensitivityPath

    Raises
    ------
    DataError
        If they differ in what is public and fixed, such as the number of records.

    See Also
    --------
    sensitivity_profile, sensitivity_along_path

    Examples
    --------
    From ten equal records to 1, ..., 10: the median is 1 until more than half have changed.

    >>> from engine import Interval, Median, Sample
    >>> start, end = (Sample(values, Interval(0, 1000)) for values in ([1] * 10, range(1, 11)))
    >>> found = sensitivity_path(Median(), start, end, beta=2.0)
    >>> found.length, found.value.tolist()
    (10, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    """
    query = checked_query(query)
    start, end = as_data(start, query), as_data(end, query)
    check_beta(beta)
    length = start.steps(end)
    first, last = within or (0, length)
    points = min(steps, last - first + 1)
    changed = np.unique(np.linspace(first, last, points).round().astype(np.int64))
    value, local, smooth = (np.empty(changed.size) for _ in range(3))
    before: Any = None
    for step, here_on in enumerate(each(changed.size, progress, "sensitivity along the path")):
        here = start.toward(end, int(changed[step]))
        if before is not None:
            query.follow(here, before, part(here_on, 0.0, 0.1))
        before = here
        query.explore(here, part(here_on, 0.1, 0.2))
        value[step] = query.value(here)
        smooth[step] = query.smooth_sensitivity(here, beta, part(here_on, 0.2, 0.9)).value
        local[step] = query.local_sensitivity(here, part(here_on, 0.9, 1.0))  # mostly known by now
    return SensitivityPath(
        length=length,
        changed=changed,
        value=value,
        local=local,
        smooth=smooth,
        global_=query.global_sensitivity(start.domain, start.n),
        neighbours=query.neighbours,
        bound=query.smooth_is_bound,
    )


def largest_leap(
    query: Query[WalkableT], start: WalkableT, end: WalkableT, steps: int, *, progress: Progress = silent
) -> int | None:
    """Return the number of records changed before the farthest leap of LS (private); None without one.

    Of at most `steps` databases, evenly spread, the two neighbouring ones are taken that differ most,
    and the path between them is halved until one step is left: a leap that is undone before the next
    of these databases is not found.
    """
    length = start.steps(end)
    counts = np.unique(np.linspace(0, length, min(steps, length + 1)).round().astype(np.int64)).tolist()
    halvings = int(np.diff(counts).max(initial=1)).bit_length()
    looks = each(len(counts) + halvings, progress, "where the local sensitivity leaps")

    @functools.cache
    def local(count: int) -> float:
        return query.local_sensitivity(start.toward(end, count), next(looks))

    leaps = np.abs(np.diff([local(count) for count in counts]))
    if not leaps.any():
        return None
    index = int(leaps.argmax())
    low, high = counts[index], counts[index + 1]
    while high - low > 1:
        middle = (low + high) // 2
        first, second = abs(local(middle) - local(low)), abs(local(high) - local(middle))
        low, high = (low, middle) if first >= second else (middle, high)
    return int(low)


def around_leap(
    query: Query[WalkableT], start: WalkableT, end: WalkableT, steps: int, *, progress: Progress = silent
) -> tuple[int, int]:
    """Return the first and the last step to look at: near the farthest leap, or all if there is none."""
    length = start.steps(end)
    leap = (
        None if length <= 2 * LEAP_NEIGHBOURS else largest_leap(query, start, end, steps, progress=progress)
    )
    if leap is None:
        return 0, length
    first = min(max(0, leap - LEAP_NEIGHBOURS), length - 2 * LEAP_NEIGHBOURS)
    return first, first + 2 * LEAP_NEIGHBOURS
