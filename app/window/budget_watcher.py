"""The budget of the open data: read from the ledger in a worker, and kept up to date."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.jobs.channels import Jobs
from app.jobs.tasks import JobTask
from app.model import lazy
from app.model.budget import Budget, BudgetCurves
from app.model.ledger import AnyLedger, LazyLedger
from app.model.selection import selection
from app.model.state import SessionState
from app.session import Session
from app.widgets.deferred import deferred_call
from engine.data.look_only import rows_of_person
from engine.errors import ParameterError

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from engine.ledger import Account, Composition, LedgerEntry, Limit

DELAY = 150
"""Milliseconds without a change of the file after which it is read: one release changes it often."""

COSTLESS = frozenset({"view", "workspace", "releases", "trusted", "comparison"})
"""Fields of the state on which no cost depends."""


class BudgetWatcher(QObject):
    """Knows the budget of the page that is open, also when another window or program spends from it."""

    changed = Signal(object)  # Budget or None: `budget` is another one
    begun = Signal()  # a damaged ledger was set aside, and a new one begun
    failed = Signal(object)  # Failure: a limit could not be set, or the ledger not set aside

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self.budget: Budget | None = None  # None while it is not known, and in a lesson, which has none
        self.detailed = False  # whether how it was spent is looked at
        self._started = False
        self._apart: set[tuple[Path | None, str]] = set()
        self._about: tuple[object, ...] = ()
        self._stamp: tuple[int, ...] = ()
        self._outdated = False
        self._reading = jobs.channel("budget", self._on_read, self.failed)
        self._writing = jobs.channel("limit", self._on_written, self.failed)
        self._delay = deferred_call(self, self._check_file, DELAY)
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
        """Stop watching files.

        The garbage collector may run in a worker, and a file watcher must end in its own thread.
        """
        if self._watcher is not None:
            self._watcher.setParent(None)
            self._watcher = None

    def refresh(self) -> None:
        """Read the ledger anew."""
        self._request(live=False)

    def set_limit(self, limit: Limit | None) -> None:
        """Set the limit of the dataset that is open, or take it away."""
        self._write(lambda state, ledger: account_of(state, ledger).set_limit(limit))

    def count_as(self, name: str) -> None:
        """Join the open data permanently to the account of that name."""
        self._write(lambda state, ledger: account_of(state, ledger).count_as(name))

    def set_apart(self) -> None:
        """Treat the open data as different from similar data."""
        dataset = self._session.state.visible_dataset
        assert dataset is not None
        self._apart.add((self._session.ledger.path, dataset.digest))

    def is_apart(self, state: SessionState) -> bool:
        """Return whether the user has said so about the data of `state`."""
        dataset = state.visible_dataset
        return dataset is not None and (self._session.ledger.path, dataset.digest) in self._apart

    def set_aside(self) -> None:
        """Set a damaged ledger aside and start a new one, which keeps a note about it."""
        ledger = self._session.ledger
        if isinstance(ledger, LazyLedger):
            self._write(lambda *_: ledger.set_aside())

    def _write(self, change: Callable[[SessionState, AnyLedger], object]) -> None:
        self._outdated = self._reading.busy  # what is being read may not know yet what will be written
        state, ledger = self._session.state, self._session.ledger
        self._writing.request(partial(change_ledger, change, state, ledger))

    def _request(self, *, live: bool) -> None:
        self._outdated = True  # what a writer has read by now may lack why it is read anew
        if self._about:
            work = partial(read_budget, self._session.ledger, self._session.state, self.detailed, self.budget)
            self._reading.request(work, live=live)

    def _follow(self, fields: frozenset[str]) -> None:
        state = self._session.state
        has_budget = self._started and state.lesson is None
        about = (state.visible_dataset.digest,) if state.visible_dataset and has_budget else ()
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


def read_budget(
    ledger: AnyLedger, state: SessionState, detailed: bool, known: Budget | None, task: JobTask
) -> Budget:
    """Read the budget of the dataset of `state` (in a worker).

    With `detailed`, include the history of spending. `known` is the previous budget; unchanged parts are
    reused.
    """
    from engine.ledger import LedgerDamaged, LedgerError

    assert state.visible_dataset is not None
    if detailed:
        from app.widgets.picture_loading import load_pictures

        load_pictures((lambda: lazy.BudgetSpent,), task)
    budget = Budget(state.visible_dataset.title)
    try:
        account = account_of(state, ledger)
        limit = account.limit
        more = None if limit is None else one_more(account, state)
        entries, spent = tuple(account.entries()), account.spent()
        budget = dataclasses.replace(budget, entries=entries, spent=spent, limit=limit)
        records = records_of(entries, account, known)
        budget = dataclasses.replace(budget, recounted=account.recounted, records=records)
        budget = dataclasses.replace(budget, limit_chosen=account.limit_chosen, similar=account.similar())
        return dataclasses.replace(
            budget,
            curves=curves_of(budget, known) if detailed else None,
            next=more[0] if more else None,
            over=bool(more and more[1]),
            begun_after=ledger.begun_after,
            exposed=ledger.exposed,
        )
    except LedgerError as error:
        return dataclasses.replace(budget, problem=str(error), damaged=isinstance(error, LedgerDamaged))


def account_of(state: SessionState, ledger: AnyLedger) -> Account:
    """Return the account of the data of `state`."""
    dataset = state.visible_dataset
    assert dataset is not None
    return dataset.account_in(ledger, public=state.has_public_data)


def records_of(
    entries: tuple[LedgerEntry, ...], account: Account, known: Budget | None
) -> tuple[ReleaseRecord, ...]:
    """Return the newest releases of a dataset; `known` has those that were read before."""
    if not entries or (known is not None and known.entries == entries):
        return () if known is None or not entries else known.records
    from app.documents.releases import stored_releases

    return stored_releases(account)


def curves_of(budget: Budget, known: Budget | None) -> BudgetCurves:
    """Return how it was spent, release by release."""
    from engine.ledger import SLACK

    same = known is not None and (known.title, known.limit, known.entries)
    if (
        known is not None
        and known.curves is not None
        and same == (budget.title, budget.limit, budget.entries)
    ):
        return known.curves
    costs = [entry.cost for entry in budget.entries if entry.counts]
    slack, most = (SLACK, None) if budget.limit is None else (budget.limit.extra, budget.limit.epsilon)
    return BudgetCurves.of(costs, slack, "basic" if budget.spent is None else budget.spent.method, most)


def one_more(account: Account, state: SessionState) -> tuple[Composition, bool] | None:
    """Return what another release would come to, and whether that is over the limit; None if it cannot be."""
    from engine.ledger import Cost

    if state.visible_dataset is not state.dataset:
        return None
    try:
        selected = selection(state)
        rows = 0 if state.dataset is None else rows_of_person(state.dataset.table)
        cost = Cost.of(selected.mechanism, selected.privacy, selected.source.domain, rows)
        return account.with_one_more(cost)
    except ParameterError:
        return None  # invalid choices have a message beside their field


def change_ledger(
    change: Callable[[SessionState, AnyLedger], object],
    state: SessionState,
    ledger: AnyLedger,
    task: JobTask,
) -> Budget:
    """Change the ledger, and read the budget of the dataset of `state` (in a worker)."""
    change(state, ledger)
    return read_budget(ledger, state, True, None, task)
