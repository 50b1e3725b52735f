"""The window: assembles pages and panels, and wires their signals."""

from __future__ import annotations

import gc
import sys
import time
from typing import Any

from PySide6.QtCore import QByteArray, QEventLoop, QSettings, QTimer
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QPaintEvent,
)
from PySide6.QtWidgets import QApplication

from app.certificates import Certified
from app.export.figure import Saver
from app.frame import Frame
from app.help import show_about, show_keyboard
from app.importing import Importer, dropped_file
from app.opening import Opener
from app.pages.median_advice import expected_error
from app.panels.history_panel import value_words
from app.releasing import Releaser
from app.session import Session
from app.state import EXAMPLE, ReleaseRecord
from app.telling import Teller
from app.widgets.plot_table import TableDialog


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
        self.opener = Opener(session, self.jobs)
        self.releaser = Releaser(session, self.jobs)
        self.saver = Saver(self, session)
        self.teller = Teller(session, self.status, self.progress, self.messages)
        self.importer = Importer(self, session, self.opener, self.teller)
        self.setAcceptDrops(True)
        self._wire()
        self.actions_by_name["curator"].setChecked(True)
        self.actions_by_name["page_median"].setChecked(True)
        self.set_theme(str(settings.value("theme", "system")) if settings else "light")
        if settings and settings.contains("geometry"):
            self.restoreGeometry(QByteArray(settings.value("geometry")))  # type: ignore[arg-type]
        self._follow(frozenset())
        self.teller.say_view()

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
        running.failed.connect(self.teller.tell)
        running.progressed.connect(self.release.show_progress)
        running.busy_changed.connect(self.release.show_running)
        running.cancelled.connect(self._on_cancelled)
        self.saver.done.connect(self.teller.say)
        self.saver.failed.connect(self.messages.show_message)
        self.teller.follow(self.opener.reading)
        self.teller.follow(self.median.curves)
        self.median.card.save_button.clicked.connect(self.save_figure)
        self.median.card.numbers_button.clicked.connect(self.show_numbers)
        self.median.judged.connect(self._on_judged)
        self.median.clamped.connect(self.data.show_clamped)
        self.median.certified.connect(self._on_certified)
        self.median.failed.connect(self.teller.tell)
        self.jobs.channel("pictures").result.connect(self._spare)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_scheme)

    # Start and end.

    def _apply_style(self) -> None:
        super()._apply_style()
        self.importer.palette = self._palette

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

    def _spare(self, _: object) -> None:
        """Leave what was imported out of every later search for garbage: each would stop the window.

        A full one took 70 ms. `closeEvent` takes this back.
        """
        gc.freeze()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop all work and keep what the next session needs."""
        if self._settings is not None:
            self._settings.setValue("geometry", self.saveGeometry())
            self._settings.setValue("theme", self._theme)
            self.opener.remember(self._settings)
        self.jobs.close()
        gc.unfreeze()
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
        self.importer.ask_file()

    def save_figure(self) -> None:
        """Ask where to save the open picture."""
        self.saver.ask_figure(self.median.canvas)

    def save_numbers(self) -> None:
        """Ask where to save the numbers behind the open picture."""
        self.saver.ask_numbers(self.median.canvas)

    def copy_figure(self) -> None:
        """Copy the open picture."""
        self.saver.copy(self.median.canvas)

    def show_numbers(self) -> None:
        """Show the numbers behind the open picture."""
        self.saver.show_table(self.median.canvas)

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
        elif self.teller.progressing:
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
        show_keyboard(self)

    def show_about(self) -> None:
        """Say what this is."""
        show_about(self)

    # The pointer.

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the picture under the pointer or the keyboard."""
        for canvas in (self.median.canvas, self.median.strip.canvas):
            if (
                canvas
                and canvas.isVisible()
                and canvas.rect().contains(canvas.mapFromGlobal(event.globalPos()))
            ):
                self.saver.open_menu(canvas, event.globalPos())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if dropped_file(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the first file that was dropped."""
        file = dropped_file(event.mimeData())
        if file:
            self.opener.open_file(file)
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
            self.teller.say_view()
            self.importer.close()
            for dialog in self.findChildren(TableDialog):
                dialog.close()
        if fields - {"view", "releases"}:
            self._show_problems()
        if not state.uses_noise:
            self.release.show_certificate(None)

    def _show_problems(self) -> None:
        ready = self.column.show_problems()
        self.actions_by_name["run"].setEnabled(ready)
        if not ready:
            self._on_judged(None)
            self.release.show_certificate(None)

    def _on_judged(self, judgement: Any) -> None:
        words = "" if judgement is None else expected_error(judgement, self.session.state.unit)
        self.release.show_error(words, judgement is not None and judgement.errors.private)

    def _on_certified(self, certified: Certified) -> None:
        self.release.show_certificate(certified if self.session.state.uses_noise else None)

    def _on_released(self, record: ReleaseRecord) -> None:
        budget = f"ε = {record.release.privacy.epsilon:g}"
        if record.release.value is None:
            self.teller.say(f"The mechanism refused to answer; {budget} is spent all the same")
        else:
            self.teller.say(f"Released {value_words(record)} for {budget}")

    def _on_cancelled(self) -> None:
        self.teller.say("Cancelled; nothing was released and nothing spent")

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
