"""Stated missing values: a public list of texts and numbers that count as missing."""

from __future__ import annotations

import dataclasses
import decimal
import functools
import math
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from engine.data.arrays import scalar, text_array, try_cast
from engine.data.cells import MISSING_WORDS, is_string
from engine.errors import ParameterError

EMPTY = '""'
"""The list that holds only the empty cell."""

NUMBER = re.compile(
    r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]{1,3})?|[-+]?(?:nan|inf|infinity)", re.IGNORECASE
)

_OUTSIDE_QUOTES = r'(?=(?:[^"]*"[^"]*")*[^"]*$)'


@dataclasses.dataclass(frozen=True)
class MissingList:
    """The values of a column that count as missing; the empty cell always does.

    A text matches if it equals one of `texts`, ignoring surrounding blanks.  A number matches if one of
    `texts` spells it: 99 and 99.0 match "99".
    """

    texts: tuple[str, ...]

    def __contains__(self, cell: object) -> bool:
        match cell:
            case bool():
                return False
            case str():
                return cell.strip() in self._words
            case int() | decimal.Decimal():
                return cell in self._exact
            case float():
                return cell in self._floats or (self._has_nan and math.isnan(cell))
        return cell is None

    def without(self, cells: Iterable[Any]) -> list[Any]:
        """Return cells with None for each that is missing."""
        if self._exact or self._floats or self._has_nan:
            return [None if cell in self else cell for cell in cells]
        texts = self._words  # so only texts can be missing
        return [None if isinstance(cell, str) and cell.strip() in texts else cell for cell in cells]

    def replaced(self, column: Any) -> Any:
        """Return an Arrow column with null for each missing value."""
        import pyarrow.compute as pc
        from pyarrow import types

        kind, missing = column.type, None
        if is_string(kind):
            texts = text_array(sorted(self._words), kind)
            missing = pc.is_in(pc.utf8_trim_whitespace(column), value_set=texts)
        else:
            values = [value for text in self._spelled(kind) if (value := _value(text, kind)) is not None]
            for value in values:
                equal = pc.equal(column, value)
                missing = equal if missing is None else pc.or_(missing, equal)
            if self._has_nan and types.is_floating(kind):
                nan = pc.is_nan(column)
                missing = nan if missing is None else pc.or_(missing, nan)
        return column if missing is None else pc.if_else(missing, scalar(None, kind), column)

    def _spelled(self, kind: Any) -> list[str]:
        """Return the values of the list as Arrow spells them for a type."""
        from pyarrow import types

        if types.is_floating(kind):
            return [repr(value) for value in sorted(self._floats)]
        if types.is_integer(kind):
            return [str(int(value)) for value in sorted(self._exact) if value == value.to_integral_value()]
        if types.is_decimal(kind):
            return [f"{value:f}" for value in sorted(self._exact)]
        return list(self.texts) if types.is_date(kind) or types.is_timestamp(kind) else []

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(("", *self.texts))

    @cached_property
    def _exact(self) -> frozenset[decimal.Decimal]:
        numbers = (decimal.Decimal(text) for text in self.texts if NUMBER.fullmatch(text))
        return frozenset(number for number in numbers if number.is_finite())

    @cached_property
    def _floats(self) -> frozenset[float]:
        numbers = (float(text) for text in self.texts if NUMBER.fullmatch(text))
        return frozenset(number for number in numbers if not math.isnan(number))

    @cached_property
    def _has_nan(self) -> bool:
        return any(text.lower().lstrip("+-") == "nan" for text in self.texts)


def _value(text: str, kind: Any) -> Any | None:
    """Return a text as an Arrow scalar of this type; None if it spells none."""
    values = try_cast(text_array([text]), kind)
    return None if values is None else values[0]


@dataclasses.dataclass(frozen=True)
class MissingValues:
    """The stated missing values of a table: a list for all columns, and lists for single columns.

    `everywhere` is None if no list for all columns is stated.  A column's own list replaces it.
    """

    everywhere: MissingList | None = None
    columns: Mapping[str, MissingList] = dataclasses.field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.everywhere is not None or bool(self.columns)

    def of(self, column: str) -> MissingList | None:
        """Return the stated list of a column; None if none is stated."""
        return self.columns.get(column, self.everywhere)

    def texts(self, column: str) -> tuple[str, ...]:
        """Return the texts that are missing in a column of a text file."""
        stated = self.of(column)
        return MISSING_WORDS if stated is None else ("", *stated.texts)

    @property
    def shared(self) -> tuple[str, ...]:
        """The texts of a text file that are missing in all of its columns."""
        common = MISSING_WORDS if self.everywhere is None else ("", *self.everywhere.texts)
        return tuple(text for text in common if all(text in own for own in self.columns.values()))

    def cleared(self, column: str, cells: Iterable[str]) -> tuple[str, ...]:
        """Return texts with "" for each stated missing value."""
        stated = self.of(column)
        return tuple(cells) if stated is None else tuple("" if cell in stated else cell for cell in cells)

    def replaced(self, data: Any) -> Any:
        """Return an Arrow table with null for each stated missing value."""
        for index, name in enumerate(data.column_names if self else ()):
            stated = self.of(name)
            if stated is not None:
                data = data.set_column(index, name, stated.replaced(data.column(index)))
        return data

    @property
    def written(self) -> dict[str, str]:
        """The lists as text by column; that of all columns has the name ""."""
        lists = {} if self.everywhere is None else {"": _written(self.everywhere)}
        return lists | {name: _written(own) for name, own in self.columns.items()}


NONE_STATED = MissingValues()
"""The usual values of the format are missing."""


@functools.lru_cache(maxsize=64)
def parse(text: str) -> MissingValues:
    """Parse a list such as "-999,.,?", with lists of single columns such as "income=-999,.;age=99".

    Quotes surround a text or a name that contains a comma, a semicolon or an equals sign.
    """
    if text.count('"') % 2:
        raise ParameterError("missing_values", "a quote is not closed; double a quote inside a text")
    everywhere, columns = None, {}
    for part in _split(text, ";") if text else ():
        name, *rest = _split(part, "=")
        if not rest:
            if everywhere is not None:
                raise ParameterError(
                    "missing_values", "there are two lists for all columns; separate their values by commas"
                )
            everywhere = _list(part)
        elif not name.strip() or len(rest) > 1 or _plain(name) in columns:
            raise ParameterError(
                "missing_values", f"{part!r} is no list of one column; write it once, like income=-999,."
            )
        else:
            columns[_plain(name)] = _list(rest[0])
    return MissingValues(everywhere, columns)


def join(lists: Mapping[str, str]) -> str:
    """Return one text that `parse` reads, from lists by column as in `MissingValues.written`."""
    return ";".join(f"{_quoted(name)}={text}" if name else text for name, text in lists.items())


def _list(text: str) -> MissingList:
    return MissingList(tuple(dict.fromkeys(word for item in _split(text, ",") if (word := _plain(item)))))


def _split(text: str, sign: str) -> list[str]:
    return re.split(sign + _OUTSIDE_QUOTES, text)


def _plain(item: str) -> str:
    item = item.strip()
    if len(item) > 1 and item[0] == item[-1] == '"':
        item = item[1:-1].replace('""', '"').strip()
    return item


def _quoted(text: str) -> str:
    return f'"{text.replace(chr(34), 2 * chr(34))}"' if re.search('[,;="]', text) else text


def _written(own: MissingList) -> str:
    return ",".join(map(_quoted, own.texts)) or EMPTY
