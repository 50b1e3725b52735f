"""Categories that are chosen, and their public lists: typed, bundled, or in files."""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from app.model.kinds.base import FOUND, DataChoice, as_many, parts_of
from app.model.wording.numbers import format_count
from engine.data.categories import Categories, CategoryDomain
from engine.data.category_columns import distinct_values, read_categories
from engine.data.text import lines_of_list
from engine.errors import DataError, ParameterError
from engine.resources import resource

if TYPE_CHECKING:
    from engine.data import Table
    from engine.progress import Progress


@dataclasses.dataclass(frozen=True, eq=False)
class CategoryAnswers:
    """The records of some columns of categories."""

    table: Table
    columns: tuple[str, ...]
    missing: str
    fill: tuple[str, ...]  # replacement for missing values of each column
    n: int  # number of records that count
    lacking: int  # number of records that lack a value (private)

    @classmethod
    def read(
        cls,
        table: Table,
        columns: tuple[str, ...],
        missing: str,
        progress: Progress,
        fill: tuple[str, ...] = (),
    ) -> CategoryAnswers | None:
        """Read the columns; None where values are missing and may not be left out.

        `DataError` if a column holds no categories.
        """
        if missing == "refuse" and any(table.column(name).missing for name in columns):
            return None
        for step, name in enumerate(columns):
            progress(step / len(columns), f"reading column '{name}'")
            distinct_values(table, name, 0)  # checks that it holds categories
        whole = int(np.count_nonzero(table.complete(columns, missing)))
        n = whole if missing == "drop" else table.n
        return cls(table, columns, missing, fill, n, table.n - whole)


@dataclasses.dataclass(frozen=True)
class CategoryChoice(DataChoice):
    """Choices about columns of categories; `bounds_source` says where their lists come from."""

    columns: tuple[str, ...] = ()  # in the order of the file
    # public categories of each column; columns chosen earlier keep theirs
    lists: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    # replacement for missing values, by column
    fills: Mapping[str, str] = dataclasses.field(default_factory=dict)
    unseen: Literal["refuse", "other"] = "refuse"  # treatment of values that are not on the list
    # the records of the columns; None while they have not been read
    answers: CategoryAnswers | None = dataclasses.field(default=None, repr=False, metadata=FOUND)

    @property
    def n(self) -> int | None:
        return None if self.answers is None else self.answers.n

    @property
    def dropped(self) -> int:
        return self._lacking if self.missing == "drop" else 0

    @property
    def filled(self) -> int:
        return self._lacking if self.missing == "fill" else 0

    @property
    def _lacking(self) -> int:
        return 0 if self.answers is None else self.answers.lacking


@dataclasses.dataclass(frozen=True, eq=False)
class CategoriesBuilder:
    """Columns of categories, and their public lists."""

    answers: CategoryAnswers
    declared: CategoryDomain  # the lists without the category that `unseen` may add
    unseen: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.declared.columns

    @property
    def domain(self) -> CategoryDomain:
        """The public lists; each ends with "other" where that is chosen."""
        return self.declared.with_other() if self.unseen == "other" else self.declared

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return self.answers.n

    def build(self) -> Categories:
        """Code each value by its list; `DataError` for a value on no list, unless it counts as "other"."""
        answers = self.answers
        return read_categories(
            answers.table, self.declared, answers.missing, self.unseen, answers.fill
        ).categories

    def same(self, other: CategoriesBuilder) -> bool:
        """Return whether both make the same records."""
        asked = self.declared, self.unseen
        return self.answers is other.answers and asked == (other.declared, other.unseen)

    def before(self, record: int) -> CategoriesBuilder:
        """Return the builder itself: no record is changed by hand."""
        return self

    def problem(self) -> None:
        """Return None: values on no list are private, and `build` finds them."""

    def record(self, text: str) -> list[str]:
        """Return one category for each column; that of a single column may have colons."""
        return as_many(parts_of(text) if len(self.columns) > 1 else [text.strip()], self.columns)

    def distant_value(self, record: int | None, values: Mapping[str, Any]) -> tuple[int, str] | None:
        """Return another category of each column that has one."""
        own = None if record is None else self._labels_of(record)
        if record is None or own is None:
            return None
        several = len(own) > 1  # then colons separate them
        chosen = [
            next((one for one in labels if one != label and not (several and ":" in one)), label)
            for label, labels in zip(own, self.domain.labels, strict=True)
        ]
        unwritten = several and any(":" in label for label in chosen)
        return None if unwritten or chosen == own else (record, ":".join(chosen))

    def _labels_of(self, record: int) -> list[str] | None:
        """Return the categories of one record as the lists spell them; None if it has none."""
        answers = self.answers
        row, table = record, answers.table
        if answers.missing == "drop":
            row = int(np.flatnonzero(table.complete(self.columns, "drop"))[record])
        one = dataclasses.replace(table, data=table.data.slice(row, 1), kept=None)
        try:
            read = read_categories(one, self.declared, answers.missing, self.unseen, answers.fill)
        except (DataError, ParameterError):
            return None
        codes = read.categories.codes[0]
        return [labels[code] for code, labels in zip(codes, self.domain.labels, strict=True)]


