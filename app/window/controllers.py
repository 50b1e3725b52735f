"""The controllers of a window, one for each task."""

from __future__ import annotations

from functools import partial

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
from app.window.parts import WindowParts
from app.window.release_confirmation import ReleaseConfirmation
from app.window.release_controller import ReleaseController
from app.window.result_controller import ResultController
from app.window.run_controller import RunController
from app.window.scene_controller import SceneController
from app.window.session_file_controller import SessionFileController
from app.window.settings_controller import SettingsController
from app.window.sheet_controller import SheetController
from app.window.sheet_links import SheetLinks
from app.window.undo_controller import UndoController
from app.window.window_state import WindowState


class Controllers:
    """Makes all controllers of a window, each with the others that it needs."""

    def __init__(self, parts: WindowParts) -> None:
        session, jobs = parts.session, parts.jobs
        self.status = parts.status
        self.appearance = Appearance(parts.window, parts.body, parts.settings, parts.actions)
        self.opening = PageOpening(session, jobs, parts.body, self.appearance)
        self.budget_watcher = BudgetWatcher(session, jobs)
        self.undo = UndoController(parts)
        self.data = OpenController(session, jobs)
        self.imports = ImportController(parts, self.data)
        self.releases = ReleaseController(session, jobs)
        self.confirmation = ReleaseConfirmation(parts, self.releases, self.budget_watcher)
        self.exports = ExportHandlers(parts)
        self.public_data = PublicDataController(parts)
        self.data_table = DataTableController(parts)
        self.budget = BudgetController(parts, self.budget_watcher, self.exports.figures)
        self.bounds = BoundsController(parts, self.budget_watcher)
        self.help = HelpController(parts)
        self.extras = extra_controllers(parts)
        self.window_state = WindowState(parts, self.appearance, self.data, self.help)
        self.lessons = LessonController(session, jobs, parts.body, self.data, self.status, parts.store)
        self.session_files = SessionFileController(parts, self.data, self.lessons.view_states)
        self.files = FileController(parts, self.data, self.imports, self.session_files)
        self.run = RunController(parts, self.releases, self.confirmation, self.budget_watcher)
        self.sheet = SheetController(parts, self.budget_watcher)
        self.sheet_links = SheetLinks(parts, self.data, self.exports.reports)
        self.scene = SceneController(parts, self.data, self.appearance)
        self.results = ResultController(parts, self.releases, self.appearance)
        self.settings = SettingsController(parts, self.extras.values(), self.results)
        lessons = LessonCommands(jobs, self.lessons.play, parts.window)
        sources = (
            partial(action_commands, parts.actions),
            partial(page_commands, parts.body),
            lessons.commands,
            partial(other_commands, self.files, self.settings.show_setting, self.help),
        )
        self.commands = CommandController(
            parts.window, session, parts.actions["palette"], sources, parts.store
        )
        self._connect(parts.body, lessons)

    def _connect(self, body: WindowLayout, lessons: LessonCommands) -> None:
        """Let some of them follow others."""
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
        body.column.table_requested.connect(self.data_table.show)
        body.column.ask_requested.connect(self.sheet_links.ask_this)
        self.files.records_requested.connect(self.data_table.show)
        self.data_table.asked.connect(self.sheet_links.ask_about)
        body.pages.made.connect(self.status.take_in)
        body.pages.made.connect(self.sheet.take_in)
        body.pages.made.connect(self.budget.take_in)
        body.pages.made.connect(self.sheet_links.take_in)
