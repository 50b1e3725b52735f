"""Choose and combine rows of a table: public conditions, and one record for each person."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from engine.array_types import Bools, Floats, Ints
from engine.data import cells
from engine.data.arrays import array_of, fill_null, nan_as_null, text_array, try_cast
from engine.data.conditions import ALIKE, COMPARISONS, OPERATORS, typeset
from engine.data.mixed_types import problem_of_types
from engine.data.names import check_known, name_columns
from engine.data.table import Table
from engine.errors import DataError, ParameterError
from engine.numerals import given

PERSON_RULES = ("mean", "sum", "largest", "last", "count")
"""Rules that combine all rows of a person."""

COUNTED = "rows"
"""The column that the rule "count" adds."""

EXAMPLE = 'write for instance age >= 30, city = "Bern", city in ("Bern", "Basel"), or age is empty'

_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*'|`[^`]*`)"""
    r"""|(?P<sign>>=|<=|!=|==|≥|≤|≠|>|<|=|\(|\)|,)|(?P<word>[^\s"'`()<>=!≥≤≠,]+|.))""",
    re.DOTALL,
)
_BOOLEANS = {"true": True, "yes": True, "false": False, "no": False}


@dataclasses.dataclass(frozen=True)
class _Word:
    """A word, a sign or a quoted text of a condition."""

    text: str
    quoted: bool = False

    def is_keyword(self, *names: str) -> bool:
        return not self.quoted and self.text.lower() in names


@dataclasses.dataclass(frozen=True)
class ColumnComparison:
    """A comparison of one column.

    Attributes
    ----------
    column : str
    operator : str
        One of `OPERATORS`, or "in", "empty" or "filled".
    values : tuple of (str, bool)
        The texts on the right, and whether each is quoted.
    """

    column: str
    operator: str
    values: tuple[tuple[str, bool], ...] = ()

    def holds(self, table: Table) -> Bools:
        """Return for which rows it holds, shape (N,); missing values fail unless it tests for them."""
        check_known([self.column], table.data.column_names, table.source)
        column = nan_as_null(table.data.column(self.column))
        if self.operator in ("empty", "filled"):
            there: Bools = array_of(column.is_valid())
            return ~there if self.operator == "empty" else there
        kind = table.column(self.column).type
        if column.null_count == table.n:  # a column without values has no type
            return np.zeros(table.n, dtype=bool)
        compared = {"number": self._numbers, "boolean": self._booleans, "date": self._dates}
        return compared.get(kind, self._texts)(table, column)

    def _numbers(self, table: Table, column: Any) -> Bools:
        import pyarrow as pa

        values = [self._number(table, *one) for one in self.values]
        numbers: Floats = array_of(column.cast(pa.float64(), safe=False))
        return self._any(numbers, values) & ~np.isnan(numbers)

    def _number(self, table: Table, text: str, quoted: bool) -> float:
        try:
            value = float("nan" if quoted else text)
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise self._wrong(table, f"it holds numbers, and {_shown(text, quoted)} is none")
        return value

    def _booleans(self, table: Table, column: Any) -> Bools:
        if self.operator not in ("=", "!=", "in"):
            raise self._wrong(table, "it holds true and false, which have no order; use =, != or in")
        for text, quoted in self.values:
            if quoted or text.lower() not in _BOOLEANS:
                raise self._wrong(table, f"it holds true and false, and {_shown(text, quoted)} is neither")
        values = [_BOOLEANS[text.lower()] for text, _ in self.values]
        there: Bools = array_of(column.is_valid())
        return self._any(array_of(fill_null(column, False)), values) & there

    def _dates(self, table: Table, column: Any) -> Bools:
        import pyarrow.compute as pc

        result: Bools = np.zeros(table.n, dtype=bool)
        for text, quoted in self.values:
            value = None if quoted else try_cast(text_array([text]), column.type)
            if value is None:
                problem = f"it holds dates or times, and {_shown(text, quoted)} is none; write 2024-12-30"
                raise self._wrong(table, problem)
            holds = getattr(pc, self._comparison)(column, value[0])
            result |= array_of(fill_null(holds, False))
        return result

    def _texts(self, table: Table, column: Any) -> Bools:
        import pyarrow as pa
        import pyarrow.compute as pc
        from pyarrow import types

        if cells.is_binary(column.type) or types.is_nested(column.type):
            raise self._wrong(table, "it holds bytes, lists or objects, which cannot be compared")
        if self.operator not in ("=", "!=", "in"):
            raise self._wrong(table, "it holds text, which has no order; use =, != or in")
        unquoted = next((text for text, quoted in self.values if not quoted and not _is_text(text)), "")
        if unquoted:
            # one cell of another kind turns a whole column of numbers or dates into text
            problem = f'it holds text: write "{unquoted}" in quotes, or read the column as another type'
            raise self._wrong(table, problem)
        trimmed = pc.utf8_trim_whitespace(column.cast(pa.large_string()))
        listed = pc.is_in(trimmed, value_set=text_array([text.strip() for text, _ in self.values]))
        if self.operator == "!=":
            listed = pc.invert(listed)
        there: Bools = array_of(column.is_valid())
        return array_of(fill_null(listed, False)) & there

    @property
    def _comparison(self) -> str:
        """Name of the function that compares, in numpy and pyarrow."""
        return COMPARISONS["=" if self.operator == "in" else self.operator]

    def _any(self, cells_: Any, values: Sequence[Any]) -> Bools:
        """Return for which cells the comparison holds with one of the values."""
        compare = getattr(np, self._comparison)
        result: Bools = np.zeros(len(cells_), dtype=bool)
        for value in values:
            result |= compare(cells_, value)
        return result

    def _wrong(self, table: Table, problem: str) -> DataError:
        """Return the error about a comparison that its column does not allow; it names no cell."""
        return DataError(problem, source=table.source, column=self.column)


