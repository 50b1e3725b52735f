"""A job as its worker sees it: how far it is, how long it will still take, and when it stands aside.

Worker and window both want the interpreter, which serves one thread at a time: a redraw that takes 30 ms
alone takes two to three times as long beside a busy worker, and users feel only one of the two.  A worker
looks up whenever it reports progress.
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
"""What Python calls the error of an import that waits for another one, which waits for it."""

TRIES, PAUSE = 5, 0.1
"""How often a job begins anew after an import that another one has stopped, and the seconds before that."""

REPORTS = 0.05
"""Seconds between two reports of progress: the window has to deal with each of them."""

PATIENCE = 0.1
"""Seconds that a worker waits at most: a drawing that never ends must not stop everything."""

WINDOW = 5.0
"""Seconds that count for it: the steps of longer work differ in pace, and the last one tells most."""

LOOK = 0.3
"""Seconds to look before the first guess of what remains."""

_idle = threading.Event()
_idle.set()


@contextlib.contextmanager
def hold_workers() -> Iterator[None]:
    """Let workers wait while the window's thread does something."""
    outermost = _idle.is_set()
    _idle.clear()
    try:
        yield
    finally:
        if outermost:
            _idle.set()


def wait_for_window() -> None:
    """Wait, in a worker, until the window has drawn."""
    _idle.wait(PATIENCE)


class RemainingTime:
    """Guesses the seconds left from the progress of the last seconds.

    `clock`: returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, float]] = deque()

    def left(self, fraction: float) -> float | None:
        """Note that `fraction` is done; return the seconds left, None while it cannot be known."""
        now = self._clock()
        if self._seen and fraction < self._seen[-1][1]:  # the work has begun anew
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
    """How far a job is, and the seconds left (None while it cannot be known)."""

    fraction: float
    message: str
    seconds_left: float | None


class JobTask:
    """What a job is given: the `engine.progress.Progress` of its work, and `publish`.

    `work`: takes this. `progressed`, `published`: take the number, and what the worker has to say to the
    window's thread.
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
        """Report progress; raise `Cancelled` when the result is not wanted any more."""
        wait_for_window()
        now = time.monotonic()
        if self.cancelled or (self.deadline is not None and now > self.deadline):
            raise Cancelled
        if now - self._reported >= REPORTS:
            self._reported = now
            self._progressed(self.number, JobProgress(fraction, message, self._pace.left(fraction)))

    def settle(self) -> None:
        """Have the result announced whatever is cancelled from now on; `Cancelled` where it is too late.

        For work that cannot be taken back: what was done is never said to have been stopped.
        """
        self.settled = True
        # in this order: whoever cancels at this moment is either heard here, or not at all
        if self.cancelled:
            self.settled = False
            raise Cancelled

    def publish(self, result: Any) -> None:
        """Show a part of the result before the rest of it is ready."""
        if self.cancelled:
            raise Cancelled
        self._published(self.number, result)

    def run(self) -> Any:
        """Do the work, which hears of all files that are read for it.

        Where two workers import parts of one library that need each other, Python lets one of them fail.
        Its job begins anew, unless it has done what cannot be taken back.
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
    """Let the packages of the library that an error names have their parts again.

    Where a package cannot be imported, the parts that it has imported by then stay, and Python does not make
    them known to the package that the next import makes: ``matplotlib.colors`` would be missing for good.
    """
    named = re.search(r"_ModuleLock\('(\w+)", said)
    if named is None:
        return
    library = f"{named[1]}."
    for name, module in list(sys.modules.items()):  # at once: others go on importing
        package, _, part = name.rpartition(".")
        whole = sys.modules.get(package)
        if name.startswith(library) and whole is not None and part not in vars(whole):
            setattr(whole, part, module)
