"""Numbers that are worked out from several columns, row by row, between public bounds."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from app.model.dataset import Dataset
from app.model.kinds.base import FOUND, Fields
from app.model.kinds.column import BOUNDS_HELP, ColumnBuilder, ColumnKind
from app.model.kinds.fields import SOURCE, BoundsField, ColumnField
from app.model.kinds.interval import IntervalChoice
from app.model.kinds.kind import DataKind, Write
from app.model.kinds.options import LOWER, UPPER, DataOption
from app.model.kinds.scripts import bounds_lines
from engine.errors import ParameterError

if TYPE_CHECKING:
    from engine.progress import Progress


@dataclasses.dataclass(frozen=True, eq=False)
class NumbersChoice(IntervalChoice):
    """The choice of the columns; a subclass has one field of text for each.

    Attributes
    ----------
    values : ndarray or None
        What was worked out of them; None while they have not been read.
    """

    values: NDArray[np.float64] | None = dataclasses.field(default=None, repr=False, metadata=FOUND)

    @property
    def n(self) -> int | None:
        """How many records there are (public)."""
        return None if self.values is None else len(self.values)


class NumbersKind(DataKind[NumbersChoice], abc.ABC):
    """One number for each row, worked out from columns that are chosen.

    Attributes
    ----------
    boxes : mapping of str to str
        The fields of the choice that name a column each, with what they are called.
    formula : str
        What `numbers` computes, as a script has it: ``"{finish} - {begin}"``.
    """

    boxes: ClassVar[Mapping[str, str]]
    formula: ClassVar[str]
    choice = NumbersChoice
    far_ends = ColumnKind.far_ends

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.examples, cls.holds = (cls.name,), f"holds {cls.words}"
        columns = ColumnField("&Columns", boxes=cls.boxes, problems=tuple(cls.boxes))
        cls.fields = (columns, BoundsField("&Bounds", BOUNDS_HELP), SOURCE)
        named = (DataOption(name, f"{cls.words}: the column of {title}") for name, title in cls.boxes.items())
        cls.options = (*named, LOWER, UPPER)
        cls.unnamed = (next(iter(cls.boxes)), "is empty; it must name a column")

    @abc.abstractmethod
    def numbers(self, **columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the number of each row, from the columns by the names in `boxes`.

        A row must depend on nothing but its own cells: else one person moves the numbers of others.
        """

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the columns, and work out the numbers."""
        columns = {name: dataset.table.numbers(fields[name]).values for name in self.boxes}
        return {**fields, "values": self.numbers(**columns)}

    def builder(self, choice: NumbersChoice, dataset: Dataset | None) -> ColumnBuilder:
        """Return what makes the sample; `ParameterError` for what is missing."""
        if choice.values is None:
            raise ParameterError(next(iter(self.boxes)), "choose a column for each")
        return ColumnBuilder(choice.values, choice.modified_values, choice.domain())

    def script(self, choice: NumbersChoice, source: Any, write: Write) -> list[str]:
        """Return the lines that make a sample."""
        columns = {name: f"table.numbers({write(getattr(choice, name))}).values" for name in self.boxes}
        return [
            f"values = {self.formula.format(**columns)}",
            *bounds_lines(choice, source, write),
            "data = Sample(values, bounds)",
        ]
