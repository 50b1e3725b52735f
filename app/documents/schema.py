"""Kinds of values in a session file: how each is written, and read again with all checks.

A file is described once, by putting kinds together; writing and strict reading both follow from it.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Protocol

from engine.errors import SensiscopeError

MAX_QUOTED = 60
"""Characters of what a file holds that a message quotes."""

MAX_DEPTH = 12
"""How deeply lists of a released value are nested."""

MAX_ITEMS = 100_000
"""Items of a list or names in an object."""

EXACT = 1 << 53
"""Whole numbers up to here are numbers of a table, too."""


class DocumentError(SensiscopeError):
    """A session file cannot be read or written.

    `where` is the place in it, such as "pages.median.lower", or "" for the file as a whole; `problem` says
    what is wrong and what would be right.
    """

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}" if where else problem)
        self.where = where
        self.problem = problem

    def of(self, name: str) -> DocumentError:
        """Return the same with the name of the file in front."""
        return DocumentError(f"{name}, {self.where}" if self.where else name, self.problem)


def quote(value: Any) -> str:
    """Return a value as a message shows it: in one line, and not too long.

    >>> quote("two\\nlines"), quote([1, 2]), quote(None)
    ("'two\\\\nlines'", 'a list', 'null')
    """
    if isinstance(value, dict | list):
        return "a list" if isinstance(value, list) else "an object"
    texts = {None: "null", True: "true", False: "false"}
    if value is None or isinstance(value, bool):
        return texts[value]
    # "<" begins markup where a message is shown
    text = ascii(value[:MAX_QUOTED]).replace("<", "\\x3c") if isinstance(value, str) else repr(value)
    return text if len(text) <= MAX_QUOTED + 2 else f"{text[:MAX_QUOTED]}…"


def inside(where: str, name: object) -> str:
    """Return the place of something inside another place."""
    text = str(name)
    text = text if text.replace("-", "").replace("_", "").isalnum() and text.isascii() else quote(text)
    return f"{where}.{text}" if where else text


def build_checked(where: str, make: Callable[..., Any], *arguments: Any, **values: Any) -> Any:
    """Return ``make(...)``; what it refuses is said with the place."""
    try:
        return make(*arguments, **values)
    except DocumentError:
        raise
    except SensiscopeError as error:
        raise DocumentError(where, str(error)) from None


def object_in(plain: Any, where: str) -> dict[str, Any]:
    """Return an object; `DocumentError` if it is none."""
    if not isinstance(plain, dict):
        raise DocumentError(where, f"{quote(plain)} is no object")
    return plain


class ValueKind(Protocol):
    """A kind of value."""

    def plain(self, value: Any) -> Any:
        """Return what JSON says for a value."""

    def read(self, plain: Any, where: str) -> Any:
        """Return the value that JSON stands for; `DocumentError` with the place for what is wrong."""


class AsItIs:
    """What another kind looks at."""

    def plain(self, value: Any) -> Any:
        return value

    def read(self, plain: Any, where: str) -> Any:
        return plain


@dataclasses.dataclass(frozen=True)
class Text:
    """A string that can be shown and handed to the operating system: no null or half characters."""

    longest: int = 4096
    shortest: int = 0

    def plain(self, value: str) -> str:
        return str(value)

    def read(self, plain: Any, where: str) -> str:
        if not isinstance(plain, str):
            raise DocumentError(where, f"{quote(plain)} is no text")
        if not self.shortest <= len(plain) <= self.longest:
            short = len(plain) < self.shortest
            length = f"at least {self.shortest} " if short else f"at most {self.longest:,} "
            raise DocumentError(where, f"{quote(plain)} has {len(plain):,} characters; {length}are possible")
        if "\0" in plain or any("\ud800" <= letter <= "\udfff" for letter in plain):
            raise DocumentError(where, f"{quote(plain)} has characters that no text can have")
        return plain


@dataclasses.dataclass(frozen=True)
class FilePath:
    """A path: of a file in `folder`, that of the session file, the way from there; of others in full.

    With `folder` "" paths stay as they are.
    """

    folder: str = ""

    def plain(self, value: str | Path) -> str:
        path = Path(value).resolve()
        if self.folder and path.is_relative_to(self.folder):
            return path.relative_to(self.folder).as_posix()
        return str(path)

    def read(self, plain: Any, where: str) -> str:
        """Return the path in full; nothing is looked at on the disk."""
        text = Text(shortest=1).read(plain, where)
        if any(ord(letter) < 32 for letter in text):
            raise DocumentError(where, f"{quote(text)} is no path")
        return os.path.normpath(os.path.join(self.folder, text))


@dataclasses.dataclass(frozen=True)
class Flag:
    """True or false."""

    def plain(self, value: bool) -> bool:
        return bool(value)

    def read(self, plain: Any, where: str) -> bool:
        if not isinstance(plain, bool):
            raise DocumentError(where, f"{quote(plain)} is not possible; it must be true or false")
        return plain


@dataclasses.dataclass(frozen=True)
class Number:
    """A finite number between bounds, which are possible themselves unless `open`."""

    lower: float = -math.inf
    upper: float = math.inf
    open: bool = False

    def plain(self, value: float) -> float:
        return value if type(value) is int else float(value)

    def read(self, plain: Any, where: str) -> float:
        if isinstance(plain, bool) or not isinstance(plain, int | float):
            raise DocumentError(where, f"{quote(plain)} is no number")
        at_end = not self.open and plain in (self.lower, self.upper)
        if not (math.isfinite(plain) and (self.lower < plain < self.upper or at_end)):
            raise DocumentError(where, f"{quote(plain)} is not possible; it must be {self._bounds}")
        return plain if abs(plain) <= EXACT else float(plain)

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
    upper: int = EXACT

    def plain(self, value: int) -> int:
        return int(value)

    def read(self, plain: Any, where: str) -> int:
        if type(plain) is not int or not self.lower <= plain <= self.upper:
            bounds = f"a whole number from {self.lower} to {self.upper}"
            raise DocumentError(where, f"{quote(plain)} is not possible; it must be {bounds}")
        return plain


@dataclasses.dataclass(frozen=True)
class OneOf:
    """One of some names or numbers."""

    names: Collection[Any]

    def plain(self, value: Any) -> Any:
        return value

    def read(self, plain: Any, where: str) -> Any:
        known = isinstance(plain, str | int | float) and not isinstance(plain, bool) and plain in self.names
        if not known:
            names = ", ".join(str(name) or '""' for name in list(self.names)[:8])
            more = ", …" if len(self.names) > 8 else ""
            raise DocumentError(where, f"{quote(plain)} is not known; it must be one of {names}{more}")
        return plain


@dataclasses.dataclass(frozen=True)
class Anything:
    """Numbers, words and lists of them as they are, without tuples: released values."""

    def plain(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {str(name): self.plain(item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.plain(item) for item in value]
        return value

    def read(self, plain: Any, where: str, depth: int = MAX_DEPTH) -> Any:
        """Return it if it is not nested too deeply."""
        if isinstance(plain, str):
            return Text(MAX_ITEMS).read(plain, where)
        if not isinstance(plain, dict | list):
            return plain
        if not depth:
            raise DocumentError(where, f"is nested more than {MAX_DEPTH} deep")
        if isinstance(plain, list):
            return [self.read(item, where, depth - 1) for item in plain]
        return {Text().read(name, where): self.read(item, where, depth - 1) for name, item in plain.items()}


TEXT, FLAG, NUMBER = Text(), Flag(), Number()
ABSOLUTE = FilePath()
"""Paths in full."""
NAME = Text(1000, 1)
"""The name of a column or a category."""


@dataclasses.dataclass(frozen=True)
class OptionalOf:
    """Something, or nothing (null)."""

    kind: ValueKind

    def plain(self, value: Any) -> Any:
        return None if value is None else self.kind.plain(value)

    def read(self, plain: Any, where: str) -> Any:
        return None if plain is None else self.kind.read(plain, where)


@dataclasses.dataclass(frozen=True)
class ListOf:
    """A list of things of one kind, written sorted where order means nothing."""

    kind: ValueKind
    longest: int = MAX_ITEMS
    shortest: int = 0
    make: Callable[[Any], Any] = tuple

    def plain(self, value: Any) -> list[Any]:
        items = sorted(value) if isinstance(value, frozenset) else value
        return [self.kind.plain(item) for item in items]

    def read(self, plain: Any, where: str) -> Any:
        if not isinstance(plain, list):
            raise DocumentError(where, f"{quote(plain)} is no list")
        if not self.shortest <= len(plain) <= self.longest:
            short = len(plain) < self.shortest
            limit = f"at least {self.shortest}" if short else f"at most {self.longest:,}"
            raise DocumentError(where, f"there are {len(plain):,}; {limit} are possible")
        return self.make(self.kind.read(item, f"{where}[{index}]") for index, item in enumerate(plain))


@dataclasses.dataclass(frozen=True)
class PairOf:
    """Two things, one after the other."""

    first: ValueKind
    second: ValueKind

    def plain(self, value: tuple[Any, Any]) -> list[Any]:
        return [self.first.plain(value[0]), self.second.plain(value[1])]

    def read(self, plain: Any, where: str) -> tuple[Any, Any]:
        if not isinstance(plain, list) or len(plain) != 2:
            raise DocumentError(where, f"{quote(plain)} is no list of two")
        return self.first.read(plain[0], f"{where}[0]"), self.second.read(plain[1], f"{where}[1]")


@dataclasses.dataclass(frozen=True)
class TableOf:
    """Things of one kind by names, or by whole numbers where `indexed`."""

    kind: ValueKind
    names: ValueKind = TEXT
    indexed: bool = False

    def plain(self, value: Mapping[Any, Any]) -> dict[str, Any]:
        return {str(name): self.kind.plain(item) for name, item in value.items()}

    def read(self, plain: Any, where: str) -> dict[Any, Any]:
        if len(object_in(plain, where)) > MAX_ITEMS:
            raise DocumentError(where, f"there are {len(plain):,}; at most {MAX_ITEMS:,} are possible")
        return {
            self._name(name, where): self.kind.read(item, inside(where, name)) for name, item in plain.items()
        }

    def _name(self, name: str, where: str) -> Any:
        if not self.indexed:
            return self.names.read(name, inside(where, name))
        if not (name.isascii() and name.isdigit()) or str(int(name)) != name:
            raise DocumentError(inside(where, name), "is no place; it must be a whole number from 0 on")
        return self.names.read(int(name), inside(where, name))


@dataclasses.dataclass(frozen=True)
class Each:
    """An object whose every name has a kind of its own; names may be left out."""

    kinds: Mapping[str, ValueKind]

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self.kinds[name].plain(item) for name, item in value.items()}

    def read(self, plain: Any, where: str) -> dict[str, Any]:
        named = TableOf(AsItIs()).read(plain, where)
        refuse_unknown(named, self.kinds, where)
        return {name: self.kinds[name].read(item, inside(where, name)) for name, item in named.items()}


@dataclasses.dataclass(frozen=True)
class Record:
    """A dataclass, or with `make` a dict, whose fields have kinds of their own.

    All of them must be there, and no others; but for those that came `later`, which files of earlier versions
    do not have, with what they are there, and those that are `ignored`, which mean nothing any more.
    `attributes` has what fields are called in the program, where files call them otherwise.
    """

    make: Callable[..., Any]
    fields: Mapping[str, ValueKind]
    later: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    attributes: Mapping[str, str] = dataclasses.field(default_factory=dict)
    ignored: Collection[str] = ()

    def plain(self, value: Any) -> dict[str, Any]:
        get = value.__getitem__ if isinstance(value, Mapping) else lambda name: getattr(value, name)
        return {name: kind.plain(get(self._attribute(name))) for name, kind in self.fields.items()}

    def read(self, plain: Any, where: str) -> Any:
        """Return the dataclass; what it refuses is said with the place."""
        refuse_unknown(object_in(plain, where), {*self.fields, *self.ignored}, where)
        for name in self.fields:
            if name not in plain and name not in self.later:
                raise DocumentError(inside(where, name), "is missing")
        values = {
            self._attribute(name): (
                kind.read(plain[name], inside(where, name)) if name in plain else self.later[name]
            )
            for name, kind in self.fields.items()
        }
        return build_checked(where, self.make, **values)

    def _attribute(self, name: str) -> str:
        return self.attributes.get(name, name)


def refuse_unknown(
    names: Collection[str],
    known: Collection[str],
    where: str,
    problem: str = "is not known to this version of Sensiscope",
) -> None:
    """Raise `DocumentError` for the first name that is not known."""
    for name in names:
        if name not in known:
            raise DocumentError(inside(where, name), problem)
