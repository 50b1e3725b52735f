"""The menus of a window, made from the table of actions, and what each action does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from app.actions import MENUS, action_specs
from app.help.about import show_about, show_keyboard
from app.model.pages.workspaces import FULL_WIDTH, LESSONS
from app.model.state import RELEASE_FIELDS
from app.model.views import CURATOR
from app.window.controllers import Controllers
from app.window.data_controllers import can_suggest
from app.window.parts import Controller, WindowParts


def build_actions(window: QMainWindow) -> tuple[dict[str, QAction], dict[str, QMenu]]:
    """Make all actions and menus of a window; the actions do nothing yet."""
    actions: dict[str, QAction] = {}
    menus = {title: window.menuBar().addMenu(title) for title in MENUS}
    for spec in action_specs():
        action = QAction(spec.text, window)
        action.setObjectName(spec.name)
        if spec.keys:
            action.setShortcuts(QKeySequence.listFromString(spec.keys))
        if spec.tip:
            action.setToolTip(spec.tip)
            action.setStatusTip(spec.tip)
        action.setEnabled(spec.enabled)
        action.setCheckable(spec.checkable or bool(spec.group))
        if spec.separator:
            menus[spec.menu].addSeparator()
        menus[spec.menu].addAction(action)
        window.addAction(action)
        actions[spec.name] = action
    return actions, menus


class ActionGroup(QActionGroup):
    """Actions that exclude each other; the chosen one calls the handler with its data."""

    def __init__(self, window: QMainWindow, handler: Callable[..., object]) -> None:
        super().__init__(window)
        self._handler = handler
        self.triggered.connect(self._on_triggered)

    def _on_triggered(self, action: QAction) -> None:
        self._handler(action.data())


class ActionHandlers(Controller):
    """Connects each action, or group of actions, with its handler, and shows which can be used now."""

    def __init__(self, parts: WindowParts, controllers: Controllers) -> None:
        super().__init__(parts)
        window, session, body, actions = parts.window, parts.session, parts.body, parts.actions
        self._controllers = controllers
        exports = controllers.exports
        self._connect(
            {
                "open": controllers.imports.ask_file,
                "paste": controllers.imports.paste,
                "save_session": controllers.session_files.save,
                "save_session_as": controllers.session_files.save_as,
                "save_figure": exports.save_figure,
                "save_numbers": exports.save_numbers,
                "save_both": exports.save_both,
                "copy_figure": exports.copy_figure,
                "show_numbers": exports.show_numbers,
                "report": exports.reports.ask,
                "copy_python": exports.scripts.copy,
                "save_python": exports.scripts.ask_python,
                "save_notebook": exports.scripts.ask_notebook,
                "settings": controllers.settings.show,
                "quit": window.close,
                "undo": session.stacks.undo,
                "redo": session.stacks.redo,
                "undo_history": controllers.undo.show_history,
                "put_back": session.put_back,
                "view": body.choose_view,
                "split": self.show_two,
                "noise": self.show_noise,
                "data_table": controllers.data_table.show,
                "theme": controllers.appearance.set_theme,
                "presentation": controllers.appearance.present,
                "black_screen": controllers.appearance.black_out,
                "controls": body.show_controls,
                "palette": controllers.commands.open,
                "page": controllers.opening.open,
                "run": controllers.run.start,
                "ask_this": controllers.sheet_links.ask_this,
                "suggest_bounds": controllers.bounds.ask,
                "public_data": controllers.public_data.call_public,
                "budget": controllers.budget.show,
                "cancel": self.cancel,
                "lessons": self.show_lessons,
                "scene": controllers.scene.show,
                "help": controllers.help.show_chosen,
                "what_is_this": controllers.help.what_is_this,
                "keyboard": self.show_keyboard,
                "about": self.show_about,
            }
        )
        body.column.release.cancel_requested.connect(self.cancel)
        stacks = session.stacks.group
        stacks.canUndoChanged.connect(actions["undo"].setEnabled)
        stacks.canRedoChanged.connect(actions["redo"].setEnabled)
        stacks.undoTextChanged.connect(partial(self._name, "undo"))
        stacks.redoTextChanged.connect(partial(self._name, "redo"))
        actions["undo"].setEnabled(False)
        actions["redo"].setEnabled(False)
        session.watch_others(RELEASE_FIELDS, self, self.refresh)

    def _connect(self, handlers: Mapping[str, Callable[..., object]]) -> None:
        groups: dict[str, ActionGroup] = {}
        for spec in action_specs():
            action, handler = self._actions[spec.name], handlers[spec.group or spec.name]
            if spec.group:
                action.setData(spec.data)
                if spec.group not in groups:
                    groups[spec.group] = ActionGroup(self._window, handler)
                groups[spec.group].addAction(action)
            elif spec.checkable:
                action.toggled.connect(handler)
            else:
                action.triggered.connect(handler)

    def refresh(self) -> None:
        """Check what is chosen, and enable what can be used, as the session is now."""
        state, actions = self._session.state, self._actions
        actions[state.view].setChecked(True)
        actions["put_back"].setEnabled(state.modified)
        dataset = state.visible_dataset
        in_memory = dataset is not None and not dataset.stays_in_file
        actions["data_table"].setEnabled(state.view == CURATOR and in_memory)
        actions["ask_this"].setEnabled(state.follows_table and state.workspace == "")
        actions["suggest_bounds"].setEnabled(can_suggest(state))
        actions["split"].setEnabled(state.visible_view not in FULL_WIDTH)
        actions[f"page_{state.visible_view}"].setChecked(True)
        self._controllers.files.examples.setMenu(self._body.column.data.examples)

    def cancel(self) -> None:
        """Stop what is running; else close a message, or the result; else leave presentation mode."""
        controllers, page = self._controllers, self._body.pages.shown
        if controllers.scene.close():
            return  # it lies over all else
        for channel in (
            controllers.releases.channel,
            controllers.bounds.channel,
            controllers.data.reading,
            controllers.session_files,
            controllers.exports.reports.channel,
            page,
        ):
            if channel.busy:
                channel.cancel()
                return
        if controllers.status.progressing:
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

    def show_noise(self) -> None:
        """Show possible answers in the picture of the open page, or hide them."""
        cloud = self._body.pages.shown.noise
        if cloud is not None:
            cloud.toggle()

    def show_lessons(self) -> None:
        """Open the list of lessons."""
        self._controllers.opening.open(LESSONS.name)

    def show_keyboard(self) -> None:
        show_keyboard(self._window)

    def show_about(self) -> None:
        show_about(self._window)

    def _name(self, action: str, text: str) -> None:
        self._actions[action].setText(f"&{action.capitalize()} {text}".rstrip())
