"""Making releases: in a job, one at a time, each entered in the ledger before it exists."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.jobs.channels import Failure, Jobs
from app.jobs.tasks import JobTask
from app.model.kept_data import DatabaseCache
from app.model.ledger import AnyLedger, about_release
from app.model.release_record import ReleaseRecord, about_data
from app.model.selection import Selection, problems, selection
from app.model.state import SessionState
from app.session import Session
from app.window.budget_watcher import account_of
from engine.data.look_only import rows_of_person
from engine.randomness import reproducible


def simulate(state: SessionState, databases: DatabaseCache, task: JobTask) -> ReleaseRecord:
    """Simulate a release of what `state` says in a lesson; it costs nothing (in a worker)."""
    assert state.seed is not None
    selected = selection(state)
    # a second simulation in the same step is another one
    rng = reproducible(state.seed + len(state.releases))
    release = selected.mechanism.run(databases.get(selected.source), selected.privacy, rng, task)
    return ReleaseRecord.of(release, state, inexact=selected.mechanism.inexact)


def make_release(
    state: SessionState,
    databases: DatabaseCache,
    ledger: AnyLedger,
    over: bool,
    apart: bool,
    task: JobTask,
) -> ReleaseRecord:
    """Make one release of what `state` says, and spend its cost (in a worker).

    Raises `Resembling` if the data resemble others, and `apart` does not say that they are not the same.
    Raises `Overspent` if it passes the limit and `over` does not allow that. Raises `LedgerError` if its cost
    cannot be written down; then nothing was drawn.
    """
    from engine.ledger import LedgerError
    from engine.ledger.errors import NOTHING

    assert state.dataset is not None
    selected = selection(state)
    mechanism, asked = selected.mechanism, selected.privacy
    try:
        account = account_of(state, ledger)
    except LedgerError as error:
        raise type(error)(f"{error}; {NOTHING}") from error
    rows = rows_of_person(state.dataset.table)
    account.check(mechanism, asked, selected.source.domain, rows=rows, over=over, apart=apart)
    release = account.release(
        mechanism,
        databases.get(selected.source),
        asked,
        public_facts(state, selected),
        over=over,
        apart=apart,
        progress=task,
        settle=task.settle,
    )
    return ReleaseRecord.of(release, state, account.name, mechanism.inexact)


def public_facts(state: SessionState, selected: Selection) -> dict[str, Any]:
    """Return what the ledger keeps of a release: public facts, known before it is made."""
    return {**about_release(state.query, state.subject, selected.mechanism), **about_data(state)}


class ReleaseController(QObject):
    """Runs the mechanism of the session and records what it releases."""

    released = Signal(object)  # ReleaseRecord: it is in the history already
    # Overspent: it passes the limit, and was not made: `run_over` makes it all the same
    overspent = Signal(object)
    resembling = Signal(object)  # Resembling: it was not made, because it was not said which data they are
    failed = Signal(object)  # Failure: it was not made for another reason

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        # the state of the release that `released` announces
        # the state that is run, or was refused because it passes the limit; empty afterwards
        self.requested = self.made = SessionState()
        self._apart = False
        self.channel = jobs.channel("run", self._on_result, self._on_failed)

    @property
    def ready(self) -> bool:
        """Whether nothing is wrong, and no release is being made."""
        state = self._session.state
        return state.dataset is not None and not self.channel.busy and not problems(state)

    def run(self, *, over: bool = False, apart: bool = False) -> None:
        """Make one release, unless something is wrong or one is being made."""
        if self.ready:
            self.requested, self._apart = self._session.state, apart
            self._request(over=over)

    def run_over(self) -> None:
        """Make the release that was refused last, although it passes the limit."""
        if not self.channel.busy:
            self._request(over=True)

    def _request(self, *, over: bool) -> None:
        requested, databases = self.requested, self._session.databases
        if requested.lesson is not None:
            self.channel.request(partial(simulate, requested, databases))
        else:
            ledger, apart = self._session.ledger, self._apart
            self.channel.request(partial(make_release, requested, databases, ledger, over, apart))

    def _on_result(self, record: ReleaseRecord) -> None:
        requested, self.requested = self.requested, SessionState()
        if record.release.simulated and requested.lesson is not self._session.state.lesson:
            return  # the step of the lesson that it belongs to is over
        assert requested.dataset is not None
        self.made = requested
        self._session.add_release(record, requested.dataset.digest)
        self.released.emit(record)
        self.made = SessionState()  # else it kept the data

    def _on_failed(self, failure: Failure) -> None:
        from engine.ledger import Overspent, Resembling

        if isinstance(failure.error, Overspent):
            self.overspent.emit(failure.error)
        elif isinstance(failure.error, Resembling):
            self.resembling.emit(failure.error)
        else:
            self.requested = SessionState()
            self.failed.emit(failure)
