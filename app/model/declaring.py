"""Public statements about the table: those on the card of an example, and those taken from the data."""

from __future__ import annotations

import dataclasses

from engine.data import Table
from engine.questions.declarations import ColumnDeclaration, Declarations

MAX_LABELS = 100
"""Most categories that a list may take from the data."""


def declarations_of(example: str) -> Declarations:
    """Return the statements on the card of an example."""
    from engine.data import EXAMPLES

    card = EXAMPLES[example]
    numbers = (
        ColumnDeclaration(one.name, float(one.lower), float(one.upper), unit=one.unit) for one in card.columns
    )
    lists = (ColumnDeclaration(one.name, categories=one.labels, other=False) for one in card.categories)
    return Declarations((*numbers, *lists))


def look_at(table: Table, declared: ColumnDeclaration) -> ColumnDeclaration:
    """Return bounds or categories taken from a column (private), marked as such.

    `DataError` or `ParameterError` if its values make neither bounds nor a list.
    """
    from engine.data.category_columns import distinct_values
    from engine.errors import ParameterError

    if table.column(declared.name).type == "number":
        values = table.numbers(declared.name, "drop").values
        lower, upper = float(values.min()), float(values.max())
        return dataclasses.replace(declared, lower=lower, upper=max(upper, lower), source="looked")
    labels = distinct_values(table, declared.name, MAX_LABELS)
    if not labels:
        problem = f"it holds more than {MAX_LABELS} different values, too many for a list"
        raise ParameterError(f"categories of {declared.name}", problem)
    return dataclasses.replace(declared, categories=labels, source="looked")