NO_CATEGORIES = CategoryChoice()
"""Category in the list while none is chosen."""


MAX_NAMES = 12
"""Labels written out in full."""


def names_words(names: Sequence[str]) -> str:
    """Return at most `MAX_NAMES` names, and how many more there are."""
    more = len(names) - MAX_NAMES
    shown = ", ".join(names[:MAX_NAMES])
    return f"{shown}, and {format_count(more)} more" if more > 0 else shown or "not declared"


def list_of(name: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the list of a column; `ParameterError` names its field in the form."""
    field = f"categories of {name}"
    if not labels:
        raise ParameterError(field, f"list all categories of {name}, from what is known without the data")
    try:
        return CategoryDomain((name,), (labels,)).labels[0]
    except ParameterError as error:
        raise ParameterError(field, error.problem) from None


def parse_list(text: str) -> tuple[str, ...]:
    """Read a typed list: labels between commas, in quotes where a comma is part of one.

    >>> parse_list('male, female'), parse_list('"Washington, D.C.", Ohio')
    (('male', 'female'), ('Washington, D.C.', 'Ohio'))
    """
    labels = (label.strip() for row in csv.reader([text], skipinitialspace=True) for label in row)
    return tuple(label for label in labels if label)


def format_list(labels: Iterable[str]) -> str:
    """Write a list so that `parse_list` reads it.

    >>> format_list(["Washington, D.C.", "Ohio"])
    '"Washington, D.C.", Ohio'
    """
    return ", ".join(map(_quoted, labels))


def _quoted(label: str) -> str:
    doubled = label.replace('"', '""')
    return f'"{doubled}"' if "," in label or '"' in label else label


@cache
def public_lists() -> Mapping[str, tuple[str, ...]]:
    """Return the bundled lists, by their titles."""
    import tomllib

    result = tomllib.loads(resource("categories.toml").read_text("utf-8"))["list"]
    return {one["title"]: tuple(one["labels"]) for one in result}


def read_list(path: Path, column: str) -> tuple[str, ...]:
    """Read the list of a column from a file: a category in each line, or all in one between commas.

    Of a table, the first column is read; a first line that names the column is left out. `DataError` if
    there is no list in it.
    """
    lines = lines_of_list(path, "categories")
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, skipinitialspace=True)]
    rows = [row for row in rows if any(row)]
    cells = rows[0] if len(rows) == 1 else [row[0] for row in rows]
    if len(cells) > 1 and cells[0].casefold() == column.casefold():
        cells = cells[1:]
    labels = tuple(dict.fromkeys(label for label in cells if label))
    if not labels:
        raise DataError("holds no categories; write one in each line", source=path.name)
    return labels
