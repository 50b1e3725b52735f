"""What people can do in the window: the slots of `app.actions`, the pointer, and the hands they need."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QSettings
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QWhatsThisClickedEvent
from PySide6.QtWidgets import QMenu

from app.documents.session_snapshot import SUFFIX
from app.help.about import show_about, show_keyboard
from app.help.corner import corner_button
from app.model.dataset import Dataset
from app.model.lazy_ledger import LazyLedger
from app.panels.recent_menu import RecentMenu
from app.panels.settings_dialog import SettingsDialog
from app.recent_files import RecentFiles
from app.session import Session
from app.settings import Settings
from app.widgets.messages import Offer
from app.window.asking import Asking
from app.window.budget_controller import BudgetController
from app.window.command_provider import CommandProvider
from app.window.consenting import Consent
from app.window.export_handlers import ExportHandlers
from app.window.figure_controller import FigureExporter
from app.window.help_controller import HelpController
from app.window.import_controller import ImportController, dropped_file
from app.window.open_controller import OpenController
from app.window.overspending import Overspending
from app.window.release_controller import ReleaseController
from app.window.report_controller import ReportController
from app.window.script_controller import ScriptController
from app.window.session_file_controller import SessionFileController
from app.window.status_reporter import StatusReporter
from app.window.trusted_code_controller import TrustedCodeController


class ActionHandlers(ExportHandlers):
    """A frame in which something can be done."""

    commands: CommandProvider
    keeper: SessionFileController

    def __init__(self, session: Session, store: QSettings | None = None) -> None:
        super().__init__(session)
        self.settings = Settings(store, self)
        self.recent = RecentFiles(store, self.settings["recent_files"], self)
        self.opener = OpenController(session, self.jobs)
        self.releaser = ReleaseController(session, self.jobs)
        self.consent = Consent(self, session, self.releaser, self.budget)
        self.overspending = Overspending(self, session, self.settings, self.releaser, self.budget)
        self.asking = Asking(self, session, self.settings, self.releaser, self.consent)
        self.saver = FigureExporter(self, session, self.jobs)
        self.budgeting = BudgetController(self, self.budget, self.saver)
        self.teller = StatusReporter(session, self.status, self.progress, self.messages)
        self.importer = ImportController(self, session, self.opener, self.teller)
        self.confirmer = TrustedCodeController(self, session, self.messages)
        self.helper = HelpController(self)
        bar = self.menuBar()
        bar.setCornerWidget(corner_button(self.actions_by_name["what_is_this"], bar))
        self.reporter = ReportController(self, session, self.jobs, self.teller)
        self.scripter = ScriptController(self, session, self.jobs, self.teller)
        self.examples: dict[str, QAction] = {
            page: self._offer_examples(panel.examples) for page, panel in self.column.panels.items()
        }
        self.recent_menu = RecentMenu(self.recent, self)
        self._offer(self.recent_menu.menuAction())
        self.importer.file_chosen.connect(self.open_path)
        self.recent_menu.file_chosen.connect(self.open_path)
        self.opener.opened.connect(self._on_opened)
        self.opener.gone.connect(self._on_gone)
        self.settings.changed.connect(self._on_settings)
        self._set_first_limit()
        self.setAcceptDrops(True)

    def _offer_examples(self, examples: QMenu) -> QAction:
        """Add the examples of a page to the menu; return the action that shows them."""
        examples.setTitle("Open &example")
        self._offer(examples.menuAction())
        return examples.menuAction()

    def _offer(self, action: QAction) -> None:
        """Add one more way to open something, in front of the first line of the menu."""
        menu = self.menus["&File"]
        line = next(there for there in menu.actions() if there.isSeparator())
        menu.insertAction(line, action)

    def open_file(self) -> None:
        """Ask which file to open."""
        self.importer.ask_file()

    def open_path(self, path: str | Path, *, decide: bool = False) -> None:
        """Open a file: all that name one come here.

        Parameters
        ----------
        path : path-like
        decide : bool
            Whether its columns decide the page; else it is opened on the page that is open.
        """
        file = Path(path)
        if not file.exists() and file.resolve() in self.recent.paths:
            forget = Offer("&Remove from the list", partial(self.recent.remove, file))
            self.messages.show_message(f"{file}: there is no such file any more", offer=forget)
        elif file.suffix == SUFFIX:
            self.keeper.open(file)
        elif decide:
            self.opener.start_with(file)
        else:
            self.opener.open_file(file)

    def show_palette(self) -> None:
        """Offer everything that can be done."""
        self.commands.open()

    def show_settings(self) -> None:
        """Show what can be set once and for all."""
        SettingsDialog(self.settings, self.session.ledger.path, self).open()

    def show_setting(self, name: str) -> None:
        """Show what can be set, and bring the keyboard to one setting."""
        dialog = SettingsDialog(self.settings, self.session.ledger.path, self)
        dialog.open()
        dialog.show_setting(name)

    def save_session(self) -> None:
        """Save the session where it is, or ask where."""
        self.keeper.save()

    def save_session_as(self) -> None:
        """Ask where to save the session."""
        self.keeper.save_as()

    def undo(self) -> None:
        """Take back the last edit (never a release)."""
        self.session.undo_stack.undo()

    def redo(self) -> None:
        """Do the edit again that was taken back."""
        self.session.undo_stack.redo()

    def put_back(self) -> None:
        """Take back everything that was changed by hand."""
        self.session.put_back()

    def run(self) -> None:
        """Make one release with the operating system's entropy, or do what a room is for."""
        if not self.page.run():
            self.asking.run()

    def show_budget(self) -> None:
        """Show what was ever spent on this dataset, and let a person set a limit."""
        if self.session.state.lesson is not None:
            self.teller.say("A lesson has no budget: nothing is spent in it")
        elif self.session.state.dataset is not None:
            self.budgeting.show(self._palette, self._scale)

    def use_form(self) -> None:
        """Do what the large button of the form says."""
        if self.session.state.room == self.compare.name:
            self.compare.take()
        else:
            self.run()

    def cancel(self) -> None:
        """Stop what is running; else dismiss the newest message; else leave presentation mode."""
        if self.releaser.channel.busy:
            self.releaser.channel.cancel()
        elif self.opener.reading.busy:
            self.opener.reading.cancel()
        elif self.keeper.busy:
            self.keeper.cancel()
        elif self.reporter.channel.busy:
            self.reporter.channel.cancel()
        elif self.teller.progressing or self.page.busy:
            self.page.cancel()
        elif not self.messages.dismiss_newest() and self.presenting:
            self.present(False)

    def set_theme(self, theme: str) -> None:
        """Take the colours of "light", "dark" or "system", for good."""
        super().set_theme(theme)
        self.settings.change(theme=theme)

    def show_page(self, name: str) -> None:
        """Open a page by name."""
        self.session.show_page(name)

    def show_lessons(self) -> None:
        """Open the list of lessons."""
        self.session.show_page("lessons")

    def show_help(self) -> None:
        """Open the help on what is chosen."""
        self.helper.show_chosen()

    def what_is_this(self) -> None:
        """Let people point at a control and read what it is."""
        self.helper.what_is_this()

    def show_keyboard(self) -> None:
        """Show all shortcuts."""
        show_keyboard(self)

    def show_about(self) -> None:
        """Say what this is."""
        show_about(self)

    # The pointer.

    def event(self, event: QEvent) -> bool:
        """Open the page that a link in "What is this?", or a small "?", leads to."""
        if isinstance(event, QWhatsThisClickedEvent):
            return self.helper.follow_link(event.href())
        return super().event(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if dropped_file(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the first file that was dropped."""
        file = dropped_file(event.mimeData())
        if file:
            self.open_path(file)
            event.acceptProposedAction()

    # What follows from what was opened and set.

    def _on_opened(self, dataset: Dataset) -> None:
        if dataset.path is not None:
            self.recent.add(dataset.path)

    def _on_gone(self, path: Path) -> None:
        words = f"{path}, the file of last time, is not there any more; an example is shown in its place"
        self.messages.show_message(words, kind="warning", offer=Offer("Open a file…", self.open_file))

    def _on_settings(self, names: frozenset[str]) -> None:
        if self.settings["theme"] != self.theme:
            self.set_theme(self.settings["theme"])
        if "type_size" in names:
            self.set_type_size(self.settings["type_size"] / 100)
        if "recent_files" in names:
            self.recent.limit(self.settings["recent_files"])
        if names & {"limit_epsilon", "limit_delta", "slack"}:
            self._set_first_limit()
            self.budget.refresh()

    def _set_first_limit(self) -> None:
        """Let datasets of which nothing is written begin with the limit of the settings."""
        ledger = self.session.ledger
        if isinstance(ledger, LazyLedger):
            ledger.first = self.settings.first_limit

    # The groups of the menu.

    def _on_view_action(self, action: QAction) -> None:
        self.session.show_view(action.data())

    def _on_theme_action(self, action: QAction) -> None:
        self.set_theme(action.data())

    def _on_page_action(self, action: QAction) -> None:
        self.show_page(action.data())
