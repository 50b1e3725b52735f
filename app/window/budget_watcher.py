"""What the ledger says of the data of the page that is open: read in a worker, and kept fresh."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from app.jobs.channels import Jobs
from app.jobs.tasks import JobTask
from app.model.budget import Budget
from app.model.ledger import LazyLedger
from app.model.state import SessionState
from app.session import Session
from app.window.budget_reading import begin_anew, join_account, read_budget, write_limit

if TYPE_CHECKING:
    from engine.ledger import Limit

DELAY = 150
"""Milliseconds without a change of the file after which it is read: one release changes it often."""

COSTLESS = frozenset({"view", "workspace", "releases", "trusted", "comparison"})
"""Fields of the state on which no cost depends."""


class BudgetWatcher(QObject):
    """Knows the budget of the page that is open, also when another window or program spends from it.

    Signals
    -------
    changed(Budget or None)
        `budget` is another one.
    begun()
        A damaged ledger was set aside, and a new one begun.
    failed(Failure)
        A limit could not be set, or the ledger not set aside.

    Attributes
    ----------
    budget : Budget or None
        None while it is not known, and in a lesson, which has none.
    detailed : bool
        Whether how it was spent is looked at.
    """

    changed = Signal(object)
    begun = Signal()
    failed = Signal(object)

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self.budget: Budget | None = None
        self.detailed = False
        self._started = False
        self._apart: set[tuple[Path | None, str]] = set()
        self._about: tuple[object, ...] = ()
        self._stamp: tuple[int, ...] = ()
        self._outdated = False
        self._reading = jobs.channel("budget")
        self._reading.result.connect(self._on_read)
        self._reading.failed.connect(self.failed)
        self._writing = jobs.channel("limit")
        self._writing.result.connect(self._on_written)
        self._writing.failed.connect(self.failed)
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(DELAY)
        self._delay.timeout.connect(self._check_file)
        self._watcher: QFileSystemWatcher | None = None
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.focusWindowChanged.connect(self._check_file)
        session.changed.connect(self._follow)

    def start(self) -> None:
        """Begin to read; not before the window has been painted."""
        self._started = True
        self._follow(frozenset())

    def end(self) -> None:
        """Watch no file any more.

        The garbage collector may run in a worker, and what watches a file must end in the thread
        in which it began.
        """
        if self._watcher is not None:
            self._watcher.setParent(None)
            self._watcher = None

    def refresh(self) -> None:
        """Read the ledger anew."""
        self._request(live=False)

    def set_limit(self, limit: Limit | None) -> None:
        """Set the limit of the dataset that is open, or take it away."""
        self._write(partial(write_limit, self._session.ledger, self._session.state, limit))

    def count_as(self, name: str) -> None:
        """Count the data that are open as those of the account of that name, for good."""
        self._write(partial(join_account, self._session.ledger, self._session.state, name))

    def set_apart(self) -> None:
        """Take the data that are open for others than those which they resemble."""
        dataset = self._session.state.dataset
        assert dataset is not None
        self._apart.add((self._session.ledger.path, dataset.digest))

    def is_apart(self, state: SessionState) -> bool:
        """Tell whether the user has said so of the data of `state`."""
        dataset = state.dataset
        return dataset is not None and (self._session.ledger.path, dataset.digest) in self._apart

    def set_aside(self) -> None:
        """Set a damaged ledger aside and begin a new one, which goes on saying so."""
        ledger = self._session.ledger
        if isinstance(ledger, LazyLedger):
            self._write(partial(begin_anew, ledger, self._session.state))

    def _write(self, work: Callable[[JobTask], Budget]) -> None:
        self._outdated = self._reading.busy  # what is being read may not know yet what will be written
        self._writing.request(work)

    def _request(self, *, live: bool) -> None:
        self._outdated = True  # what a writer has read by now may lack why it is read anew
        if self._about:
            work = partial(read_budget, self._session.ledger, self._session.state, self.detailed, self.budget)
            self._reading.request(work, live=live)

    def _follow(self, fields: frozenset[str]) -> None:
        state = self._session.state
        has_budget = self._started and state.lesson is None
        about = (state.dataset.digest,) if state.dataset and has_budget else ()
        if about != self._about:
            self._about = about
            self._reading.cancel()
            self._show(None)
            self.refresh()
        elif "releases" in fields:
            self.refresh()
        elif self.budget is not None and self.budget.limit is not None and fields - COSTLESS:
            self._request(live=True)

    def _check_file(self) -> None:
        """Read the ledger if another program has written to it."""
        path = self._session.ledger.path
        stamp = stamp_of(path) if path is not None and self._about else self._stamp
        if stamp != self._stamp:
            self._stamp = stamp
            self.refresh()

    def _on_folder_changed(self, _: str) -> None:
        self._delay.start()

    def _watch(self) -> None:
        path = self._session.ledger.path
        if path is None or not os.path.isdir(path.parent):  # `Path.is_dir` fails where one may not look
            return
        if self._watcher is None:
            self._watcher = QFileSystemWatcher(self)
            self._watcher.directoryChanged.connect(self._on_folder_changed)
        if not self._watcher.directories():
            self._watcher.addPath(str(path.parent))

    def _on_read(self, budget: Budget) -> None:
        self._watch()
        begun = self.budget is not None and self.budget.damaged and not budget.damaged
        self._show(budget)
        if begun:
            self.begun.emit()

    def _on_written(self, budget: Budget) -> None:
        self._on_read(budget)
        if self._outdated:
            self.refresh()

    def _show(self, budget: Budget | None) -> None:
        if budget != self.budget:
            self.budget = budget
            self.changed.emit(budget)


def stamp_of(path: Path) -> tuple[int, ...]:
    """Return what changes with a file; nothing where there is none."""
    try:
        results = path.stat()
    except OSError:
        return ()
    return results.st_ino, results.st_mtime_ns, results.st_size
