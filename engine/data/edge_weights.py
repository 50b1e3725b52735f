"""The weights of edges in a table."""

from __future__ import annotations

import numpy as np

from engine.array_types import Floats
from engine.data.missing import weight_to_fill
from engine.data.table import Table
from engine.errors import DataError
from engine.numerals import short


def read_weights(table: Table, name: str, missing: str, fill: float | None) -> tuple[Floats, int]:
    """Return one weight per record, and how many of them are `fill`.

    Where others are missing there is 0; these are refused or left out together with their row.
    """
    if missing == "fill":
        read = table.numbers(name, missing, weight_to_fill(fill, name))
        weights, filled = read.values, read.filled
    else:
        weights, filled = np.zeros(table.n), 0
        weights[table.complete([name], "drop")] = table.numbers(name, "drop").values
    wrong = weights < 0
    if wrong.any():
        index = int(np.argmax(wrong))
        raise DataError(
            "the weight is negative; it must be at least 0",
            confidential=short(weights[index]),
            source=table.source,
            row=table.row(index),
            column=name,
        )
    return weights, filled
