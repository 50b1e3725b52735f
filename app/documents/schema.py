"""Kinds of values in a session file: how to write each, and how to read it with all checks.

A combination of kinds describes a file; writing and strict reading follow from it.
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
"""Most characters of a value that a message quotes."""

MAX_DEPTH = 12
"""Deepest nesting of lists in a released value."""

MAX_ITEMS = 100_000
"""Most items of a list, or names in an object."""

EXACT = 1 << 53
"""Largest whole number that a table of floats can hold exactly."""


class DocumentError(SensiscopeError):
    """A session file cannot be read or written.

    `where` is the path of the value, such as "pages.median.lower", or "" for the whole file; `problem` says
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
    """Return the path of a value inside another one."""
    text = str(name)
    text = text if text.replace("-", "").replace("_", "").isalnum() and text.isascii() else quote(text)
    return f"{where}.{text}" if where else text


def build_checked(where: str, make: Callable[..., Any], /, *arguments: Any, **values: Any) -> Any:
    """Return ``make(...)``; add the path to its errors."""
    try:
        return make(*arguments, **values)
    except DocumentError:
        raise
    except SensiscopeError as error:
        raise DocumentError(where, str(error)) from None


def object_in(plain: Any, where: str) -> dict[str, Any]:
    """Return an object; `DocumentError` if it is another type."""
    if not isinstance(plain, dict):
        raise DocumentError(where, f"{quote(plain)} is not an object")
    return plain


class ValueKind(Protocol):
    """A kind of value."""

    def plain(self, value: Any) -> Any:
        """Return the JSON of a value."""

    def read(self, plain: Any, where: str) -> Any:
        """Return the value of parsed JSON; `DocumentError` with the path of an error."""


class AsItIs:
    """A value left as it is: another kind checks it."""

    def plain(self, value: Any) -> Any:
        return value

    def read(self, plain: Any, where: str) -> Any:
        return plain


@dataclasses.dataclass(frozen=True)
class Text:
    """A string that can be shown and passed to the operating system: no null, no lone surrogate."""

    longest: int = 4096
    shortest: int = 0

    def plain(self, value: str) -> str:
        return str(value)

    def read(self, plain: Any, where: str) -> str:
        if not isinstance(plain, str):
            raise DocumentError(where, f"{quote(plain)} is not text")
        if not self.shortest <= len(plain) <= self.longest:
            short = len(plain) < self.shortest
            length = f"at least {self.shortest} " if short else f"at most {self.longest:,} "
            raise DocumentError(where, f"{quote(plain)} has {len(plain):,} characters; {length}are allowed")
        if "\0" in plain or any("\ud800" <= letter <= "\udfff" for letter in plain):
            raise DocumentError(where, f"{quote(plain)} has characters that text cannot contain")
        return plain


@dataclasses.dataclass(frozen=True)
class FilePath:
    """A path: relative to `folder`, that of the session file, inside it; else absolute.

    With `folder` "" paths stay as they are.
    """

    folder: str = ""

    def plain(self, value: str | Path) -> str:
        path = Path(value).resolve()
        if self.folder and path.is_relative_to(self.folder):
            return path.relative_to(self.folder).as_posix()
        return str(path)

    def read(self, plain: Any, where: str) -> str:
        """Return the absolute path, without touching the disk."""
        text = Text(shortest=1).read(plain, where)
        if any(ord(letter) < 32 for letter in text):
            raise DocumentError(where, f"{quote(text)} is not a path")
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
    """A finite number between bounds, which are allowed themselves unless `open`."""

    lower: float = -math.inf
    upper: float = math.inf
    open: bool = False

    def plain(self, value: float) -> float:
        return value if type(value) is int else float(value)

    def read(self, plain: Any, where: str) -> float:
        if isinstance(plain, bool) or not isinstance(plain, int | float):
            raise DocumentError(where, f"{quote(plain)} is not a number")
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
    """One of some names or numbers; `former`: present names by those in older files."""

    names: Collection[Any]
    former: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def plain(self, value: Any) -> Any:
        return value

    def read(self, plain: Any, where: str) -> Any:
        known = isinstance(plain, str | int | float) and not isinstance(plain, bool)
        if known and plain not in self.names:
            plain = self.former.get(plain, plain)
        if not known or plain not in self.names:
            names = ", ".join(str(name) or '""' for name in list(self.names)[:8])
            more = ", …" if len(self.names) > 8 else ""
            raise DocumentError(where, f"{quote(plain)} is not known; it must be one of {names}{more}")
        return plain


