"""Check free memory before large allocations: the system kills processes that take too much."""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import sys
from pathlib import Path

from engine.errors import SensiscopeError

CONTROL_GROUPS = Path("/sys/fs/cgroup")
"""Directory of Linux control groups, which limit containers."""


MODEST = 1e8
"""Allocations up to this many bytes are not checked."""


ROOM = 1 << 29
"""Bytes that the content of a file of any size may take."""

BYTES_PER_FILE_BYTE = 100
"""Additional bytes that the content may take for each byte of the file; real compressed tables take fewer."""


@dataclasses.dataclass(frozen=True)
class MemoryNeeded:
    """Approximate memory of a job beside its data, from public facts, and advice to reduce it."""

    size: float = 0.0
    remedy: str = "use a part of the records"

    def ask(self, job: str) -> None:
        """Raise `SensiscopeError`, on one line with the numbers, if that much is not free."""
        lack = lack_of_memory(self.size) if self.size > MODEST else ""
        if lack:
            raise SensiscopeError(f"{job}: {lack}; {self.remedy}")


def free_memory() -> int:
    """Return the bytes that this process may still allocate, given limits of machine and container."""
    import psutil

    machine = int(psutil.virtual_memory().available)
    process = psutil.Process()
    address_space = getattr(psutil, "RLIMIT_AS", None)  # the limit of `ulimit -v`, on Linux
    limit = process.rlimit(address_space)[0] if address_space is not None else -1
    own = [max(0, int(limit - process.memory_info().vms))] if limit >= 0 else []
    limits: list[int] = [machine, *own, *_free_in_groups(_own_group())]
    return min(limits)


def lack_of_memory(needed: float) -> str:
    """Return "" if this many bytes are free, otherwise a message with both numbers."""
    free = free_memory()
    if needed <= free:
        return ""
    return f"it needs about {size_in_words(needed)} of memory, and {size_in_words(free)} are free"


def growth_limit(size: float) -> float:
    """Return the most bytes that the content of a file of `size` bytes may take, even if more are free."""
    return ROOM + BYTES_PER_FILE_BYTE * size


def allowance(size: float) -> int:
    """Return the free bytes that the content of a file of `size` bytes may take."""
    return int(min(free_memory(), growth_limit(size)))


def lack_for(needed: float, size: float) -> str:
    """Return "" if the content of a file of `size` bytes may take this many bytes, otherwise a message."""
    if needed <= growth_limit(size):
        return lack_of_memory(needed) if needed > MODEST else ""
    limit = size_in_words(growth_limit(size))
    needs, packed = size_in_words(needed), size_in_words(size)
    return f"it needs about {needs} of memory, and a file of {packed} may take {limit}"


def size_in_words(count: float) -> str:
    if count < 1e6:
        return f"{max(1.0, count / 1e3):,.0f} kB"
    return f"{count / 1e9:,.1f} GB" if count >= 1e8 else f"{count / 1e6:,.0f} MB"


def _own_group() -> Path:
    """Return the directory of this process's control group."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return CONTROL_GROUPS
    own = next((line.removeprefix("0::") for line in lines if line.startswith("0::")), "/")
    return CONTROL_GROUPS / own.lstrip("/")


def _free_in_groups(group: Path) -> list[int]:
    """Return the free bytes within each limit of a control group and its parents."""
    around = [group, *(one for one in group.parents if one.is_relative_to(CONTROL_GROUPS))]
    return [free for one in around if (free := _free_in(one)) is not None]


def _free_in(group: Path) -> int | None:
    try:
        limit = (group / "memory.max").read_text().strip()
        taken = int((group / "memory.current").read_text())
        stated = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):
        return None  # no control group v2, or no limits here
    given_back = int(stated.get("inactive_file", 0))  # page cache, which the system releases when needed
    return None if limit == "max" else max(0, int(limit) - taken + given_back)


def give_back() -> None:
    """Return freed memory to the system, on platforms whose C library retains it."""
    trim = getattr(_library(), "malloc_trim", None)
    if trim is not None:
        trim(0)


@functools.cache
def _library() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if sys.platform == "linux" else None
