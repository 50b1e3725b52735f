"""Engine calls on worker threads: progress, cancel, errors; the newest request wins.

A `Channel` is one purpose ("curves", "read", "run"): it has at most one job alive and
one waiting, so that a slider dragged over a hundred values starts as many jobs as the
machine can finish, not a hundred.  Nothing here knows a widget, and a job never
touches one: whatever it has to say arrives as a signal on the window's thread.
"""

from __future__ import annotations

import dataclasses
import math
import os
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from app.jobs.drawing_priority import stand_aside
from app.jobs.eta import RemainingTime
from engine.errors import SensiscopeError
from engine.free_memory import give_back
from engine.progress import Cancelled, work_heard

PATIENCE = 0.15
"""Seconds that an outdated live job may still use: its picture is nearly the newest."""

LONG = 0.5
"""Seconds of a job after which memory that it freed is handed back to the system."""

STOPPED = "_DeadlockError"
"""What Python calls the error of an import that waits for another one, which waits for it."""

TRIES, PAUSE = 5, 0.1
"""How often a job begins anew after an import that another one has stopped, and the seconds before that."""

REPORTS = 0.05
"""Seconds between two reports of progress: the window has to deal with each of them."""


@dataclasses.dataclass(frozen=True)
class Failure:
    """What went wrong in a job: one line for the user, details to copy.

    `expected` is True for what a user can cause (`SensiscopeError`, a file that
    cannot be read) and False for an internal error.
    """

    message: str
    details: str
    expected: bool
    error: Exception

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Describe `error`, which is being handled."""
        details = "".join(traceback.format_exception(error))
        if isinstance(error, SensiscopeError):
            return cls(str(error), details, True, error)
        if isinstance(error, OSError):
            place = f"{error.filename}: " if error.filename else ""
            return cls(f"{place}{error.strerror or error}", details, True, error)
        if isinstance(error, MemoryError):
            return cls("there is not enough memory for this; try fewer records or runs", details, True, error)
        return cls(f"internal error: {type(error).__name__}: {error}", details, False, error)


@dataclasses.dataclass(frozen=True)
class JobProgress:
    """How far a job is, and the seconds left (None while it cannot be known)."""

    fraction: float
    message: str
    seconds_left: float | None


class JobTask:
    """What a job is given: the `engine.progress.Progress` of its work, and `publish`."""

    def __init__(self, number: int, work: Callable[[JobTask], Any], signals: _Signals) -> None:
        self.number = number
        self.work = work
        self.cancelled = False
        self.settled = False
        self.deadline: float | None = None
        self.started = time.monotonic()
        self._signals = signals
        self._reported = -math.inf
        self._pace = RemainingTime()

    def __call__(self, fraction: float, message: str = "") -> None:
        """Report progress; raise `Cancelled` when the result is not wanted any more."""
        stand_aside()
        now = time.monotonic()
        if self.cancelled or (self.deadline is not None and now > self.deadline):
            raise Cancelled
        if now - self._reported >= REPORTS:
            self._reported = now
            self._signals.progressed.emit(
                self.number, JobProgress(fraction, message, self._pace.left(fraction))
            )

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
        self._signals.published.emit(self.number, result)


class _Signals(QObject):
    """Carries what a worker has to say to the window's thread."""

    progressed = Signal(int, object)
    published = Signal(int, object)
    ended = Signal(int, object, object)


def _work(task: JobTask) -> Any:
    """Do the work of a job, which hears of all files that are read for it.

    Where two workers import parts of one library that need each other, Python lets one of them fail.  Its job
    begins anew, unless it has done what cannot be taken back.
    """
    for _ in range(TRIES):
        try:
            return work_heard(task.work, task)
        except RuntimeError as error:
            if task.settled or type(error).__name__ != STOPPED:
                raise
            time.sleep(PAUSE)
    return work_heard(task.work, task)


def _announce(task: JobTask, signals: _Signals, ended: Future[Any]) -> None:
    """Say, in the worker, how a job ended; whatever it is, the window must survive it."""
    error = ended.exception()
    if isinstance(error, Cancelled):
        task.cancelled = True
        signals.ended.emit(task.number, None, None)
    elif isinstance(error, Exception):
        signals.ended.emit(task.number, None, Failure.of(error))
    else:
        signals.ended.emit(task.number, ended.result(), None)
    if time.monotonic() - task.started > LONG:
        give_back()


