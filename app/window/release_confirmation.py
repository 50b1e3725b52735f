"""Questions before a release: identify the data, and agree to spend budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog

from app.model.selection import selection
from app.model.state import SessionState
from app.panels.release_questions import (
    ConsentDialog,
    FirstLimitDialog,
    OverspendingDialog,
    SimilarDataDialog,
    SpendingDialog,
)
from app.window.budget_watcher import COSTLESS, BudgetWatcher
from app.window.parts import Controller, WindowParts
from app.window.release_controller import ReleaseController
from engine.data.look_only import rows_of_person
from engine.privacy import NO_PROMISE

if TYPE_CHECKING:
    from app.model.budget import Budget
    from engine.ledger import Limit, Overspent, Resembling, SimilarData


SETTINGS_CHANGED = (
    "Your answer about these data is saved. Nothing was released, because the settings "
    "changed meanwhile: press Run again"
)


class SimilarDataQuestion(Controller):
    """Ask which data these are, save the answer, and announce it.

    "The same data" goes into the ledger at once; "other data" with their first release, and until then the
    window knows it.
    """

    settled = Signal()  # it is known which data they are
    refused = Signal(str)  # the answer is known, but what it was asked for has changed; in a sentence
    declined = Signal()  # the user does not say it

    def __init__(self, parts: WindowParts, watcher: BudgetWatcher) -> None:
        super().__init__(parts)
        self._watcher = watcher
        self._waiting = False  # for the answer to be written
        parts.session.changed.connect(self._follow)
        watcher.changed.connect(self._on_budget)
        watcher.failed.connect(self._on_failed)

    def pending(self, state: SessionState) -> tuple[SimilarData, ...]:
        """Return the similar datasets known so far, without an answer yet."""
        budget = self._watcher.budget
        if budget is None or state.has_public_data or self._watcher.is_apart(state):
            return ()
        return budget.similar

    def ask(self, similar: Sequence[SimilarData]) -> None:
        """Ask whether the data that are open are those which they resemble most."""
        dataset = self._session.state.visible_dataset
        assert dataset is not None
        dialog = SimilarDataDialog(dataset.title, similar[0], self._window)
        dialog.chosen.connect(self._on_chosen)
        dialog.rejected.connect(self.declined)
        self._open_dialog(dialog)

    def _on_chosen(self, same: bool) -> None:
        dialog = self.sender()
        assert isinstance(dialog, SimilarDataDialog)
        if same:
            self._waiting = True
            self._watcher.count_as(dialog.name)
        else:
            self._watcher.set_apart()
            self.settled.emit()

    def _on_budget(self, budget: Budget | None) -> None:
        if self._waiting and budget is not None and not budget.similar:
            self._waiting = False
            self.settled.emit()

    def _on_failed(self, _: object) -> None:
        self._waiting = False

    def _follow(self, fields: frozenset[str]) -> None:
        if not fields - COSTLESS:
            return
        if self._waiting:
            self._waiting = False
            self.refused.emit(SETTINGS_CHANGED)
        self.close()


REFUSED = (
    "this release would exceed the limit of {title}: nothing was released or spent; see "
    "the budget (Ctrl+B) for the rest, the settings (Ctrl+,) for asking"
)

CHANGED = "The budget is set. Nothing was released, because the settings changed meanwhile: press Run again"

USUAL_DELTA = 1e-5
"""Default limit on the sum of the deltas of all releases."""


class SpendingController(Controller):
    """Asks before budget is spent: which data these are, and for the first limit of a dataset."""

    def __init__(self, parts: WindowParts, watcher: BudgetWatcher) -> None:
        super().__init__(parts)
        self._watcher = watcher
        self._waiting = False  # for a limit to be written; then the release is made
        self.similar_data = SimilarDataQuestion(parts, watcher)
        self.similar_data.declined.connect(self._decline)
        parts.session.changed.connect(self._follow)
        watcher.changed.connect(self._on_budget)
        watcher.failed.connect(self._on_limit_failed)

    def close(self) -> None:
        """Close the question without releasing anything."""
        self.similar_data.close()
        super().close()

    def _open_dialog(self, dialog: QDialog) -> None:
        super()._open_dialog(dialog)
        dialog.rejected.connect(self._decline)

    def _ask_limit(self, title: str, epsilon: float, delta: float) -> None:
        """Ask how much may be spent of a dataset for which that was never chosen."""
        dialog = FirstLimitDialog(title, epsilon, delta, self._window)
        dialog.chosen.connect(self._on_limit)
        self._open_dialog(dialog)

    @property
    def _delta(self) -> float:
        """The limit of delta beside a first limit of epsilon."""
        chosen: float = self._settings["limit_delta"]
        return chosen or USUAL_DELTA

    def _limit(self, epsilon: float) -> Limit:
        from engine.ledger import Limit

        return Limit(epsilon, self._delta, self._settings["slack"])

    def _on_limit(self, epsilon: float | None) -> None:
        """Write the limit down; the release is made once the ledger has it."""
        self._waiting = True
        self._watcher.set_limit(None if epsilon is None else self._limit(epsilon))

    def _on_limit_failed(self, _: object) -> None:
        self._waiting = False

    def _on_budget(self, budget: Budget | None) -> None:
        if self._waiting and budget is not None and budget.limit_chosen:
            self._waiting = False
            self._go_on()

    def _go_on(self) -> None:
        """Make the release: the limit is set."""
        raise NotImplementedError

    def _decline(self) -> None:
        """Release nothing: the user does not want it after all."""
        raise NotImplementedError

    def _follow(self, fields: frozenset[str]) -> None:
        """Release nothing that is no longer chosen."""
        raise NotImplementedError


class ReleaseConfirmation(SpendingController):
    """Make releases, with a confirmation where the user or the guarantee needs one.

    Simulations in lessons spend nothing and need none. A release without a guarantee always needs one;
    agreeing to it also agrees to pass every limit. The ledger checks limits, not this window: another window
    may have spent meanwhile.
    """

    # str: a release was not made: over the limit, where the settings say not to ask, or no longer the one
    # that was asked for; in a sentence
    refused = Signal(str)
    declined = Signal()  # the user does not want it after all

    def __init__(self, parts: WindowParts, releases: ReleaseController, watcher: BudgetWatcher) -> None:
        super().__init__(parts, watcher)
        self._releases = releases
        self._agreed: set[str] = set()
        self.similar_data.settled.connect(self.run)
        self.similar_data.refused.connect(self.refused)
        releases.overspent.connect(self._ask_over)
        releases.resembling.connect(self._ask_which)

    def run(self) -> None:
        """Make one release, after all confirmations."""
        state = self._session.state
        if state.lesson is not None:
            self._releases.run()
        elif self._releases.ready and (similar := self.similar_data.pending(state)):
            self.similar_data.ask(similar)
        elif not state.promises:
            self._run_unprotected(state)
        elif self.wants_limit(state):
            self._ask_limit_of(state)
        elif self._settings["ask"] == "always":
            self._ask_spending(state)
        else:
            self._release()

    def _release(self, *, over: bool = False) -> None:
        self._releases.run(over=over, apart=self._watcher.is_apart(self._session.state))

    def wants_limit(self, state: SessionState) -> bool:
        """Tell whether to ask for a limit first: once for each dataset that is not public anyway."""
        budget = self._watcher.budget
        if budget is None or budget.limit_chosen or state.dataset is None or state.has_public_data:
            return False
        return self._settings["ask"] != "never" and self._releases.ready

    def _ask_limit_of(self, state: SessionState) -> None:
        assert state.dataset is not None
        from engine.ledger import Cost

        selected, rows = selection(state), rows_of_person(state.dataset.table)
        cost = Cost.of(selected.mechanism, selected.privacy, None, rows).row.privacy
        delta = self._limit(cost.epsilon).whole.delta if cost != NO_PROMISE else self._delta
        self._ask_limit(state.dataset.title, cost.epsilon, delta)

    def _go_on(self) -> None:
        self.run()

    def _decline(self) -> None:
        self.declined.emit()

    def _ask_spending(self, state: SessionState) -> None:
        """Confirm before spending budget."""
        if self._releases.ready:
            dialog = SpendingDialog(state, self._window)
            dialog.agreed.connect(self._release)
            self._open_dialog(dialog)

    def _run_unprotected(self, state: SessionState) -> None:
        """Make a release without a guarantee, after the user agrees for these data."""
        if state.dataset is not None and state.dataset.digest in self._agreed:
            self._release(over=True)
        elif self._releases.ready:
            budget = self._watcher.budget
            limited = budget is not None and budget.limit is not None
            dialog = ConsentDialog(state, self._window, limited=limited)
            dialog.agreed.connect(self._on_consent)
            self._open_dialog(dialog)

    def _on_consent(self) -> None:
        if isinstance(self.dialog, ConsentDialog) and self.dialog.always.isChecked():
            self._agreed.add(self.dialog.digest)
        self._release(over=True)

    def _ask_which(self, resembling: Resembling) -> None:
        """Ask which data these are, where it was not known before that they resemble others."""
        requested, self._releases.requested = self._releases.requested, SessionState()
        if requested is self._session.state:
            self.similar_data.ask(resembling.similar)
            self._watcher.refresh()
        else:
            self.refused.emit(str(resembling))  # something else has been chosen since

    def _ask_over(self, overspent: Overspent) -> None:
        """Ask whether a release that the ledger has refused is to be made all the same."""
        self.close()
        requested = self._releases.requested
        if requested.dataset is None or not self._is_open(requested.dataset.digest):
            self.refused.emit(str(overspent))  # something else has been opened since
        elif self._settings["ask"] == "never":
            self.refused.emit(REFUSED.format(title=requested.dataset.title))
        else:
            chosen = selection(requested)
            rows = rows_of_person(requested.dataset.table)
            left = overspent.epsilon_left(chosen.mechanism, chosen.privacy, rows=rows)
            dialog = OverspendingDialog(requested.dataset.title, overspent, left, self._window)
            dialog.agreed.connect(self._releases.run_over)
            dialog.reduced.connect(self._run_reduced)
            self._open_dialog(dialog)
            self._watcher.refresh()

    def _run_reduced(self, epsilon: float) -> None:
        self._session.edit("change epsilon", epsilon=epsilon)
        self.run()

    def _is_open(self, digest: str) -> bool:
        state = self._session.state
        return state.dataset is not None and state.dataset.digest == digest and state.lesson is None

    def _follow(self, fields: frozenset[str]) -> None:
        if self._waiting and fields - COSTLESS:
            self._waiting = False
            self.refused.emit(CHANGED)
        if isinstance(self.dialog, SpendingDialog | FirstLimitDialog):
            self.close()
