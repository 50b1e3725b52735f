"""How long something takes."""

import dataclasses
import statistics
import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return the seconds that `work` takes, and what it returns."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Return the shortest of so many durations of `work`."""
    return min(timed(work)[0] for _ in range(repeats))


@dataclasses.dataclass(frozen=True)
class Durations:
    """CPU seconds of several runs of one thing, all threads together: what else is running does not count."""

    each: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one."""
        return statistics.median(self.each)

    def __str__(self) -> str:
        return f"{self.median:.3f} s ({min(self.each):.3f} to {max(self.each):.3f})"


def cpu_seconds(work: Callable[[], object], repeats: int = 5, *, warm: bool = True) -> Durations:
    """Return so many durations of `work` in CPU time, after one that does not count if `warm`."""
    durations = []
    for _ in range(repeats + warm):
        start = time.process_time()
        work()
        durations.append(time.process_time() - start)
    return Durations(tuple(durations[warm:]))
