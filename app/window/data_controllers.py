"""Controllers of the open data: their table, their public mark, and suggested bounds."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Signal

from app.jobs.channels import Failure
from app.jobs.tasks import JobTask
from app.model.data_table import DataTable
from app.model.dataset import PointedRecord
from app.model.kinds.column import ColumnChoice
from app.model.state import SessionState
from app.model.views import CURATOR
from app.model.wording.numbers import number
from app.panels.data_table_dialog import DataTableDialog
from app.widgets.asking import ChoiceDialog
from app.widgets.card import PUBLIC_DATA, ConfidentialBadge
from app.window.budget_watcher import BudgetWatcher, account_of
from app.window.parts import Controller, WindowParts
from app.window.release_confirmation import SimilarDataQuestion

if TYPE_CHECKING:
    from app.model.ledger import AnyLedger
    from engine import SuggestedBounds
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy


FOLLOWED = frozenset({"page", "dataset", "view", "query", "modified_values", "column", "columns"}) | {
    "group",
    "table",
    "workspace",
}


class DataTableController(Controller):
    """Shows the records of the page that is open."""

    asked = Signal(object)  # conditions for a question, a tuple of texts

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self.arranging = parts.jobs.channel("data table", failed=parts.status.show_failure)
        parts.session.watch(FOLLOWED, self, self._follow)

    def show(self) -> None:
        """Open the table, or bring it to the front; not in the Release view."""
        table = DataTable.of(self._session.state)
        if table is None or self._session.state.view != CURATOR:
            return
        if self.dialog is None:
            dialog = DataTableDialog(self.arranging, self._window)
            dialog.changed.connect(self._on_edited)
            dialog.asked.connect(self.asked)
            dialog.pointed.connect(self._session.pointer.point_at)
            dialog.picked.connect(self._pick)
            dialog.show_table(table)
            self._hold(dialog)
        self.dialog.show()
        self.dialog.raise_()

    def _pick(self, pointed: PointedRecord) -> None:
        """Let the audit of the open page move the record."""
        audit = getattr(self._body.pages.shown, "audit", None)
        if audit is not None:
            audit.pick(pointed)

    def _follow(self) -> None:
        """Show what is open now, as long as it may be seen."""
        if self.dialog is None:
            return
        if self._session.state.view != CURATOR:
            self.dialog.close()
            return
        table = DataTable.of(self._session.state)
        if table is not None:  # a page that is opened for the first time has its data in a moment
            self.dialog.show_table(table)
        elif self._session.state.visible_dataset is not None:  # which stay in their file
            self.dialog.close()

    def _on_edited(self, record: int, value: float) -> None:
        choice = self._session.state.read_data
        low, high = getattr(choice, "lower", None), getattr(choice, "upper", None)
        within = value if low is None or high is None else min(max(value, low), high)
        self._session.move_point(record, within)


WHAT = (
    "Confirm only if everyone may see every record: the data are published, or made up "
    "without using anyone's data."
)
FOLLOWS = (
    "Files then carry no “Confidential” stamp on results from these data, and the Release "
    "view shows comparisons. Guarantees and costs of releases stay the same. The session "
    "keeps this choice; Undo reverts it."
)
MARKED = frozenset({"page", "workspace", "lesson", "dataset", "published", "table"})
"""The fields of the state that tell whether its data are public."""


class PublicDataController(Controller):
    """Confirm before treating data as public, and mark the action and results accordingly."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._action = parts.actions["public_data"]
        self._close_with_subject()
        parts.session.watch(MARKED, self, self.refresh)
        self.refresh()

    def call_public(self, on: bool) -> None:
        """Ask whether the data of the page are public; call them confidential again without asking."""
        state = self._session.state
        self.refresh()  # nothing is said yet
        if state.visible_dataset is None or state.visible_dataset.is_public:
            return
        if not on:
            kept = state.published - {state.visible_dataset.content}
            self._session.edit("call the data confidential", published=kept)
            return
        dialog = ChoiceDialog(
            "Public or synthetic data?",
            state.visible_dataset.title,
            (WHAT, FOLLOWS),
            {"public": ("They are &public", "Nothing computed from these data is confidential")},
            self._window,
        )
        dialog.answered.connect(self._on_answered)
        self._open_dialog(dialog)

    def refresh(self) -> None:
        """Mark the action, and what follows from the data; bundled data that are public stay so."""
        state = self._session.state
        with QSignalBlocker(self._action):
            self._action.setChecked(state.has_public_data)
        self.mark(state.has_public_data)
        self._status.follow_data()
        self._action.setEnabled(state.visible_dataset is not None and not state.visible_dataset.is_public)

    def mark(self, public: bool = True) -> None:
        """Mark everything in the window as public, or as confidential."""
        if public != self._window.property(PUBLIC_DATA):
            self._window.setProperty(PUBLIC_DATA, public)
            for one in self._window.findChildren(ConfidentialBadge):
                one.show_public(public)

    def _on_answered(self, answer: str) -> None:
        state = self._session.state
        if answer and state.visible_dataset is not None:
            published = state.published | {state.visible_dataset.content}
            self._session.edit("call the data public", published=published)


def can_suggest(state: SessionState) -> bool:
    """Return whether bounds can be suggested: for an open column with a public number of records."""
    choice = state.read_data
    is_column = isinstance(choice, ColumnChoice) and choice.numbers is not None
    if not is_column or choice.look_problem or state.lesson is not None:
        return False
    return state.dataset is not None and state.size_problem is None


def suggest(
    state: SessionState,
    helper: SuggestedBounds,
    privacy: Privacy,
    ledger: AnyLedger,
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


class BoundsController(Controller):
    """Suggests bounds for the column that is open."""

    def __init__(self, parts: WindowParts, watcher: BudgetWatcher) -> None:
        super().__init__(parts)
        self._watcher = watcher
        self._asked = SessionState()
        self._decided: tuple[SuggestedBounds, Privacy] | None = None
        self.similar_data = SimilarDataQuestion(parts, watcher)
        self.similar_data.settled.connect(self._request)
        self.similar_data.refused.connect(parts.status.show_message)
        self._close_with_subject()
        self.channel = parts.jobs.channel("suggest bounds", self._on_result, self._on_failed)
        parts.status.follow(self.channel)

    def ask(self) -> None:
        """Ask for a wide range, and what may be spent."""
        from app.panels.suggest_bounds_dialog import SuggestBoundsDialog

        if can_suggest(self._session.state) and not self.channel.busy:
            dialog = SuggestBoundsDialog(self._session.state, self._window)
            dialog.decided.connect(self._on_decided)
            self._open_dialog(dialog)

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
        """Use the suggested bounds if their column is still open; show them in any case: they cost budget."""
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
