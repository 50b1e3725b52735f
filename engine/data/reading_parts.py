"""Deal the rows of a table to parts: by a column of groups, conditions, and missing values."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np

from engine.array_types import Bools, Ints
from engine.data.arrays import array_of, nan_as_null
from engine.data.categories import OTHER, CategoryDomain
from engine.data.category_columns import codes_of
from engine.data.look_only import REFUSE, look_only, marks_of, problem_of
from engine.data.names import check_known
from engine.data.parts import IN_NO_PART, Parts, PartsDomain
from engine.data.table import Numbers, Table
from engine.domain import Interval
from engine.errors import DataError

SMALL = 1 << 15
"""Fewer groups are numbered in two bytes."""

TRUTH = Interval(0.0, 1.0)
"""Bounds of the values where no column is read."""

ONE_GROUP = "one group is for looking: a release covers all groups together; ask by group on Questions"
"""Why no release may be made of the records of one group."""


def read_parts(
    table: Table,
    column: str = "",
    bounds: Interval = TRUTH,
    *,
    by: CategoryDomain | None = None,
    holds: Bools | None = None,
    fill: float | None = None,
    group: str | None = None,
) -> Parts:
    """Read one column and deal its rows to parts.

    A row is in no part if its value or group is missing, or if it fails the condition.  A group that is not
    on the list counts as "other" if the list has that; if not, its rows are in no part.

    Parameters
    ----------
    table : Table
    column : str, optional
        The column of numbers; without one, each value is 1.
    bounds : Interval, optional
        Public bounds of the values.
    by : CategoryDomain, optional
        The columns of groups and their public lists; without one, there is a single part.  Several columns
        make a group of each combination, as `group_names` lists them.
    holds : ndarray of bool, shape (N,), optional
        Which rows satisfy a public condition.
    fill : float, optional
        The public number that replaces missing values of the column.
    group : str, optional
        The public category that replaces missing groups.

    Returns
    -------
    Parts

    Raises
    ------
    DataError
        For an unknown column, a column of the wrong type, or an infinite value.
    """
    read = [name for name in (column, *(by.columns if by else ())) if name]
    check_known(read, table.data.column_names, table.source)
    groups = () if by is None else group_names(by)
    index = np.zeros(table.n, dtype=np.int16 if len(groups) < SMALL else np.int64)
    problem = table.release_problem
    if by is not None:
        groups_of_rows = group_index(table, by, group)
        index[:], problem = groups_of_rows, problem or problem_of(groups_of_rows)
    values = np.ones(table.n)
    whole = dataclasses.replace(table, kept=None) if table.kept is not None else table
    if column:
        missing = "drop" if fill is None else "fill"
        present = array_of(nan_as_null(table.data.column(column)).is_valid())
        if fill is not None or present.all():
            values = np.asarray(whole.numbers(column, missing, fill).values, dtype=np.float64)
        else:
            index[~present] = IN_NO_PART
            values = np.full(table.n, np.nan)
            if present.any():
                values[present] = whole.numbers(column, missing).values
    if holds is not None:
        index[~holds] = IN_NO_PART
    if table.kept is not None:
        index[~table.kept] = IN_NO_PART
    whole_table = by is None and holds is None and table.kept is None
    every = whole_table and (not column or fill is not None)
    domain = PartsDomain(bounds, groups, every)
    return Parts(table.marked(values, REFUSE), index, domain, problem)


@dataclasses.dataclass(frozen=True, eq=False)
class GroupNumbers:
    """The numbers of one group whose members are public; no release may be made of them.

    Attributes
    ----------
    numbers : Numbers
    rows : ndarray of int, shape (n,)
        The row of each record in the table, from 0.
    """

    numbers: Numbers
    rows: Ints


def numbers_of_group(
    table: Table,
    column: str,
    by: CategoryDomain,
    group: str,
    missing: str = REFUSE,
    fill: float | None = None,
) -> GroupNumbers:
    """Return the numbers of a column in one group, with missing values treated as `Table.numbers` does.

    Raises
    ------
    DataError
        If the column holds no numbers, a value is missing and refused, or no row is in the group.
    """
    numbers = table.numbers(column, missing, fill)
    is_member = group_index(table, by) == group_names(by).index(group)
    is_present = array_of(nan_as_null(table.data.column(column)).is_valid())
    is_kept = is_present if missing == "drop" else np.ones(table.n, dtype=bool)
    rows = np.flatnonzero(is_member & is_kept)
    if not rows.size:
        raise DataError(f"no row of group '{group}' has a value of '{column}'", source=table.source)
    lacking = int(np.count_nonzero(is_member & ~is_present))
    problem, treated, persons = marks_of(numbers.values)
    values = look_only(numbers.values[is_member[is_kept]], problem or ONE_GROUP, treated, persons)
    values.flags.writeable = False
    counts = (lacking, 0) if missing == "drop" else (0, lacking)
    return GroupNumbers(Numbers(values, *counts), rows)


def group_names(by: CategoryDomain) -> tuple[str, ...]:
    """Return the names of all groups: the categories of one column, or combinations such as "yes, IT"."""
    return tuple(map(", ".join, itertools.product(*by.labels)))


def group_index(table: Table, by: CategoryDomain, instead: str | None = None) -> Ints:
    """Return the index of each row's group (private), shape (N,); `IN_NO_PART` for none.

    `instead` is the category of missing values.  The index is marked if no release may be made of it.
    """
    index: Ints = np.zeros(table.n, dtype=np.int64)
    for name, labels in zip(by.columns, by.labels, strict=True):
        own = _category_index(table, name, labels, instead)
        index = np.where((index < 0) | (own < 0), IN_NO_PART, index * len(labels) + own)
    return index


def _category_index(table: Table, name: str, labels: Sequence[str], instead: str | None) -> Ints:
    """Return the index of each row's category, marked if no release may be made of it."""
    present = array_of(nan_as_null(table.data.column(name)).is_valid())
    missing = IN_NO_PART if instead is None else labels.index(instead)
    index, problem = np.full(table.n, missing, dtype=np.int64), ""
    if present.any():
        codes, problem = codes_of(table, name, labels, present)
        index[present] = np.where(codes < 0, labels.index(OTHER), codes) if OTHER in labels else codes
    marked: Ints = look_only(index, problem)
    return marked
