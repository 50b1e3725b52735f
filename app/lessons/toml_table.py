"""A table of a lesson's file, read key by key; errors name the line."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from app.model.wording.numbers import is_number
from engine.errors import DataError, SensiscopeError, UnknownName

REQUIRED: Any = object()
"""The default of a key that a file must have."""


@dataclasses.dataclass
class TomlTable:
    """One table and its position in the file.

    Every method takes a key and returns its value, or `default` if the file has none. A missing value, or one
    of the wrong type, raises `DataError`. `end` raises it for keys that no method has read.
    """

    source: str
    lines: Lines
    path: KeyPath
    table: dict[str, Any]
    asked: set[str] = dataclasses.field(default_factory=set)

    def wrong(self, problem: str, *below: str | int) -> DataError:
        """Return the error to raise: `problem`, at the key `below` this table."""
        return DataError(problem, source=f"{self.source}, line {self.lines.of((*self.path, *below))}")

    def __contains__(self, key: str) -> bool:
        return key in self.table

    def text(self, key: str, default: Any = REQUIRED) -> str:
        """Return a text that is not empty."""
        result = self._get(key, str, "text in quotes", default)
        if key in self and not result.strip():
            raise self.wrong(f"'{key}' is empty; write some words, or leave the line out", key)
        return str(result).strip()

    def number(self, key: str, default: Any = REQUIRED) -> Any:
        """Return a finite number."""
        result = self._get(key, (int, float), "a number", default)
        if isinstance(result, float) and not math.isfinite(result):
            raise self.wrong(f"'{key}' must be a finite number", key)
        return result

    def whole(self, key: str, least: int, most: int, default: Any = REQUIRED) -> Any:
        """Return a whole number between `least` and `most`."""
        text = f"a whole number from {least:,} to {most:,}"
        result = self._get(key, int, text, default)
        if key in self and not least <= result <= most:
            raise self.wrong(f"'{key}' is {result:,}; it must be {text}", key)
        return result

    def flag(self, key: str) -> bool:
        """Return true or false; false without the key."""
        return bool(self._get(key, bool, "true or false", False))

    def name(self, key: str, kind: str, known: Iterable[str], default: Any = REQUIRED) -> str:
        """Return one of the `known` names of that kind of thing."""
        text = self.text(key, default)
        return self.check_known(text, kind, known, key) if key in self else text

    def check_known(self, text: str, kind: str, known: Iterable[str], *below: str | int) -> str:
        """Return `text` if it is one of the `known`."""
        names = list(known)
        if text not in names:
            raise self.wrong(str(UnknownName(kind, text, names)), *below)
        return text

    def texts(self, key: str) -> tuple[str, ...]:
        result = self._get(key, list, "a list of texts", [])
        for text in result:
            if not isinstance(text, str) or not text.strip():
                raise self.wrong(f"'{key}' must be a list of texts, none of them empty", key)
        return tuple(text.strip() for text in result)

    def numbers(self, key: str) -> tuple[float, ...]:
        """Return a list of finite numbers."""
        result = self._get(key, list, "a list of numbers", [])
        if not all(is_number(value) and math.isfinite(value) for value in result):
            raise self.wrong(f"'{key}' must be a list of finite numbers", key)
        return tuple(float(value) for value in result)

    def section(self, key: str) -> TomlTable | None:
        result = self._get(key, dict, f"a table, [{self._name(key)}]", None)
        return None if result is None else self._below(result, key)

    def sections(self, key: str) -> tuple[TomlTable, ...]:
        result = self._get(key, list, f"tables, [[{self._name(key)}]]", [])
        if not all(isinstance(item, dict) for item in result):
            raise self.wrong(f"'{key}' must be tables, [[{self._name(key)}]]", key)
        return tuple(self._below(item, key, index) for index, item in enumerate(result))

    def end(self) -> None:
        """Raise `DataError` for keys that no method has read."""
        for key in self.table:
            self.check_known(key, "key", self.asked, key)

    def attempt(self, check: Any, *below: str | int) -> Any:
        """Return the result of `check`; give its error the position of this key."""
        try:
            return check()
        except SensiscopeError as error:
            raise self.wrong(str(error), *below) from None

    def _get(self, key: str, kinds: Any, text: str, default: Any) -> Any:
        self.asked.add(key)
        if key not in self.table:
            if default is REQUIRED:
                raise self.wrong(f"'{key}' is missing; it must be {text}")
            return default
        result = self.table[key]
        if not isinstance(result, kinds) or (isinstance(result, bool) and kinds is not bool):
            raise self.wrong(f"'{key}' must be {text}", key)
        return result

    def _below(self, table: dict[str, Any], *below: str | int) -> TomlTable:
        return TomlTable(self.source, self.lines, (*self.path, *below), table)

    def _name(self, key: str) -> str:
        return ".".join(part for part in (*self.path, key) if isinstance(part, str))


KeyPath = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)(?P<keys>[^\]]+)\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*(?P<keys>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_LONG = re.compile(r"\"\"\"|'''")


class Lines:
    """The lines of the keys of valid TOML, which `tomllib` does not give."""

    def __init__(self, text: str) -> None:
        self._keys = tuple(_keys(text))

    def of(self, path: KeyPath) -> int:
        """Return the line, counted from 1, of the key at `path` or of the nearest one around it."""
        around = [(_common(position, path), -line) for line, position in self._keys]
        shared, line = max(around, default=(0, -1))
        return -line if shared > 0 else 1


def _keys(text: str) -> Iterator[tuple[int, KeyPath]]:
    """Yield (line, path) of each header and each key."""
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    ending = ""
    for number, line in enumerate(text.splitlines(), 1):
        if ending:
            ending = "" if line.count(ending) % 2 else ending
            continue
        header, key = _HEADER.match(line), _KEY.match(line)
        if key:
            yield number, (*table, *_parts(key["keys"]))
        elif header:
            table = _parts(header["keys"])
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            else:
                table = _within(table, counts)
            yield number, table
        opened = _LONG.search(line)
        if opened and line.count(opened[0]) % 2:
            ending = opened[0]


def _parts(keys: str) -> KeyPath:
    return tuple(part.strip("\"'") for part in _PART.findall(keys))


def _within(table: KeyPath, counts: dict[KeyPath, int]) -> KeyPath:
    """Return the path of a table inside the newest item of an array of tables."""
    for length in range(len(table), 0, -1):
        if table[:length] in counts:
            return (*table[:length], counts[table[:length]], *table[length:])
    return table


def _common(position: KeyPath, path: KeyPath) -> int:
    """Count the leading parts that both share; -1 unless `position` is `path` or around it."""
    count = 0
    for one, other in zip(position, path, strict=False):
        if one != other:
            break
        count += 1
    return count if count == len(position) else -1
