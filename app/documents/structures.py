"""Kinds that are made of others: lists, pairs, tables by name, and records with fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from typing import Any

from app.documents.errors import DocumentError, inside, quoted
from app.documents.kinds import MAX_ITEMS, TEXT, ValueKind
from engine.errors import SensiscopeError


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
    most: int = MAX_ITEMS
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
        return self.make(self.kind.read(item, f"{where}[{index}]") for index, item in enumerate(plain))


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
    names: ValueKind = TEXT
    places: bool = False
    most: int = MAX_ITEMS

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
    ignored : collection of str
        Names that files of earlier versions have, and that mean nothing any more.
    """

    make: Callable[..., Any]
    fields: Mapping[str, ValueKind]
    later: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    attributes: Mapping[str, str] = dataclasses.field(default_factory=dict)
    ignored: Collection[str] = ()

    def plain(self, value: Any) -> dict[str, Any]:
        """Return an object."""
        get = value.__getitem__ if isinstance(value, Mapping) else lambda name: getattr(value, name)
        return {name: kind.plain(get(self._attribute(name))) for name, kind in self.fields.items()}

    def read(self, plain: Any, where: str) -> Any:
        """Return the dataclass; what it refuses is said with the place."""
        if not isinstance(plain, dict):
            raise DocumentError(where, f"{quoted(plain)} is no object")
        for name in plain:
            if name not in self.fields and name not in self.ignored:
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


def made(where: str, make: Callable[..., Any], *arguments: Any, **values: Any) -> Any:
    """Return ``make(...)``; what it refuses is said with the place."""
    try:
        return make(*arguments, **values)
    except DocumentError:
        raise
    except SensiscopeError as error:
        raise DocumentError(where, str(error)) from None
