"""Public statements about a table: what a record is, and the bounds or categories of its columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from engine.data.categories import CategoryDomain
from engine.data.rows import PERSON_RULES
from engine.domain import Interval
from engine.errors import ParameterError

DROP = "drop"

MISSING_RULES = (DROP, "fill", "refuse")
"""Treatments of missing values."""


@dataclasses.dataclass(frozen=True)
class ColumnDeclaration:
    """Public statements about a column; see `Sheet` for an example.

    Parameters
    ----------
    name : str
        Name of the column.
    lower, upper : float or None
        Public bounds of its numbers.
    resolution : float or None
        The public step of its numbers.
    categories : sequence of str
        Its public list of categories.
    other : bool
        Whether undeclared categories count as "other"; if not, their records are left out.
    missing : {"drop", "fill", "refuse"}
        Treatment of missing values: leave the record out, fill in `fill`, or raise an error.
    fill : float or str, optional
        The public value that replaces missing ones.
    unit : str
        Unit of its numbers; "" if none is declared.
    source : {"known", "looked"}
        Whether the statements were known without the data, or taken from them.

    Raises
    ------
    ParameterError
        If there is no such treatment of missing values.

    See Also
    --------
    Declarations, Sheet
    """

    name: str
    lower: float | None = None
    upper: float | None = None
    resolution: float | None = None
    categories: tuple[str, ...] = ()
    other: bool = True
    missing: str = DROP
    fill: float | str | None = None
    unit: str = ""
    source: str = "known"

    def __post_init__(self) -> None:
        if isinstance(self.categories, str):
            raise ParameterError("categories", f"'{self.categories}' is no list; give a list of categories")
        object.__setattr__(self, "categories", tuple(map(str, self.categories)))
        if self.missing not in MISSING_RULES:
            choices = ", ".join(MISSING_RULES)
            problem = f"'{self.missing}' is not possible for column '{self.name}'; choose {choices}"
            raise ParameterError("missing", problem)

    @property
    def interval(self) -> Interval:
        """The public bounds; `ParameterError` if they are not declared."""
        if self.lower is None or self.upper is None:
            ways = "only categories; ask for a table or a histogram, or declare its lower and upper"
            if not self.categories:
                ways = "no bounds; declare lower and upper, or its categories if it holds text"
            raise ParameterError("bounds", f"column '{self.name}' has {ways}")
        return Interval(self.lower, self.upper, self.resolution)

    @property
    def domain(self) -> CategoryDomain:
        """The public list of categories; `ParameterError` if it is not declared."""
        lists = CategoryDomain([self.name], [self.categories])
        return lists.with_other() if self.other else lists


@dataclasses.dataclass(frozen=True)
class Declarations:
    """Public statements about a table; see `Sheet` for an example.

    Parameters
    ----------
    columns : sequence of ColumnDeclaration
        The declared columns.
    person : str
        The column that identifies a person; "" if each row is a record.
    person_rule : {"mean", "sum", "largest", "last", "count"}
        Rule that combines all rows of a person.
    most_rows : int, optional
        Keep at most so many rows of each person and combine none; a person then costs so many rows.
    public_groups : set of str
        Columns whose value is public for each record: who belongs to which group is known.

    Raises
    ------
    ParameterError
        If there is no such rule, or no such number of rows.

    See Also
    --------
    ColumnDeclaration, Sheet, budget
    """

    columns: tuple[ColumnDeclaration, ...] = ()
    person: str = ""
    person_rule: str = "mean"
    most_rows: int | None = None
    public_groups: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        one = not isinstance(self.columns, Iterable)
        object.__setattr__(self, "columns", (self.columns,) if one else tuple(self.columns))
        if not all(isinstance(column, ColumnDeclaration) for column in self.columns):
            right = '[ColumnDeclaration("age", lower=0, upper=120)]'
            raise ParameterError("declarations", f"these are no statements about columns; give {right}")
        object.__setattr__(self, "public_groups", frozenset(self.public_groups))
        if self.person_rule not in PERSON_RULES:
            choices = ", ".join(PERSON_RULES)
            problem = f"'{self.person_rule}' is no rule for the rows of a person; choose {choices}"
            raise ParameterError("person", problem)
        rows = self.most_rows
        if rows is not None and (isinstance(rows, bool) or not isinstance(rows, int) or rows < 1):
            raise ParameterError("rows", f"{rows!r} is not possible; it must be a whole number of at least 1")

    @property
    def rows_of_person(self) -> int:
        """The most records of one person; 0 if each row is a record."""
        return (self.most_rows or 1) if self.person else 0

    def column(self, name: str) -> ColumnDeclaration:
        """Return the declaration of a column; one without statements if there is none."""
        return next((one for one in self.columns if one.name == name), ColumnDeclaration(name))

    def with_column(self, declared: ColumnDeclaration) -> Declarations:
        """Return the declarations with another one for its column."""
        names = [one.name for one in self.columns]
        if declared.name not in names:
            return dataclasses.replace(self, columns=(*self.columns, declared))
        own = tuple(declared if one.name == declared.name else one for one in self.columns)
        return dataclasses.replace(self, columns=own)


def as_declarations(stated: Declarations | Sequence[ColumnDeclaration]) -> Declarations:
    """Return declarations as they are, or those of some columns."""
    return stated if isinstance(stated, Declarations) else Declarations(stated)  # type: ignore[arg-type]
