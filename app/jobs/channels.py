"""Engine calls on worker threads: progress, cancel, errors; the newest request wins.

A `Channel` is one purpose ("curves", "read", "run"): it has at most one job alive and
one waiting, so that a slider dragged over a hundred values starts as many jobs as the
machine can finish, not a hundred.  Nothing here knows a widget, and a job never
touches one: whatever it has to say arrives as a signal on the window's thread.
"""

from __future__ import annotations

import dataclasses
import os
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from app.jobs.tasks import JobProgress, JobTask
from engine.errors import SensiscopeError
from engine.free_memory import give_back
from engine.progress import Cancelled

PATIENCE = 0.15
"""Seconds that an outdated live job may still use: its picture is nearly the newest."""

LONG = 0.5
"""Seconds of a job after which memory that it freed is handed back to the system."""


@dataclasses.dataclass(frozen=True)
class Failure:
    """What went wrong in a job: one line for the user, details to copy.

    `expected` is True for what a user can cause (`SensiscopeError`, a file that
    cannot be read) and False for an internal error.  `message` may be shared;
    `curator_text` and `details` may show what records hold.
    """

    message: str
    curator_text: str
    details: str
    expected: bool
    error: Exception

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Describe `error`, which is being handled."""
        details = "".join(traceback.format_exception(error))
        if isinstance(error, SensiscopeError):
            return cls(str(error), error.curator_text, details, True, error)
        if isinstance(error, OSError):
            text = f"{error.filename}: " if error.filename else ""
            text += error.strerror or str(error)
            return cls(text, text, details, True, error)
        if isinstance(error, MemoryError):
            text = "there is not enough memory for this; try fewer records or runs"
            return cls(text, text, details, True, error)
        text = f"internal error: {type(error).__name__}"  # its message may hold a cell
        return cls(text, f"{text}: {error}", details, False, error)


class _Signals(QObject):
    """Carries what a worker has to say to the window's thread."""

    progressed = Signal(int, object)
    published = Signal(int, object)
    ended = Signal(int, object, object)


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
    """One purpose of work; made by `Jobs.channel`."""

    result = Signal(object)  # the work returned or published it (None is not announced)
    failed = Signal(object)  # Failure
    progressed = Signal(object)  # JobProgress
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
        signals = self._signals
        task = JobTask(self._count, work, signals.progressed.emit, signals.published.emit)
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
        self.job = self._pool.submit(task.run)
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