@dataclasses.dataclass(frozen=True)
class RowCondition:
    """A public condition on rows, such as ``age >= 30 and city in ("Bern", "Basel")``.

    One of the alternatives must hold; each is a list of comparisons that must all hold.  Whether a row
    satisfies it depends on this row alone.

    Attributes
    ----------
    text : str
        The condition as typed.
    alternatives : tuple of tuple of ColumnComparison
    """

    text: str
    alternatives: tuple[tuple[ColumnComparison, ...], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads, each once."""
        return tuple(dict.fromkeys(one.column for alternative in self.alternatives for one in alternative))

    def holds(self, table: Table) -> Bools:
        """Return which rows satisfy the condition (private), shape (N,).

        A missing value satisfies no comparison except "is empty".

        Raises
        ------
        DataError
            If the table lacks a column, or its type does not allow the comparison.
        """
        result: Bools = np.zeros(table.n, dtype=bool)
        for alternative in self.alternatives:
            all_hold: Bools = np.ones(table.n, dtype=bool)
            for comparison in alternative:
                all_hold &= comparison.holds(table)
            result |= all_hold
        return result

    def __str__(self) -> str:
        return typeset(self.text)


def read_row_condition(text: str, columns: Sequence[str] = ()) -> RowCondition:
    """Parse a condition on rows: comparisons joined by "and" and "or"; "and" binds more tightly.

    Parameters
    ----------
    text : str
        A comparison is ``COLUMN OPERATOR VALUE``, ``COLUMN in (VALUE, …)``, ``COLUMN is empty`` or ``COLUMN
        is not empty``.  Numbers, dates, true and false have no quotes.  Quotes surround texts, and names that
        contain signs or the tokens of a condition; a text that is a word needs none.
    columns : sequence of str, optional
        The columns of the table, to refuse unknown ones.

    Raises
    ------
    ParameterError
        For the field "where", if the text is no condition.
    DataError
        If a column is not among `columns`; the message suggests similar names.

    Examples
    --------
    >>> read_row_condition("age >= 30 and city = 'Bern'").columns
    ('age', 'city')
    """
    if not isinstance(text, str):
        raise ParameterError("where", f"{given(text)} is no text; {EXAMPLE}")
    tokens = _tokens(text)
    if not tokens:
        raise ParameterError("where", f"is empty; {EXAMPLE}")
    alternatives = tuple(
        tuple(_comparison(text, part) for part in _split(alternative, "and"))
        for alternative in _split(tokens, "or")
    )
    condition = RowCondition(text.strip(), alternatives)
    if columns:
        check_known(condition.columns, columns, "")
    return condition


def all_hold(conditions: Iterable[RowCondition], table: Table) -> Bools | None:
    """Return which rows satisfy all conditions (private), shape (N,); None without a condition."""
    result: Bools | None = None
    for condition in conditions:
        holds = condition.holds(table)
        result = holds if result is None else result & holds
    return result


def _tokens(text: str) -> list[_Word]:
    tokens, start = [], 0
    text = text.strip()
    while start < len(text):
        match = _TOKEN.match(text, start)
        assert match is not None  # the last alternative matches any character
        start = match.end()
        if match["quoted"]:
            mark, inside = match["quoted"][0], match["quoted"][1:-1]
            tokens.append(_Word(inside.replace(2 * mark, mark), True))
        else:
            word = match["sign"] or match["word"]
            if word in ('"', "'", "`"):
                raise ParameterError("where", f"'{text}' has a quote that is not closed")
            tokens.append(_Word(ALIKE.get(word, word)))
    return tokens


def _split(tokens: list[_Word], keyword: str) -> list[list[_Word]]:
    """Split a condition at a keyword outside parentheses."""
    parts: list[list[_Word]] = [[]]
    depth = 0
    for word in tokens:
        depth += word.is_keyword("(") - word.is_keyword(")")
        if not depth and word.is_keyword(keyword):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _comparison(text: str, tokens: list[_Word]) -> ColumnComparison:
    """Parse one comparison of a condition."""
    for index, word in enumerate(tokens):
        if word.is_keyword(*OPERATORS):
            name, values = _name(text, tokens[:index]), [_value(text, tokens[index + 1 :])]
            return ColumnComparison(name, word.text, tuple(values))
        if word.is_keyword("in") and index + 1 < len(tokens) and tokens[index + 1].is_keyword("("):
            return ColumnComparison(_name(text, tokens[:index]), "in", _listed(text, tokens[index + 2 :]))
    tail = [word.text.lower() for word in tokens if not word.quoted]
    for end, operator in ((("is", "not", "empty"), "filled"), (("is", "empty"), "empty")):
        if tuple(tail[-len(end) :]) == end:
            return ColumnComparison(_name(text, tokens[: -len(end)]), operator)
    raise ParameterError("where", f"'{text}' is no condition; {EXAMPLE}")


def _name(text: str, tokens: list[_Word]) -> str:
    """Return the name of a column: one quoted text, or several words."""
    name = " ".join(word.text for word in tokens)
    if not name or (
        len(tokens) > 1 and any(word.quoted or word.is_keyword("(", ")", ",") for word in tokens)
    ):
        raise ParameterError("where", f"'{text}' names no column before a sign; {EXAMPLE}")
    return name


def _value(text: str, tokens: list[_Word]) -> tuple[str, bool]:
    """Return a value: one quoted text, or several words without a sign."""
    if len(tokens) == 1 and tokens[0].quoted:
        return tokens[0].text, True
    if not tokens:
        raise ParameterError("where", f"'{text}' lacks a value after a sign; {EXAMPLE}")
    if any(word.quoted or word.is_keyword(*OPERATORS, "(", ")", ",") for word in tokens):
        raise ParameterError("where", f"'{text}' has a value that is neither a number nor a text; {EXAMPLE}")
    return " ".join(word.text for word in tokens), False


def _listed(text: str, tokens: list[_Word]) -> tuple[tuple[str, bool], ...]:
    """Return the values of a list, up to its closing parenthesis."""
    if not tokens or not tokens[-1].is_keyword(")"):
        raise ParameterError("where", f"'{text}' has a list without a closing parenthesis; {EXAMPLE}")
    return tuple(_value(text, part) for part in _split(tokens[:-1], ","))


def _is_text(text: str) -> bool:
    """Return whether an unquoted value can only be a text: no number, date, time, true or false."""
    return not (text[:1].isdigit() or text[:1] in "+-." or text.lower() in _BOOLEANS)


def _shown(text: str, quoted: bool) -> str:
    return f'"{text}"' if quoted else text


# one record for each person


def combine_rows(table: Table, person: str, rule: str = "mean") -> Table:
    """Return a table with one row for each person; then a record is a person, and n their number.

    The rule applies to columns of numbers, over the person's values that are not missing.  All other columns
    have the value of the person's last row.  The rule "count" adds the column "rows", the number of rows of
    each person; all others have the value of the last row, too.

    Persons are in the order of their last rows.  With other rows, one person changes one record, and the
    positions of others.  Releases do not depend on positions: they read a multiset of records, or put the
    records into blocks secretly and uniformly.

    Parameters
    ----------
    table : Table
    person : str
        The column that identifies a person.
    rule : {"mean", "sum", "largest", "last", "count"}

    Raises
    ------
    ParameterError
        If there is no such rule.
    DataError
        If the table lacks the column, or a row does not identify its person.
    """
    import pyarrow as pa

    if rule not in PERSON_RULES:
        choices = ", ".join(PERSON_RULES)
        raise ParameterError("person", f"'{rule}' is no rule for the rows of a person; choose {choices}")
    codes, count, problem = persons(table, person)
    last = np.empty(count, dtype=np.int64)
    last[codes] = np.arange(table.n)  # the last assignment stays
    position = np.empty(count, dtype=np.int64)
    last.sort()
    position[codes[last]] = np.arange(count)
    codes = position[codes]
    columns: dict[str, Any] = {}
    for name in table.data.column_names:
        column = table.data.column(name)
        if name == person or rule in ("last", "count") or table.column(name).type != "number":
            columns[name] = column.take(pa.array(last))
        else:
            columns[name] = _combined(array_of(nan_as_null(column)).astype(np.float64), codes, count, rule)
    if rule == "count":
        *_, name = name_columns([*columns, COUNTED])
        columns[name] = pa.array(np.bincount(codes, minlength=count))
    return dataclasses.replace(table, data=pa.table(columns), release_problem=problem, rows_of_person=1)


def keep_rows(table: Table, person: str, most: int, key: bytes) -> Table:
    """Return a table in which at most `most` rows of each person count, chosen by a keyed hash.

    The other rows stay in the table, since their number is confidential: `Table.kept` marks those that count.
    Which of a person's rows stay depends on this person's rows alone.  One person is then worth `most` rows:
    a release costs a person `most` times its epsilon.

    Parameters
    ----------
    table : Table
    person : str
        The column that identifies a person.
    most : int
        At least 1.
    key : bytes
        Secret, 1 to 64 bytes.

    Raises
    ------
    ParameterError
        If `most` is below 1.
    DataError
        If the table lacks the column, or a row does not identify its person.
    """
    if most < 1:
        raise ParameterError("most_rows", f"{most} is not possible; it must be at least 1")
    codes, count, problem = persons(table, person)
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes, minlength=count)
    kept = np.ones(table.n, dtype=bool)
    names = table.data.column(person)
    for start, size in zip(np.cumsum(sizes) - sizes, sizes, strict=True):
        if size <= most:
            continue
        own = order[start : start + size]
        name = str(names[int(own[0])]).encode()
        hashes = [hashlib.blake2b(b"%d %b" % (rank, name), key=key).digest() for rank in range(size)]
        chosen = sorted(range(size), key=hashes.__getitem__)[:most]
        kept[own] = False
        kept[own[chosen]] = True
    return dataclasses.replace(table, kept=kept, release_problem=problem, rows_of_person=most)


def persons(table: Table, person: str) -> tuple[Ints, int, str]:
    """Return the number of each row's person, shape (N,), the number of persons, and a release problem.

    `DataError` if a row does not identify its person.
    """
    check_known([person], table.data.column_names, table.source)
    column = nan_as_null(table.data.column(person))
    if column.null_count:
        index = int(np.argmin(array_of(column.is_valid())))
        raise table.error("the identifier is missing; every row must name its person", person, index)
    encoded = column.combine_chunks().dictionary_encode()
    codes = array_of(encoded.indices).astype(np.int64)
    problem = table.release_problem
    if cells.is_string(column.type) or cells.is_floating(column.type):
        problem = problem or problem_of_types(table, person, cells.texts(encoded.dictionary), codes)
    return codes, len(encoded.dictionary), problem


def _combined(values: Floats, codes: Ints, count: int, rule: str) -> Any:
    """Return one number for each person as an Arrow array; null where all values are missing."""
    import pyarrow as pa

    there = ~np.isnan(values)
    codes, values = codes[there], values[there]
    sizes = np.bincount(codes, minlength=count)
    if rule == "largest":
        result = np.full(count, -np.inf)
        np.maximum.at(result, codes, values)
    else:  # adds in the order of the rows, so others do not change how a sum is rounded
        result = np.bincount(codes, values, minlength=count)
    if rule == "mean":
        result = np.divide(result, sizes, out=np.zeros(count), where=sizes > 0)
    return pa.array(result, mask=sizes == 0)
