"""What the actions of `app.actions` do: each slot by name, bound to the object that does the work."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from app.help.about import show_about, show_keyboard
from app.model.pages.workspaces import LESSONS
from app.session import Session
from app.window.controllers import Controllers
from app.window.layout import WindowLayout
from app.window.menus import Handlers


class ActionHandlers(QObject):
    """Finds the handler of each action.

    Attributes
    ----------
    slots : mapping of str to callable
        What each slot in the table of actions is bound to.
    """

    def __init__(
        self, window: QMainWindow, session: Session, body: WindowLayout, controllers: Controllers
    ) -> None:
        super().__init__(window)
        self._window = window
        self._body = body
        self._controllers = controllers
        exports = controllers.exports
        self.slots: Handlers = {
            "open_file": controllers.imports.ask_file,
            "paste_data": controllers.imports.paste,
            "save_session": controllers.session_files.save,
            "save_session_as": controllers.session_files.save_as,
            "save_figure": exports.save_figure,
            "save_numbers": exports.save_numbers,
            "save_both": exports.save_both,
            "copy_figure": exports.copy_figure,
            "show_numbers": exports.show_numbers,
            "save_report": exports.reports.ask,
            "copy_python": exports.scripts.copy,
            "save_python": exports.scripts.ask_python,
            "save_notebook": exports.scripts.ask_notebook,
            "show_settings": controllers.settings.show,
            "close": window.close,
            "undo": session.stacks.undo,
            "redo": session.stacks.redo,
            "show_undo_history": controllers.undo.show_history,
            "put_back": session.put_back,
            "show_view": session.show_view,
            "show_two": self.show_two,
            "show_data_table": controllers.data_table.show,
            "choose_theme": controllers.appearance.set_theme,
            "present": controllers.appearance.present,
            "black_out": controllers.appearance.black_out,
            "show_controls": body.show_controls,
            "show_palette": controllers.commands.open,
            "show_page": controllers.opening.open,
            "run": controllers.run.start,
            "suggest_bounds": controllers.bounds.ask,
            "call_public": controllers.public_data.call_public,
            "show_budget": controllers.budget.show,
            "cancel": self.cancel,
            "show_lessons": self.show_lessons,
            "save_handout": controllers.handout.ask,
            "record_answers": controllers.answers.choose,
            "show_scene": controllers.scene.show,
            "show_help": controllers.help.show_chosen,
            "what_is_this": controllers.help.what_is_this,
            "show_keyboard": self.show_keyboard,
            "show_about": self.show_about,
        }
        for form in body.column.releases:
            form.cancel_requested.connect(self.cancel)

    def cancel(self) -> None:
        """Stop what is running; else close a message, or the result; else leave presentation mode."""
        controllers, page = self._controllers, self._body.pages.shown
        reports = controllers.exports.reports
        if controllers.scene.close():
            pass  # it lies over all else
        elif controllers.releases.channel.busy:
            controllers.releases.channel.cancel()
        elif controllers.bounds.channel.busy:
            controllers.bounds.channel.cancel()
        elif controllers.data.reading.busy:
            controllers.data.reading.cancel()
        elif controllers.undo.reading.busy:
            controllers.undo.reading.cancel()
        elif controllers.session_files.busy:
            controllers.session_files.cancel()
        elif reports.channel.busy:
            reports.channel.cancel()
        elif page.busy:
            page.cancel()
        elif controllers.handout.busy:
            controllers.handout.cancel()
        elif controllers.status.progressing:
            page.cancel()
        elif self._body.messages.dismiss_newest() or controllers.results.dismiss():
            pass  # one thing at a time
        elif controllers.appearance.presenting:
            controllers.appearance.present(False)

    def show_two(self) -> None:
        """Show a second picture beside the open one, or that one alone."""
        second = self._body.pages.shown.second
        if second is not None:
            second.toggle()

    def show_lessons(self) -> None:
        """Open the list of lessons."""
        self._controllers.opening.open(LESSONS.name)

    def show_keyboard(self) -> None:
        """Show all shortcuts."""
        show_keyboard(self._window)

    def show_about(self) -> None:
        """Show what this program is."""
        show_about(self._window)
