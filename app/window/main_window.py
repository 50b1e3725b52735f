"""The window: assembles pages and panels, and wires their signals."""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QApplication

from app.lessons.lesson import Lesson
from app.lessons.player import Player
from app.model.lazy_ledger import LazyLedger
from app.model.ledger_path import default_ledger
from app.model.mechanism_choice import uses_noise
from app.model.release_record import ReleaseRecord
from app.model.view_states import ViewState
from app.model.wording.certificates import Certificates
from app.pages.base.page import Page
from app.panels.budget_words import warning_words
from app.panels.history_model import kept_words
from app.releases.text import value_words
from app.session import Session
from app.widgets.plot_table import TableDialog
from app.window.action_handlers import ActionHandlers
from app.window.command_provider import CommandProvider
from app.window.session_file_controller import SessionFileController
from app.window.window_state import WindowState


class MainWindow(ActionHandlers):
    """One window on one session.

    Parameters
    ----------
    session : Session
        The model.
    file : str, optional
        What to open once the window has been painted; without it, and with an empty
        session, what the last session ended with, else a bundled example.
    settings : QSettings, optional
        Where theme, geometry, page and files are kept; nothing is kept without it.
    """

    def __init__(self, session: Session, file: str | None = None, settings: QSettings | None = None) -> None:
        super().__init__(session, settings)
        self._file = file
        self._started = False
        self.memory = WindowState(self, self.opener, self.settings, settings)
        self.player = Player(session, self.jobs, self.pages, self.memory.bookmarks, self.opener.cancel)
        self.keeper = SessionFileController(
            self,
            session,
            self.jobs,
            self.opener,
            self.teller,
            self.messages,
            self.pages,
            self._view_states,
            self.compare.settled,
        )
        self.commands = CommandProvider(self, settings)
        self._wire()
        self.memory.restore(page=file is None and session.state.dataset is None)
        self._follow(frozenset())
        self.teller.say_view()
        for problem in self.settings.problems:
            self.messages.show_message(problem, kind="warning")

    def _view_states(self) -> dict[str, ViewState]:
        return self.player.view_states

    def _wire(self) -> None:
        session, stacks = self.session, self.session.undo_group
        session.changed.connect(self._follow)
        stacks.canUndoChanged.connect(self.actions_by_name["undo"].setEnabled)
        stacks.canRedoChanged.connect(self.actions_by_name["redo"].setEnabled)
        stacks.undoTextChanged.connect(self._name_undo)
        stacks.redoTextChanged.connect(self._name_redo)
        self.actions_by_name["undo"].setEnabled(False)
        self.actions_by_name["redo"].setEnabled(False)
        self.navigation.page_chosen.connect(session.show_page)
        self.navigation.view_chosen.connect(session.show_view)
        for panel in self.column.data_panels:
            panel.open_requested.connect(self.open_file)
            panel.example_chosen.connect(self.opener.open_example)
            panel.chosen.connect(self._on_data_chosen)
        running = self.releaser.channel
        for form in self.column.releases:
            form.run_requested.connect(self.use_form)
            form.cancel_requested.connect(self.cancel)
            running.progressed.connect(form.show_progress)
            running.busy_changed.connect(form.show_running)
        self.releaser.released.connect(self._on_released)
        self.releaser.failed.connect(self.teller.tell)
        self.budget.failed.connect(self.teller.tell)
        self.overspending.refused.connect(self.messages.show_message)
        for asker in (self.asking, self.consent, self.overspending):
            asker.declined.connect(self._on_cancelled)
        self.budget.changed.connect(self._show_budget)
        self.budget.begun.connect(self.messages.clear)
        running.cancelled.connect(self._on_cancelled)
        self.column.sanitizer.file_requested.connect(self.confirmer.ask_file)
        self.column.sanitizer.confirm_requested.connect(self.confirmer.ask_again)
        self.history.budget_requested.connect(self.show_budget)
        self.history.save_requested.connect(self.saver.ask_release)
        self.saver.done.connect(self.teller.say)
        self.saver.failed.connect(self.messages.show_message)
        self.keeper.changed.connect(self._show_title)
        self.keeper.kept.connect(self.recent.add)
        self.keeper.refused.connect(self._begin_after_all)
        self._wire_compare()
        self._wire_lessons()
        self.histogram.saved.connect(self.teller.say)
        self.teller.follow(self.histogram.saving)
        for channel in self.opener.channels:
            self.teller.follow(channel)
        for page in self.pages.values():
            if not isinstance(page, Page):
                continue
            self.teller.follow(page.curves)
            self.teller.follow(page.audit.running)
            page.card.save_button.clicked.connect(self.save_figure)
            page.card.numbers_button.clicked.connect(self.show_numbers)
            page.judged.connect(self._on_judged)
            page.clamped.connect(self.column.panels[page.name].show_clamped)
            page.certified.connect(self._on_certified)
            page.failed.connect(self.teller.tell)
            page.pictures.result.connect(self._spare)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_scheme)

    def _wire_compare(self) -> None:
        compare = self.compare
        for channel in (compare.work, compare.running.searching):
            self.teller.follow(channel)
        compare.card.save_button.clicked.connect(self.save_figure)
        compare.card.numbers_button.clicked.connect(self.show_numbers)
        compare.failed.connect(self.teller.tell)
        compare.refused.connect(self.messages.show_message)
        compare.purpose_changed.connect(self._show_purpose)
        compare.pictures.result.connect(self._spare)

    def _wire_lessons(self) -> None:
        self.lessons.bookmarks = self.memory.bookmarks
        self.lessons.chosen.connect(self.play)
        self.lesson.follow(self.player)
        self.player.failed.connect(self.teller.tell)
        self.player.finished.connect(self._on_finished)

    def play(self, lesson: Lesson) -> None:
        """Play a lesson, from where one has stopped."""
        self.messages.clear()
        self.player.start(lesson, self.memory.bookmarks.step(lesson.name, len(lesson.steps)))

    def _on_finished(self, lesson: Lesson) -> None:
        self.session.show_page(self.lessons.name)
        self.teller.say(f"Done: {lesson.title}")

    # Start and end.

    def _apply_style(self) -> None:
        super()._apply_style()
        self.importer.palette = self.overspending.palette = self._palette
        self.budgeting.set_palette(self._palette)
        self.commands.palette.set_palette(self._palette, self._scale)

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
        self.page.start()
        self.budget.start()
        if self._file is not None:
            self.open_path(self._file, decide=True)
        else:
            self.memory.begin()

    def _begin_after_all(self) -> None:
        """Give an empty page its data where the session could not be opened that the window began with."""
        if self.session.state.dataset is None:
            self.memory.begin()

    def _spare(self, _: object) -> None:
        """Leave what was imported out of every later search for garbage: each would stop the window.

        A full one took 70 ms. `closeEvent` takes this back.
        """
        gc.freeze()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop all work and keep what the next session needs, unless a person has to be asked first."""
        if not self.keeper.may_close():
            event.ignore()
            return
        if self.saver.busy:  # what was asked for is not lost
            self.saver.idle.connect(self.close, Qt.ConnectionType.SingleShotConnection)
            event.ignore()
            return
        self.session.leave_lesson()
        self.memory.store()
        self.jobs.close()
        self.budget.end()
        for page in self.pages.values():
            page.end()
        # while all of it is still there: the garbage collector knows no order
        self.session.undo_stack.clear()
        gc.unfreeze()
        super().closeEvent(event)

    def wait_until_idle(self, timeout_ms: int = 10_000) -> bool:
        """Process events until no job runs and nothing waits to be drawn; False after `timeout_ms`."""
        deadline = time.monotonic() + timeout_ms / 1000
        quiet = 0
        while time.monotonic() < deadline:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
            pending = any(page.pending for page in self.pages.values())
            drawing = self.page.canvas is not None and self.page.canvas.drawing
            waiting = not self._started or self.jobs.busy or pending or drawing
            quiet = 0 if waiting else quiet + 1
            if quiet >= 4:
                return True
            time.sleep(0.002)
        return False

    # What follows from what.

    def _follow(self, fields: frozenset[str]) -> None:
        state = self.session.state
        self.navigation.view.show_choice(state.view)
        self.actions_by_name[state.view].setChecked(True)
        self.actions_by_name["put_back"].setEnabled(state.modified)
        self._show_page(fields)
        if "view" in fields:
            self.messages.clear()
            self.teller.say_view()
            self.importer.close()
            self.confirmer.close()
            self.consent.close()
            self.overspending.close()
            for dialog in self.findChildren(TableDialog):
                dialog.close()
        if fields - {"view", "releases"} or not fields:
            self._show_problems()
        if not uses_noise(state):
            self.release.show_certificate(None)

    def _show_page(self, fields: frozenset[str]) -> None:
        """Bring the page to the front, with data when nobody was there before."""
        state = self.session.state
        self.stack.setCurrentWidget(self.page)
        self.navigation.show_page(state.visible_view)
        self.actions_by_name[f"page_{state.visible_view}"].setChecked(True)
        for page, action in self.examples.items():
            action.setVisible(page == state.page)
        if fields & {"page", "room", "lesson"}:
            self.importer.close()
            self.confirmer.close()
            self.consent.close()
            self.overspending.close()
            self._on_judged(None)
            self.release.show_certificate(None)
            if self._started:
                self.page.start()
                self.memory.begin()

    def _show_budget(self) -> None:
        """Say beside Run what a release would do to the limit."""
        words = warning_words(self.budget.budget)
        for form in self.column.releases:
            form.show_budget(words)

    def _show_title(self) -> None:
        """Name the session, with a mark if it was changed since it was saved, and the data."""
        state, keeper = self.session.state, self.keeper
        name = (
            f"{state.dataset.title}: {state.value('column') or ''}".rstrip(": ") + " – "
            if state.dataset
            else ""
        )
        session = f"{keeper.name}[*] – " if keeper.name else ""
        self.setWindowTitle(f"{session}{name}Sensiscope")
        self.setWindowModified(keeper.modified)

    def _on_data_chosen(self, fields: dict[str, Any]) -> None:
        self.opener.choose(**fields)

    def _show_problems(self) -> None:
        ready = self.column.show_problems()
        self._show_purpose()
        if not ready:
            self._on_judged(None)
            self.release.show_certificate(None)

    def _show_purpose(self) -> None:
        """Say what Run does here, and what the large button of the form."""
        comparing = self.session.state.room == self.compare.name
        purpose = self.compare.purpose if comparing else None
        for form in self.column.releases:
            form.show_purpose(purpose)
        run = self.actions_by_name["run"]
        run.setText("Co&mpare" if comparing else "&Run")
        run.setEnabled(self.compare.ready if comparing else self.column.ready)

    def _on_judged(self, judgement: Any) -> None:
        words = "" if judgement is None else judgement.expected(self.session.state.unit)
        self.release.show_error(words, judgement is not None and judgement.private)

    def _on_certified(self, certified: Certificates) -> None:
        self.release.show_certificate(certified if uses_noise(self.session.state) else None)

    def _on_released(self, record: ReleaseRecord) -> None:
        budget = kept_words(record)
        if record.release.simulated:
            self.teller.say(f"Simulated {value_words(record)}; nothing was released and nothing spent")
        elif not record.promises:
            self.teller.say(f"Released {value_words(record)}; it is not differentially private")
        elif record.release.value is None:
            self.teller.say(f"The mechanism refused to answer; {budget} is spent all the same")
        else:
            self.teller.say(f"Released {value_words(record)} for {budget}")

    def _on_cancelled(self) -> None:
        self.teller.say("Cancelled; nothing was released and nothing spent")

    def _name_undo(self, text: str) -> None:
        self.actions_by_name["undo"].setText(f"&Undo {text}".rstrip())

    def _name_redo(self, text: str) -> None:
        self.actions_by_name["redo"].setText(f"&Redo {text}".rstrip())


def open_window(argv_file: str | None = None, theme: str | None = None, ledger: Path | None = None) -> int:
    """Open the window and run until it is closed; return the exit status.

    Without a `ledger` releases are written into the one in the person's data folder.
    """
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Sensiscope")
    application.setOrganizationName("Sensiscope")
    application.setStyle("Fusion")
    QGuiApplication.setDesktopFileName("sensiscope")
    session = Session(ledger=LazyLedger(ledger or default_ledger()))
    window = MainWindow(session, argv_file, QSettings())
    if theme is not None:
        window.set_theme(theme)
    window.show()
    return application.exec()
