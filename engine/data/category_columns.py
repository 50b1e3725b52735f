"""Read columns of a table as categories from public lists."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Ints
from engine.data import cells
from engine.data.arrays import array_of, fill_null, mask_array, scalar, text_array, try_cast
from engine.data.categories import OTHER, Categories, CategoryDomain, offered, places_to_fill
from engine.data.mixed_types import problem_of_types
from engine.data.table import Table
from engine.errors import ParameterError
from engine.shown import ShownInALine

UNSEEN_CHOICES = ("refuse", "other")
"""Choices for undeclared values: raise an error, or count them as "other"."""

RIGHT = "categories are text, true or false, dates, or whole numbers"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class CategoryRecords:
    """The categories of some columns, as `read_categories` returns them; the counts are private.

    `dropped` records were left out because a value is missing.  `unseen` records have an undeclared value,
    counted as "other".  `filled` records have a public category instead of a missing value.
    """

    categories: Categories
    dropped: int = 0
    unseen: int = 0
    filled: int = 0


def read_categories(
    table: Table,
    domain: CategoryDomain | Mapping[str, Sequence[str]],
    missing: str = "refuse",
    unseen: str = "refuse",
    fill: Sequence[str] | None = None,
) -> CategoryRecords:
    """Read the columns that `domain` names: text, true or false, dates, or whole numbers.

    A cell matches a label if their texts match without surrounding blanks.  In a column of numbers the format
    does not matter (7, 007, 7.0), nor does case in a column of true and false.

    Parameters
    ----------
    table : Table
    domain : CategoryDomain
        Columns and their categories, public: never made from the table.  A mapping is accepted.
    missing : {"refuse", "fill", "drop"}
        How to handle missing values: raise, fill in the categories of `fill`, or leave the record out and
        count it.
    unseen : {"refuse", "other"}
        How to handle undeclared values: raise, or count them as the public category "other", which every
        column then has, used or not.
    fill : sequence of str, optional
        For each column one of its categories, chosen without looking at the data.

    Returns
    -------
    CategoryRecords

    Raises
    ------
    DataError
        For an unknown column, a column of fractions, lists or bytes, a blank, a refused missing value, or a
        refused undeclared value: its row, and the declared categories.
    ParameterError
        If two labels of a column of numbers are the same number, a choice is unknown, or `fill` names an
        undeclared category.

    See Also
    --------
    Categories, CategoryDomain, ContingencyTable

    Examples
    --------
    >>> from engine import EXAMPLES, CategoryDomain, load_example
    >>> card = EXAMPLES["admissions"].categories[0]
    >>> domain = CategoryDomain([card.name], [card.labels])
    >>> records = read_categories(load_example("admissions"), domain)
    >>> records.categories.n, records.dropped
    (4526, 0)
    """
    domain = CategoryDomain(domain) if isinstance(domain, Mapping) else domain
    if unseen not in UNSEEN_CHOICES:
        raise ParameterError("unseen", f"{unseen!r} is not possible; it must be refuse or other")
    present = table.complete(domain.columns, missing)
    counted = domain.with_other() if unseen == "other" else domain
    lacking = table.n - int(np.count_nonzero(present))
    counts = np.ones(table.n, dtype=bool)
    instead: Ints = np.zeros(len(domain.columns), dtype=np.int64)
    if missing == "fill":
        instead = places_to_fill(fill, counted)
    else:
        counts = present
    codes = np.empty((int(np.count_nonzero(counts)), len(domain.columns)), dtype=np.int64)
    problem = table.release_problem
    undeclared = np.zeros(len(codes), dtype=bool)
    for index, name in enumerate(domain.columns):
        there = table.complete([name], "fill") if missing == "fill" else present
        column = _Column.of(table, name, there)
        problem = problem or problem_of_types(table, name, column.texts, column.codes)
        result = column.places(domain.labels[index])
        if unseen == "other":
            undeclared[there[counts]] |= (result < 0)[column.codes]
            result = np.where(result < 0, counted.labels[index].index(OTHER), result)
        elif (result < 0).any():
            column.refuse_undeclared(result < 0, domain.labels[index])
        codes[:, index] = instead[index]
        codes[there[counts], index] = result[column.codes]
    left_out, filled = (0, lacking) if missing == "fill" else (lacking, 0)
    categories = Categories(table.marked(codes, missing), counted, problem)
    return CategoryRecords(categories, left_out, int(np.count_nonzero(undeclared)), filled)


def codes_of(table: Table, name: str, labels: Sequence[str], present: Bools) -> tuple[Ints, str]:
    """Return the index of each present value of a column among the labels, and a release problem.

    The index is -1 where a value is undeclared.
    """
    column = _Column.of(table, name, present)
    return column.places(labels)[column.codes], problem_of_types(table, name, column.texts, column.codes)


def distinct_values(table: Table, name: str, most: int = 1000) -> tuple[str, ...] | None:
    """Return the distinct values of a column (private) without missing ones; None if more than `most`.

    Numbers are in numerical order, other values in alphabetical order.  A list of categories made from this
    result is not public.
    """
    column = _Column.of(table, name, table.complete([name], "drop"))
    if len(column.texts) > most:
        return None
    results = sorted(set(column.texts.to_pylist()))
    return tuple(sorted(results, key=float) if table.column(name).type == "number" else results)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class _Column(ShownInALine):
    """The distinct values of a column as text, with the index of each present record (`codes`)."""

    table: Table
    name: str
    present: Bools
    texts: Any
    codes: NDArray[Any]

    @classmethod
    def of(cls, table: Table, name: str, present: Bools) -> _Column:
        """Return a column of categories; `DataError` if it holds anything else."""
        import pyarrow as pa
        from pyarrow import types

        column = table.data.column(name)
        if cells.is_binary(column.type) or types.is_nested(column.type):
            raise table.error(f"it holds bytes, lists or objects; {RIGHT}", name)
        if cells.is_string(column.type):
            # joined chunks of short strings may overflow 32-bit offsets
            column = column.cast(pa.large_string())
        encoded = column.filter(mask_array(present)).combine_chunks().dictionary_encode()
        values = encoded.dictionary
        if types.is_floating(values.type):
            whole = try_cast(values, pa.int64())  # writes 1e10 as 10000000000
            values = values if whole is None else whole
        try:
            texts = cells.texts(values)
        except ValueError as error:
            problem = f"its values cannot be read as text; {RIGHT}"
            raise table.error(problem, name, confidential=str(error)) from None
        made = cls(table, name, present, texts, array_of(encoded.indices))
        made._refuse_no_category()
        return made

    def places(self, labels: Sequence[str]) -> Ints:
        """Return the index of each distinct value among the labels, -1 where it is undeclared."""
        import pyarrow as pa
        import pyarrow.compute as pc

        declared = text_array(labels, pa.large_string())
        kind = self.table.column(self.name).type
        if kind == "number":
            declared = cells.without_zeros(declared)
        if kind == "boolean":
            declared = pc.utf8_lower(declared)
        if kind == "date":
            declared = cells.plain_times(declared)
        first: dict[str, int] = {}
        for index, label in enumerate(declared.to_pylist()):
            if first.setdefault(label, index) != index:
                raise ParameterError(
                    "categories",
                    f"'{labels[first[label]]}' and '{labels[index]}' are the same in column "
                    f"'{self.name}', which holds {kind}s; list each category once",
                )
        result = fill_null(pc.index_in(self.texts, value_set=declared), -1)
        places: Ints = array_of(result).astype(np.int64)
        return places

    def refuse_undeclared(self, wrong: Bools, labels: Sequence[str]) -> NoReturn:
        """Raise `DataError` at the first undeclared value."""
        self._refuse_first(
            wrong,
            f"the value is not among the declared categories ({offered(labels)}); correct it, "
            f"declare it as one more, or count undeclared values as '{OTHER}' (unseen = other)",
        )

    def _refuse_no_category(self) -> None:
        import pyarrow.compute as pc

        blank = array_of(pc.equal(self.texts, scalar("", self.texts.type)))
        if blank.any():
            self._refuse_first(
                blank, "a blank is no category; fill it in, or leave the cell empty to count it as missing"
            )
        if self.table.column(self.name).type == "number":
            fractions = array_of(pc.match_substring_regex(self.texts, r"[.nN]|[eE]-"))
            if fractions.any():
                self._refuse_first(fractions, f"the value is no whole number; {RIGHT}")

    def _refuse_first(self, wrong: Bools, what: str) -> NoReturn:
        record = int(np.argmax(wrong[self.codes]))
        value = cells.quote(self.texts[int(self.codes[record])].as_py())
        raise self.table.error(what, self.name, int(np.flatnonzero(self.present)[record]), value)