@dataclasses.dataclass(frozen=True)
class Anything:
    """Released values: numbers, words and lists of them, without tuples."""

    def plain(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {str(name): self.plain(item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.plain(item) for item in value]
        return value

    def read(self, plain: Any, where: str, depth: int = MAX_DEPTH) -> Any:
        """Return it unless it is nested too deeply."""
        if isinstance(plain, str):
            return Text(MAX_ITEMS).read(plain, where)
        if not isinstance(plain, dict | list):
            return plain
        if not depth:
            raise DocumentError(where, f"is nested more than {MAX_DEPTH} levels deep")
        if isinstance(plain, list):
            return [self.read(item, where, depth - 1) for item in plain]
        return {Text().read(name, where): self.read(item, where, depth - 1) for name, item in plain.items()}


TEXT, FLAG, NUMBER = Text(), Flag(), Number()
ABSOLUTE = FilePath()
NAME = Text(1000, 1)
"""The name of a column or a category."""


@dataclasses.dataclass(frozen=True)
class OptionalOf:
    """A value, or null."""

    kind: ValueKind

    def plain(self, value: Any) -> Any:
        return None if value is None else self.kind.plain(value)

    def read(self, plain: Any, where: str) -> Any:
        return None if plain is None else self.kind.read(plain, where)


@dataclasses.dataclass(frozen=True)
class ListOf:
    """A list of values of one kind, written sorted if order has no meaning."""

    kind: ValueKind
    longest: int = MAX_ITEMS
    shortest: int = 0
    make: Callable[[Any], Any] = tuple

    def plain(self, value: Any) -> list[Any]:
        items = sorted(value) if isinstance(value, frozenset) else value
        return [self.kind.plain(item) for item in items]

    def read(self, plain: Any, where: str) -> Any:
        if not isinstance(plain, list):
            raise DocumentError(where, f"{quote(plain)} is not a list")
        if not self.shortest <= len(plain) <= self.longest:
            short = len(plain) < self.shortest
            limit = f"at least {self.shortest}" if short else f"at most {self.longest:,}"
            raise DocumentError(where, f"there are {len(plain):,}; {limit} are allowed")
        return self.make(self.kind.read(item, f"{where}[{index}]") for index, item in enumerate(plain))


@dataclasses.dataclass(frozen=True)
class PairOf:
    """A pair of values."""

    first: ValueKind
    second: ValueKind

    def plain(self, value: tuple[Any, Any]) -> list[Any]:
        return [self.first.plain(value[0]), self.second.plain(value[1])]

    def read(self, plain: Any, where: str) -> tuple[Any, Any]:
        if not isinstance(plain, list) or len(plain) != 2:
            raise DocumentError(where, f"{quote(plain)} is not a list of two")
        return self.first.read(plain[0], f"{where}[0]"), self.second.read(plain[1], f"{where}[1]")


@dataclasses.dataclass(frozen=True)
class TableOf:
    """Values of one kind by names, or by whole numbers if `indexed`."""

    kind: ValueKind
    names: ValueKind = TEXT
    indexed: bool = False

    def plain(self, value: Mapping[Any, Any]) -> dict[str, Any]:
        return {str(name): self.kind.plain(item) for name, item in value.items()}

    def read(self, plain: Any, where: str) -> dict[Any, Any]:
        if len(object_in(plain, where)) > MAX_ITEMS:
            raise DocumentError(where, f"there are {len(plain):,}; at most {MAX_ITEMS:,} are allowed")
        return {
            self._name(name, where): self.kind.read(item, inside(where, name)) for name, item in plain.items()
        }

    def _name(self, name: str, where: str) -> Any:
        if not self.indexed:
            return self.names.read(name, inside(where, name))
        if not (name.isascii() and name.isdigit()) or str(int(name)) != name:
            raise DocumentError(
                inside(where, name), ("is not a position; it must be a whole number from 0 on")
            )
        return self.names.read(int(name), inside(where, name))


@dataclasses.dataclass(frozen=True)
class Each:
    """An object with a kind for each name; names may be missing."""

    kinds: Mapping[str, ValueKind]

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self.kinds[name].plain(item) for name, item in value.items()}

    def read(self, plain: Any, where: str) -> dict[str, Any]:
        named = TableOf(AsItIs()).read(plain, where)
        refuse_unknown(named, self.kinds, where)
        return {name: self.kinds[name].read(item, inside(where, name)) for name, item in named.items()}


@dataclasses.dataclass(frozen=True)
class Record:
    """A dataclass, or with `make` a dict; each field has a kind.

    All fields must be present, and no others, except `later`: fields that earlier versions lack, with their
    value there. `attributes` has the names of fields in the program where files use other names. A file
    leaves out `sparse` fields that have their value in `later`.
    """

    make: Callable[..., Any]
    fields: Mapping[str, ValueKind]
    later: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    attributes: Mapping[str, str] = dataclasses.field(default_factory=dict)
    sparse: Collection[str] = ()

    def plain(self, value: Any) -> dict[str, Any]:
        get = value.__getitem__ if isinstance(value, Mapping) else lambda name: getattr(value, name)
        values = {name: get(self._attribute(name)) for name in self.fields}
        return {
            name: kind.plain(values[name])
            for name, kind in self.fields.items()
            if name not in self.sparse or values[name] != self.later[name]
        }

    def read(self, plain: Any, where: str) -> Any:
        """Return the dataclass; add the path to its errors."""
        refuse_unknown(object_in(plain, where), self.fields, where)
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
    problem: str = "is unknown to this version of Sensiscope",
) -> None:
    """Raise `DocumentError` for the first unknown name."""
    for name in names:
        if name not in known:
            raise DocumentError(inside(where, name), problem)
