"""Kinds of single values in a session file: how each is written, and read again with all checks.

A file is described once, by putting kinds together; writing and strict reading both follow from it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Mapping
from typing import Any, Protocol

from app.documents.errors import DocumentError, quoted

DEPTH = 12
"""How deeply lists of a released value are nested at most."""

MAX_ITEMS = 100_000
"""Items of a list or names in an object at most."""


EXACT = 1 << 53
"""Whole numbers up to here are numbers of a table, too."""


class ValueKind(Protocol):
    """A kind of value."""

    def plain(self, value: Any) -> Any:
        """Return what JSON says for a value."""

    def read(self, plain: Any, where: str) -> Any:
        """Return the value that JSON stands for; `DocumentError` with the place for what is wrong."""


@dataclasses.dataclass(frozen=True)
class Text:
    """A string that can be shown and handed to the operating system."""

    longest: int = 4096
    fewest: int = 0

    def plain(self, value: str) -> str:
        """Return the string."""
        return str(value)

    def read(self, plain: Any, where: str) -> str:
        """Return a string without null characters and halves of characters."""
        if not isinstance(plain, str):
            raise DocumentError(where, f"{quoted(plain)} is no text")
        if not self.fewest <= len(plain) <= self.longest:
            length = f"at least {self.fewest} " if len(plain) < self.fewest else f"at most {self.longest:,} "
            raise DocumentError(where, f"{quoted(plain)} has {len(plain):,} characters; {length}are possible")
        if "\0" in plain or any("\ud800" <= letter <= "\udfff" for letter in plain):
            raise DocumentError(where, f"{quoted(plain)} has characters that no text can have")
        return plain


@dataclasses.dataclass(frozen=True)
class Flag:
    """True or false."""

    def plain(self, value: bool) -> bool:
        """Return it."""
        return bool(value)

    def read(self, plain: Any, where: str) -> bool:
        """Return true or false."""
        if not isinstance(plain, bool):
            raise DocumentError(where, f"{quoted(plain)} is not possible; it must be true or false")
        return plain


@dataclasses.dataclass(frozen=True)
class Number:
    """A finite number between bounds, which are possible themselves unless `open`."""

    lower: float = -math.inf
    upper: float = math.inf
    open: bool = False

    def plain(self, value: float) -> float:
        """Return a plain number."""
        return value if type(value) is int else float(value)

    def read(self, plain: Any, where: str) -> float:
        """Return a number within the bounds."""
        if isinstance(plain, bool) or not isinstance(plain, int | float):
            raise DocumentError(where, f"{quoted(plain)} is no number")
        if not (math.isfinite(plain) and (self.lower < plain < self.upper or self._at_end(plain))):
            raise DocumentError(where, f"{quoted(plain)} is not possible; it must be {self._bounds}")
        return plain if abs(plain) <= EXACT else float(plain)

    def _at_end(self, value: float) -> bool:
        return not self.open and value in (self.lower, self.upper)

    @property
    def _bounds(self) -> str:
        low, high = ("above", "below") if self.open else ("at least", "at most")
        parts = [f"{low} {self.lower:g}"] * (self.lower > -math.inf)
        parts += [f"{high} {self.upper:g}"] * (self.upper < math.inf)
        return " and ".join(parts) or "finite"


@dataclasses.dataclass(frozen=True)
class Whole:
    """A whole number from `lower` to `upper`."""

    lower: int = 0
    upper: int = 1 << 53

    def plain(self, value: int) -> int:
        """Return a plain number."""
        return int(value)

    def read(self, plain: Any, where: str) -> int:
        """Return a whole number within the bounds."""
        if type(plain) is not int or not self.lower <= plain <= self.upper:
            bounds = f"a whole number from {self.lower} to {self.upper}"
            raise DocumentError(where, f"{quoted(plain)} is not possible; it must be {bounds}")
        return plain


@dataclasses.dataclass(frozen=True)
class OneOf:
    """One of some names or numbers."""

    names: Collection[Any]

    def plain(self, value: Any) -> Any:
        """Return it."""
        return value

    def read(self, plain: Any, where: str) -> Any:
        """Return one of them."""
        known = isinstance(plain, str | int | float) and not isinstance(plain, bool) and plain in self.names
        if not known:
            names = ", ".join(str(name) or '""' for name in list(self.names)[:8])
            more = ", …" if len(self.names) > 8 else ""
            raise DocumentError(where, f"{quoted(plain)} is not known; it must be one of {names}{more}")
        return plain


@dataclasses.dataclass(frozen=True)
class Anything:
    """Numbers, words and lists of them as they are: released values."""

    def plain(self, value: Any) -> Any:
        """Return it without tuples."""
        if isinstance(value, Mapping):
            return {str(name): self.plain(item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.plain(item) for item in value]
        return value

    def read(self, plain: Any, where: str, depth: int = DEPTH) -> Any:
        """Return it if it is not nested too deeply."""
        if isinstance(plain, str):
            return Text(MAX_ITEMS).read(plain, where)
        if not isinstance(plain, dict | list):
            return plain
        if not depth:
            raise DocumentError(where, f"is nested more than {DEPTH} deep")
        if isinstance(plain, list):
            return [self.read(item, where, depth - 1) for item in plain]
        return {Text().read(name, where): self.read(item, where, depth - 1) for name, item in plain.items()}


TEXT, FLAG, NUMBER = Text(), Flag(), Number()
NAME = Text(1000, 1)
"""The name of a column or a category."""
