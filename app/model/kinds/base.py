"""What a kind of data is: what is chosen about it, how it is read, and how it becomes a database."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self

from engine.mechanisms.problem import Problem

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from engine.data import Example
    from engine.progress import Progress
    from engine.specification import Specification

Fields = dict[str, Any]
"""Values by the names of the fields of a `DataChoice` and of a page, before they are put into either."""


class DatasetBuilder(Protocol):
    """Makes the database that a query reads, of what was declared and changed by hand.

    It knows from public facts whether a query can be asked at all, so that this is said beside a
    field before Run is pressed; `build` does the work, in a worker.
    """

    @property
    def domain(self) -> Any:
        """The public range of one record."""

    @property
    def n(self) -> int:
        """The public size, as in `engine.data.database.Database`."""

    def build(self) -> Any:
        """Make the database that queries read (looks at all records)."""

    def same(self, other: Any) -> bool:
        """Tell whether both make the same database."""

    def problem(self) -> Problem | None:
        """Return what keeps `build` from succeeding, as far as it is known."""


@dataclasses.dataclass(frozen=True, eq=False)
class DataChoice(abc.ABC):
    """What is chosen about the data of a page, and what was read of them.

    Where what `reads` names decides, it is what the chosen query reads, as `Query.reads` says it.

    Attributes
    ----------
    missing : {"refuse", "drop"}
        What is done with records that lack a value.
    bounds_source : {"known", "looked"}
        Whether what should be public was known in advance, or taken from the data.
    """

    missing: str = "refuse"
    bounds_source: str = "known"

    @classmethod
    def of(cls, page: PageState) -> Self:
        """Return the choice of a page whose data are of this kind."""
        assert isinstance(page.data, cls)
        return page.data

    def read_by(self, reads: str) -> DataChoice:
        """Return the part that a query reads."""
        return self

    @abc.abstractmethod
    def builder(self, dataset: Dataset | None, reads: str) -> DatasetBuilder:
        """Return what makes the database; `ParameterError` for what is missing."""

    def names(self) -> tuple[str, ...]:
        """Return the columns that are coordinates of a record; none where a record is one number."""
        return ()

    def subject(self, dataset: Dataset | None) -> str:
        """Return in a word what a query is asked of."""
        names = self.names()
        if names:
            return ", ".join(names) if len(names) <= 3 else f"{len(names)} columns"
        return dataset.title if dataset else ""

    def place(self, reads: str) -> str:
        """Return where that stands in the file."""
        names = self.names()
        return f"column{'s' * (len(names) > 1)} {', '.join(names)}"

    def unit(self, dataset: Dataset | None, reads: str) -> str:
        """Return the unit of an answer, or nothing."""
        return ""

    def is_modified(self, reads: str) -> bool:
        """Tell whether anything was changed by hand that a query reads."""
        return False

    def changed_values(self) -> Mapping[int, float]:
        """Return the values that were given by hand, by the numbers of their records."""
        return {}

    def unmodified(self) -> Self:
        """Return the choice without what was changed by hand."""
        return self


class PageState(Protocol):
    """What belongs to one page, as far as its data are concerned."""

    @property
    def dataset(self) -> Dataset | None:
        """The table, and where it came from."""

    @property
    def data(self) -> DataChoice:
        """What is chosen about it."""

    @property
    def query(self) -> str:
        """What is asked."""

    @property
    def mechanism(self) -> Specification:
        """What is chosen to be released."""

    @property
    def file_function(self) -> Any:
        """The function from a file, or None."""


class DataKind(Protocol):
    """What a page works on.

    Attributes
    ----------
    kind : {"table", "graph", "points"}
        What its data are like.
    choice : type of DataChoice
    reads : tuple of str
        What its queries read, as `Query.reads` says it.
    topic : str
        What its mechanisms are about, as `PointsMechanism.topic` says it; "" for queries of one number.
    query, example : str
        What a first visit shows.
    delta : float
        What delta is while none was chosen.
    """

    @property
    def kind(self) -> str: ...
    @property
    def choice(self) -> type[DataChoice]: ...
    @property
    def reads(self) -> tuple[str, ...]: ...
    @property
    def topic(self) -> str: ...
    @property
    def query(self) -> str: ...
    @property
    def example(self) -> str: ...
    @property
    def delta(self) -> float: ...

    def from_example(self, card: Example) -> Fields:
        """Return what the card of an example declares."""

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read from the table what `fields` name, and add it to them (in a worker)."""

    def after_read(self, page: PageState, dataset: Dataset, fields: Fields) -> Fields:
        """Return what was read, and what follows from it for the rest of the page."""

    def on_change(self, page: PageState, changed: Fields) -> Fields | None:
        """Return what to read after other choices; None if more is to be asked."""

    def to_document(self, page: PageState) -> dict[str, str] | None:
        """Return the choices that bring the data back, never data; None while some are missing."""

    def from_document(self, stored: Callable[[str], str]) -> Fields:
        """Return the fields that `to_document` stored; `ValueError` if they make no sense."""


def chosen(choice: DataChoice, *names: str) -> Fields:
    """Return fields of a choice by name."""
    return {name: getattr(choice, name) for name in names}


def stored_text(value: object) -> str:
    """Return what stands for a choice among the settings; nothing for none."""
    return "" if value is None else str(value)


def stored_number(text: str) -> float | None:
    """Return the number that stands for a choice; none where nothing is stored, or nothing ever was."""
    return float(text) if is_stored(text) else None


def is_stored(text: str) -> bool:
    """Tell whether a setting was stored; one that was not reads "None"."""
    return text not in ("", "None")
