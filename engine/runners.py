"""What runs work that can be done side by side: threads here, or the workers of a cluster."""

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
"""Threads that read; more of them wait for the disk and for memory."""

PATIENCE = 0.05
"""Seconds between two looks at whether the work is to be stopped."""


@dataclasses.dataclass(frozen=True)
class Runner:
    """What runs tasks: `opened` returns a context manager of an executor.

    So many tasks as `width` are worth handing over at once; `cluster` is None for threads here.
    """

    opened: Callable[[], contextlib.AbstractContextManager[Executor]]
    width: int
    cluster: Any = None

    @property
    def is_elsewhere(self) -> bool:
        """Whether these are other machines, or as if they were."""
        return self.cluster is not None


def _threads() -> contextlib.AbstractContextManager[Executor]:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(READERS)


THREADS = Runner(_threads, READERS)
_chosen = [THREADS]


def runner() -> Runner:
    """Return what runs tasks now."""
    return _chosen[-1]


@contextlib.contextmanager
def running_on(another: Runner) -> Iterator[None]:
    """Let another runner do what comes meanwhile, in all threads."""
    _chosen.append(another)
    try:
        yield
    finally:
        _chosen.remove(another)


def in_order(
    tasks: Iterator[Future[FoundT]], width: int, count: int, progress: Progress, message: str
) -> Iterator[FoundT]:
    """Yield the results of tasks, so many of which are under way; they are called off where it ends early."""
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
                while not wait([waiting[0]], PATIENCE).done:
                    progress(done / count, message)
                yield waiting.popleft().result()
                done += 1
                progress(done / count, message)
    finally:
        for task in waiting:
            task.cancel()


def waited(work: Callable[[], FoundT], progress: Progress, message: str = "") -> FoundT:
    """Return what work in a thread returns that reports nothing itself; stopped, it is left to its end."""
    from concurrent.futures import ThreadPoolExecutor, wait

    thread = ThreadPoolExecutor(1)
    try:
        task = thread.submit(work)
        while not wait([task], PATIENCE).done:
            progress(0.0, message)
        return task.result()
    finally:
        thread.shutdown(wait=False)
