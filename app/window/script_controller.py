"""Scripts and notebooks: written by a worker, then copied or saved, whole or not at all."""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from app.jobs.tasks import JobTask
from app.model.output_file import OutputFile
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.widgets.dialogs import SaveDialog
from app.window.parts import SUBJECT, Controller, WindowParts

SUFFIXES = (".py", ".ipynb")
SCRIPT = "Python script (*.py)"
NOTEBOOK = "Notebook (*.ipynb)"


@dataclasses.dataclass(frozen=True)
class ScriptRequest:
    """The subject of a script, and its target: a file, or without one the clipboard."""

    state: SessionState
    view_state: ViewState
    path: str = ""

    @property
    def private(self) -> bool:
        """Whether it computes numbers from raw data."""
        return self.state.view == "curator"


@dataclasses.dataclass(frozen=True)
class WrittenScript:
    """A script as it was requested."""

    request: ScriptRequest
    text: str
    lacks_picture: bool = False  # whether the picture that was open cannot be written, and so is not in it

    @property
    def remark(self) -> str:
        """The note about a picture that the script lacks."""
        return "; the open picture cannot be written as a script and is not in it" * self.lacks_picture


def write_script(request: ScriptRequest, task: JobTask) -> WrittenScript:
    """Write a script or notebook; in a worker, since it imports what the engine has.

    Raises `SensiscopeError` if the page makes no sense as it is, or nothing can be written there.
    """
    from app.export.script import NOT_WRITTEN, script_of, to_notebook, to_python

    output = OutputFile(request.path, SUFFIXES) if request.path else None
    cells = script_of(request.state, request.view_state)
    notebook = output is not None and output.suffix == ".ipynb"
    text = to_notebook(cells) if notebook else to_python(cells)
    task(1.0)  # the last moment to cancel
    if output is not None:
        output.write(text.encode())
    return WrittenScript(request, text, lacks_picture=NOT_WRITTEN in cells)


class ScriptController(Controller):
    """Copies and saves what the window shows as a script."""

    written = Signal(object)  # a `WrittenScript` that was copied or saved

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._close_with_subject()
        self.channel = parts.jobs.channel("script", self._on_written, parts.status.show_failure)
        parts.session.watch(SUBJECT, self, self.channel.cancel)

    @property
    def request(self) -> ScriptRequest:
        """The current request: the releases of these data, or all compared mechanisms."""
        state = self._session.state
        page = self._pages.pictured
        releases = tuple(filter(self._session.is_paid_here, state.releases))
        state = dataclasses.replace(page.settled(state), releases=releases)
        return ScriptRequest(state, page.view_state)

    def copy(self) -> None:
        """Put a script on the clipboard."""
        self.channel.request(partial(write_script, self.request))

    def ask_python(self) -> None:
        """Ask where to save a script."""
        self._ask("Save as Python script", "py", SCRIPT)

    def ask_notebook(self) -> None:
        """Ask where to save a notebook."""
        self._ask("Save as notebook", "ipynb", NOTEBOOK)

    def write(self, path: str | Path) -> None:
        """Save a script or notebook, as the suffix says."""
        self.channel.request(partial(write_script, dataclasses.replace(self.request, path=str(path))))

    def _ask(self, title: str, suffix: str, kind: str) -> None:
        self.close()
        request = self.request
        stem = request.state.workspace or request.state.query
        name = f"{stem}{'-confidential' * request.private}.{suffix}"
        dialog = SaveDialog(self._window, title, name, kind)
        dialog.fileSelected.connect(self.write)
        self._open_dialog(dialog)

    def _on_written(self, written: WrittenScript) -> None:
        request = written.request
        if request.path:
            private = "; running it prints confidential numbers" * request.private
            self._status.show_message(f"Saved {request.path}{private}{written.remark}")
        else:
            QGuiApplication.clipboard().setText(written.text)
            what = "with confidential numbers" if request.private else "with public numbers only"
            self._status.show_message(f"On the clipboard: Python script {what}{written.remark}")
        self.written.emit(written)
