"""What a page works on: one kind of data or several, and what is asked of them at first."""

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
    """What a page works on.

    Attributes
    ----------
    queries : mapping of DataKind to str
        What is asked at first of each kind of data; a first visit shows the first.
    example : str
        What a first visit shows; "" for nothing.
    topic : str
        What its mechanisms are about, as `Facts.topic` says it; "" for queries of one number.
    delta : float
        What delta is while none was chosen.
    epsilon : float, optional
        What epsilon is on a first start that shows the example; as usual without it.
    own_choice : type of DataChoice, optional
        What is chosen about the data; that of the first kind without it.
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
        """The kinds of data with forms of their own: several may be asked for in one form."""
        return tuple({kind.choice: kind for kind in reversed(self.kinds)}.values())[::-1]

    @property
    def choice(self) -> type[DataChoice]:
        """What is chosen about the data."""
        return self.own_choice or self.kinds[0].choice

    @property
    def query(self) -> str:
        """What a first visit asks."""
        return next(iter(self.queries.values()))

    @property
    def file(self) -> str:
        """What a file with such data is called."""
        return self.kinds[0].file

    def asked(self, reads: str, dataset: Dataset, fields: Fields) -> DataKind[Any]:
        """Return the kind of data that a file is opened for, while `reads` is read and `fields` are given."""
        return self.kinds[0]

    def from_example(self, card: Example) -> Fields:
        """Return what the card of an example declares."""
        return self.kinds[0].from_example(card)

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read from the table what `fields` name, and add it to them (in a worker)."""
        return self.kinds[0].read(dataset, fields, progress)

    def after_read(self, page: PageState, dataset: Dataset, fields: Fields) -> Fields:
        """Leave nothing of other data, and ask what the new ones can answer."""
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
        """Return an example that holds a kind: that of the page, or else one that holds no other kind."""
        from engine.data import EXAMPLES

        fitting = kind.fitting()
        others = [one for one in self.kinds if one is not kind]
        alone = (name for name in fitting if not any(one.fits(EXAMPLES[name]) for one in others))
        return self.example if self.example in fitting else next(alone, next(iter(fitting), ""))

    def on_change(self, page: PageState, changed: Fields) -> Fields | None:
        """Return what to read after other choices; None if more is to be asked."""
        return self.kinds[0].on_change(page.data, page.dataset, changed)
