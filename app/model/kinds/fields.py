"""The fields of forms about data: one line for each declared value."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, ClassVar


@dataclasses.dataclass(frozen=True)
class FormField:
    """A line of a form."""

    advanced: ClassVar[bool] = False
    """Whether the line stands under How while it has its `usual` value."""
    usual: ClassVar[Any] = None

    label: str  # with "&" before the shortcut letter in the side panel
    help: str = ""
    # takes the choice and the name of what the query reads; returns whether the form shows the line
    shown: Callable[[Any, str], bool] = lambda choice, reads: True


@dataclasses.dataclass(frozen=True)
class ColumnField(FormField):
    """One column, or several with one role each."""

    # fields of the choice with their titles; "edge_columns.source" is a field inside a field
    boxes: Mapping[str, str] = dataclasses.field(default_factory=dict)
    problems: tuple[str, ...] = ()  # fields whose problems the form explains here
    none: str = ""  # label for “no column”; "" where a column is required


@dataclasses.dataclass(frozen=True)
class ColumnsField(FormField):
    """Several columns, whose public facts the page Data declares."""

    title: str = ""  # title of the box
    of_numbers: bool = False  # whether the columns must hold numbers
    fewest: str = ""  # message when the last column is removed
    problems: tuple[str, ...] = ("columns",)


@dataclasses.dataclass(frozen=True)
class BoundsField(FormField):
    """One pair of bounds for all records."""

    upper_title: str = "Upper bound"
    from_zero: str = ""  # text that replaces a lower bound of 0


@dataclasses.dataclass(frozen=True)
class VerticesField(FormField):
    """The number of vertices of a graph, or a public list of them."""

    # name, title: field of the choice that holds the number, and title of its box
    name: str = ""
    title: str = ""
    listed: str = ""  # field of the choice that holds the list


@dataclasses.dataclass(frozen=True)
class OptionField(FormField):
    """One of several options, by name, with their labels."""

    name: str = ""
    title: str = ""
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    edit: str = ""
    rereads: bool = False  # whether another option needs another read of the file


class GroupField(FormField):
    """One group of the table whose members are public, or all records."""


class MissingField(FormField):
    """The treatment of missing values."""


class SourceField(OptionField):
    """The origin of the public facts."""

    advanced = True
    usual = "known"


class ResolutionField(FormField):
    """The declared step of released values."""

    advanced = True


GROUP = GroupField("&Group", "Show one group whose members are public. A release covers all groups together.")
MISSING = MissingField("Miss&ing", "Missing values are never left out silently")
SOURCE = SourceField(
    "Bounds sour&ce",
    "The guarantee holds only for bounds chosen without looking at the data: a bound computed from a "
    "record's value reveals that value.",
    name="bounds_source",
    title="Where the bounds come from",
    options={"known": "public", "looked": "taken from the data"},
    edit="change where the bounds come from",
)
RESOLUTION = ResolutionField(
    "Resol&ution",
    "Released values are whole multiples of this step. It is public: choose it without looking at the data. "
    "Leave it empty for the automatic grid, far finer than the noise; a step that is finer still changes "
    "nothing.",
)
