"""How long something takes."""

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
