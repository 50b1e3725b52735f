"""What a form asks about data: one declared value for each line, for side panel and dialog alike."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any


def _always(choice: Any, reads: str) -> bool:
    return True


@dataclasses.dataclass(frozen=True)
class FormField:
    """A line of a form.

    Attributes
    ----------
    label : str
        With "&" before the letter that leads there in the side panel.
    help : str
    shown : callable
        Tells of a choice and of what is read whether there is anything to ask; "" is read while a
        file is opened, and nothing is asked of it yet.
    """

    label: str
    help: str = ""
    shown: Callable[[Any, str], bool] = _always


@dataclasses.dataclass(frozen=True)
class ColumnField(FormField):
    """One column, or several with one role each.

    Attributes
    ----------
    boxes : mapping of str to str
        Fields of the choice, or fields in a field as in "edge_columns.source", with what they are called.
    problems : tuple of str
        The fields of which problems are explained there.
    none : str
        The choice of no column, in words; "" where one is needed.
    """

    boxes: Mapping[str, str] = dataclasses.field(default_factory=dict)
    problems: tuple[str, ...] = ()
    none: str = ""


@dataclasses.dataclass(frozen=True)
class EachField:
    """What is declared of each of several columns.

    Attributes
    ----------
    name : str
        The field of the choice that has it by the name of a column.
    label : str
        What it is called, as in "bounds of age".
    help : str
    labels : bool
        Whether it is a list of labels; else it is a pair of bounds.
    """

    name: str
    label: str
    help: str
    labels: bool = False


@dataclasses.dataclass(frozen=True)
class ColumnsField(FormField):
    """Several columns, and what is declared of each.

    Attributes
    ----------
    title : str
        What the box is called.
    all_label : str
        The label where all columns of a file stand below each other.
    each : EachField
    of_numbers : bool
        Whether the columns must hold numbers.
    fewest : str
        What to say when the last column is taken away.
    empty : str
        What to say of a file without such a column.
    problems : tuple of str
    """

    title: str = ""
    all_label: str = ""
    each: EachField = EachField("", "", "")
    of_numbers: bool = False
    fewest: str = ""
    empty: str = ""
    problems: tuple[str, ...] = ("columns",)


@dataclasses.dataclass(frozen=True)
class BoundsField(FormField):
    """One pair of bounds for all records.

    Attributes
    ----------
    upper_title : str
    from_zero : str
        What stands in the place of the lower bound where that is 0.
    note : str
        What is said besides while a file is opened.
    """

    upper_title: str = "Upper bound"
    from_zero: str = ""
    note: str = ""


@dataclasses.dataclass(frozen=True)
class CountField(FormField):
    """A whole number from 1 on.

    Attributes
    ----------
    name, title, hint : str
        The field of the choice, what its box is called, and what an empty one says while a file is opened.
    """

    name: str = ""
    title: str = ""
    hint: str = ""


@dataclasses.dataclass(frozen=True)
class VerticesField(CountField):
    """How many vertices a graph has, or a public list of them.

    Attributes
    ----------
    listed : str
        The field of the choice that holds the list.
    """

    listed: str = ""


@dataclasses.dataclass(frozen=True)
class OptionField(FormField):
    """One of some possibilities, by name, with what they are called."""

    name: str = ""
    title: str = ""
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    edit: str = ""


@dataclasses.dataclass(frozen=True)
class LookField(FormField):
    """Takes what should be public from the data, for those who may see them."""


@dataclasses.dataclass(frozen=True)
class MissingField(FormField):
    """What is done about missing values."""


@dataclasses.dataclass(frozen=True)
class SourceField(FormField):
    """Where what should be public comes from.

    Attributes
    ----------
    what : str
        What should be public, in the plural.
    warning : str
        What is said if it was taken from the data.
    """

    what: str = "bounds"
    warning: str = ""


@dataclasses.dataclass(frozen=True)
class ResolutionField(FormField):
    """The declared step of what is released."""


MISSING = MissingField("Miss&ing", "Missing values are never dropped silently")
SOURCE = SourceField(
    "Bounds sour&ce",
    "The guarantee holds only for bounds that were known before the data were looked at: a bound "
    "that follows from a record's value tells that value.",
    warning="Bounds taken from the data are not public: no guarantee holds for this release.",
)
RESOLUTION = ResolutionField(
    "Resol&ution",
    "Released values are whole multiples of this step. It is public: choose it without looking at the data. "
    "Leave it empty for the automatic grid, far finer than the noise; a step that is finer still changes "
    "nothing.",
)
