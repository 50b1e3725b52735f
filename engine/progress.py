"""How long work reports to whoever waits for it, and how it is stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

FoundT = TypeVar("FoundT")
ItemT = TypeVar("ItemT")
ProgressT = TypeVar("ProgressT", bound="Progress")

MANY = 1 << 12
"""Items of microseconds between two reports."""

Publish = Callable[[FoundT], None]
"""Takes what long work has found so far."""


class Cancelled(Exception):
    """The user has had enough; raised by a `Progress` out of the work itself.

    Examples
    --------
    A progress that stops the work when it is first called:

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
    """What long work calls every 100 ms or so; it raises `Cancelled` once the user asked to stop."""

    def __call__(self, fraction: float, message: str = "") -> None:
        """Report that `fraction` (0 to 1) of the work is done."""


def silent(fraction: float, message: str = "") -> None:
    """Report nothing."""


_here = threading.local()


def work_heard(work: Callable[[ProgressT], FoundT], progress: ProgressT) -> FoundT:
    """Do work that reports to a progress; what reads files for it, and was given none, reports to it too."""
    before, _here.progress = heard(), progress
    try:
        return work(progress)
    finally:
        _here.progress = before


def heard() -> Progress:
    """Return what hears of reading in this thread."""
    progress: Progress = getattr(_here, "progress", silent)
    return progress


def unpublished(result: Any) -> None:
    """Publish nothing of what is found on the way."""


def each(steps: int, progress: Progress, message: str = "") -> Iterator[Progress]:
    """Yield the progress of each of so many equal steps, one after the other, and report its start."""
    for here in parts(steps, progress):
        here(0.0, message)
        yield here


def reporting(items: Iterable[ItemT], count: int, progress: Progress, message: str = "") -> Iterator[ItemT]:
    """Yield items, `count` of them, of which each takes microseconds, and report after some thousands."""
    for done, item in enumerate(items):
        if done % MANY == 0:
            progress(done / count, message)
        yield item


def parts(steps: int, progress: Progress) -> Iterator[Progress]:
    """Yield the progress of each of so many equal steps."""
    return (part(progress, done / steps, (done + 1) / steps) for done in range(steps))


def forwards(progress: Progress) -> Progress:
    """Report the largest fraction so far, whatever parts of the work say at the same time."""
    reached = 0.0

    def report(fraction: float, message: str = "") -> None:
        nonlocal reached
        reached = max(reached, fraction)
        progress(reached, message)

    return report


def part(progress: Progress, start: float, stop: float) -> Progress:
    """Map the progress of one step of a longer piece of work to ``[start, stop]``."""

    def report(fraction: float, message: str = "") -> None:
        progress(start + (stop - start) * fraction, message)

    return report
