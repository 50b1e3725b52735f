"""Numbers computed from several columns, row by row, between public bounds."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from app.model.dataset import Dataset
from app.model.kinds.base import Fields
from app.model.kinds.column import BOUNDS_HELP, ColumnBuilder, ColumnKind, NumbersChoice
from app.model.kinds.fields import MISSING, SOURCE, BoundsField, ColumnField
from app.model.kinds.kind import FILL, DataKind, Write, bounds_lines, check_fills, missing_argument
from app.model.kinds.options import LOWER, UPPER, DataOption
from engine.array_types import Floats
from engine.data.table import Numbers
from engine.errors import DataError, ParameterError
from engine.progress import Progress


class NumbersKind(DataKind[NumbersChoice], abc.ABC):
    """One number for each row, computed from chosen columns.

    Its `choice` is a `NumbersChoice` with one additional text field for each column.
    """

    boxes: ClassVar[Mapping[str, str]]  # these fields with their titles
    formula: ClassVar[str]  # expression of `numbers` for a script: ``"finish - begin"``
    far_ends = ColumnKind.far_ends

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.examples, cls.holds = (cls.name,), f"holds {cls.description}"
        columns = ColumnField(" – ".join(cls.boxes.values()), boxes=cls.boxes, problems=tuple(cls.boxes))
        cls.fields = (columns, MISSING, BoundsField("&Bounds", BOUNDS_HELP), SOURCE)
        named = (
            DataOption(name, f"{cls.description}: the column of {title}") for name, title in cls.boxes.items()
        )
        cls.options = (*named, LOWER, UPPER)
        cls.unnamed = (next(iter(cls.boxes)), "is empty; it must name a column")

    @abc.abstractmethod
    def numbers(self, **columns: Floats) -> Floats:
        """Return one number for each row; the arguments are the columns named in `boxes`.

        A row may use its own cells only: otherwise one person could change the numbers of others.
        """

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        progress(0.0, "reading the columns")
        names, known = tuple(fields[name] for name in self.boxes), fields.get("fills", {})
        missing = fields.get("missing", "refuse")
        rows = dataset.numbers(names, missing, tuple(known.get(name, 0.0) for name in names))
        if not isinstance(rows.values, np.ndarray):
            problem = f"{self.description} cannot be worked out of a file that is too large for memory"
            raise DataError(
                f"{problem}; write the number into a column of its own", source=dataset.table.source
            )
        made = np.asarray(self.numbers(**dict(zip(self.boxes, rows.values.T, strict=True))), dtype=np.float64)
        if made.shape != rows.values.shape[:1]:
            raise DataError(f"{self.description}: `numbers` must return one number for each row")
        made = dataset.table.marked(made, missing)
        return {**fields, "numbers": Numbers(made, rows.dropped, rows.filled)}

    def builder(self, choice: NumbersChoice, dataset: Dataset | None) -> ColumnBuilder:
        domain = choice.domain()
        check_fills(self, choice)
        if choice.numbers is None:
            raise ParameterError(next(iter(self.boxes)), "choose a column for each")
        return ColumnBuilder(choice.numbers.values, choice.modified_values, domain)

    def script(self, choice: NumbersChoice, source: Any, write: Write) -> list[str]:
        names = list(self.columns_of(choice))
        missing = missing_argument(self, choice, write)
        if choice.missing == FILL:
            missing = f", missing={write(FILL)}, fill={write([choice.fills[name] for name in names])}"
        return [
            f"[{', '.join(self.boxes)}] = table.points({write(names)}{missing}).values.T",
            f"values = {self.formula}",
            *bounds_lines(choice, source, write),
            "data = Sample(values, bounds)",
        ]
