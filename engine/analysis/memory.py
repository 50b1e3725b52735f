"""A cache of results about a database, which lives as long as the database."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from engine.mechanisms.base import Mechanism
from engine.privacy import Privacy

MAX_ENTRIES = 64
"""Largest number of cached results per database."""

FoundT = TypeVar("FoundT")

_ATTRIBUTE = "_memory"


class _Memory:
    """Cached results about one database, stored in the database itself."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.findings: OrderedDict[Hashable, Any] = OrderedDict()

    def __reduce__(self) -> tuple[type[_Memory], tuple[()]]:
        """Pickle as an empty cache."""
        return _Memory, ()


_lock = threading.Lock()


def remembered(data: Any, key: Hashable, work: Callable[[], FoundT], most: int = MAX_ENTRIES) -> FoundT:
    """Return the cached result for `data` and `key`, or compute it with ``work()``."""
    memory = _memory_of(data)
    with memory.lock:
        if key in memory.findings:
            memory.findings.move_to_end(key)
            known: FoundT = memory.findings[key]
            return known
    result = work()
    with memory.lock:
        memory.findings[key] = result
        same = [one for one in memory.findings if _name(one) == _name(key)]
        for oldest in same[: max(0, len(same) - most)]:
            del memory.findings[oldest]
    return result


def is_remembered(data: Any, key: Hashable) -> bool:
    """Tell whether a result for `data` and `key` is cached."""
    memory = _memory_of(data)
    with memory.lock:
        return key in memory.findings


def forget(data: Any) -> None:
    """Clear the cache of `data` when it is no longer needed.

    Results refer to their data: these cycles would stay in memory until the next garbage collection.
    """
    memory = _memory_of(data)
    with memory.lock:
        findings, memory.findings = memory.findings, OrderedDict()
    findings.clear()  # outside of the lock: destructors may need it


def noise_budget(mechanism: Mechanism[Any], privacy: Privacy) -> Privacy | None:
    """Return the budget, or None without noise: then all budgets have the same answer."""
    return privacy if mechanism.facts.is_private else None


def _memory_of(data: Any) -> _Memory:
    with _lock:
        memory: _Memory | None = vars(data).get(_ATTRIBUTE)
        if memory is None:
            memory = _Memory()
            object.__setattr__(
                data, _ATTRIBUTE, memory
            )  # databases are frozen, and the cache is not part of their value
        return memory


def _name(key: Hashable) -> Hashable:
    return key[0] if isinstance(key, tuple) and key else key
