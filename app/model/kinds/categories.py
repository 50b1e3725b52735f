"""Columns of categories: which, what they may hold, and their records, ready for any public lists."""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from engine.data.category_columns import distinct_values

if TYPE_CHECKING:
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
class CategoryChoice:
    """What a person has decided about columns of categories.

    Attributes
    ----------
    columns : tuple of str
        In the order of the file.
    lists : mapping of str to tuple of str
        What each column may hold, public; also of columns that were chosen before.
    unseen : {"refuse", "other"}
        What is done with values that no list has.
    missing : {"refuse", "drop"}
    origin : {"known", "looked"}
        Where the lists come from.
    answers : CategoryAnswers or None
        The records of the columns; None while they have not been read.
    """

    columns: tuple[str, ...] = ()
    lists: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    unseen: str = "refuse"
    missing: str = "refuse"
    origin: str = "known"
    answers: CategoryAnswers | None = dataclasses.field(default=None, repr=False)

    def read(self, table: Table, progress: Progress) -> CategoryChoice:
        """Return the choice with its records."""
        answers = CategoryAnswers.read(table, self.columns, self.missing, progress) if self.columns else None
        return dataclasses.replace(self, answers=answers)

    def listed(self, name: str, labels: tuple[str, ...], origin: str | None = None) -> CategoryChoice:
        """Return the choice with another list for a column."""
        return dataclasses.replace(
            self, lists={**self.lists, name: labels}, origin=self.origin if origin is None else origin
        )


NO_CATEGORIES = CategoryChoice()
"""Nothing is chosen yet."""


def parse_list(text: str) -> tuple[str, ...]:
    """Read what a person typed: labels between commas, in quotes where a comma is part of one.

    >>> parsed_list('male, female'), parsed_list('"Washington, D.C.", Ohio')
    (('male', 'female'), ('Washington, D.C.', 'Ohio'))
    """
    labels = (label.strip() for row in csv.reader([text], skipinitialspace=True) for label in row)
    return tuple(label for label in labels if label)


def format_list(labels: Iterable[str]) -> str:
    """Write a list as `parse_list` reads it.

    >>> written_list(["Washington, D.C.", "Ohio"])
    '"Washington, D.C.", Ohio'
    """
    return ", ".join(map(_quoted, labels))


def _quoted(label: str) -> str:
    doubled = label.replace('"', '""')
    return f'"{doubled}"' if "," in label or '"' in label else label
