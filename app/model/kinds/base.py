"""Choices about data: public bounds, and the builders of databases."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, Self

from app.model.dataset import Dataset
from app.model.wording.console import counted
from app.model.wording.numbers import format_count, format_exact, with_unit
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms.problem import Problem
from engine.specification import Specification

Fields = dict[str, Any]
"""Values by the names of the fields of a `DataChoice` and of a page, before they are put into either."""

DECLARED: Mapping[str, str] = {}
FOUND, BY_HAND = {"role": "found"}, {"role": "by hand"}
"""Metadata of the fields of a choice: declared, read from the data (never stored), or changed by hand."""


class DatasetBuilder(Protocol):
    """Makes the database that a query reads, of what was declared and changed by hand.

    Checks from public facts whether a query is possible, so that a message beside a field can say so before
    Run is pressed. A worker calls `build`, which does the work.
    """

    @property
    def domain(self) -> Any:
        """The public range of one record."""

    @property
    def n(self) -> int:
        """The public size, as in `engine.data.database.Database`."""

    def build(self) -> Any:
        """Make the database that queries read; passes over all records."""

    def same(self, other: Any) -> bool:
        """Tell whether both make the same database."""

    def problem(self) -> Problem | None:
        """Return the problem that keeps `build` from succeeding, if public facts already show one."""

    def record(self, text: str) -> Any:
        """Return a typed value of a record as the database stores it; `ParameterError` if it is invalid."""

    def distant_value(self, record: int | None, values: Mapping[str, Any]) -> tuple[int, str] | None:
        """Return the number of a record in audits and a distant value, as typed (private); None if unknown.

        Distant from the value before changes by hand, as audits read it. `record`: as pictures and tables
        count it, from 0, if known. `values`: its values by column.
        """

    def before(self, record: int) -> DatasetBuilder:
        """Return the builder without the change by hand of a record, as audits count it."""


def far_bound(side: Interval, value: float) -> str:
    """Return the bound that is farther from a value, as typed."""
    return format_exact(side.lower if 2 * value > side.lower + side.upper else side.upper)


class ChangesNumbers:
    """A builder of records that are numbers between bounds, some of them changed by hand."""

    modified_values: Mapping[int, float]
    domain: Interval

    @property
    def resolution(self) -> float | None:
        """The declared step of released values (public)."""
        return self.domain.resolution

    def record(self, text: str) -> float:
        """Return a typed number."""
        return float(as_many(numbers_of(text), ("value",))[0])

    def before(self, record: int) -> Self:
        """Return the builder in which a value is not changed by hand."""
        others = {index: value for index, value in self.modified_values.items() if index != record}
        return dataclasses.replace(self, modified_values=others)  # type: ignore[type-var]


@dataclasses.dataclass(frozen=True, eq=False)
class DataChoice:
    """Choices about the data of a page, and the records read for them."""

    missing: Literal["refuse", "fill", "drop"] = "refuse"  # treatment of records that lack a value
    # number of records that have all values, where others are left out: declared and public
    complete: int | None = None
    # origin of the public facts: known without the data, or taken from them
    bounds_source: Literal["known", "looked"] = "known"
    # declared units by column; a column without one has that of the file
    units: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @property
    def look_problem(self) -> str:
        """The reason why these data are for looking only; "" if they may be released."""
        return ""

    def unit_of(self, column: str, dataset: Dataset | None) -> str:
        """Return the unit of a column: the declared one, else that of the file; "" without one."""
        known = None if dataset is None else dataset.column(column)
        return self.units.get(column) or ("" if known is None else str(known.unit))

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
        """The declared values by name: they suffice to read the same data again."""
        return {name: getattr(self, name) for name in self.names()}

    @property
    def statements(self) -> dict[str, Any]:
        """The public statements about records that lack a value."""
        stated = {} if self.missing == "refuse" else {"missing": self.missing}
        return stated | ({"fill": dict(getattr(self, "fills", {}))} if self.missing == "fill" else {})

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
        return getattr(self._result, "dropped", 0)

    @property
    def filled(self) -> int:
        """Number of records whose missing value was replaced by a public one (private)."""
        return getattr(self._result, "filled", 0)

    @property
    def _result(self) -> Any:
        """The records that were read; None until then."""
        return next((getattr(self, name) for name in self.names(FOUND)), None)

    def read_by(self, reads: str) -> DataChoice:
        """Return the part that a query reads, by the name in `Query.reads`."""
        return self

    def with_part(self, reads: str, changed: Fields) -> Fields:
        """Return the fields of the whole choice, with changes to the part that a query reads."""
        return changed

    def changed_values(self) -> Mapping[int, float]:
        """Return the values changed by hand, by record number."""
        return {}

    def unmodified(self) -> Self:
        """Return the choice without changes made by hand."""
        first = type(self)()
        return dataclasses.replace(self, **{name: getattr(first, name) for name in self.names(BY_HAND)})


class PageState(Protocol):
    """The fields of one page that concern its data."""

    @property
    def dataset(self) -> Any:
        """The table and its origin."""

    @property
    def data(self) -> DataChoice:
        """Choices about the dataset."""

    @property
    def mechanism(self) -> Specification:
        """The chosen mechanism with its parts."""


def parts_of(text: str) -> list[str]:
    """Split a text at colons."""
    return [part.strip() for part in text.split(":")]


def numbers_of(text: str) -> list[float]:
    """Read typed numbers separated by colons; `ParameterError` for anything else."""
    from app.model.wording.typed_numbers import NumberError, parse_number

    try:
        return [parse_number(part) for part in parts_of(text)]
    except NumberError as error:
        raise ParameterError("value", str(error)) from None


def as_many(values: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """Return the values as a list, one for each name; `ParameterError` if the counts differ."""
    if len(values) != len(names):
        problem = f"{len(values)} values are not possible; write {' : '.join(names)}"
        raise ParameterError("value", problem)
    return list(values)


@dataclasses.dataclass(frozen=True)
class DataFacts:
    """Lines of the form about data that were read."""

    public: tuple[str, ...]
    private: tuple[str, ...]
    # about_public, about_all: explanations for the release view, and for the curator view
    about_public: str
    about_all: str


def private_facts(choice: DataChoice, moved: int | None, text: str) -> tuple[str, ...]:
    """Return what only the curator may see: records left out, filled, clamped and changed by hand."""
    changed = len(choice.changed_values())
    facts = [f"{counted(choice.dropped, 'row')} left out"] if choice.dropped else []
    facts += [f"{format_count(choice.filled)} filled"] if choice.filled else []
    if moved is not None:
        facts.append(f"{format_count(moved)} {text}" if moved else f"none {text}")
    return (*facts, *([f"{format_count(changed)} moved by hand"] if changed else []))


@dataclasses.dataclass(frozen=True, eq=False)
class IntervalChoice(DataChoice):
    """Numbers between public bounds, perhaps with some changed by hand."""

    lower: float | None = None
    upper: float | None = None
    resolution: float | None = None  # the declared step of released values; None for the automatic grid
    # replacement for missing values, by column
    fills: Mapping[str, float] = dataclasses.field(default_factory=dict)
    # new value of each record changed by hand, by record number
    modified_values: Mapping[int, float] = dataclasses.field(default_factory=dict, metadata=BY_HAND)

    def domain(self) -> Interval:
        """Return the declared bounds; `ParameterError` when they are missing or make no sense."""
        if self.lower is None:
            raise _undeclared("lower", "smallest")
        if self.upper is None:
            raise _undeclared("upper", "largest")
        return Interval(self.lower, self.upper, self.resolution)

    def changed_values(self) -> Mapping[int, float]:
        return self.modified_values

    def report_bounds(self, unit: str) -> Iterator[tuple[str, str]]:
        """Yield the declared bounds for a report."""
        yield "Declared bounds", bounds_words(self.lower, self.upper, unit)

    def report_resolution(self, unit: str) -> Iterator[tuple[str, str]]:
        """Yield the declared step, if any, for a report."""
        if self.resolution is not None:
            yield "Declared resolution", with_unit(format_exact(self.resolution), unit)


def bounds_words(low: float | None, high: float | None, unit: str) -> str:
    """Write declared bounds."""
    if low is None or high is None:
        return "not declared"
    return f"{format_exact(low)} to {with_unit(format_exact(high), unit)}"


def _undeclared(field: str, which: str) -> ParameterError:
    return ParameterError(field, f"declare the {which} possible value, from what is known without the data")


def fields_of(choice: type[DataChoice]) -> frozenset[str]:
    """Return the names of all fields of a kind of data."""
    return frozenset(field.name for field in dataclasses.fields(choice))


def values_of(choice: DataChoice) -> Fields:
    """Return all fields of a choice by name."""
    return {name: getattr(choice, name) for name in fields_of(type(choice))}


def only(choice: type[DataChoice], fields: Fields) -> Fields:
    """Return the fields that belong to a choice."""
    names = fields_of(choice)
    return {name: value for name, value in fields.items() if name in names}


def with_choice(choice: DataChoice, fields: Fields) -> Fields:
    """Return fields of a page; those about data are put into a choice under "data"."""
    inside = only(type(choice), fields)
    others = {name: value for name, value in fields.items() if name not in inside}
    return {**others, "data": dataclasses.replace(choice, **inside)} if inside else others
