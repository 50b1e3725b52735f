"""What is wrong with a file, found in one reading."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engine.errors import DataError

T = TypeVar("T")


class Faults:
    """Reads part by part: a fault in one keeps no other from being read.

    Attributes
    ----------
    found : list of DataError
    """

    def __init__(self) -> None:
        self.found: list[DataError] = []

    def attempt(self, read: Callable[[], T]) -> T | None:
        """Return what `read` does, or note its fault and return None."""
        try:
            return read()
        except DataError as error:
            self.found.append(error)
            return None
