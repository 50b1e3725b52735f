"""The window: assembles pages and panels, and wires their signals."""

from __future__ import annotations

import sys
import time
from typing import Any

from PySide6.QtCore import QByteArray, QEventLoop, QSettings, Qt, QTimer
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QApplication, QFileDialog

from app.actions import keyboard_table
from app.export.figure import Saver
from app.frame import Frame
from app.jobs import Failure, Report
from app.opening import Opener
from app.pages.median_advice import expected_error
from app.panels.history_panel import value_words
from app.panels.import_dialog import ImportDialog
from app.releasing import Releaser, certificate_words
from app.session import Session
from app.state import EXAMPLE, Dataset, ReleaseRecord
from app.widgets.dialogs import TextDialog
from app.widgets.messages import MessageArea
from app.widgets.plot_table import TableDialog
from engine.errors import DataError

VIEWS = {
    "curator": "Curator view: what is marked “not private” must not leave the room",
    "release": "Release view: everything here may leave the room",
}
FILES = "Tables (*.csv *.tsv *.txt *.parquet *.feather *.arrow *.jsonl *.ndjson);;All files (*)"


class MainWindow(Frame):
    """One window on one session.

    Parameters
    ----------
    session : Session
        The model.
    file : str, optional
        What to open once the window has been painted; without it, and with an empty
        session, what the last session ended with, else a bundled example.
    settings : QSettings, optional
        Where theme, geometry and the last file are kept; nothing is kept without it.
    """

    def __init__(self, session: Session, file: str | None = None, settings: QSettings | None = None) -> None:
        super().__init__(session)
        self._file = file
        self._settings = settings
        self._started = False
        self._import: ImportDialog | None = None
        self.opener = Opener(session, self.jobs)
        self.releaser = Releaser(session, self.jobs)
        self.saver = Saver(self)
        self.setAcceptDrops(True)
        self._wire()
        self.actions_by_name["curator"].setChecked(True)
        self.actions_by_name["page_median"].setChecked(True)
        self.set_theme(str(settings.value("theme", "system")) if settings else "light")
        if settings and settings.contains("geometry"):
            self.restoreGeometry(QByteArray(settings.value("geometry")))  # type: ignore[arg-type]
        self._follow(frozenset())

    def _wire(self) -> None:
        session, stack = self.session, self.session.undo_stack
        session.changed.connect(self._follow)
        stack.canUndoChanged.connect(self.actions_by_name["undo"].setEnabled)
        stack.canRedoChanged.connect(self.actions_by_name["redo"].setEnabled)
        stack.undoTextChanged.connect(self._name_undo)
        stack.redoTextChanged.connect(self._name_redo)
        self.actions_by_name["undo"].setEnabled(False)
        self.actions_by_name["redo"].setEnabled(False)
        examples = self.data.examples_button.menu()
        examples.setTitle("Open &example")
        self.menus["&File"].insertMenu(self.actions_by_name["save_figure"], examples)
        self.navigation.page_chosen.connect(self.show_page)
        self.navigation.view_chosen.connect(session.show_view)
        self.data.open_requested.connect(self.open_file)
        self.data.example_chosen.connect(self.opener.open_example)
        self.data.column_chosen.connect(self.opener.choose_column)
        self.data.missing_chosen.connect(self.opener.choose_missing)
        self.release.run_requested.connect(self.run)
        self.release.cancel_requested.connect(self.cancel)
        running = self.releaser.channel
        self.releaser.released.connect(self._on_released)
        running.failed.connect(self._on_failed)
        running.progressed.connect(self.release.show_progress)
        running.busy_changed.connect(self.release.show_running)
        running.cancelled.connect(self._on_cancelled)
        self.saver.saved.connect(self._on_saved)
        self.saver.failed.connect(self.messages.show_message)
        self.opener.read.connect(self._ask_for_bounds)
        self.opener.opened.connect(self._on_opened)
        self.opener.failed.connect(self._on_open_failed)
        for channel in (self.opener.reading, self.median.curves):
            channel.progressed.connect(self._on_progress)
            channel.busy_changed.connect(self._on_busy)
        self.median.card.save_button.clicked.connect(self.save_figure)
        self.median.card.numbers_button.clicked.connect(self.show_numbers)
        self.median.judged.connect(self._on_judged)
        self.median.clamped.connect(self.data.show_clamped)
        self.median.certified.connect(self._on_certified)
        self.median.failed.connect(self._on_failed)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_scheme)

    # Start and end.

    def _on_scheme(self) -> None:
        if self._theme == "system":
            self.set_theme("system")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Begin to work once there is something to look at."""
        super().paintEvent(event)
        if not self._started:
            self._started = True
            QTimer.singleShot(0, self.start)

    def start(self) -> None:
        """Draw the first pictures, and open what the window was started with."""
        self.median.start()
        if self._file is not None:
            self.opener.open_file(self._file)
        elif self.session.state.dataset is None and not (
            self._settings is not None and self.opener.restore(self._settings)
        ):
            self.opener.open_example(EXAMPLE)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop all work and keep what the next session needs."""
        if self._settings is not None:
            self._settings.setValue("geometry", self.saveGeometry())
            self._settings.setValue("theme", self._theme)
            self.opener.remember(self._settings)
        self.jobs.close()
        super().closeEvent(event)

    def wait_until_idle(self, timeout_ms: int = 10_000) -> bool:
        """Process events until no job runs and nothing waits to be drawn; False after `timeout_ms`."""
        deadline = time.monotonic() + timeout_ms / 1000
        quiet = 0
        while time.monotonic() < deadline:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
            waiting = not self._started or self.jobs.busy or self.median.pending
            quiet = 0 if waiting else quiet + 1
            if quiet >= 4:
                return True
            time.sleep(0.002)
        return False

    # What people do (the slots of `app.actions`).

    def open_file(self) -> None:
        """Ask which file to open."""
        dialog = QFileDialog(self, "Open a table", "", FILES)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.opener.open_file)
        dialog.open()

    def save_figure(self) -> None:
        """Ask where to save the open picture."""
        if self.median.canvas is not None:
            self.saver.ask_figure(self.median.canvas, self.median.figure_name())

    def save_numbers(self) -> None:
        """Ask where to save the numbers behind the open picture."""
        if self.median.canvas is not None:
            self.saver.ask_numbers(self.median.canvas, self.median.figure_name())

    def copy_figure(self) -> None:
        """Copy the open picture."""
        canvas = self.median.canvas
        if canvas is not None:
            canvas.copy_to_clipboard()
            self.say("The picture is on the clipboard" + "; it is not private" * canvas.private)

    def show_numbers(self) -> None:
        """Show the numbers behind the open picture."""
        canvas = self.median.canvas
        if canvas is not None and canvas.picture.result is not None:
            canvas.show_table()

    def undo(self) -> None:
        """Take back the last edit (never a release)."""
        self.session.undo_stack.undo()

    def redo(self) -> None:
        """Do the edit again that was taken back."""
        self.session.undo_stack.redo()

    def reset_dots(self) -> None:
        """Put all dots back that were moved by hand."""
        self.median.strip.put_back()

    def run(self) -> None:
        """Make one release with the operating system's entropy."""
        self.releaser.run()

    def cancel(self) -> None:
        """Stop what is running; else dismiss the newest message."""
        if self.releaser.channel.busy:
            self.releaser.channel.cancel()
        elif self.opener.reading.busy:
            self.opener.reading.cancel()
        elif self.progress.isVisible():
            self.median.cancel()
        else:
            self.messages.dismiss_newest()

    def show_page(self, name: str) -> None:
        """Open a page by name."""
        if name == "median":
            self.pages.setCurrentWidget(self.median)
        self.navigation.show_page("median")
        self.actions_by_name["page_median"].setChecked(True)

    def show_keyboard(self) -> None:
        """Show all shortcuts."""
        rows = [list(pair) for pair in keyboard_table()]
        TableDialog(self, "Keyboard", ["Keys", "What they do"], rows).show()

    def show_about(self) -> None:
        """Say what this is."""
        TextDialog(
            "About Sensiscope",
            "<b>Sensiscope</b><br>See, run and compare data-dependent noise in differential privacy.<br><br>"
            "Neighbours are databases that differ in one replaced record; the number of records n is public. "
            "Releases take their noise from the operating system's entropy.<br><br>"
            "Nissim, Raskhodnikova, Smith: <i>Smooth sensitivity and sampling in private data analysis</i>, "
            "STOC 2007.<br><br>MIT licence.",
            self,
        ).show()

    # Drag and drop.

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the first file that was dropped."""
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            self.opener.open_file(files[0])
            event.acceptProposedAction()

    # What follows from what.

    def _follow(self, fields: frozenset[str]) -> None:
        state = self.session.state
        name = f"{state.dataset.title}: {state.column} – " if state.dataset else ""
        self.setWindowTitle(f"{name}Sensiscope")
        self.navigation.view.show_choice(state.view)
        self.actions_by_name[state.view].setChecked(True)
        self.actions_by_name["reset_dots"].setEnabled(bool(state.edits))
        if "view" in fields:
            self.messages.clear()
            self.say(VIEWS[state.view])
            for dialog in (*self.findChildren(TableDialog), *self.findChildren(ImportDialog)):
                dialog.close()
        if fields - {"view", "releases"}:
            self._show_problems()

    def _show_problems(self) -> None:
        ready = self.column.show_problems()
        self.actions_by_name["run"].setEnabled(ready)
        if not ready:
            self._on_judged(None)
            self.release.show_certificate("", "")

    def _on_judged(self, judgement: Any) -> None:
        words = "" if judgement is None else expected_error(judgement.errors, self.session.state.unit)
        self.release.show_error(words, judgement is not None and judgement.errors.private)

    def _on_certified(self, found: Any) -> None:
        words, details = certificate_words(*found)
        self.release.show_certificate(words if self.session.state.uses_noise else "", details)

    def _on_released(self, record: ReleaseRecord) -> None:
        self.say(f"Released {value_words(record)} for ε = {record.release.privacy.epsilon:g}")

    def _on_saved(self, path: str) -> None:
        self.say(f"Saved {path}")

    def _on_cancelled(self) -> None:
        self.say("Cancelled; nothing was released and nothing spent")

    def _on_opened(self) -> None:
        if self._import is not None and self._import.dataset is self.session.state.dataset:
            self._import.close()
        self.say(VIEWS[self.session.state.view])

    def _ask_for_bounds(self, dataset: Dataset) -> None:
        if self._import is not None:
            self._import.close()
        curator = self.session.state.view == "curator"
        self._import = ImportDialog(dataset, self._palette, self, curator=curator)
        self._import.chosen.connect(self.opener.open_choice)
        self._import.finished.connect(self._on_import_closed)
        self._import.open()
        if self.session.state.dataset is None:
            self.opener.open_example(EXAMPLE)

    def _on_import_closed(self, result: int) -> None:
        self._import = None

    def _on_open_failed(self, failure: Failure) -> None:
        area = self.messages if self._import is None else self._import.messages
        self._tell(failure, area)

    def _on_failed(self, failure: Failure) -> None:
        self._tell(failure, self.messages)

    def _tell(self, failure: Failure, area: MessageArea) -> None:
        error = failure.error
        if self.session.state.view == "release" and isinstance(error, DataError) and error.row is not None:
            # such a message quotes the cell
            place = f"{error.source}, column '{error.column}'"
            area.show_message(f"{place}: a cell cannot be used; the Curator view says which one, and why")
        else:
            area.show_message(failure.message, failure.details)

    def _on_progress(self, report: Report) -> None:
        if report.seconds_left is not None:
            what = report.message or "working"
            left = f" · {max(1, round(report.seconds_left))} s left" if report.seconds_left > 0.5 else ""
            self.say(f"{what[:1].upper()}{what[1:]}: {report.fraction:.0%}{left} · Esc cancels")
            self.progress.setValue(round(1000 * report.fraction))
            self.progress.show()

    def _on_busy(self, busy: bool) -> None:
        if not busy and self.progress.isVisible():
            self.progress.hide()
            self.say(VIEWS[self.session.state.view])

    def _name_undo(self, text: str) -> None:
        self.actions_by_name["undo"].setText(f"&Undo {text}".rstrip())

    def _name_redo(self, text: str) -> None:
        self.actions_by_name["redo"].setText(f"&Redo {text}".rstrip())

    def _on_view_action(self, action: QAction) -> None:
        self.session.show_view(action.data())

    def _on_theme_action(self, action: QAction) -> None:
        self.set_theme(action.data())

    def _on_page_action(self, action: QAction) -> None:
        self.show_page(action.data())


def open_window(argv_file: str | None = None, theme: str | None = None) -> int:
    """Open the window and run until it is closed; return the exit status."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Sensiscope")
    application.setOrganizationName("Sensiscope")
    application.setStyle("Fusion")
    QGuiApplication.setDesktopFileName("sensiscope")
    window = MainWindow(Session(), argv_file, QSettings())
    if theme is not None:
        window.set_theme(theme)
    window.show()
    return application.exec()
