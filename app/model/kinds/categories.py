"""Columns of categories: which, what they may hold, and their records, ready for any public lists."""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from app.model.kinds.base import DataChoice
from engine.data.categories import Categories, CategoryDomain
from engine.data.category_columns import distinct_values, read_categories
from engine.errors import ParameterError

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from engine.data import Table
    from engine.progress import Progress

MOST_FOUND = 100
"""More categories than anybody would read in a line."""


@dataclasses.dataclass(frozen=True, eq=False)
class CategoryAnswers:
    """The records of some columns of categories.

    Attributes
    ----------
    columns : tuple of str
    missing : {"refuse", "drop"}
    n : int
        How many records count (public).
    dropped : int
        How many were left out because a value is missing (private).
    found : mapping of str to tuple of str or None
        What each column holds (private); None where that is too much for a list.
    """

    table: Table
    columns: tuple[str, ...]
    missing: str
    n: int
    dropped: int
    found: Mapping[str, tuple[str, ...] | None]

    @classmethod
    def read(
        cls, table: Table, columns: tuple[str, ...], missing: str, progress: Progress
    ) -> CategoryAnswers | None:
        """Look at the columns; None where values are missing that nobody has allowed to be dropped.

        Raises
        ------
        DataError
            If a column holds no categories.
        """
        if missing == "refuse" and any(table.column(name).missing for name in columns):
            return None
        found = {}
        for step, name in enumerate(columns):
            progress(step / len(columns), f"reading column '{name}'")
            found[name] = distinct_values(table, name, MOST_FOUND)
        n = int(np.count_nonzero(table.complete(columns, missing)))
        return cls(table, columns, missing, n, table.n - n, found)


@dataclasses.dataclass(frozen=True)
class CategoryChoice(DataChoice):
    """What is chosen about columns of categories; `bounds_source` says where their lists come from.

    Attributes
    ----------
    columns : tuple of str
        In the order of the file.
    lists : mapping of str to tuple of str
        What each column may hold, public; also of columns that were chosen before.
    unseen : {"refuse", "other"}
        What is done with values that no list has.
    answers : CategoryAnswers or None
        The records of the columns; None while they have not been read.
    """

    columns: tuple[str, ...] = ()
    lists: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    unseen: str = "refuse"
    answers: CategoryAnswers | None = dataclasses.field(default=None, repr=False)

    def builder(self, dataset: Dataset | None, reads: str) -> CategoriesBuilder:
        """Return what makes the records; `ParameterError` for what is missing."""
        if not self.columns:
            raise ParameterError("category_columns", "choose the columns of categories")
        lists = [_list_of(name, self.lists.get(name, ())) for name in self.columns]
        declared = CategoryDomain(self.columns, lists)
        if self.answers is None:
            raise ParameterError(
                "missing", "some records lack a value; drop and count them, or choose other columns"
            )
        return CategoriesBuilder(self.answers, declared, self.unseen)

    def names(self) -> tuple[str, ...]:
        """Return the columns of categories."""
        return self.columns

    def read(self, table: Table, progress: Progress) -> CategoryChoice:
        """Return the choice with its records."""
        answers = CategoryAnswers.read(table, self.columns, self.missing, progress) if self.columns else None
        return dataclasses.replace(self, answers=answers)

    def listed(self, name: str, labels: tuple[str, ...], source: str | None = None) -> CategoryChoice:
        """Return the choice with another list for a column, and perhaps another source of lists."""
        lists = {**self.lists, name: labels}
        return dataclasses.replace(self, lists=lists, bounds_source=source or self.bounds_source)


@dataclasses.dataclass(frozen=True, eq=False)
class CategoriesBuilder:
    """Columns of categories, and their public lists.

    Attributes
    ----------
    answers : CategoryAnswers
    declared : CategoryDomain
        The lists without what `unseen` adds to them.
    unseen : {"refuse", "other"}
    """

    answers: CategoryAnswers
    declared: CategoryDomain
    unseen: str

    @property
    def columns(self) -> tuple[str, ...]:
        """What the columns are called."""
        return self.declared.columns

    @property
    def domain(self) -> CategoryDomain:
        """The public lists, with a category "other" where that is asked for."""
        return self.declared.with_other() if self.unseen == "other" else self.declared

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return self.answers.n

    def build(self) -> Categories:
        """Find each value in its list; `DataError` for one that is in none and refused."""
        answers = self.answers
        return read_categories(answers.table, self.declared, answers.missing, self.unseen).categories

    def same(self, other: CategoriesBuilder) -> bool:
        """Tell whether both make the same records."""
        asked = self.declared, self.unseen
        return self.answers is other.answers and asked == (other.declared, other.unseen)

    def problem(self) -> None:
        """Return None: what no list has is private, and found out by `build`."""


def _list_of(name: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the list of a column; the error names the column, beside whose list it belongs."""
    field = f"categories of {name}"
    if not labels:
        raise ParameterError(field, f"list all categories of {name}, from what is known without the data")
    try:
        return CategoryDomain((name,), (labels,)).labels[0]
    except ParameterError as error:
        raise ParameterError(field, error.problem) from None


NO_CATEGORIES = CategoryChoice()
"""Nothing is chosen yet."""


def parse_list(text: str) -> tuple[str, ...]:
    """Read what a person typed: labels between commas, in quotes where a comma is part of one.

    >>> parse_list('male, female'), parse_list('"Washington, D.C.", Ohio')
    (('male', 'female'), ('Washington, D.C.', 'Ohio'))
    """
    labels = (label.strip() for row in csv.reader([text], skipinitialspace=True) for label in row)
    return tuple(label for label in labels if label)


def format_list(labels: Iterable[str]) -> str:
    """Write a list as `parse_list` reads it.

    >>> format_list(["Washington, D.C.", "Ohio"])
    '"Washington, D.C.", Ohio'
    """
    return ", ".join(map(_quoted, labels))


def _quoted(label: str) -> str:
    doubled = label.replace('"', '""')
    return f'"{doubled}"' if "," in label or '"' in label else label
