"""What workers have found out, kept so that nothing is worked out twice."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

MOST_KEPT = 64
"""Findings that are kept, so that going back costs nothing."""


class Cache:
    """The newest findings by what they depend on."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, Any] = OrderedDict()

    def holds(self, key: Hashable) -> bool:
        """Tell whether something is kept under `key`."""
        return key in self._found

    def get(self, key: Hashable, work: Callable[[], Any]) -> Any:
        """Return what is kept under `key`, else ``work()``."""
        if key not in self._found:
            self._found[key] = work()
        self._found.move_to_end(key)
        while len(self._found) > self._most:
            self._found.popitem(last=False)
        return self._found[key]
