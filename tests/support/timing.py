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


def cpu_timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return the CPU seconds that `work` takes, all threads together, and what it returns."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


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
    return Durations(tuple(cpu_timed(work)[0] for _ in range(repeats + warm))[warm:])


def in_turn(*works: Callable[[], object], repeats: int = 5) -> tuple[Durations, ...]:
    """Return so many durations of each, taken in turn, after one of each that does not count.

    What else the machine does then slows all of them alike, so that ratios can be trusted.
    """
    rounds = [tuple(cpu_timed(work)[0] for work in works) for _ in range(repeats + 1)]
    return tuple(map(Durations, zip(*rounds[1:], strict=True)))
