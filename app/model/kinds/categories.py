"""Columns of categories: which, what they may hold, and their records, ready for any public lists."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from app.model.dataset import Dataset
from app.model.kinds.base import FOUND, DataChoice, Fields, as_many, parts_of
from app.model.kinds.category_lists import list_of, names_words
from app.model.kinds.kind import DataKind, Write
from app.model.kinds.options import CATEGORIES, COLUMN, NEVER, UNSEEN, OptionError
from app.model.kinds.scripts import looked_lines, missing_argument
from app.model.loaded import LoadedRecords
from app.model.wording.console import counted
from engine.data.categories import Categories, CategoryDomain
from engine.data.category_columns import distinct_values, read_categories
from engine.errors import ParameterError

if TYPE_CHECKING:
    from engine.data import Example, Table
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
    unseen: Literal["refuse", "other"] = "refuse"
    answers: CategoryAnswers | None = dataclasses.field(default=None, repr=False, metadata=FOUND)

    @property
    def dropped(self) -> int:
        """How many records were left out because a value is missing (private)."""
        return 0 if self.answers is None else self.answers.dropped


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

    def record(self, text: str) -> list[str]:
        """Return a category for each column."""
        return as_many(parts_of(text), self.columns)


class CategoriesKind(DataKind[CategoryChoice]):
    """Columns of categories, with public lists of what they may hold."""

    name = "categories"
    words = "columns of categories"
    holds = "holds categories"
    examples = ("categories", "table")
    part = "categories"
    choice = CategoryChoice
    options = (COLUMN, CATEGORIES, UNSEEN)
    unnamed = ("columns", "is empty; it must name the columns of categories")
    declared = "categories"
    public = "lists of categories"
    clamps = False

    def offers(self, card: Example) -> bool:
        """Tell whether an example has columns of categories, beside numbers or alone."""
        return self.fits(card)

    def from_example(self, card: Example) -> Fields:
        """Return the first two columns of categories, and all lists."""
        names = tuple(column.name for column in card.categories)
        lists = {column.name: column.labels for column in card.categories}
        return {"columns": names[:2], "lists": lists, "missing": "drop", "bounds_source": "known"}

    def with_columns(self, declared: Fields, columns: tuple[str, ...], card: Example) -> Fields:
        """Return other columns."""
        return {**declared, "columns": columns}

    def columns_of(self, choice: CategoryChoice) -> tuple[str, ...]:
        """Return the columns of categories."""
        return choice.columns

    coordinates = columns_of

    def is_read(self, choice: CategoryChoice) -> bool:
        """Tell whether there are columns of categories."""
        return bool(choice.columns)

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the records, ready for any lists."""
        columns, missing = fields["columns"], fields["missing"]
        answers = CategoryAnswers.read(dataset.table, columns, missing, progress) if columns else None
        return {**fields, "answers": answers}

    def on_change(self, choice: CategoryChoice, dataset: Dataset, changed: Fields) -> Fields:
        """Keep the lists of each column; records without a value are asked about beside the field."""
        return {**choice.declared, **changed}

    def builder(self, choice: CategoryChoice, dataset: Dataset | None) -> CategoriesBuilder:
        """Return what makes the records; `ParameterError` for what is missing."""
        if not choice.columns:
            raise ParameterError("category_columns", "choose the columns of categories")
        lists = [list_of(name, choice.lists.get(name, ())) for name in choice.columns]
        declared = CategoryDomain(choice.columns, lists)
        if choice.answers is None:
            raise ParameterError(
                "missing", "some records lack a value; drop and count them, or choose other columns"
            )
        return CategoriesBuilder(choice.answers, declared, choice.unseen)

    def report(self, choice: CategoryChoice, dataset: Dataset) -> Iterator[tuple[str, str]]:
        """Yield the list of each column."""
        for name in choice.columns:
            yield f"Categories of {name}", names_words(choice.lists.get(name, ()))

    def script(self, choice: CategoryChoice, source: Any, write: Write) -> list[str]:
        """Return the lines that make categories."""
        other = "" if choice.unseen == "refuse" else f", unseen={write(choice.unseen)}"
        return [
            f"lists = {write(source.declared)}",
            *looked_lines(choice),
            f"data = read_categories(table, lists{missing_argument(choice, write)}{other}).categories",
            "bounds = data.domain",
        ]

    def locate(
        self, options: argparse.Namespace, card: Example | None, read_table: Callable[[], Table]
    ) -> tuple[Table, Fields]:
        """Return the columns and their lists: those given, else those of the card."""
        domain = _domain_of(options, card)
        lists = dict(zip(domain.columns, domain.labels, strict=True))
        fields = {"columns": domain.columns, "lists": lists, "unseen": options.unseen or "refuse"}
        return read_table(), fields

    def load(self, table: Table, fields: Fields) -> LoadedRecords[Categories]:
        """Find each value in its list; the first record that cannot be counted is named by its row."""
        domain = CategoryDomain(fields["columns"], tuple(fields["lists"].values()))
        found = read_categories(table, domain, fields["missing"], fields["unseen"])
        title = f"{', '.join(domain.columns)} ({table.source})"
        return LoadedRecords(found.categories, title, "", found.unseen, found.dropped, columns=domain.columns)


def _domain_of(options: argparse.Namespace, card: Example | None) -> CategoryDomain:
    """Return the columns and lists on the command line; `OptionError` for those that are missing."""
    known = {own.name: own.labels for own in card.categories} if card is not None else {}
    columns = options.column or list(known)
    if not columns:
        raise OptionError("column", "name the columns of categories, once for each")
    given = options.categories
    if given is None:
        unknown = next((name for name in columns if name not in known), None)
        if unknown is not None:
            raise OptionError(
                "categories",
                f"a public list of what column '{unknown}' may hold is needed, separated by "
                f"commas, once for each column, {NEVER}",
            )
        given = [known[name] for name in columns]
    if len(given) != len(columns):
        raise OptionError(
            "categories",
            f"{counted(len(given), 'list')} for {counted(len(columns), 'column')} "
            f"({', '.join(columns)}); give one for each, in the same order",
        )
    return CategoryDomain(columns, given)


NO_CATEGORIES = CategoryChoice()
"""Nothing is chosen yet."""
