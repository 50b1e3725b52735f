"""Progress reports and cancellation of long computations."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

FoundT = TypeVar("FoundT")
ItemT = TypeVar("ItemT")
ProgressT = TypeVar("ProgressT", bound="Progress")

ITEMS_PER_REPORT = 1 << 12
"""Items between two reports, if each takes microseconds."""

Publish = Callable[[FoundT], None]
"""Receives intermediate results of a long computation."""


class Cancelled(Exception):
    """The user has cancelled; a `Progress` raises it within the computation.

    See Also
    --------
    SensiscopeError

    Examples
    --------
    A progress that stops the computation at its first call:

    >>> from engine import Interval, Median, Privacy, Sample, SmoothRelease, simulate
    >>> def stop(fraction, message=""):
    ...     raise Cancelled
    >>> data = Sample([1.0, 2.0, 3.0], Interval(0, 10))
    >>> try:
    ...     simulate(SmoothRelease(query=Median()), data, Privacy(1.0), runs=10, seed=1, progress=stop)
    ... except Cancelled:
    ...     print("stopped")
    stopped
    """


class Progress(Protocol):
    """Called by long computations about every 100 ms; raises `Cancelled` after the user cancels."""

    def __call__(self, fraction: float, message: str = "") -> None:
        """Report that `fraction` (0 to 1) of the work is done."""


def silent(fraction: float, message: str = "") -> None:
    """Report nothing."""


_here = threading.local()


def work_heard(work: Callable[[ProgressT], FoundT], progress: ProgressT) -> FoundT:
    """Run a function with a progress, which also receives the reports of reading files without their own."""
    before, _here.progress = heard(), progress
    try:
        return work(progress)
    finally:
        _here.progress = before


def heard() -> Progress:
    """Return the progress that receives reports of reading in this thread."""
    progress: Progress = getattr(_here, "progress", silent)
    return progress


def unpublished(result: Any) -> None:
    """Discard an intermediate result."""


def each(steps: int, progress: Progress, message: str = "") -> Iterator[Progress]:
    """Yield the progress of each of `steps` equal steps, and report the start of each."""
    for here in parts(steps, progress):
        here(0.0, message)
        yield here


def reporting(items: Iterable[ItemT], count: int, progress: Progress, message: str = "") -> Iterator[ItemT]:
    """Yield `count` items that take microseconds each, with a report after every few thousand."""
    for done, item in enumerate(items):
        if done % ITEMS_PER_REPORT == 0:
            progress(done / count, message)
        yield item


def parts(steps: int, progress: Progress) -> Iterator[Progress]:
    """Yield the progress of each of `steps` equal steps."""
    return (part(progress, done / steps, (done + 1) / steps) for done in range(steps))


def forwards(progress: Progress) -> Progress:
    """Report the largest fraction so far; parallel parts of the work may report smaller ones."""
    reached = 0.0

    def report(fraction: float, message: str = "") -> None:
        nonlocal reached
        reached = max(reached, fraction)
        progress(reached, message)

    return report


def part(progress: Progress, start: float, stop: float) -> Progress:
    """Map the progress of one step of a longer computation to ``[start, stop]``."""

    def report(fraction: float, message: str = "") -> None:
        progress(start + (stop - start) * fraction, message)

    return report
