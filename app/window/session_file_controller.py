"""Save the session of a window and open others, with the questions in between."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.documents import SUFFIX, SessionSnapshot
from app.jobs.channels import Channel, Failure, Jobs
from app.jobs.tasks import JobTask
from app.model.additions import load_question
from app.model.kinds.kind import file_filter
from app.model.view_states import ViewState
from app.widgets.asking import ChoiceDialog
from app.widgets.dialogs import SaveDialog, open_dialog
from app.window.open_controller import OpenController
from app.window.parts import Controller, WindowParts
from engine.errors import DataError, NamesInDoubt
from engine.progress import part

if TYPE_CHECKING:
    from app.documents.loading import LoadedSession
    from app.documents.reading import StoredSession
    from app.model.ledger import AnyLedger

WANTS = "This session comes from elsewhere and wants to read {file}."
NOT_YET = "The program has not touched that file yet. Open it only if you know why the session needs it."
GONE = "{file} no longer exists. Where is it now?"
HAVE_CHANGED = (
    "{file} has changed since the session was saved. Pictures will show the current data; "
    "the releases of the session are about the earlier data."
)
IN_DOUBT = (
    "Row {doubt.row} of {doubt.source} looks like the rows below it. If it holds a record, "
    "using it as names loses that record."
)
CHOOSE = "&Choose another file…"


@dataclasses.dataclass(frozen=True)
class FoundSession:
    """A session file, the file of each page, and the files that need the user's permission."""

    stored: StoredSession
    files: dict[str, str]
    foreign_files: tuple[str, ...]


def read(path: Path, ledger: AnyLedger, task: JobTask) -> FoundSession:
    """Read a session file (in a worker)."""
    from app.documents.loading import files_of, strangers
    from app.documents.reading import read_session
    from app.documents.writing import usable

    stored = read_session(path, usable(ledger), task)
    return FoundSession(stored, files_of(stored.document), strangers(stored))


def load(
    stored: StoredSession,
    files: dict[str, str],
    headers: dict[str, str],
    confirmed: dict[str, str],
    ledger: AnyLedger,
    task: JobTask,
) -> LoadedSession | NamesInDoubt | str:
    """Read all data of a session (in a worker).

    Return the first file that is not there any more, or what the first is in doubt about.
    """
    from app.documents.loading import MISSING, STRANGE, load_session, look_at, with_headers

    for file in dict.fromkeys(files.values()):
        task(0.0, f"looking for {Path(file).name}")
        there = look_at(file)
        if there == MISSING:
            return file
        if there == STRANGE:
            raise DataError("is not an ordinary file; a session needs the file with its data", source=file)
    places = {page: Path(file) for page, file in files.items()}
    try:
        whole = with_headers(stored, files, headers)
        return load_session(whole, places, ledger, part(task, 0.0, 1.0), confirmed)
    except NamesInDoubt as error:
        return error.spelled()


