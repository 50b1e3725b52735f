"""Sensitivities along a path of neighbouring databases, and where the local one leaps farthest."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.database import WalkableT
from engine.findings import Finding
from engine.privacy import NEIGHBOURS
from engine.progress import Progress, each, part, silent
from engine.queries.base import Query
from engine.queries.profile import smooth_name
from engine.shown import ShownInALine

NEAR = 60
"""Steps before and after a leap that are looked at."""


@dataclasses.dataclass(frozen=True, repr=False)
class SensitivityPath(ShownInALine):
    """f, LS, S* and GS while x becomes y one record at a time (private), from `sensitivity_path`.

    Attributes
    ----------
    length : int
        Number of steps from x to y.
    changed : ndarray of int, shape (steps,)
        How many records have been replaced.
    value, local, smooth : ndarray, shape (steps,)
        f, LS and S* there.
    global_ : float
        GS, the same everywhere.
    neighbours : str
        What changes in one step; as in `Query`.
    bound : bool
        Whether LS and S* are upper bounds, as `Query.smooth_is_bound` says.
    """

    length: int
    changed: Ints
    value: Floats
    local: Floats
    smooth: Floats
    global_: float
    neighbours: str = NEIGHBOURS
    bound: bool = False

    def findings(self) -> Iterator[Finding]:
        """Yield value and sensitivities at each step."""
        yield Finding("records changed so far", self.changed)  # around the leap: where that is, data say
        yield Finding("value", self.value)
        yield Finding(f"local sensitivity{' <=' if self.bound else ''}", self.local)
        yield Finding(f"smooth sensitivity {smooth_name(self.bound)}", self.smooth)


def sensitivity_path(
    query: Query[WalkableT],
    start: WalkableT,
    end: WalkableT,
    beta: float,
    steps: int = 101,
    progress: Progress = silent,
    *,
    within: tuple[int, int] | None = None,
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
    progress : Progress
    within : (int, int), optional
        The first and the last number of records changed; by default 0 and all of them.

    Returns
    -------
    SensitivityPath

    Raises
    ------
    DataError
        If they differ in what is public and fixed, such as the number of records.

    Examples
    --------
    From ten equal records to 1, ..., 10: the median is 1 until more than half have changed.

    >>> from engine import Interval, Median, Sample
    >>> start, end = (Sample(values, Interval(0, 1000)) for values in ([1] * 10, range(1, 11)))
    >>> found = sensitivity_path(Median(), start, end, beta=2.0)
    >>> found.length, found.value.tolist()
    (10, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    """
    length = start.steps(end)
    first, last = within or (0, length)
    points = min(steps, last - first + 1)
    changed = np.unique(np.linspace(first, last, points).round().astype(np.int64))
    value, local, smooth = (np.empty(changed.size) for _ in range(3))
    before: WalkableT | None = None
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
    query: Query[WalkableT], start: WalkableT, end: WalkableT, steps: int, progress: Progress = silent
) -> int | None:
    """Return the number of records changed before the farthest leap of LS (private).

    Of at most `steps` databases, evenly spread, the two neighbouring ones are taken that differ most,
    and the path between them is halved until one step is left: a leap that is undone before the next
    of these databases is not found.

    Parameters
    ----------
    query : Query
    start, end : Sample, WeightedGraph or SimpleGraph
    steps : int
    progress : Progress

    Returns
    -------
    int or None
        None if LS is the same in all databases that were looked at.
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
    query: Query[WalkableT], start: WalkableT, end: WalkableT, steps: int, progress: Progress = silent
) -> tuple[int, int]:
    """Return the first and the last step to look at: near the farthest leap, or all if there is none."""
    length = start.steps(end)
    leap = None if length <= 2 * NEAR else largest_leap(query, start, end, steps, progress)
    if leap is None:
        return 0, length
    first = min(max(0, leap - NEAR), length - 2 * NEAR)
    return first, first + 2 * NEAR
