"""Asks for a function from a file: the file, the function in it, and permission to run it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.model.trusted_code import TrustedFunction
from app.widgets.dialogs import open_dialog
from app.window.extra_controllers import ExtraController
from app.window.parts import WindowParts
from engine.specification import describe

if TYPE_CHECKING:
    from engine.extras.sandbox.black_box import BlackBox

PYTHON = "Python files (*.py);;All files (*)"
MAX_BYTES = 1 << 20
"""Bytes of a file, with the modules beside it, that the dialog shows."""


class TrustedCodeController(ExtraController):
    """Shows the dialogs in which users choose a Python file and a function in it."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._trying = parts.jobs.channel("protections of the sandbox", self._on_tried)
        form = parts.body.column.release.form
        form.file_requested.connect(self.ask_file)
        form.confirm_requested.connect(self.ask_again)

    def ask_file(self) -> None:
        """Ask which file holds the function."""
        dialog = open_dialog(self._window, "Choose a Python file", PYTHON)
        dialog.fileSelected.connect(self.show_file)
        dialog.open()

    def ask_again(self) -> None:
        """Show the chosen file again: it has changed, or this session has not confirmed it yet."""
        from engine.extras.sandbox.black_box import BlackBox

        box = self._session.state.from_file(BlackBox.family)
        if box is not None:
            self.show_file(box.path)

    def show_file(self, path: str) -> None:
        """Show a file and ask for the function in it; run nothing of it."""
        from app.extras.sandbox.dialog import BlackBoxDialog
        from engine.extras.sandbox.black_box import BlackBox
        from engine.extras.sandbox.modules_beside import modules_beside
        from engine.extras.sandbox.starting import left_open

        file = Path(path)
        if file.exists() and not file.is_file():
            self._messages.show_message(f"{path} is not a regular file; choose a Python file")
            return
        try:
            with file.open("rb") as opened:
                content = opened.read(MAX_BYTES + 1)
        except OSError as error:
            self._messages.show_message(f"{path}: {error.strerror or error}; choose another file")
            return
        if b"\0" in content:
            self._messages.show_message(f"{file.name} is not a text file; choose a Python file")
            return
        if len(content) > MAX_BYTES:
            self._messages.show_message(
                f"{file.name} is larger than {MAX_BYTES >> 20} MB, too long to read; choose a shorter file"
            )
            return
        modules = modules_beside(file, content)
        if sum(map(len, modules.values())) > MAX_BYTES:
            self._messages.show_message(
                f"{file.name} and the modules that it imports from its folder are larger than "
                f"{MAX_BYTES >> 20} MB, too long to read; install large modules as a package"
            )
            return
        before = self._session.state.from_file(BlackBox.family)
        known = before if before is not None and Path(before.path) == file else None
        dialog = BlackBoxDialog(file, modules, known, self._window)
        dialog.confirmed.connect(self._on_confirmed)
        self._open_dialog(dialog)
        self._trying.request(lambda _: left_open())

    def _on_confirmed(self, box: BlackBox, trust: TrustedFunction) -> None:
        self._session.trust(trust)
        state = self._session.state
        path = state.mechanism.path_to(box.family)
        assert path is not None  # only the form of such a mechanism asks for it
        chosen = state.mechanism.with_part(describe(box), *path)
        self._session.edit("choose a function from a file", **state.choosing(chosen))

    def _on_tried(self, text: str) -> None:
        if self.dialog is not None:
            self.dialog.show_left_open(text)
