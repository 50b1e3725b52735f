"""The data of a page: one or several kinds, with a first query for each."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.model.dataset import Dataset
from app.model.kinds.base import DataChoice, Fields, PageState, only, values_of
from app.model.kinds.declared import FILL, REFUSE, declare_treatment, treatment
from app.model.kinds.kind import DataKind
from engine.catalog import questions
from engine.data import Example, Table
from engine.progress import Progress
from engine.questions.declarations import DROP, Declarations

FIRST_COLUMNS = 2
"""The most columns of the table that a page reads until the user chooses others."""


def declared_part(
    kind: DataKind[Any], columns: tuple[str, ...], dataset: Dataset, declarations: Declarations
) -> Fields:
    """Return the fields that read declared columns of the table."""
    chosen = kind.choose_columns(columns)
    columns = kind.columns_of(kind.choice(**chosen))
    declared = [declarations.column(name) for name in columns]
    return {**chosen, **kind.declared_fields(columns, declarations), **treatment(declared, dataset)}


def _merged(before: Any, now: Any) -> Any:
    """Return a declared value; a mapping keeps the columns that were chosen earlier."""
    return {**before, **now} if isinstance(now, Mapping) else now


@dataclasses.dataclass(frozen=True)
class PageData:
    """The data of a page.

    Attributes
    ----------
    queries : mapping of DataKind to str
        First query for each kind of data; a first visit shows the first kind.
    example : str
        Example that a first visit opens; "" for none.
    topic : str
        Topic of its mechanisms, as in `Facts.topic`; "" for queries of one number.
    delta : float
        Delta until the user chooses one.
    epsilon : float, optional
        Epsilon of a first start that opens the example; None for the general default.
    own_choice : type of DataChoice, optional
        Class of the choice about data; None for that of the first kind.
    least_columns : int
        Fewest columns of the table that it follows.
    """

    queries: Mapping[DataKind[Any], str]
    example: str = ""
    topic: str = ""
    delta: float = 0.0
    epsilon: float | None = None
    own_choice: type[DataChoice] | None = None
    least_columns: int = 1

    @property
    def reads(self) -> tuple[str, ...]:
        """The names of the kinds of data."""
        return tuple(kind.name for kind in self.queries)

    @property
    def kinds(self) -> tuple[DataKind[Any], ...]:
        """The kinds of data."""
        return tuple(self.queries)

    @property
    def forms(self) -> tuple[DataKind[Any], ...]:
        """The kinds of data with forms of their own; one form can show several."""
        return tuple({kind.choice: kind for kind in reversed(self.kinds)}.values())[::-1]

    @property
    def choice(self) -> type[DataChoice]:
        """Class of the choice about data."""
        return self.own_choice or self.kinds[0].choice

    @property
    def query(self) -> str:
        """Query of a first visit."""
        return next(iter(self.queries.values()))

    @property
    def file(self) -> str:
        """Noun phrase for a file with such data."""
        return self.kinds[0].file

    def from_example(self, card: Example) -> Fields:
        """Return the fields declared on the card of an example."""
        return self.kinds[0].from_example(card)

    @property
    def follows(self) -> bool:
        """Whether it reads columns of the table of the program."""
        return any(kind.follows for kind in self.kinds)

    def columns_in(self, dataset: Dataset, declarations: Declarations) -> tuple[str, ...]:
        """Return the columns of the table that are declared for this page; none if they are too few."""
        columns = self.kinds[0].columns_in(declarations, dataset)
        return columns if len(columns) >= self.least_columns else ()

    def from_table(self, dataset: Dataset, declarations: Declarations) -> Fields | None:
        """Return the fields that read the first declared columns of the table; None if they are too few."""
        columns = self.columns_in(dataset, declarations)
        if not columns:
            return None
        return declared_part(self.kinds[0], columns[:FIRST_COLUMNS], dataset, declarations)

    def follow(self, data: DataChoice, declarations: Declarations) -> DataChoice:
        """Return a choice about the table with the public facts as they are declared now."""
        for kind in self.kinds:
            part = data.read_by(kind.name)
            columns = kind.columns_of(part)
            if kind.follows and columns:
                facts = kind.declared_fields(columns, declarations)
                merged = {name: _merged(getattr(part, name), value) for name, value in facts.items()}
                if any(getattr(part, name) != value for name, value in merged.items()):
                    data = dataclasses.replace(data, **data.with_part(kind.name, merged))
        return data

    def declare(self, data: DataChoice, dataset: Dataset, declarations: Declarations) -> Declarations:
        """Return the declarations with the public facts that a choice about the table states."""
        for kind in self.kinds:
            part = data.read_by(kind.name)
            columns = kind.columns_of(part)
            if kind.follows and columns:
                declarations = kind.declare(part, declarations)
                declared = [declarations.column(name) for name in columns]
                fills = getattr(part, "fills", {})
                stated = {"missing": part.missing, "fills": fills if part.missing == FILL else {}}
                if stated != treatment(declared, dataset):
                    declarations = declare_treatment(columns, part.missing, fills, declarations)
        return declarations

    def guess(self, table: Table) -> Fields:
        """Return the fields that read the columns of a file whose names tell their role."""
        kind = self.kinds[0]
        choice = kind.guess(table)
        lacking = any(table.column(name).missing for name in kind.columns_of(choice))
        declared = {**choice.declared, "missing": DROP if lacking else REFUSE}
        return self.choice().with_part(kind.name, declared)

    def blank(self) -> Fields:
        """Return the fields of a file without chosen columns."""
        kind = self.kinds[0]
        return self.choice().with_part(kind.name, kind.blank().declared)

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the columns that `fields` name, and return the fields with the result (in a worker).

        Nothing is read until all of them are chosen.
        """
        choice = self.choice(**only(self.choice, fields))
        if not self.kinds[0].has_columns(choice.read_by(self.kinds[0].name)):
            return fields
        return self.kinds[0].read(dataset, fields, progress)

    def after_read(self, page: PageState, dataset: Dataset, fields: Fields) -> Fields:
        """Clear what belongs to other data, and choose a query that the new data can answer."""
        choice = page.data
        if dataset is not page.dataset:
            choice = self.choice()
            fields = {**values_of(choice), **fields}
        choice = dataclasses.replace(choice, **only(type(choice), fields))
        chosen = fields.get("mechanism", page.mechanism)
        query = fields.get("query", chosen.asked.name)
        able = {
            kind.name: first
            for kind, first in self.queries.items()
            if kind.is_read(choice.read_by(kind.name))
        }
        if able and questions()[query].reads not in able:
            query = next(iter(able.values()))
        return fields if query == chosen.asked.name else {**fields, "query": query}

    def example_of(self, kind: DataKind[Any]) -> str:
        """Return an example of a kind: that of the page, or else one that holds no other kind."""
        from engine.data import EXAMPLES

        fitting = kind.fitting()
        others = [one for one in self.kinds if one is not kind]
        alone = (name for name in fitting if not any(one.fits(EXAMPLES[name]) for one in others))
        return self.example if self.example in fitting else next(alone, next(iter(fitting), ""))

    def on_change(self, page: PageState, changed: Fields) -> Fields:
        """Return the fields to read after other choices changed."""
        return self.kinds[0].on_change(page.data, page.dataset, changed)
