"""One question about a table, in words and as fields."""

from __future__ import annotations

import dataclasses

from engine.errors import ParameterError
from engine.numerals import short

STATISTICS = ("median", "quantile", "mean", "sum", "count", "share", "histogram", "table")
"""All statistics that a question can ask for."""


KEYWORDS = ("of", "by", "where", "and")
"""Words that separate the parts of a question."""


@dataclasses.dataclass(frozen=True)
class Question:
    """A question about a table.

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "where", tuple(self.where))
        if self.statistic not in STATISTICS:
            choices = ", ".join(STATISTICS)
            raise ParameterError("statistic", f"'{self.statistic}' is not possible; choose {choices}")

    def as_text(self) -> str:
        """Return the question in words, as `read_question` reads it."""
        name = f"quantile {short(self.q)}" if self.statistic == "quantile" else self.statistic
        of = f" of {' and '.join(map(quoted, self.columns))}" if self.columns else ""
        by = f" by {quoted(self.by)}" if self.by else ""
        where = f" where {' and '.join(self.where)}" if self.where else ""
        return f"{name}{of}{by}{where}"


def quoted(name: str) -> str:
    """Return the name of a column as a question spells it: between backquotes if it could be misread."""
    words = name.split()
    plain = " ".join(words) == name and not any(mark in name for mark in "`\"',")
    return name if plain and not {word.lower() for word in words} & set(KEYWORDS) else f"`{name}`"
