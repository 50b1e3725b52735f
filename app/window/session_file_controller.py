"""Save the session of a window and open others, with the questions in between."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.documents import SUFFIX, SessionSnapshot
from app.jobs.channels import Failure
from app.jobs.tasks import JobTask
from app.model.view_states import ViewState
from app.widgets.asking import ChoiceDialog
from app.widgets.dialogs import SaveDialog
from app.window.open_controller import OpenController
from app.window.parts import Controller, WindowParts
from app.window.session_file_loading import SessionFileLoader

if TYPE_CHECKING:
    from app.documents.loading import LoadedSession
    from app.window.session_file_loading import AnyLedger

SESSIONS = f"Sensiscope sessions (*{SUFFIX})"
UNSAVED = "Unsaved changes will be lost unless you save them."
UNSEALED = (
    "This session comes from another computer or another ledger, or was changed since. Its "
    "releases are not verified here, nor can the program check that its data are "
    "unchanged. Your ledger alone says how much is spent."
)
ViewStates = Callable[[], Mapping[str, ViewState]]


class SessionFileController(Controller):
    """Saves the session of a window in a file, and opens other ones.

    `view_states`: returns the look of all pages, or their look before the lesson that is played.
    """

    changed = Signal()  # `name` or `modified` may be other ones
    stored = Signal(object)  # Path: the session is in this file now
    refused = Signal()  # a session was not opened

    def __init__(self, parts: WindowParts, data: OpenController, view_states: ViewStates) -> None:
        super().__init__(parts)
        self._data = data
        self._pages = parts.body.pages
        self._messages = parts.body.messages
        self._view_states = view_states
        self._saved: SessionSnapshot | None = None
        self._afterwards: Callable[[], object] | None = None
        self._closing = False
        self.path: Path | None = None  # the file; None while there is none
        self._writing = parts.jobs.channel("write session")
        self._writing.result.connect(self._on_written)
        self._writing.failed.connect(self._on_failed)
        self.loader = SessionFileLoader(parts.window, parts.session.ledger, parts.jobs)
        self.loader.loaded.connect(self._on_loaded)
        self.loader.failed.connect(self._on_failed)
        self.loader.given_up.connect(self._on_given_up)
        for channel in (self._writing, *self.loader.channels):
            parts.status.follow(channel)
        parts.session.changed.connect(self._on_changed)
        self.changed.connect(self._show_title)

    @property
    def name(self) -> str:
        """The name of the session; "" while it is in no file."""
        return self.path.stem if self.path else ""

    @property
    def modified(self) -> bool:
        """Whether the session is in a file and has been changed since."""
        if self._saved is None:
            return False
        from app.documents.writing import is_same_work

        return not is_same_work(self._saved, self._snapshot)

    @property
    def busy(self) -> bool:
        """Whether a session is being opened."""
        return self.loader.busy

    def cancel(self) -> None:
        """Open no session after all."""
        self.loader.cancel()

    def save(self) -> None:
        """Save the session where it is, or ask where."""
        if self.path is None:
            self.save_as()
        else:
            self.write(self.path)

    def save_as(self) -> None:
        """Ask where to save the session."""
        dialog = SaveDialog(self._window, "Save the session", self._default_path, SESSIONS)
        dialog.fileSelected.connect(self.write)
        dialog.rejected.connect(self._forget_afterwards)
        dialog.open()

    def write(self, path: str | Path) -> None:
        """Save the session in a file."""
        work = self._snapshot
        completed = SessionSnapshot(self._pages.settled(work.state), work.view_states)
        self._writing.request(partial(_save, completed, Path(path), self._session.ledger, work))

    def open(self, path: str | Path) -> None:
        """Open a session; ask first about unsaved changes."""
        self._offer_to_save("Open another session?", partial(self.loader.open, Path(path)))

    def may_close(self) -> bool:
        """Return whether the window may close; else ask the user, and close afterwards."""
        if self._closing or not self.modified:
            return True
        self._offer_to_save("Close the session?", self._close)
        return False

    @property
    def _default_path(self) -> Path:
        """Where it is saved unless the user says otherwise: where it is, or what the data are called."""
        dataset = self._session.state.dataset
        named = Path(dataset.title).stem if dataset is not None else ""
        return self.path or Path(f"{named or 'session'}{SUFFIX}")

    @property
    def _snapshot(self) -> SessionSnapshot:
        return SessionSnapshot(self._session.work, self._view_states())

    def _offer_to_save(self, title: str, then: Callable[[], object]) -> None:
        """Do something that leaves the session, once it is saved if the user wants that."""
        self.close()
        if not self.modified:
            then()
            return
        self._afterwards = then
        answers = {
            "save": ("&Save", f"Save {self.name} first"),
            "discard": ("&Discard", "Discard the changes"),
        }
        subject = f"{self.name}{SUFFIX} has changes that are not saved"
        dialog = ChoiceDialog(title, subject, (UNSAVED,), answers, self._window, safe="save")
        dialog.answered.connect(self._on_answered)
        self._open_dialog(dialog)

    def _on_answered(self, answer: str) -> None:
        if answer == "save":
            self.save()  # and then the rest
        elif answer == "discard":
            self._go_on()
        else:
            self._forget_afterwards()

    def _go_on(self) -> None:
        then, self._afterwards = self._afterwards, None
        if then is not None:
            then()

    def _forget_afterwards(self) -> None:
        self._afterwards = None

    def _close(self) -> None:
        self._closing = True
        self._window.close()

    def _on_written(self, written: tuple[Path, SessionSnapshot]) -> None:
        path, work = written
        self._mark_saved(path, work)
        self._status.show_message(f"Saved {path.name}")
        self._go_on()

    def _on_failed(self, failure: Failure) -> None:
        self._forget_afterwards()
        self._status.show_failure(failure)
        self.refused.emit()

    def _on_given_up(self) -> None:
        self._status.show_message("No session was opened; nothing changed")
        self.refused.emit()

    def _on_loaded(self, loaded: LoadedSession) -> None:
        """Replace everything at once, now that nothing can go wrong any more."""
        self._data.cancel()  # what is read belongs to what was there before
        self._messages.clear()
        state = loaded.work.state
        if self._session.state.view == "release":
            # whoever shows a room what may leave it does not show it more by opening a file
            state = dataclasses.replace(state, view="release")
        self._session.replace(state, loaded.accounts)
        self._pages.restore(loaded.work.view_states)
        self._mark_saved(loaded.kept.path, self._snapshot)
        self._status.show_message(f"Opened {loaded.kept.path.name}")
        if loaded.unvouched:
            self._messages.show_message(UNSEALED, kind="info")

    def _on_changed(self, _: object) -> None:
        self.changed.emit()

    def _show_title(self) -> None:
        """Name session and data in the title of the window, with a mark while changes are not saved."""
        state = self._session.state
        column = state.value("column") or ""
        data = f"{state.dataset.title}: {column}".rstrip(": ") + " – " if state.dataset else ""
        session = f"{self.name}[*] – " if self.name else ""
        self._window.setWindowTitle(f"{session}{data}Sensiscope")
        self._window.setWindowModified(self.modified)

    def _mark_saved(self, path: Path, work: SessionSnapshot) -> None:
        self.path, self._saved = path, work
        self.stored.emit(path)
        self.changed.emit()


def _save(
    completed: SessionSnapshot, path: Path, ledger: AnyLedger, work: SessionSnapshot, task: JobTask
) -> tuple[Path, SessionSnapshot]:
    """Save the work with all that follows from it (in a worker); return where and what."""
    from app.documents.writing import save

    return save(completed, path, ledger, task), work
