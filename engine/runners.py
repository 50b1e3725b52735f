"""Run parallel work on local threads or on the workers of a cluster."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from engine.progress import Progress, heard, silent

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

FoundT = TypeVar("FoundT")

READERS = max(1, min(2, os.cpu_count() or 1))
"""Reading threads; more would only compete for disk and memory."""

CHECK_SECONDS = 0.05
"""Seconds between two checks for cancellation."""


@dataclasses.dataclass(frozen=True)
class Runner:
    """Runs tasks: `opened` returns a context manager of an executor.

    `width` is the useful number of simultaneous tasks; `cluster` is None for local threads.
    """

    opened: Callable[[], contextlib.AbstractContextManager[Executor]]
    width: int
    cluster: Any = None

    @property
    def is_elsewhere(self) -> bool:
        """Whether tasks run on other machines, or in a local cluster."""
        return self.cluster is not None


def _threads() -> contextlib.AbstractContextManager[Executor]:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(READERS)


THREADS = Runner(_threads, READERS)
_chosen = [THREADS]


def runner() -> Runner:
    """Return the current runner."""
    return _chosen[-1]


@contextlib.contextmanager
def running_on(another: Runner) -> Iterator[None]:
    """Use another runner within the context, in all threads."""
    _chosen.append(another)
    try:
        yield
    finally:
        _chosen.remove(another)


def in_order(
    tasks: Iterator[Future[FoundT]], width: int, count: int, progress: Progress, message: str
) -> Iterator[FoundT]:
    """Yield the results of tasks in order, `width` at a time; cancel the rest if the caller stops early."""
    from concurrent.futures import wait

    progress = heard() if progress is silent else progress
    waiting: deque[Future[FoundT]] = deque()
    done, more = 0, True
    try:
        while more or waiting:
            while more and len(waiting) <= width:
                task = next(tasks, None)
                more = task is not None
                if task is not None:
                    waiting.append(task)
            if waiting:
                while not wait([waiting[0]], CHECK_SECONDS).done:
                    progress(done / count, message)
                yield waiting.popleft().result()
                done += 1
                progress(done / count, message)
    finally:
        for task in waiting:
            task.cancel()


def waited(work: Callable[[], FoundT], progress: Progress, message: str = "") -> FoundT:
    """Run a function without progress reports in a thread; when cancelled, leave the thread to finish."""
    from concurrent.futures import ThreadPoolExecutor, wait

    thread = ThreadPoolExecutor(1)
    try:
        task = thread.submit(work)
        while not wait([task], CHECK_SECONDS).done:
            progress(0.0, message)
        return task.result()
    finally:
        thread.shutdown(wait=False)
