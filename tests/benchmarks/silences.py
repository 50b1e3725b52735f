"""How long jobs of the window are silent, in processor time: for so long nothing cancels them.

What is imported meanwhile does not count: that happens once in a program, and cannot be cut.
"""

import contextlib
import functools
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from app.jobs.tasks import JobTask


class Silences:
    """The longest silence of each kind of job, and between which places of the program it was.

    Attributes
    ----------
    longest : dict of str to tuple
        By the name of the work: seconds, and the places before and after.
    """

    def __init__(self) -> None:
        self.longest: dict[str, tuple[float, str, str]] = {}
        self._here = threading.local()

    def heard(self, job: JobTask, place: str) -> None:
        """Count the time since the job was heard last in this thread."""
        now = time.thread_time()
        number, modules, last, before = getattr(self._here, "last", (None, 0, now, ""))
        name = _name(job.work)
        same = number == job.number and modules == len(sys.modules)
        if same and now - last > self.longest.get(name, (0.0,))[0]:
            self.longest[name] = now - last, before, place
        self._here.last = job.number, len(sys.modules), time.thread_time(), place

    def told(self, least: float) -> str:
        """Return a line for each that lasted longer than so many seconds, the longest first."""
        ordered = sorted(self.longest.items(), key=lambda item: -item[1][0])
        lines = [
            f"{one[0] * 1000:4.0f} ms {name}: {one[1]} … {one[2]}" for name, one in ordered if one[0] > least
        ]
        return "\n".join(lines)


def _name(work: Any) -> str:
    """Return what tells kinds of jobs apart."""
    kind = work.func if isinstance(work, functools.partial) else work
    return f"{kind.__module__}.{getattr(kind, '__qualname__', type(kind).__qualname__)}"


def _place() -> str:
    """Return who reports, without what hands reports on."""
    frame = sys._getframe(2)
    while frame.f_back is not None and (
        "progress" in frame.f_code.co_filename or frame.f_code.co_name == "__call__"
    ):
        frame = frame.f_back
    folder, _, file = frame.f_code.co_filename.rpartition("/")
    return f"{folder.rpartition('/')[2]}/{file}:{frame.f_lineno}"


@contextlib.contextmanager
def listening() -> Iterator[Silences]:
    """Listen to all jobs for a while."""
    silences = Silences()
    call, run = JobTask.__call__, JobTask.run

    def called(job: JobTask, fraction: float, message: str = "") -> None:
        silences.heard(job, _place())
        call(job, fraction, message)

    def begun(job: JobTask) -> Any:
        silences.heard(job, "begin")
        try:
            return run(job)
        finally:
            silences.heard(job, "end")

    JobTask.__call__, JobTask.run = called, begun  # type: ignore[method-assign]
    try:
        yield silences
    finally:
        JobTask.__call__, JobTask.run = call, run  # type: ignore[method-assign]
