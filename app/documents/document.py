"""A session file: one object; each part, such as the sheet of questions, is described by a kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.documents.components import choices_of
from app.documents.page_documents import DataReference, PageDocument, data_of, page_of, view_state_kind
from app.documents.releases import MAX_RELEASES, ShownRelease
from app.documents.schema import (
    FLAG,
    NAME,
    NUMBER,
    DocumentError,
    Each,
    FilePath,
    ListOf,
    Number,
    OneOf,
    OptionalOf,
    Record,
    Text,
    Whole,
    quote,
)
from app.model.pages.registry import PAGE_KINDS
from app.model.pages.workspaces import PICTURED, WORKSPACES
from app.model.release_record import ReleaseRecord
from app.model.view_states import ViewState
from app.model.views import VIEWS
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


FORMAT = 3
"""The version of the format: the first that was published."""

HEAD = Record(dict, {"format": Number(), "program": Text(40), "key": Text(64), "seal": Text(128)})
"""Fields before the content."""

SHARED = ("guess", "remembered", "epsilon", "delta", "view")
"""The fields of a `SessionState` that all pages share and that a session file keeps."""


ABOUT_TABLE: Mapping[str, Any] = {
    "table": None,
    "declarations": Declarations(),
    "questions": (),
    "sheet_budget": Privacy(1.0),
}
"""The parts of a session about the table of the program; without a table, files leave them out."""


@dataclasses.dataclass(frozen=True)
class Document:
    """A session, without its data.

    `page` and `room` are the page and the workspace that are open; `shared` has the fields of a
    `SessionState` that all pages share, `pages` all pages with data, and `rooms` how workspaces look. `table`
    refers to the table of the program, `declarations` are about it, and
    `questions` with `sheet_budget` the sheet.
    """

    page: str
    room: str
    shared: Mapping[str, Any]
    pages: Mapping[str, PageDocument]
    rooms: Mapping[str, ViewState]
    releases: tuple[ReleaseRecord, ...]
    table: DataReference | None = None
    declarations: Declarations = Declarations()  # noqa: RUF009
    questions: tuple[SavedQuestion, ...] = ()
    sheet_budget: Privacy = Privacy(1.0)  # noqa: RUF009

    def __post_init__(self) -> None:
        check_released(self.questions, len(self.releases))
        if self.page not in self.pages:
            raise DocumentError("page", f"{quote(self.page)} is the open page, but its data are missing")


def document_of(folder: str) -> Record:
    """Return the kind of the content of a session file in a folder."""
    path = FilePath(folder)
    shared = Record(
        _shared,
        {
            "guess": Number(0, 1),
            "chosen": choices_of(path),
            "epsilon": Number(),
            "delta": OptionalOf(Number()),
            "view": OneOf(VIEWS),
        },
        attributes={"chosen": "remembered"},
    )
    return Record(
        Document,
        {
            "page": OneOf(PAGE_KINDS),
            "room": OneOf(("", *WORKSPACES)),
            "shared": shared,
            "pages": Each({page: page_of(page, path) for page in PAGE_KINDS}),
            "rooms": Each({room: view_state_kind(room) for room in PICTURED}),
            "releases": ListOf(ShownRelease(), MAX_RELEASES),
            "table": OptionalOf(data_of(path)),
            "declarations": DECLARATIONS,
            "questions": QUESTIONS,
            "sheet_budget": BUDGET,
        },
        later=ABOUT_TABLE,
        sparse=ABOUT_TABLE,
    )


def _shared(**fields: Any) -> dict[str, Any]:
    Privacy(fields["epsilon"], fields["delta"] or 0.0)
    return fields
