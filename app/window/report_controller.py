"""Reports: asked for in a dialog, written by a worker, whole or not at all."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.export.report.request import ReportRequest
from app.jobs.tasks import JobTask
from app.model.output_file import OutputFile
from app.model.pages.workspaces import QUESTIONS_VIEW, RELEASED
from app.model.report_document import ReportOptions
from app.panels.report_dialog import ReportDialog
from app.widgets.dialogs import SaveDialog
from app.window.parts import Controller, WindowParts
from engine.histograms.histogram import uncollected
from engine.progress import part

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel

SUFFIXES = (".html", ".pdf")
FORMATS = "Web page (*.html);;PDF document (*.pdf)"
FILES = {QUESTIONS_VIEW.name: "answers", RELEASED.name: "releases"}
"""Names of reports of a view."""
CANCELLED = "Cancelled; no report was written"


def write_report(request: ReportRequest, path: str | Path, task: JobTask) -> Path:
    """Write a report in the format of the suffix (in a worker).

    Raises `SensiscopeError` if nothing can be written there; a file that was there before is as it was.
    """
    from app.export.report.building import build_report
    from app.plots.elements.shared_texts import one_at_a_time

    one_at_a_time()
    output = OutputFile(str(path), SUFFIXES)
    # every thread waits while garbage is sought among a great many cells
    with uncollected():
        report = build_report(request, part(task, 0.0, 0.6))
        writing = part(task, 0.6, 1.0)
        if output.suffix == ".html":
            from app.export.report.html import HtmlWriter

            content = b"".join(text.encode() for text in HtmlWriter(report, writing).parts())
        else:
            from app.export.report.pdf import to_pdf

            content = to_pdf(report, writing)
    task(1.0)  # the last moment to cancel
    output.write(content)
    return output.path


class ReportController(Controller):
    """Shows the dialogs about a report, and has it written."""

    written = Signal(object)  # Path

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._request: ReportRequest | None = None
        self._close_with_subject()
        self.channel = parts.jobs.channel("report", self._on_written, parts.status.show_failure)
        self.channel.cancelled.connect(self._on_cancelled)
        parts.status.follow(self.channel)
        self._message = ""
        self.channel.busy_changed.connect(self._on_busy)  # after the progress has gone

    def ask(self) -> None:
        self.close()
        state = self._session.state
        if state.workspace == QUESTIONS_VIEW.name or state.visible_dataset is not state.dataset:
            self.ask_file()  # the choices on the page are about other data
            return
        drawn = tuple(
            canvas.drawn
            for canvas in self._pages.shown.canvases
            if canvas is not None and canvas.isVisible() and canvas.has_result
        )
        self._request = self.request(ReportOptions(self._title), drawn)
        dialog = ReportDialog(
            self._title,
            [(one.title, one.private) for one in drawn],
            self._session.state.view == "curator",
            self._window,
        )
        dialog.wanted.connect(self._on_chosen)
        self._open_dialog(dialog)

    def ask_file(self) -> None:
        """Ask only where to save the report: what can be shared, without asking for more."""
        self.close()
        self._ask_where(self.request(ReportOptions(self._title)))

    def request(self, options: ReportOptions, drawn: tuple[FigurePanel, ...] = ()) -> ReportRequest:
        """Return all that a report is made from, as it is now."""
        session = self._session
        when = datetime.now().astimezone()
        compared = self._pages.shown.compared
        return ReportRequest(session.state, session.databases, drawn, session.ledger, options, when, compared)

    def write(self, request: ReportRequest, path: str | Path) -> None:
        self.channel.request(partial(write_report, request, path))

    @property
    def _title(self) -> str:
        state, dataset = self._session.state, self._session.state.visible_dataset
        if dataset is None:
            return "Report"
        if state.workspace in FILES or dataset is not state.dataset:
            return f"{FILES.get(state.workspace, FILES[RELEASED.name]).capitalize()} about {dataset.title}"
        return f"{state.asked.label} of {state.subject}"

    def _on_chosen(self, options: ReportOptions) -> None:
        assert self._request is not None
        self._ask_where(self.request(options, self._request.drawn))

    def _ask_where(self, request: ReportRequest) -> None:
        self._request = request
        state = self._session.state
        about = FILES.get(state.workspace, f"{state.query}-report")
        name = f"{about}{'-confidential' * request.options.private}.html"
        dialog = SaveDialog(self._window, "Save the report", name, FORMATS)
        dialog.fileSelected.connect(self._on_file_chosen)
        self._open_dialog(dialog)

    def _on_file_chosen(self, path: str) -> None:
        assert self._request is not None
        self.write(self._request, path)
        self._request = None

    def _on_written(self, path: Path) -> None:
        self._message = f"Saved {path}"
        self.written.emit(path)

    def _on_cancelled(self) -> None:
        self._message = CANCELLED

    def _on_busy(self, busy: bool) -> None:
        if not busy and self._message:
            self._status.show_message(self._message)
        self._message = ""
