"""A job in its worker: progress, remaining time, and pauses while the window draws.

A busy worker makes a redraw two to three times slower, so it pauses at each report of progress.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from engine.progress import Cancelled, work_heard

STOPPED = "_DeadlockError"
"""Python's name for the error of two imports that wait for each other."""

TRIES, PAUSE = 5, 0.1
"""Number of retries after such an import error, and the pause before each in seconds."""

REPORTS = 0.05
"""Seconds between two reports of progress: the window handles each of them."""

IDLE_SECONDS = 0.1
"""Longest pause of a worker in seconds: an endless redraw must not stop everything."""

WINDOW = 5.0
"""Seconds of recent progress used for the estimate: steps of long jobs differ in pace."""

LOOK = 0.3
"""Seconds before the first estimate of the remaining time."""

_idle = threading.Event()
_idle.set()


@contextlib.contextmanager
def hold_workers() -> Iterator[None]:
    """Pause workers while the window's thread is busy."""
    outermost = _idle.is_set()
    _idle.clear()
    try:
        yield
    finally:
        if outermost:
            _idle.set()


def wait_for_window() -> None:
    """Wait in a worker until the window has drawn."""
    _idle.wait(IDLE_SECONDS)


class RemainingTime:
    """Estimates the remaining seconds from recent progress.

    `clock`: returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, float]] = deque()

    def left(self, fraction: float) -> float | None:
        """Record the fraction done; return the remaining seconds, None while unknown."""
        now = self._clock()
        if self._seen and fraction < self._seen[-1][1]:  # the work has started again
            self._seen.clear()
        self._seen.append((now, fraction))
        while len(self._seen) > 2 and now - self._seen[1][0] >= WINDOW:
            self._seen.popleft()
        then, before = self._seen[0]
        if now - then < LOOK or fraction <= before:
            return None
        return (1.0 - fraction) * (now - then) / (fraction - before)


@dataclasses.dataclass(frozen=True)
class JobProgress:
    """Progress of a job, and the remaining seconds (None while unknown)."""

    fraction: float
    message: str
    seconds_left: float | None


class JobTask:
    """The argument of a job: reports progress as `engine.progress.Progress`, and has `publish`.

    `work`: takes this object. `progressed`, `published`: take the job's number, and a report or result for
    the window's thread.
    """

    def __init__(
        self,
        number: int,
        work: Callable[[JobTask], Any],
        progressed: Callable[[int, JobProgress], None],
        published: Callable[[int, Any], None],
    ) -> None:
        self.number = number
        self.work = work
        self.cancelled = False
        self.settled = False
        self.deadline: float | None = None
        self.started = time.monotonic()
        self._progressed, self._published = progressed, published
        self._reported = -math.inf
        self._pace = RemainingTime()

    def __call__(self, fraction: float, message: str = "") -> None:
        """Report progress; raise `Cancelled` if the result is no longer wanted."""
        wait_for_window()
        now = time.monotonic()
        if self.cancelled or (self.deadline is not None and now > self.deadline):
            raise Cancelled
        if now - self._reported >= REPORTS:
            self._reported = now
            self._progressed(self.number, JobProgress(fraction, message, self._pace.left(fraction)))

    def settle(self) -> None:
        """Make the job immune to later cancellation; raise `Cancelled` if it is too late.

        For work that cannot be undone: the window must not call it stopped.
        """
        self.settled = True
        # in this order: a concurrent cancellation is noticed either here or not at all
        if self.cancelled:
            self.settled = False
            raise Cancelled

    def publish(self, result: Any) -> None:
        if self.cancelled:
            raise Cancelled
        self._published(self.number, result)

    def run(self) -> Any:
        """Do the work; file readers report their progress to this task.

        If two workers import parts of one library that need each other, Python lets one import fail. That job
        starts again, unless it has done something that cannot be undone.
        """
        for _ in range(TRIES):
            try:
                return work_heard(self.work, self)
            except RuntimeError as error:
                if self.settled or type(error).__name__ != STOPPED:
                    raise
                time.sleep(PAUSE)
                _rejoin(str(error))
        return work_heard(self.work, self)


def _rejoin(said: str) -> None:
    """Attach imported submodules to the packages of the library that an error names.

    After a failed import of a package, its submodules stay in ``sys.modules``. The next import makes a new
    package without these attributes: ``matplotlib.colors`` would stay missing.
    """
    named = re.search(r"_ModuleLock\('(\w+)", said)
    if named is None:
        return
    library = f"{named[1]}."
    for name, module in list(sys.modules.items()):  # a copy: other threads go on importing
        package, _, part = name.rpartition(".")
        whole = sys.modules.get(package)
        if name.startswith(library) and whole is not None and part not in vars(whole):
            setattr(whole, part, module)
