"""Measures how much the window stalls: how late a 10 ms timer fires, how long a turn of its loop takes."""

import time
from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

INTERVAL_MS = 10


class Lateness:
    """Collects the lateness of a timer, in milliseconds, between `start` and `stop`."""

    def __init__(self) -> None:
        self.late_ms: list[float] = []
        self._clock = QElapsedTimer()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self._on_timeout)

    def start(self) -> None:
        """Forget what was measured, and measure."""
        self.late_ms.clear()
        self._clock.start()
        self._timer.start()

    def stop(self) -> float:
        """Stop, and return the largest lateness."""
        self._timer.stop()
        return self.worst

    @property
    def worst(self) -> float:
        """The largest lateness so far."""
        return max(self.late_ms, default=0.0)

    def pump(self, seconds: float) -> None:
        """Let the window live for a while."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
            time.sleep(0.0005)

    def _on_timeout(self) -> None:
        self.late_ms.append(max(0.0, self._clock.nsecsElapsed() / 1e6 - INTERVAL_MS))
        self._clock.start()


class Turns:
    """The durations of the event loop's turns: what the window's thread is busy with.

    `busy` are the processor times of the same turns: on a machine that does other work,
    too, a turn takes longer than the thread is busy.
    """

    def __init__(self) -> None:
        self.milliseconds: list[float] = []
        self.busy: list[float] = []

    def __str__(self) -> str:
        """Say how long the longest turn took, and how much of it was work."""
        return f"longest turn {max(self.milliseconds):.1f} ms, at most {max(self.busy):.1f} ms busy"

    def until(self, done: Callable[[], bool], timeout: float = 120.0) -> None:
        """Let the window live until something is done."""
        deadline = time.monotonic() + timeout
        while not done():
            assert time.monotonic() < deadline
            start, work = time.perf_counter(), time.thread_time()
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
            self.milliseconds.append((time.perf_counter() - start) * 1e3)
            self.busy.append((time.thread_time() - work) * 1e3)
            time.sleep(0.0005)
