"""The controllers of a window, one for each task."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu

from app.jobs.channels import Jobs
from app.recent_files import RecentFiles
from app.session import Session
from app.settings import Settings
from app.window.appearance import Appearance
from app.window.budget_controller import BudgetController
from app.window.budget_watcher import BudgetWatcher
from app.window.command_controller import (
    CommandController,
    LessonCommands,
    action_commands,
    other_commands,
    page_commands,
)
from app.window.data_controllers import BoundsController, DataTableController, PublicDataController
from app.window.export_handlers import ExportHandlers
from app.window.extra_controllers import extra_controllers
from app.window.file_controller import FileController
from app.window.help_controller import HelpController
from app.window.import_controller import ImportController
from app.window.layout import WindowLayout
from app.window.lesson_controller import LessonController
from app.window.open_controller import OpenController
from app.window.page_opening import PageOpening
from app.window.release_confirmation import ReleaseConfirmation
from app.window.release_controller import ReleaseController
from app.window.result_controller import ResultController
from app.window.run_controller import RunController
from app.window.scene_controller import SceneController
from app.window.session_file_controller import SessionFileController
from app.window.settings_controller import SettingsController
from app.window.sheet_controller import SheetController
from app.window.sheet_links import SheetLinks
from app.window.status_reporter import StatusReporter
from app.window.undo_controller import UndoController
from app.window.window_state import WindowState


class Controllers:
    """Makes all controllers of a window, each with the others that it needs.

    `store` lasts from one session to the next.
    """

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        jobs: Jobs,
        settings: Settings,
        store: QSettings | None,
        body: WindowLayout,
        actions: Mapping[str, QAction],
        menus: Mapping[str, QMenu],
    ) -> None:
        pages, messages = body.pages, body.messages
        self.appearance = Appearance(window, body, settings, actions)
        self.opening = PageOpening(session, jobs, body, self.appearance)
        self.status = StatusReporter(session, window.statusBar(), messages)
        self.budget_watcher = BudgetWatcher(session, jobs)
        self.undo = UndoController(window, session)
        self.data = OpenController(session, jobs)
        self.imports = ImportController(window, session, self.data, self.status)
        self.releases = ReleaseController(session, jobs)
        self.confirmation = ReleaseConfirmation(window, session, settings, self.releases, self.budget_watcher)
        self.exports = ExportHandlers(window, session, settings, jobs, body, self.status)
        self.public_data = PublicDataController(window, session, actions["public_data"])
        self.data_table = DataTableController(window, session, jobs, self.status)
        self.budget = BudgetController(
            window, session, settings, self.budget_watcher, self.status, self.exports.figures
        )
        self.bounds = BoundsController(window, session, jobs, self.budget_watcher, self.status)
        self.help = HelpController(window, session, jobs, self.appearance, actions)
        self.extras = extra_controllers(window, session, jobs, settings, body.column.releases, messages)
        self.window_state = WindowState(
            window, body, session, self.appearance, self.data, self.help, settings, store
        )
        self.lessons = LessonController(session, jobs, body, self.data, self.status, store)
        self.session_files = SessionFileController(
            window,
            session,
            jobs,
            self.data,
            self.status,
            messages,
            pages.restore,
            self.lessons.view_states,
            pages.settled,
        )
        recent = RecentFiles(store, settings["recent_files"], window)
        self.files = FileController(
            window, menus["&File"], recent, settings, body, self.data, self.imports, self.session_files
        )
        self.run = RunController(
            session, body, actions["run"], self.releases, self.confirmation, self.budget_watcher, self.status
        )
        self.sheet = SheetController(window, session, jobs, settings, self.budget_watcher, self.status)
        self.sheet_links = SheetLinks(window, session, jobs, self.data, self.exports.reports, self.status)
        self.scene = SceneController(
            window, session, jobs, body, self.data, self.appearance, self.status, store
        )
        self.results = ResultController(session, body, self.releases, self.appearance)
        self.settings = SettingsController(
            window, session, settings, self.extras.values(), pages, self.results
        )
        lessons = LessonCommands(jobs, self.lessons.play, window)
        sources = (
            partial(action_commands, actions),
            partial(page_commands, body),
            lessons.commands,
            partial(other_commands, self.files, self.settings.show_setting, self.help),
        )
        self.commands = CommandController(window, session, actions["palette"], sources, store)
        self._connect(body, lessons)

    def _connect(self, body: WindowLayout, lessons: LessonCommands) -> None:
        """Let some of them follow others."""
        restyled = self.appearance.restyled
        restyled.connect(self.imports.set_palette)
        restyled.connect(self.confirmation.set_palette)
        restyled.connect(self.sheet.set_palette)
        restyled.connect(self.budget.set_look)
        restyled.connect(self.commands.palette.set_palette)
        self.confirmation.refused.connect(body.messages.show_message)
        self.files.lesson_opened.connect(self.lessons.play_file)
        self.scene.file_wanted.connect(self.imports.ask_file)
        self.results.report_wanted.connect(self.exports.reports.ask_file)
        self.budget_watcher.changed.connect(body.history.show_budget)
        self.budget_watcher.begun.connect(body.messages.clear)
        body.history.budget_requested.connect(self.budget.show)
        for done in (lessons.reading.result, self.help.loaded):
            done.connect(self.commands.refresh)
        for channel in (*self.data.channels, self.data.table):
            self.status.follow(channel)
        for panel in body.column.data_panels:
            panel.table_requested.connect(self.data_table.show)
            panel.ask_requested.connect(self.sheet_links.ask_this)
        self.files.records_requested.connect(self.data_table.show)
        self.data_table.asked.connect(self.sheet_links.ask_about)
        body.pages.made.connect(self.status.take_in)
        body.pages.made.connect(self.sheet.take_in)
        body.pages.made.connect(self.budget.take_in)
        body.pages.made.connect(self.sheet_links.take_in)
