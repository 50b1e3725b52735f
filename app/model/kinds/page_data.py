"""The data of a page: one or several kinds, with a first query for each."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.model.kinds.base import DataChoice, Fields, PageState, only, values_of
from app.model.kinds.kind import DataKind
from engine.catalog import questions

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from engine.data import Example
    from engine.progress import Progress


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
    """

    queries: Mapping[DataKind[Any], str]
    example: str = ""
    topic: str = ""
    delta: float = 0.0
    epsilon: float | None = None
    own_choice: type[DataChoice] | None = None

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

    def asked(self, reads: str, dataset: Dataset, fields: Fields) -> DataKind[Any]:
        """Return the kind of data for which a file is opened, given what is read now and the new fields."""
        return self.kinds[0]

    def from_example(self, card: Example) -> Fields:
        """Return the fields declared on the card of an example."""
        return self.kinds[0].from_example(card)

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the columns that `fields` name, and return the fields with the result (in a worker)."""
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
        able = {kind.name: first for kind, first in self.queries.items() if self._is_read(kind, choice)}
        if able and questions()[query].reads not in able:
            query = next(iter(able.values()))
        return fields if query == chosen.asked.name else {**fields, "query": query}

    def _is_read(self, kind: DataKind[Any], choice: DataChoice) -> bool:
        return kind.is_read(choice.read_by(kind.name))

    def example_of(self, kind: DataKind[Any]) -> str:
        """Return an example of a kind: that of the page, or else one that holds no other kind."""
        from engine.data import EXAMPLES

        fitting = kind.fitting()
        others = [one for one in self.kinds if one is not kind]
        alone = (name for name in fitting if not any(one.fits(EXAMPLES[name]) for one in others))
        return self.example if self.example in fitting else next(alone, next(iter(fitting), ""))

    def on_change(self, page: PageState, changed: Fields) -> Fields | None:
        """Return the fields to read after other choices changed; None while a choice is missing."""
        return self.kinds[0].on_change(page.data, page.dataset, changed)
