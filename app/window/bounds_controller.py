"""Bounds that are suggested privately: asked about, chosen in a job, paid for, and taken."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Failure, Jobs
from app.jobs.tasks import JobTask
from app.model.kinds.column import ColumnChoice
from app.model.state import SessionState
from app.model.wording.numbers import number
from app.session import Session
from app.window.budget_watcher import BudgetWatcher, account_of
from app.window.dialog_slot import DialogSlot
from app.window.release_confirmation import SimilarDataQuestion
from app.window.status_reporter import StatusReporter

if TYPE_CHECKING:
    from app.model.ledger import LazyLedger
    from engine import SuggestedBounds
    from engine.ledger import Ledger
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy


def can_suggest(state: SessionState) -> bool:
    """Tell whether bounds can be suggested: of a column that is open, with a public number of records."""
    choice = state.read_data
    is_column = isinstance(choice, ColumnChoice) and choice.numbers is not None
    return is_column and state.dataset is not None and state.lesson is None and state.size_problem is None


def suggest(
    state: SessionState,
    helper: SuggestedBounds,
    privacy: Privacy,
    ledger: Ledger | LazyLedger,
    apart: bool,
    task: JobTask,
) -> Release:
    """Choose bounds, and spend what they cost (in a worker)."""
    assert state.dataset is not None
    wide: dict[str, Any] = {"lower": helper.wide.lower, "upper": helper.wide.upper, "resolution": None}
    choice = dataclasses.replace(state.read_data, **wide)
    data = state.kind.builder(choice, state.dataset).build()
    about = {
        "release": helper.name,
        "of": state.subject,
        "method": helper.name,
        "parameters": helper.settings(),
        "unit": state.kind.unit(state.read_data, state.dataset),
    }
    account = account_of(state, ledger)
    return account.release(helper, data, privacy, about, apart=apart, progress=task, settle=task.settle)


class BoundsController(QObject):
    """Suggests bounds for the column that is open."""

    def __init__(
        self, window: QWidget, session: Session, jobs: Jobs, watcher: BudgetWatcher, status: StatusReporter
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._watcher = watcher
        self._status = status
        self._asked = SessionState()
        self._decided: tuple[SuggestedBounds, Privacy] | None = None
        self.similar_data = SimilarDataQuestion(window, session, watcher)
        self.similar_data.settled.connect(self._request)
        self.similar_data.refused.connect(status.show_message)
        self.asking = DialogSlot(window, session)
        self.channel = jobs.channel("suggest bounds")
        self.channel.result.connect(self._on_result)
        self.channel.failed.connect(self._on_failed)
        status.follow(self.channel)

    def ask(self) -> None:
        """Ask for a wide range, and what may be spent."""
        from app.panels.suggest_bounds_dialog import SuggestBoundsDialog

        if can_suggest(self._session.state) and not self.channel.busy:
            dialog = SuggestBoundsDialog(self._session.state, self._window)
            dialog.decided.connect(self._on_decided)
            self.asking.show(dialog)

    def _on_decided(self, helper: SuggestedBounds, privacy: Privacy) -> None:
        self._decided = (helper, privacy)
        self._request()

    def _request(self) -> None:
        if self._decided is not None:
            state = self._asked = self._session.state
            ledger, apart = self._session.ledger, self._watcher.is_apart(state)
            self.channel.request(partial(suggest, state, *self._decided, ledger, apart))

    def _on_failed(self, failure: Failure) -> None:
        from engine.ledger import Resembling

        asked, self._asked = self._asked, SessionState()
        if isinstance(failure.error, Resembling) and asked is self._session.state:
            self.similar_data.ask(failure.error.similar)
            self._watcher.refresh()
        else:
            self._status.show_failure(failure)

    def _on_result(self, release: Release) -> None:
        """Take the bounds, unless another column was opened; they are told in any case, for they are paid."""
        asked, self._asked = self._asked, SessionState()
        self._watcher.refresh()
        lower, upper = release.value
        text = f"{number(lower)} to {number(upper)}"
        cost = f"ε = {number(release.privacy.epsilon)} was spent"
        state = self._session.state
        if state.dataset is not asked.dataset or state.subject != asked.subject or state.page != asked.page:
            self._status.show_message(f"Suggested bounds for {asked.subject}: {text}; {cost}")
            return
        step = getattr(state.read_data, "resolution", None)
        taken = {
            "lower": lower,
            "upper": upper,
            "bounds_source": "known",
            "resolution": step if step is not None and step <= upper - lower else None,
        }
        self._session.edit("take suggested bounds", **state.data.with_part(state.reads, taken))
        self._status.show_message(f"The bounds are now {text}, as suggested; {cost}")
