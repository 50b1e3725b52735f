"""Columns of categories with public lists of categories."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.model.dataset import Dataset
from app.model.kinds.base import DataFacts, Fields, private_facts
from app.model.kinds.category_choice import (
    CategoriesBuilder,
    CategoryAnswers,
    CategoryChoice,
    list_of,
    names_words,
)
from app.model.kinds.declared import listed, source_of
from app.model.kinds.fields import MISSING, ColumnsField, OptionField
from app.model.kinds.kind import DROP, DataKind, Write, check_fills, looked_lines, missing_argument
from app.model.kinds.options import CATEGORIES, COLUMN, NEVER, UNSEEN, OptionError
from app.model.loaded import LoadedRecords
from app.model.wording.console import counted
from app.model.wording.numbers import format_count
from engine.data.categories import Categories, CategoryDomain
from engine.data.category_columns import read_categories
from engine.errors import ParameterError

if TYPE_CHECKING:
    from engine.data import Example, Table
    from engine.progress import Progress
    from engine.questions.declarations import Declarations

FIELDS = (
    ColumnsField(
        "C&olumns",
        "Columns with categories to count: text, yes or no, dates, or whole numbers",
        title="Columns of categories",
        fewest="there is nothing to count without a column; choose another one first",
        problems=("category_columns", "columns", "categories"),
    ),
    MISSING,
    OptionField(
        "&Unlisted",
        "Treatment of values that are on no list. “other” becomes a category of every column, even if no "
        "value needs it.",
        name="unseen",
        title="Values that are on no list",
        options={"refuse": "stop with a message", "other": "count as “other”"},
        edit="change the treatment of other values",
    ),
)


class CategoriesKind(DataKind[CategoryChoice]):
    """Columns of categories with public lists of categories."""

    name = "categories"
    follows = True
    description = "columns of categories"
    holds = "holds categories"
    examples = ("categories", "table")
    part = "categories"
    choice = CategoryChoice
    fields = FIELDS
    options = (COLUMN, CATEGORIES, UNSEEN)
    unnamed = ("columns", "is empty; it must name the columns of categories")
    declared = "categories"
    public = "lists of categories"
    clamps = False
    fills_numbers = False

    def offers(self, card: Example) -> bool:
        return self.fits(card)

    def from_example(self, card: Example) -> Fields:
        names = tuple(column.name for column in card.categories)
        lists = {column.name: column.labels for column in card.categories}
        return {"columns": names[:2], "lists": lists, "missing": "drop", "bounds_source": "known"}

    def with_columns(self, declared: Fields, columns: tuple[str, ...], card: Example) -> Fields:
        return {**declared, "columns": columns}

    def columns_in(self, declarations: Declarations, dataset: Dataset) -> tuple[str, ...]:
        return listed(declarations, dataset)

    def declared_fields(self, columns: tuple[str, ...], declarations: Declarations) -> Fields:
        declared = [declarations.column(name) for name in columns]
        return {
            "lists": {one.name: one.categories for one in declared},
            "unseen": "other" if any(one.other for one in declared) else "refuse",
            "bounds_source": source_of(declared),
        }

    def declare(self, choice: CategoryChoice, declarations: Declarations) -> Declarations:
        before = [declarations.column(name) for name in choice.columns]
        other = choice.unseen == "other"
        changed = other != any(one.other for one in before)
        for one in before:
            labels = choice.lists.get(one.name, ())
            declared = dataclasses.replace(one, other=other if changed else one.other)
            if one.categories != labels:
                declared = dataclasses.replace(declared, categories=labels, source=choice.bounds_source)
            declarations = declarations.with_column(declared)
        return declarations

    def columns_of(self, choice: CategoryChoice) -> tuple[str, ...]:
        return choice.columns

    coordinates = columns_of

    def is_read(self, choice: CategoryChoice) -> bool:
        return bool(choice.columns)

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        columns, missing = fields["columns"], fields["missing"]
        known = fields.get("fills", {})
        fill = tuple(known.get(name, "") for name in columns)
        answers = CategoryAnswers.read(dataset.table, columns, missing, progress, fill) if columns else None
        return {**fields, "answers": answers}

    def on_change(self, choice: CategoryChoice, dataset: Dataset, changed: Fields) -> Fields:
        return {**choice.declared, **changed}

    def builder(self, choice: CategoryChoice, dataset: Dataset | None) -> CategoriesBuilder:
        if not choice.columns:
            raise ParameterError("category_columns", "choose the columns of categories")
        lists = [list_of(name, choice.lists.get(name, ())) for name in choice.columns]
        declared = CategoryDomain(choice.columns, lists)
        if choice.answers is None:
            raise ParameterError(
                "missing", "some records lack a value; say what stands for it, or choose other columns"
            )
        self._check_fills(choice, declared)
        return CategoriesBuilder(choice.answers, declared, choice.unseen)

    def _check_fills(self, choice: CategoryChoice, declared: CategoryDomain) -> None:
        """Raise `ParameterError` for a replacement that is not on the list of its column."""
        check_fills(self, choice)
        if choice.missing == "fill":
            counted = declared.with_other() if choice.unseen == "other" else declared
            for name, labels in zip(counted.columns, counted.labels, strict=True):
                if choice.fills[name] not in labels:
                    fill = f"“{choice.fills[name]}”"
                    text = f"{fill} is not on the list of {name}; add it, or choose another category"
                    raise ParameterError("missing", text)

    def facts(self, choice: CategoryChoice, moved: int | None) -> DataFacts:
        return DataFacts(
            (f"n = {format_count(choice.n or 0)}",),
            private_facts(choice, moved, "counted as “other”"),
            "n is public.",
            "n, the number of records, is public. How many were filled or left out is not.",
        )

    def report(self, choice: CategoryChoice, dataset: Dataset) -> Iterator[tuple[str, str]]:
        for name in choice.columns:
            yield f"Categories of {name}", names_words(choice.lists.get(name, ()))

    def script(self, choice: CategoryChoice, source: Any, write: Write) -> list[str]:
        other = "" if choice.unseen == "refuse" else f", unseen={write(choice.unseen)}"
        return [
            f"lists = {write(source.declared)}",
            *looked_lines(choice),
            f"data = read_categories(table, lists{missing_argument(self, choice, write)}{other}).categories",
            "bounds = data.domain",
        ]

    def value_of(self, texts: Sequence[str], domain: CategoryDomain) -> Sequence[str]:
        return texts

    def locate(
        self, options: argparse.Namespace, card: Example | None, read_table: Callable[[], Table]
    ) -> tuple[Table, Fields]:
        domain = _domain_of(options, card)
        if options.unseen == DROP:
            raise OptionError("unseen", "drop belongs to --by; choose refuse or other")
        lists = dict(zip(domain.columns, domain.labels, strict=True))
        whole = options.categories is None  # the lists on a card are
        unseen = options.unseen or ("refuse" if whole else "other")
        return read_table(), {"columns": domain.columns, "lists": lists, "unseen": unseen}

    def load(self, table: Table, fields: Fields) -> LoadedRecords[Categories]:
        domain = CategoryDomain(fields["columns"], tuple(fields["lists"].values()))
        known = fields.get("fills", {})
        fill = [known.get(name, "") for name in domain.columns]
        result = read_categories(table, domain, fields["missing"], fields["unseen"], fill)
        title = f"{', '.join(domain.columns)} ({table.source})"
        return LoadedRecords(
            result.categories, title, "", result.unseen, result.dropped, columns=domain.columns
        )


def _domain_of(options: argparse.Namespace, card: Example | None) -> CategoryDomain:
    """Return the columns and lists on the command line; `OptionError` for those that are missing."""
    columns = options.column or [own.name for own in (card.categories if card is not None else ())]
    if not columns:
        raise OptionError("column", "name the columns of categories, once for each")
    return categories_of(columns, options.categories, card)


def categories_of(
    columns: Sequence[str], given: Sequence[Sequence[str]] | None, card: Example | None
) -> CategoryDomain:
    """Return columns with the given lists, or those on a card; `OptionError` for a missing list."""
    known = {own.name: own.labels for own in card.categories} if card is not None else {}
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
    for name, labels in zip(columns, given, strict=True):
        if twice := next((label for label in labels if label.startswith(f"{name}=")), ""):
            advice = (
                f"write {twice.removeprefix(f'{name}=')}, and one list for each column, in the same order"
            )
            raise OptionError("categories", f"'{twice}' repeats the name of the column; {advice}")
    return CategoryDomain(columns, given)
