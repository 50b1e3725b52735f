"""How much memory is free: asked before much is taken, because the system ends whoever takes too much."""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import sys
from pathlib import Path

from engine.errors import SensiscopeError

GROUPS = Path("/sys/fs/cgroup")
"""Where Linux keeps the limits of groups of processes, such as containers."""


MODEST = 1e8
"""So many bytes are taken without asking."""


ROOM = 1 << 29
"""Bytes that the content of any file may take, however small the file is."""

GROWTH = 100
"""Bytes that it may take besides for each byte of the file: compressed tables of true records take fewer."""


@dataclasses.dataclass(frozen=True)
class MemoryNeeded:
    """About how many bytes a job takes beside its data, as public facts tell, and what takes less."""

    size: float = 0.0
    remedy: str = "use a part of the records"

    def ask(self, job: str) -> None:
        """Raise `SensiscopeError`, in one line with the numbers, if there is not as much."""
        lack = lack_of_memory(self.size) if self.size > MODEST else ""
        if lack:
            raise SensiscopeError(f"{job}: {lack}; {self.remedy}")


def free_memory() -> int:
    """Return how many bytes may still be taken on this machine, in this container, by this process."""
    import psutil

    machine = int(psutil.virtual_memory().available)
    process = psutil.Process()
    address_space = getattr(psutil, "RLIMIT_AS", None)  # what `ulimit -v` sets, on Linux
    limit = process.rlimit(address_space)[0] if address_space is not None else -1
    own = [max(0, int(limit - process.memory_info().vms))] if limit >= 0 else []
    limits: list[int] = [machine, *own, *_free_in_groups(_own_group())]
    return min(limits)


def lack_of_memory(needed: float) -> str:
    """Return "" if so many bytes are free, else what is needed and what there is, in words."""
    free = free_memory()
    if needed <= free:
        return ""
    return f"it needs about {size_in_words(needed)} of memory, and {size_in_words(free)} are free"


def growth_limit(size: float) -> float:
    """Return how many bytes the content of a file of `size` bytes may take, however many are free."""
    return ROOM + GROWTH * size


def allowance(size: float) -> int:
    """Return how many bytes the content of a file of `size` bytes may take of those that are free."""
    return int(min(free_memory(), growth_limit(size)))


def lack_for(needed: float, size: float) -> str:
    """Return "" if the content of a file of `size` bytes may take so many bytes, else both in words."""
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
    """Return the folder of the group that this process belongs to."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return GROUPS
    own = next((line.removeprefix("0::") for line in lines if line.startswith("0::")), "/")
    return GROUPS / own.lstrip("/")


def _free_in_groups(group: Path) -> list[int]:
    """Return what is free within each limit that a group, or one around it, has."""
    around = [group, *(one for one in group.parents if one.is_relative_to(GROUPS))]
    return [free for one in around if (free := _free_in(one)) is not None]


def _free_in(group: Path) -> int | None:
    try:
        limit = (group / "memory.max").read_text().strip()
        taken = int((group / "memory.current").read_text())
        stated = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):
        return None  # no group of this version, or no limits here
    given_back = int(stated.get("inactive_file", 0))  # copies of files, which the system drops when asked
    return None if limit == "max" else max(0, int(limit) - taken + given_back)


def give_back() -> None:
    """Hand what was freed back to the system, where the library of C keeps it."""
    trim = getattr(_library(), "malloc_trim", None)
    if trim is not None:
        trim(0)


@functools.cache
def _library() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if sys.platform == "linux" else None
