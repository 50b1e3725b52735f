"""Choices about data: public bounds, and the builders of databases."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, Self

from app.model.wording.numbers import current, format_count, format_exact, parse_number, with_unit
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms.problem import Problem
from engine.specification import Specification

Fields = dict[str, Any]
"""Values by the names of the fields of a `DataChoice` and of a page, before they are put into either."""

DECLARED: Mapping[str, str] = {}
FOUND, BY_HAND = {"role": "found"}, {"role": "by hand"}
"""What the fields of a choice hold, as their metadata: what is declared, what was read of the data (it is
stored nowhere), and what was changed by hand."""


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

    def record(self, text: str) -> Any:
        """Read what a record is to become, as the database has it; `ParameterError` if it cannot be."""


@dataclasses.dataclass(frozen=True, eq=False)
class DataChoice:
    """What is chosen about the data of a page, and what was read of them.

    Attributes
    ----------
    missing : {"refuse", "fill", "drop"}
        What is done with records that lack a value.
    complete : int or None
        How many records have all values, where others are left out: declared, and public.
    bounds_source : {"known", "looked"}
        Whether what should be public was known in advance, or taken from the data.
    """

    missing: Literal["refuse", "fill", "drop"] = "refuse"
    complete: int | None = None
    bounds_source: Literal["known", "looked"] = "known"

    @classmethod
    def of(cls, page: PageState) -> Self:
        """Return the choice of a page whose data are of this kind."""
        assert isinstance(page.data, cls)
        return page.data

    @classmethod
    def names(cls, role: Mapping[str, str] = DECLARED) -> tuple[str, ...]:
        """Return the names of the fields that hold what is declared, or have another role."""
        return tuple(field.name for field in dataclasses.fields(cls) if field.metadata == role)

    @property
    def declared(self) -> Fields:
        """What is declared, by name: all that has to be said to read the same data again."""
        return {name: getattr(self, name) for name in self.names()}

    @property
    def records(self) -> int:
        """How many records can be changed by hand."""
        return 0

    @property
    def n(self) -> int | None:
        """How many records there are (public); None while they have not been read."""
        return None

    @property
    def dropped(self) -> int:
        """How many records were left out because a value is missing (private)."""
        return 0

    @property
    def filled(self) -> int:
        """How many records have a public value in the place of a missing one (private)."""
        return 0

    def read_by(self, reads: str) -> DataChoice:
        """Return the part that a query reads, as `Query.reads` says it."""
        return self

    def with_part(self, reads: str, changed: Fields) -> Fields:
        """Return the fields of the whole in which the part that a query reads has changed."""
        return changed

    def changed_values(self) -> Mapping[int, float]:
        """Return the values that were given by hand, by the numbers of their records."""
        return {}

    def unmodified(self) -> Self:
        """Return the choice without what was changed by hand."""
        first = type(self)()
        return dataclasses.replace(self, **{name: getattr(first, name) for name in self.names(BY_HAND)})


class PageState(Protocol):
    """What belongs to one page, as far as its data are concerned."""

    @property
    def dataset(self) -> Any:
        """The table, and where it came from."""

    @property
    def data(self) -> DataChoice:
        """What is chosen about it."""

    @property
    def mechanism(self) -> Specification:
        """What is chosen to be released."""


def parts_of(text: str) -> list[str]:
    """Return what stands between colons."""
    return [part.strip() for part in text.split(":")]


def numbers_of(text: str) -> list[float]:
    """Read numbers between colons that were typed; `ParameterError` for what is none."""
    try:
        return [parse_number(part) for part in parts_of(text)]
    except ValueError:
        raise ParameterError("value", f"'{text}' is no number; write it like {current().example}") from None


def as_many(values: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """Return values of which each has a name; `ParameterError` for more or fewer."""
    if len(values) != len(names):
        problem = f"{len(values)} values are not possible; write {' : '.join(names)}"
        raise ParameterError("value", problem)
    return list(values)


@dataclasses.dataclass(frozen=True)
class DataFacts:
    """What is said about data that were read.

    Attributes
    ----------
    public, private : tuple of str
    about_public, about_all : str
        What is explained to those who see only what is public, and to those who see all.
    """

    public: tuple[str, ...]
    private: tuple[str, ...]
    about_public: str
    about_all: str


def private_facts(choice: DataChoice, moved: int | None, text: str) -> tuple[str, ...]:
    """Say what only the curator may know: what was dropped, moved to the bounds and changed by hand."""
    changed = len(choice.changed_values())
    facts = [f"{format_count(choice.dropped)} dropped"] if choice.dropped else []
    facts += [f"{format_count(choice.filled)} filled"] if choice.filled else []
    if moved is not None:
        facts.append(f"{format_count(moved)} {text}" if moved else f"none {text}")
    return (*facts, *([f"{format_count(changed)} moved by hand"] if changed else []))


@dataclasses.dataclass(frozen=True, eq=False)
class IntervalChoice(DataChoice):
    """Numbers between public bounds, some of which were changed by hand.

    Attributes
    ----------
    lower, upper : float or None
    resolution : float or None
        The declared step of what is released of them; None for the automatic grid.
    fills : mapping of str to float
        What stands for missing values of a column.
    modified_values : mapping of int to float
        The number of a record, and the value that it was given by hand.
    """

    lower: float | None = None
    upper: float | None = None
    resolution: float | None = None
    fills: Mapping[str, float] = dataclasses.field(default_factory=dict)
    modified_values: Mapping[int, float] = dataclasses.field(default_factory=dict, metadata=BY_HAND)

    def domain(self) -> Interval:
        """Return the declared bounds; `ParameterError` when they are missing or make no sense."""
        if self.lower is None:
            raise _undeclared("lower", "smallest")
        if self.upper is None:
            raise _undeclared("upper", "largest")
        return Interval(self.lower, self.upper, self.resolution)

    def undeclared(self) -> Problem | None:
        """Ask for the bounds that are missing, or say what is wrong with them."""
        if self.lower is None or self.upper is None:
            which = "both bounds" if self.lower is None and self.upper is None else "the other bound, too"
            problem = f"declare {which}, from what is known without the data"
            return Problem("lower" if self.lower is None else "upper", problem)
        return refused(Interval, self.lower, self.upper, self.resolution)

    def changed_values(self) -> Mapping[int, float]:
        return self.modified_values

    def report_bounds(self, unit: str) -> Iterator[tuple[str, str]]:
        """Yield the declared bounds, as a report has them."""
        yield "Declared bounds", bounds_words(self.lower, self.upper, unit)

    def report_resolution(self, unit: str) -> Iterator[tuple[str, str]]:
        """Yield the declared step, if there is one."""
        if self.resolution is not None:
            yield "Declared resolution", with_unit(format_exact(self.resolution), unit)


def bounds_words(low: float | None, high: float | None, unit: str) -> str:
    """Write declared bounds."""
    if low is None or high is None:
        return "not declared"
    return f"{format_exact(low)} to {with_unit(format_exact(high), unit)}"


def middle(low: float | None, high: float | None) -> float | None:
    """Return the middle of declared bounds."""
    return None if low is None or high is None else low / 2 + high / 2


def refused(check: Callable[..., object], *values: float | None) -> Problem | None:
    """Return what `check` has against what is declared."""
    try:
        check(*values)
    except ParameterError as error:
        return Problem(error.field, error.problem)
    return None


def _undeclared(field: str, which: str) -> ParameterError:
    return ParameterError(field, f"declare the {which} possible value, from what is known without the data")


def fields_of(choice: type[DataChoice]) -> frozenset[str]:
    """Return the names of what is chosen about a kind of data, and read of it."""
    return frozenset(field.name for field in dataclasses.fields(choice))


def values_of(choice: DataChoice) -> Fields:
    """Return all fields of a choice by name."""
    return {name: getattr(choice, name) for name in fields_of(type(choice))}


def only(choice: type[DataChoice], fields: Fields) -> Fields:
    """Return the fields that belong to a choice."""
    names = fields_of(choice)
    return {name: value for name, value in fields.items() if name in names}


def with_choice(choice: DataChoice, fields: Fields) -> Fields:
    """Return fields of a page, of which those about data are put into a choice, under "data"."""
    inside = only(type(choice), fields)
    others = {name: value for name, value in fields.items() if name not in inside}
    return {**others, "data": dataclasses.replace(choice, **inside)} if inside else others
