"""Questions of the sheet, with their releases."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence

from app.model.dataset import Dataset
from app.model.release_record import ReleaseRecord
from app.model.wording.numbers import number
from engine.privacy import Privacy
from engine.questions.declarations import Declarations
from engine.questions.question import Question

_KEYS = itertools.count()

LOOKED = "looked"
"""The source of public facts that were taken from the data."""


@dataclasses.dataclass(frozen=True)
class AskedQuestion:
    """One row of the sheet."""

    question: Question
    # its release, one of `SessionState.releases`; None while it was not released
    released: ReleaseRecord | None = None
    # identifies the row while the program runs, whatever is edited or moved
    key: int = dataclasses.field(default_factory=_KEYS.__next__, compare=False)

    def but(self, **changes: object) -> AskedQuestion:
        """Return the row with other fields of its question."""
        return dataclasses.replace(self, question=dataclasses.replace(self.question, **changes))  # type: ignore[arg-type]


Rows = tuple[AskedQuestion, ...]


def with_released(now: Rows, restored: Rows) -> Rows:
    """Return restored rows, with the releases made since: a release cannot be undone.

    Released rows that the restored sheet lacks come last.
    """
    released = {row.key: row for row in now if row.released is not None}
    rows = tuple(released.pop(row.key, row) for row in restored)
    return (*rows, *released.values())


def released_row(rows: Rows, key: int, record: ReleaseRecord) -> Rows:
    """Return the rows after one of them was released."""
    return tuple(dataclasses.replace(row, released=record) if row.key == key else row for row in rows)


def asked_anew(rows: Rows) -> Rows:
    """Return the questions of the rows without their releases, as new rows."""
    return tuple(row if row.released is None else AskedQuestion(row.question) for row in rows)


def moved(rows: Rows, index: int, to: int) -> Rows:
    """Return the rows with one of them at another position."""
    others = [*rows[:index], *rows[index + 1 :]]
    others.insert(min(max(to, 0), len(others)), rows[index])
    return tuple(others)


def spent(rows: Sequence[AskedQuestion]) -> Privacy | None:
    """Return the sum of the costs of released rows; None if there are none."""
    costs = [row.released.release.privacy for row in rows if row.released is not None]
    if not costs:
        return None
    return Privacy(sum(cost.epsilon for cost in costs), sum(cost.delta for cost in costs))


@dataclasses.dataclass(frozen=True)
class ReleasedQuestion:
    """The facts that a `ReleaseRecord` keeps of a question about a table."""

    dataset: Dataset | None
    question: Question
    declarations: Declarations
    edited: bool = False
    coordinates: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """The question without its statistic: "salary by department"."""
        whole = dataclasses.replace(self.question, statistic="table", edges=())
        rest = whole.as_text().removeprefix("table").strip()
        return rest.removeprefix("of ") if self.question.columns else f"rows {rest}".strip()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns with declarations that it reads."""
        by = (self.question.by,) if self.question.by else ()
        return tuple(dict.fromkeys((*self.question.columns, *by)))

    @property
    def location(self) -> str:
        """The columns that it reads."""
        title = "" if self.dataset is None else self.dataset.title
        return ", ".join((title, *self.columns))

    @property
    def unit(self) -> str:
        """The unit of its answers; "" for counts, shares and tables."""
        if self.question.statistic in ("count", "share", "histogram", "table"):
            return ""
        if not self.question.columns:
            return ""
        name = self.question.columns[0]
        known = None if self.dataset is None else self.dataset.column(name)
        return self.declarations.column(name).unit or ("" if known is None else str(known.unit))

    @property
    def treatment(self) -> str:
        """The rules for rows without a value, one on a line."""
        return "\n".join(dict.fromkeys(self._rules()))

    def _rules(self) -> Iterator[str]:
        for name in self.question.columns:
            declared = self.declarations.column(name)
            if declared.missing == "fill" and declared.fill is not None:
                value = declared.fill if isinstance(declared.fill, str) else number(declared.fill, 12)
                yield f"A missing {name} counts as {value}."
            elif declared.missing == "drop":
                yield f"Rows without {name} are left out."
        if self.question.by:
            yield f"Rows without {self.question.by} are left out."
        if self.question.where:
            yield "Rows that lack a value of the condition do not meet it."

    @property
    def looked(self) -> bool:
        """Whether declarations that it uses were taken from the data."""
        return any(self.declarations.column(name).source == LOOKED for name in self.columns)


PAGES_OF = {
    "median": "median",
    "quantile": "median",
    "mean": "median",
    "sum": "median",
    "histogram": "histogram",
    "table": "histogram",
}
"""The page that explains each statistic; counts and shares have none."""

QUERIES_OF = {"histogram": "histogram-noisy", "table": "contingency-table"}
"""The query that a page shows for a statistic, where its name is another one."""
