"""One question about a table, in words and as fields."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable
from numbers import Real
from typing import Any

from engine.data.rows import ColumnComparison, read_row_condition
from engine.errors import ParameterError
from engine.numerals import exact_texts, given, short

STATISTICS = ("median", "quantile", "mean", "sum", "count", "share", "histogram", "table")
"""All statistics that a question can ask for."""

BY_RANK = ("median", "quantile")
"""Statistics that are chosen by rank: an interval costs a share of epsilon."""

KEYWORDS = ("of", "by", "where", "and")
"""Words that separate the parts of a question."""

CONDITION_WORDS = ("or", "in", "is")
"""More words with a meaning in a condition."""


@dataclasses.dataclass(frozen=True)
class Question:
    """A question about a table; `Sheet` has an example.

    Parameters
    ----------
    statistic : str
        One of `STATISTICS`.
    columns : sequence of str
        The columns that it reads: none for a count or a share, one or more for a table, one for all others.
    q : float
        The share of records below a quantile.
    by : str
        The column of groups; "" for none.
    where : sequence of str
        Conditions on rows, such as ``age >= 30``; all must hold.
    weight : float
        Weight of its share of the budget.
    method : str
        Name of a method; "auto" for the best by a public rule.
    interval : float, optional
        Share of its epsilon that pays for a 95 % interval.
    population : bool
        Whether the interval covers the value of the population, sampling included.
    assumed : float, optional
        Stated share of the records in each part, for its expected error alone.
    edges : sequence of float
        Edges between the bins of a histogram; the bounds are edges, too.  By default round numbers.

    Raises
    ------
    ParameterError
        If the statistic is unknown, or a number is impossible.

    See Also
    --------
    Sheet, ask
    """

    statistic: str
    columns: tuple[str, ...] = ()
    q: float = 0.5
    by: str = ""
    where: tuple[str, ...] = ()
    weight: float = 1.0
    method: str = "auto"
    interval: float | None = None
    population: bool = False
    assumed: float | None = None
    edges: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "where", tuple(self.where))
        if self.statistic not in STATISTICS:
            choices = ", ".join(STATISTICS)
            raise ParameterError("statistic", f"'{self.statistic}' is not possible; choose {choices}")
        for name in ("q", "weight", "interval", "assumed"):
            value = getattr(self, name)
            if value is not None or name in ("q", "weight"):
                object.__setattr__(self, name, _checked_number(name, value))
        object.__setattr__(self, "edges", self._checked_edges())

    def _checked_edges(self) -> tuple[float, ...]:
        """Return the edges as numbers; raise `ParameterError` unless they increase and cut a histogram."""
        if isinstance(self.edges, str) or not isinstance(self.edges, Iterable):
            raise ParameterError("edges", f"{given(self.edges)} is not possible; give a list of numbers")
        edges = tuple(_checked_number("edges", edge) for edge in self.edges)
        if edges and self.statistic != "histogram":
            raise ParameterError("edges", "only a histogram has edges; leave them out")
        if list(edges) != sorted(set(edges)):
            raise ParameterError("edges", "they do not increase; write them in order, once each")
        return edges

    def as_text(self) -> str:
        """Return the question in words, as `read_question` reads it."""
        name = f"quantile {self.q!r}" if self.statistic == "quantile" else self.statistic
        of = f" of {' and '.join(map(quoted, self.columns))}" if self.columns else ""
        by = f" by {quoted(self.by)}" if self.by else ""
        where = f" where {joined(self.where)}" if self.where else ""
        return f"{name}{of}{by}{where}"

    @property
    def title(self) -> str:
        """The question in words, with the edges of a histogram: "histogram of age (edges 18, 65)"."""
        edges = f" (edges {', '.join(exact_texts(self.edges))})" if self.edges else ""
        return f"{self.as_text()}{edges}"


def _checked_number(name: str, stated: Any) -> float:
    """Return a number as a float; raise `ParameterError` if it is not in the range of its field."""
    is_number = isinstance(stated, Real) and not isinstance(stated, bool)
    try:
        value = float(stated) if is_number else math.nan
    except OverflowError:  # a whole number or fraction
        value = math.inf
    if not math.isfinite(value):
        raise ParameterError(name, f"{given(stated)} is not possible; it must be a number")
    if name == "q" and not 0 <= value <= 1:
        raise ParameterError(name, f"{short(value)} is not possible; it must be from 0 to 1")
    if name == "weight" and value <= 0:
        raise ParameterError(name, f"{short(value)} is not possible; it must be above 0")
    if name == "assumed" and not 0 < value <= 1:
        raise ParameterError(name, f"{short(value)} is not possible; it must be above 0 and at most 1")
    if name == "interval" and not 0 < value < 1:
        raise ParameterError(name, f"{short(value)} is not possible; it must be above 0 and below 1")
    return value


def joined(conditions: tuple[str, ...]) -> str:
    """Return one condition that holds where all of several conditions hold."""
    if len(conditions) == 1:
        return conditions[0]
    alternatives = [read_row_condition(text).alternatives for text in conditions]
    if all(len(one) == 1 for one in alternatives):
        return " and ".join(conditions)
    # "and" binds more tightly than "or", and conditions have no parentheses
    choices = [list(itertools.chain(*choice)) for choice in itertools.product(*alternatives)]
    return " or ".join(" and ".join(map(comparison_text, choice)) for choice in choices)


def comparison_text(comparison: ColumnComparison) -> str:
    """Return a comparison as a condition spells it, with quotes where a name or value needs them."""
    name = quoted(comparison.column, (*KEYWORDS, *CONDITION_WORDS), "`\"'(),<>=!≥≤≠")
    if comparison.operator in ("empty", "filled"):
        return f"{name} is {'not ' * (comparison.operator == 'filled')}empty"
    values = [_value_text(text) if is_quoted else text for text, is_quoted in comparison.values]
    if comparison.operator == "in":
        return f"{name} in ({', '.join(values)})"
    return f"{name} {comparison.operator} {values[0]}"


def _value_text(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def quoted(name: str, keywords: tuple[str, ...] = KEYWORDS, marks: str = "`\"',") -> str:
    """Return the name of a column as a question spells it: between backquotes if it could be misread."""
    parts = name.split()
    plain = " ".join(parts) == name and not any(mark in name for mark in marks)
    return name if plain and not {part.lower() for part in parts} & set(keywords) else f"`{name}`"
