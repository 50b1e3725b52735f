"""Links of the sheet: its files, the pages that explain a question, and questions from pages."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.jobs.tasks import JobTask
from app.model import lazy
from app.model.kinds.base import Fields
from app.model.kinds.page_data import declared_part
from app.model.output_file import OutputFile
from app.model.pages.registry import PAGE_KINDS
from app.model.pages.workspaces import QUESTIONS_VIEW
from app.model.questions import PAGES_OF, QUERIES_OF, AskedQuestion
from app.model.state import SessionState
from app.pages.base.view import View
from app.widgets.dialogs import SaveDialog, open_dialog
from app.window.open_controller import OpenController
from app.window.parts import Controller, WindowParts
from app.window.report_controller import ReportController
from engine.privacy import Privacy
from engine.questions.question import Question

if TYPE_CHECKING:
    from app.pages.questions.page import QuestionsPage
    from engine.questions.sheet import Sheet

FORMAT = "Sheet of questions (*.toml)"
NO_PAGE = "Counts and shares have no page of their own: their noise is the same for all data"
NOT_ASKED = "Questions are about columns of the table: open the file on Data first"
NO_STATISTIC = "A sheet cannot ask this: it knows medians, quantiles, means, sums, histograms and tables"


def read_sheet(path: str, _: JobTask) -> Sheet:
    """Read a sheet (in a worker)."""
    from engine.questions.sheet import Sheet

    return Sheet.read(path)


def save_sheet(sheet: Sheet, path: str, _: JobTask) -> Path:
    """Write a sheet (in a worker)."""
    output = OutputFile(path, (".toml",))
    output.write(sheet.as_toml().encode())
    return output.path


def question_of(state: SessionState) -> Question | None:
    """Return the question that a page asks about the table; None if a sheet cannot ask it."""
    if not state.follows_table:
        return None
    columns = state.kind.columns_of(state.read_data)
    names = {name: statistic for statistic, name in QUERIES_OF.items()}
    statistic = names.get(state.query, state.query)
    if not columns or statistic not in PAGES_OF or PAGES_OF[statistic] != state.page:
        return None
    q = getattr(state.mechanism.asked.build(), "q", 0.5)
    group = getattr(state.read_data, "group", None)
    by = "" if group is None else group.by
    return Question(statistic, columns if statistic == "table" else columns[:1], q=q, by=by)


class SheetLinks(Controller):
    """Opens and saves sheets, explains their questions, and takes questions from pages."""

    def __init__(self, parts: WindowParts, data: OpenController, reports: ReportController) -> None:
        super().__init__(parts)
        self._data = data
        self._reports = reports
        self._page: QuestionsPage | None = None
        self._close_with_subject()
        self.reading = parts.jobs.channel("read a sheet", self._on_read, parts.status.show_failure)
        self.saving = parts.jobs.channel("save a sheet", self._on_saved, parts.status.show_failure)

    def take_in(self, view: View) -> None:
        """Do what the buttons of the page say."""
        if view.name == QUESTIONS_VIEW.name and isinstance(view, lazy.QuestionsPage):
            self._page = view
            view.open_requested.connect(self.ask_open)
            view.save_requested.connect(self.ask_save)
            view.report_requested.connect(self._reports.ask_file)
            view.explain_requested.connect(self.explain)

    def ask_this(self) -> None:
        """Add the question of the open page to the sheet, and show it."""
        question = question_of(self._session.state)
        if question is None:
            follows = self._session.state.follows_table
            self._status.show_message(NO_STATISTIC if follows else NOT_ASKED)
            return
        rows = self._session.state.questions
        self._session.show_page(QUESTIONS_VIEW.name)
        self._session.edit("ask a question", questions=(*rows, AskedQuestion(question)))

    def ask_about(self, conditions: tuple[str, ...]) -> None:
        """Begin a question about the rows that satisfy conditions, and show it."""
        self._session.show_page(QUESTIONS_VIEW.name)
        if self._page is not None:
            self._page.ask.begin(conditions)

    def explain(self, question: Question) -> None:
        """Open the page that explains a question, with its column."""
        state, page = self._session.state, PAGES_OF.get(question.statistic)
        records = state.records
        if page is None or records is None:
            self._status.show_message(NO_PAGE)
            return
        self._session.show_page(page)
        query = QUERIES_OF.get(question.statistic, question.statistic)
        chosen: Fields = {"query": query}
        if query == "quantile":
            chosen["parameters"] = {"q": question.q}
        self._session.edit("explain a question", **chosen)
        kind = self._session.state.kind
        fields = declared_part(kind, question.columns, records, state.declarations)
        self._data.open_fields(records, {**PAGE_KINDS[page].choice().declared, **fields})

    def ask_open(self) -> None:
        dialog = open_dialog(self._window, "Open a sheet", FORMAT)
        dialog.fileSelected.connect(self.open)
        self._open_dialog(dialog)

    def open(self, path: str) -> None:
        """Read a sheet; its questions are added, and its declarations hold for the table."""
        self.reading.request(partial(read_sheet, path))

    def ask_save(self) -> None:
        """Ask where to save the sheet."""
        dialog = SaveDialog(self._window, "Save the sheet", "sheet.toml", FORMAT)
        dialog.fileSelected.connect(self.save)
        self._open_dialog(dialog)

    def save(self, path: str) -> None:
        self.saving.request(partial(save_sheet, sheet_of(self._session.state), path))

    def _on_read(self, sheet: Sheet) -> None:
        state = self._session.state
        declarations = sheet.declarations
        for column in state.declarations.columns:
            if column.name not in {one.name for one in declarations.columns}:
                declarations = declarations.with_column(column)
        kept = tuple(row for row in state.questions if row.released is not None)
        self._session.edit(
            "open a sheet",
            questions=(*kept, *map(AskedQuestion, sheet.questions)),
            sheet_budget=Privacy(sheet.epsilon, sheet.delta),
            declarations=declarations,
        )

    def _on_saved(self, path: Path) -> None:
        self._status.show_message(f"Saved {path}")


def sheet_of(state: SessionState) -> Sheet:
    """Return the sheet of a session, as a file stores it."""
    from engine.questions.sheet import Sheet

    budget, table = state.sheet_budget, state.table
    asked = [row.question for row in state.questions]
    path = "" if table is None or table.path is None else str(table.path)
    return Sheet(asked, budget.epsilon, budget.delta, state.declarations, path)