class Channel(QObject):
    """One purpose of work; made by `Jobs.channel`.

    Signals
    -------
    result(object)
        What the work returned or published (None is not announced).
    failed(Failure), progressed(JobProgress), busy_changed(bool), cancelled()
    """

    result = Signal(object)
    failed = Signal(object)
    progressed = Signal(object)
    busy_changed = Signal(bool)
    cancelled = Signal()

    def __init__(self, pool: ThreadPoolExecutor, parent: QObject) -> None:
        super().__init__(parent)
        self._pool = pool
        self._signals = _Signals(self)
        self._signals.progressed.connect(self._on_progressed)
        self._signals.published.connect(self._on_published)
        # queued, since a job that has ended at once is announced in the thread that began it
        self._signals.ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)
        self.job: Future[Any] | None = None
        self._running: JobTask | None = None
        self._waiting: JobTask | None = None
        self._count = 0
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether a job is running or waiting."""
        return self._running is not None

    def request(self, work: Callable[[JobTask], Any], *, live: bool = False) -> None:
        """Run ``work(task)`` on a worker thread, instead of whatever ran or waited here.

        With `live` (a slider is being dragged) the job that runs may still finish
        within `PATIENCE` and be shown; otherwise its result is dropped.
        """
        if self._closed:
            return
        self._count += 1
        task = JobTask(self._count, work, self._signals)
        if self._running is None:
            self._start(task)
            self.busy_changed.emit(True)
            return
        if live:
            if self._running.deadline is None:
                self._running.deadline = self._running.started + PATIENCE
        else:
            self._running.cancelled = True
        self._waiting = task

    def cancel(self) -> None:
        """Stop what runs and forget what waits; nothing of it will be announced."""
        self._waiting = None
        if self._running is not None:
            self._running.cancelled = True

    def close(self) -> None:
        """Cancel, and take no more requests: their work would outlive the window."""
        self._closed = True
        self.cancel()

    def _start(self, task: JobTask) -> None:
        self._running = task
        task.started = time.monotonic()
        self.job = self._pool.submit(_work, task)
        self.job.add_done_callback(partial(_announce, task, self._signals))

    def _current(self, number: int) -> bool:
        running = self._running
        return running is not None and running.number == number and (running.settled or not running.cancelled)

    def _on_progressed(self, number: int, report: JobProgress) -> None:
        if self._current(number):
            self.progressed.emit(report)

    def _on_published(self, number: int, result: Any) -> None:
        if self._current(number):
            self.result.emit(result)

    def _on_ended(self, number: int, result: Any, failure: Failure | None) -> None:
        wanted = self._current(number)
        waiting, self._waiting, self._running, self.job = self._waiting, None, None, None
        if waiting is not None:
            self._start(waiting)
        if wanted and failure is not None:
            self.failed.emit(failure)
        elif wanted and result is not None:
            self.result.emit(result)
        elif not wanted and waiting is None:
            self.cancelled.emit()
        if self._running is None:
            self.busy_changed.emit(False)


class Jobs(QObject):
    """The pool of worker threads of one window, and its channels."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Python code in a worker must hand over quickly: at the default interval of 5 ms
        # a single redraw competes with it for a fifth of a second.
        sys.setswitchinterval(0.0005)
        self._pool = ThreadPoolExecutor(max(4, os.cpu_count() or 1), thread_name_prefix="window job")
        self._channels: dict[str, Channel] = {}

    def channel(self, purpose: str) -> Channel:
        """Return the channel of that purpose."""
        if purpose not in self._channels:
            self._channels[purpose] = Channel(self._pool, self)
        return self._channels[purpose]

    @property
    def busy(self) -> bool:
        """Whether any channel has work."""
        return any(channel.busy for channel in self._channels.values())

    def close(self) -> None:
        """Cancel everything and wait for the threads to leave, but for those that cannot stop soon."""
        for channel in self._channels.values():
            channel.close()
        wait([channel.job for channel in self._channels.values() if channel.job is not None], timeout=5)
        self._pool.shutdown(wait=False)

    def finish(self) -> None:
        """Wait until all threads have left, before what they work for is deleted."""
        self._pool.shutdown()
