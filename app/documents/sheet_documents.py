"""The table of the program in a session file: public statements about it, and the sheet of questions."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.documents.schema import (
    FLAG,
    NAME,
    NUMBER,
    DocumentError,
    ListOf,
    Number,
    OneOf,
    OptionalOf,
    Record,
    Text,
    Whole,
    quote,
)
from engine.data.rows import PERSON_RULES
from engine.privacy import Privacy
from engine.questions.declarations import ColumnDeclaration, Declarations
from engine.questions.question import STATISTICS, Question

MAX_COLUMNS = 10_000
OPTIONAL_NAME = Text(1000)
TREATMENTS, SOURCES = ("drop", "fill", "refuse"), ("known", "looked")


class FillValue:
    """The replacement for missing values: a number, a category, or null."""

    def plain(self, value: float | str | None) -> float | str | None:
        return value

    def read(self, plain: Any, where: str) -> float | str | None:
        if plain is None:
            return None
        value: float | str = (NAME if isinstance(plain, str) else NUMBER).read(plain, where)
        return value


DECLARATIONS = Record(
    Declarations,
    {
        "columns": ListOf(
            Record(
                ColumnDeclaration,
                {
                    "name": NAME,
                    "lower": OptionalOf(NUMBER),
                    "upper": OptionalOf(NUMBER),
                    "resolution": OptionalOf(NUMBER),
                    "categories": ListOf(NAME),
                    "other": FLAG,
                    "missing": OneOf(TREATMENTS),
                    "fill": FillValue(),
                    "unit": Text(200),
                    "source": OneOf(SOURCES),
                },
            ),
            MAX_COLUMNS,
        ),
        "person": OPTIONAL_NAME,
        "person_rule": OneOf(PERSON_RULES),
        "most_rows": OptionalOf(Whole(1)),
        "public_groups": ListOf(NAME, MAX_COLUMNS, make=frozenset),
    },
)
"""The kind of `Declarations`."""


@dataclasses.dataclass(frozen=True)
class SavedQuestion:
    """A row of the sheet; `released` is the position of its release in the history, from 0."""

    question: Question
    released: int | None = None


QUESTION = Record(
    Question,
    {
        "statistic": OneOf(STATISTICS),
        "columns": ListOf(NAME, MAX_COLUMNS),
        "q": Number(0, 1),
        "by": OPTIONAL_NAME,
        "where": ListOf(Text(4000, 1), 1000),
        "weight": Number(0),
        "method": Text(100, 1),
        "interval": OptionalOf(Number(0, 1)),
        "population": FLAG,
        "edges": ListOf(Number(), MAX_COLUMNS),
    },
    later={"edges": ()},
    sparse=("edges",),
)
BUDGET = Record(Privacy, {"epsilon": Number(), "delta": Number()})
"""The kind of the budget of a sheet."""
QUESTIONS = ListOf(Record(SavedQuestion, {"question": QUESTION, "released": OptionalOf(Whole())}), 10_000)
"""The kind of all rows of a sheet."""


def check_released(questions: tuple[SavedQuestion, ...], releases: int) -> None:
    """Raise `DocumentError` for a row whose release is not in the history."""
    for index, saved in enumerate(questions):
        if saved.released is not None and saved.released >= releases:
            where = f"questions[{index}].released"
            raise DocumentError(where, f"{quote(saved.released)} is no release; there are {releases}")
