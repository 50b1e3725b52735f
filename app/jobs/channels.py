"""Engine calls on worker threads: progress, cancellation and errors; the newest request wins.

Workers touch no widgets: their results arrive as signals on the window's thread.
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

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance

from app.jobs.tasks import JobProgress, JobTask
from engine.errors import SensiscopeError
from engine.free_memory import give_back
from engine.progress import Cancelled

MAX_STALE_SECONDS = 0.15
"""Seconds for which an outdated live job may go on: its picture is nearly up to date."""

Slot = Callable[..., object] | SignalInstance
"""Receives what a signal emits."""

LONG = 0.5
"""Seconds after which a job's freed memory is returned to the system."""


@dataclasses.dataclass(frozen=True)
class Failure:
    """An error in a job: one line for the user, and details to copy.

    `expected` is True for errors that a user can cause (`SensiscopeError`, an unreadable file) and False for
    internal errors. `message` may be shared; `curator_text` and `details` may contain values of records.
    """

    message: str
    curator_text: str
    details: str
    expected: bool
    error: Exception

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Describe `error` while it is being handled."""
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
        text = f"internal error: {type(error).__name__}"  # its message may contain values of records
        return cls(text, f"{text}: {error}", details, False, error)


class _Signals(QObject):
    """Signals from a worker to the window's thread."""

    progressed = Signal(int, object)
    published = Signal(int, object)
    ended = Signal(int, object, object)


def _announce(task: JobTask, signals: _Signals, ended: Future[Any]) -> None:
    """Emit the end of a job from the worker; no error may end the window."""
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
    """Jobs for one purpose ("curves", "read", "run"); made by `Jobs.channel`.

    At most one job runs and one waits, so that dragging a slider starts only as many jobs as can finish.
    """

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
        # queued, since a job that ends at once emits its signal in the thread that started it
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
        """Run ``work(task)`` on a worker thread, and replace all earlier work of this channel.

        With `live` (a slider is being dragged) the running job may finish within `MAX_STALE_SECONDS` and show
        its result; otherwise its result is dropped.
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
                self._running.deadline = self._running.started + MAX_STALE_SECONDS
        else:
            self._running.cancelled = True
        self._waiting = task

    def cancel(self) -> None:
        """Stop the running job and drop the waiting one; neither emits any more signals."""
        self._waiting = None
        if self._running is not None:
            self._running.cancelled = True

    def close(self) -> None:
        """Cancel, and accept no more requests: their work would outlive the window."""
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

    progressed = Signal(object)  # JobProgress of any channel

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Python code in a worker must yield quickly: at the default interval of 5 ms, a redraw
        # competes with it for a fifth of a second.
        sys.setswitchinterval(0.0005)
        self._pool = ThreadPoolExecutor(max(4, os.cpu_count() or 1), thread_name_prefix="window job")
        self._channels: dict[str, Channel] = {}

    def channel(self, purpose: str, result: Slot | None = None, failed: Slot | None = None) -> Channel:
        """Return the channel of that purpose; its results and failures go to these slots or signals."""
        if purpose not in self._channels:
            self._channels[purpose] = Channel(self._pool, self)
            self._channels[purpose].progressed.connect(self.progressed)
        channel = self._channels[purpose]
        if result is not None:
            channel.result.connect(result)
        if failed is not None:
            channel.failed.connect(failed)
        return channel

    @property
    def busy(self) -> bool:
        return any(channel.busy for channel in self._channels.values())

    def close(self) -> None:
        """Cancel everything and wait for the threads, except those that cannot stop soon."""
        for channel in self._channels.values():
            channel.close()
        wait([channel.job for channel in self._channels.values() if channel.job is not None], timeout=5)
        self._pool.shutdown(wait=False)

    def finish(self) -> None:
        """Wait for all threads, before the objects that they use are deleted."""
        self._pool.shutdown()
