"""From the public statements about the table to the choices of a page, and back."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence

from app.model.dataset import Dataset
from app.model.kinds.base import Fields
from engine.data import Column
from engine.data.edges import ENDS
from engine.questions.declarations import DROP, ColumnDeclaration, Declarations

FILL, REFUSE, OTHER_SOURCE = "fill", "refuse", "looked"
IDENTIFIER = re.compile(r"(^|[\W_])(id|Id|ID)$|[a-z](Id|ID)$", re.ASCII)
"""Names of columns that identify records."""


def identifiers(columns: Iterable[Column]) -> frozenset[str]:
    """Return the columns that identify records or vertices, by their names; their numbers count nothing."""
    names = frozenset(column.name for column in columns)
    return frozenset(ENDS[0] if has_edges(names) else ()).union(filter(IDENTIFIER.search, names))


def has_edges(names: Iterable[str]) -> bool:
    """Return whether columns of these names hold both ends of edges."""
    return set(names).issuperset(ENDS[0])


def has_bounds(declared: ColumnDeclaration) -> bool:
    """Return whether both bounds of a column are declared, in this order."""
    low, high = declared.lower, declared.upper
    return low is not None and high is not None and low < high


def is_declared(declared: ColumnDeclaration) -> bool:
    """Return whether a column has public bounds or a list of categories."""
    return has_bounds(declared) or bool(declared.categories)


def bounded(declarations: Declarations, dataset: Dataset) -> tuple[str, ...]:
    """Return the columns of numbers with declared bounds, in the order of the file."""
    numbers = [column.name for column in dataset.table.columns if column.type == "number"]
    return tuple(name for name in numbers if has_bounds(declarations.column(name)))


def listed(declarations: Declarations, dataset: Dataset) -> tuple[str, ...]:
    """Return the columns with declared categories, in the order of the file."""
    columns = (column.name for column in dataset.table.columns)
    return tuple(name for name in columns if declarations.column(name).categories)


def source_of(declared: Iterable[ColumnDeclaration]) -> str:
    """Return the source of statements about several columns: "looked" if one was taken from the data."""
    return OTHER_SOURCE if any(one.source == OTHER_SOURCE for one in declared) else "known"


def treatment(declared: Sequence[ColumnDeclaration], dataset: Dataset) -> Fields:
    """Return the treatment of missing values on a page that reads these columns together.

    Rows that lack a value are left out only where a value is missing: else n stays the public size of the
    table, as after opening a file on the page.
    """
    if declared and all(one.missing == FILL for one in declared):
        return {"missing": FILL, "fills": {one.name: one.fill for one in declared if one.fill is not None}}
    lacking = [one for one in declared if dataset.column(one.name).missing]
    drops = any(one.missing == DROP for one in lacking)
    return {"missing": DROP if drops else REFUSE, "fills": {}}


def declare_treatment(
    columns: Sequence[str], missing: str, fills: Mapping[str, float | str], declarations: Declarations
) -> Declarations:
    """Return the declarations with the treatment of missing values that a page has chosen for columns."""
    for name in columns:
        fill = fills.get(name) if missing == FILL else None
        declared = dataclasses.replace(declarations.column(name), missing=missing, fill=fill)
        declarations = declarations.with_column(declared)
    return declarations