class SessionFileLoader(QObject):
    """Ask all questions of a session before it opens; nothing else changes until then."""

    loaded = Signal(object)  # LoadedSession
    failed = Signal(object)  # Failure
    given_up = Signal()  # the user has decided not to open it

    def __init__(self, window: QWidget, ledger: AnyLedger, jobs: Jobs) -> None:
        super().__init__(window)
        self._window = window
        self._ledger = ledger
        self._stored: StoredSession | None = None
        self._loaded: LoadedSession | None = None
        self._files: dict[str, str] = {}
        self._asked_about = ""
        self._foreign_files: list[str] = []
        self._accepted: set[str] = set()
        self._confirmed: dict[str, str] = {}
        self._connect = "", ""
        self._headers: dict[str, str] = {}
        self.dialog: ChoiceDialog | QFileDialog | None = None
        self._reading = jobs.channel("read session", self._on_read, self._on_failed)
        self._loading = jobs.channel("read data of session", self._on_loaded, self._on_failed)

    @property
    def channels(self) -> tuple[Channel, ...]:
        return self._reading, self._loading

    @property
    def busy(self) -> bool:
        """Whether something is being read."""
        return any(channel.busy for channel in self.channels)

    def open(self, path: Path) -> None:
        self._stop()
        self._reading.request(partial(read, path, self._ledger))

    def cancel(self) -> None:
        """Stop reading and asking."""
        if self.busy or self.dialog is not None:
            self._stop()
            self.given_up.emit()

    def _stop(self) -> None:
        self._stored = self._loaded = None
        for channel in self.channels:
            channel.cancel()
        if self.dialog is not None:
            self.dialog.close()

    def _on_read(self, result: FoundSession) -> None:
        self._stored = result.stored
        self._files = dict(result.files)
        self._foreign_files = list(result.foreign_files)
        self._accepted = set()
        self._confirmed = {}
        self._headers = {}
        self._go_on()

    def _go_on(self) -> None:
        """Ask about the next file that was not asked about, or read the data."""
        if self._stored is None:
            return
        if self._foreign_files:
            file = self._foreign_files[0]
            self._ask("Read a file elsewhere?", file, (WANTS.format(file=file), NOT_YET), "&Open")
        else:
            files, headers, confirmed = dict(self._files), dict(self._headers), dict(self._confirmed)
            self._loading.request(partial(load, self._stored, files, headers, confirmed, self._ledger))

    def _on_loaded(self, loaded: LoadedSession | NamesInDoubt | str) -> None:
        if isinstance(loaded, str):
            self._ask("Where are the data?", loaded, (GONE.format(file=loaded),), "")
            return
        if isinstance(loaded, NamesInDoubt):
            self._ask_header(loaded)
            return
        from app.documents.loading import OTHER

        other = [
            self._files[page]
            for page, text in loaded.checked.items()
            if text == OTHER and self._files[page] not in self._accepted
        ]
        if other:
            self._loaded = loaded
            self._ask(
                "The data have changed", other[0], (HAVE_CHANGED.format(file=other[0]),), "&Open anyway"
            )
            return
        self._stored = self._loaded = None
        self.loaded.emit(loaded)

    def _ask(self, title: str, file: str, sentences: tuple[str, ...], take: str) -> None:
        """Ask about a file: whether to take it, or which one instead."""
        self._asked_about = file
        answers = {"take": (take, "Read this file")} if take else {}
        answers["choose"] = (CHOOSE if take else "&Choose the file…", "Look for the data somewhere else")
        self._open_question(title, sentences, answers, "" if take else "choose")

    def _ask_header(self, doubt: NamesInDoubt) -> None:
        """Ask whether a row holds names: a session of an earlier version does not say."""
        self._asked_about = doubt.source
        answers = {
            "names": (f"Row {doubt.row} holds the &names", "Use these names, as the session did"),
            "record": (f"Row {doubt.row} is a &record", "Name the columns column 1, column 2 …"),
        }
        self._headers[doubt.source] = str(doubt.row)  # of the first answer
        sentences = (IN_DOUBT.format(doubt=doubt),)
        self._open_question("Names of the columns, or a record?", sentences, answers)

    def _open_question(
        self, title: str, sentences: tuple[str, ...], answers: dict[str, tuple[str, str]], safe: str = ""
    ) -> None:
        assert self._stored is not None
        self.dialog = ChoiceDialog(title, self._stored.path.name, sentences, answers, self._window, safe)
        self.dialog.answered.connect(self._on_answered)
        self.dialog.open()

    def _on_answered(self, answer: str) -> None:
        self.dialog = None
        if self._stored is None:
            return
        (file, connect), self._connect = self._connect, ("", "")
        if answer == "take" and file:
            self._confirmed[file] = connect
            self._go_on()
        elif answer == "take":
            self._take_file(self._asked_about)
        elif answer == "choose":
            self._choose()
        elif answer in ("names", "record"):
            if answer == "record":
                self._headers[self._asked_about] = "0"
            self._go_on()
        else:
            self._give_up()

    def _choose(self) -> None:
        """Ask which file to take instead."""
        assert self._stored is not None
        file = Path(self._asked_about)
        folder = next((one for one in (file.parent, self._stored.path.parent) if one.is_dir()), None)
        filters = f"{file_filter('Tables and edge lists', graphs=True)};;All files (*)"
        dialog = open_dialog(self._window, f"Where is {file.name} now?", filters, folder)
        dialog.fileSelected.connect(self._take_file)
        dialog.rejected.connect(self._on_none_chosen)
        self.dialog = dialog
        dialog.open()

    def _take_file(self, chosen: str) -> None:
        """Replace a file with the chosen one, which may be the same."""
        self.dialog = None
        asked = self._asked_about
        loaded, self._loaded = self._loaded, None
        if chosen == asked:
            self._accepted.add(asked)
            if loaded is not None:
                self._on_loaded(loaded)
                return
        self._files = {page: chosen if file == asked else file for page, file in self._files.items()}
        self._foreign_files = [file for file in self._foreign_files if file != asked]
        self._go_on()

    def _on_none_chosen(self) -> None:
        if self.dialog is not None:
            self._give_up()

    def _give_up(self) -> None:
        self.dialog = None
        if self._stored is not None:
            self._stored = None
            self.given_up.emit()

    def _on_failed(self, failure: Failure) -> None:
        if self._stored is not None and (question := load_question(failure.error)):
            file = str(question.path)
            self._connect = file, question.connect
            self._ask(question.title, file, question.sentences, question.accept[0])
            return
        self._stored = None
        self.failed.emit(failure)


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
        self._view_states = view_states
        self._saved: SessionSnapshot | None = None
        self._afterwards: Callable[[], object] | None = None
        self._closing = False
        self.path: Path | None = None  # the file; None while there is none
        self._writing = parts.jobs.channel("write session", self._on_written, self._on_failed)
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
