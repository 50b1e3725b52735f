"""What analyses have found out about a database, remembered while the database lives."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from engine.mechanisms.base import Mechanism
from engine.privacy import Privacy

MAX_ENTRIES = 64
"""Findings that are remembered of one database: going back costs nothing."""

FoundT = TypeVar("FoundT")

_ATTRIBUTE = "_memory"


class _Memory:
    """Findings about one database; it stands in the database, so that both go together."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.findings: OrderedDict[Hashable, Any] = OrderedDict()

    def __reduce__(self) -> tuple[type[_Memory], tuple[()]]:
        """Arrive in another process without findings."""
        return _Memory, ()


_lock = threading.Lock()


def remembered(data: Any, key: Hashable, work: Callable[[], FoundT], most: int = MAX_ENTRIES) -> FoundT:
    """Return what is remembered of `data` under `key`, else ``work()``."""
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
    """Tell whether something is remembered of `data` under `key`."""
    memory = _memory_of(data)
    with memory.lock:
        return key in memory.findings


def forget(data: Any) -> None:
    """Forget what was found out about `data`, because it will not be asked for again.

    Findings know the data that they are about, and would keep them in memory until the next search for
    garbage.
    """
    memory = _memory_of(data)
    with memory.lock:
        findings, memory.findings = memory.findings, OrderedDict()
    findings.clear()  # outside of the lock: what ends with them may ask for it


def noise_budget(mechanism: Mechanism[Any], privacy: Privacy) -> Privacy | None:
    """Return the budget where it makes a difference: without noise, all have the same answer."""
    return privacy if mechanism.facts.is_private else None


def _memory_of(data: Any) -> _Memory:
    with _lock:
        memory: _Memory | None = vars(data).get(_ATTRIBUTE)
        if memory is None:
            memory = _Memory()
            object.__setattr__(data, _ATTRIBUTE, memory)  # databases are frozen, and this is not part of them
        return memory


def _name(key: Hashable) -> Hashable:
    return key[0] if isinstance(key, tuple) and key else key
