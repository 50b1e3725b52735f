"""Kinds of values in a session file: how each is written, and read again with all checks.

A file is described once, by putting kinds together; writing and strict reading both follow from it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from app.documents.errors import DocumentError, inside, quoted
from engine.errors import SensiscopeError

DEPTH = 12
"""How deeply lists of a released value are nested at most."""

MOST = 100_000
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
class OptionalOf:
    """Something, or nothing (null)."""

    kind: ValueKind

    def plain(self, value: Any) -> Any:
        """Return what stands for it."""
        return None if value is None else self.kind.plain(value)

    def read(self, plain: Any, where: str) -> Any:
        """Return it, or None."""
        return None if plain is None else self.kind.read(plain, where)


@dataclasses.dataclass(frozen=True)
class ListOf:
    """A list of things of one kind."""

    kind: ValueKind
    most: int = MOST
    fewest: int = 0
    make: Callable[[Any], Any] = tuple

    def plain(self, value: Any) -> list[Any]:
        """Return a list, sorted where order means nothing."""
        items = sorted(value) if isinstance(value, frozenset) else value
        return [self.kind.plain(item) for item in items]

    def read(self, plain: Any, where: str) -> Any:
        """Return all of them."""
        if not isinstance(plain, list):
            raise DocumentError(where, f"{quoted(plain)} is no list")
        if not self.fewest <= len(plain) <= self.most:
            limit = f"at least {self.fewest}" if len(plain) < self.fewest else f"at most {self.most:,}"
            raise DocumentError(where, f"there are {len(plain):,}; {limit} are possible")
        return self.make(self.kind.read(item, f"{where}[{place}]") for place, item in enumerate(plain))


@dataclasses.dataclass(frozen=True)
class PairOf:
    """Two things, one after the other."""

    first: ValueKind
    second: ValueKind

    def plain(self, value: tuple[Any, Any]) -> list[Any]:
        """Return a list of two."""
        return [self.first.plain(value[0]), self.second.plain(value[1])]

    def read(self, plain: Any, where: str) -> tuple[Any, Any]:
        """Return both."""
        if not isinstance(plain, list) or len(plain) != 2:
            raise DocumentError(where, f"{quoted(plain)} is no list of two")
        return self.first.read(plain[0], f"{where}[0]"), self.second.read(plain[1], f"{where}[1]")


@dataclasses.dataclass(frozen=True)
class TableOf:
    """Things of one kind by names, or by whole numbers where `places`."""

    kind: ValueKind
    names: ValueKind = Text()
    places: bool = False
    most: int = MOST

    def plain(self, value: Mapping[Any, Any]) -> dict[str, Any]:
        """Return an object."""
        return {str(name): self.kind.plain(item) for name, item in value.items()}

    def read(self, plain: Any, where: str) -> dict[Any, Any]:
        """Return all of them by name."""
        if not isinstance(plain, dict):
            raise DocumentError(where, f"{quoted(plain)} is no object")
        if len(plain) > self.most:
            raise DocumentError(where, f"there are {len(plain):,}; at most {self.most:,} are possible")
        return {
            self._name(name, where): self.kind.read(item, inside(where, name)) for name, item in plain.items()
        }

    def _name(self, name: str, where: str) -> Any:
        if not self.places:
            return self.names.read(name, inside(where, name))
        if not (name.isascii() and name.isdigit()) or str(int(name)) != name:
            raise DocumentError(inside(where, name), "is no place; it must be a whole number from 0 on")
        return self.names.read(int(name), inside(where, name))


@dataclasses.dataclass(frozen=True)
class Record:
    """A dataclass, or with `make` a dict, whose fields have kinds of their own.

    All of them must be there, and no others.

    Attributes
    ----------
    later : mapping of str to object
        Fields that files of earlier versions do not have, and what they are there.
    attributes : mapping of str to str
        What fields are called in the program, where that is not what they are called in files.
    """

    make: Callable[..., Any]
    fields: Mapping[str, ValueKind]
    later: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    attributes: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def plain(self, value: Any) -> dict[str, Any]:
        """Return an object."""
        get = value.__getitem__ if isinstance(value, Mapping) else lambda name: getattr(value, name)
        return {name: kind.plain(get(self._attribute(name))) for name, kind in self.fields.items()}

    def read(self, plain: Any, where: str) -> Any:
        """Return the dataclass; what it refuses is said with the place."""
        if not isinstance(plain, dict):
            raise DocumentError(where, f"{quoted(plain)} is no object")
        for name in plain:
            if name not in self.fields:
                raise DocumentError(inside(where, name), "is not known to this version of Sensiscope")
        for name in self.fields:
            if name not in plain and name not in self.later:
                raise DocumentError(inside(where, name), "is missing")
        values = {
            self._attribute(name): (
                kind.read(plain[name], inside(where, name)) if name in plain else self.later[name]
            )
            for name, kind in self.fields.items()
        }
        return made(where, self.make, **values)

    def _attribute(self, name: str) -> str:
        return self.attributes.get(name, name)


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
            return Text(MOST).read(plain, where)
        if not isinstance(plain, dict | list):
            return plain
        if not depth:
            raise DocumentError(where, f"is nested more than {DEPTH} deep")
        if isinstance(plain, list):
            return [self.read(item, where, depth - 1) for item in plain]
        return {Text().read(name, where): self.read(item, where, depth - 1) for name, item in plain.items()}


def made(where: str, make: Callable[..., Any], *arguments: Any, **values: Any) -> Any:
    """Return ``make(...)``; what it refuses is said with the place."""
    try:
        return make(*arguments, **values)
    except DocumentError:
        raise
    except SensiscopeError as error:
        raise DocumentError(where, str(error)) from None


TEXT, FLAG, NUMBER = Text(), Flag(), Number()
NAME = Text(1000, 1)
"""The name of a column or a category."""
