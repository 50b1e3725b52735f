"""Run: its state, its texts and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

from app.model.budget import Budget
from app.model.release_record import ReleaseRecord
from app.model.wording.releases import ExpectedWords
from app.pages.base.analysis_page import AnalysisPage
from app.pages.base.view import View
from app.panels.budget_text import warning_words
from app.releases.text import kept_words, value_words
from app.widgets.number_box import commit_typing
from app.window.budget_watcher import BudgetWatcher
from app.window.parts import Controller, WindowParts
from app.window.release_confirmation import ReleaseConfirmation
from app.window.release_controller import ReleaseController

if TYPE_CHECKING:
    from engine.analysis.noise import NoiseCertificates


class RunController(Controller):
    """Connects the Run button of the forms, and that of the menu, with the making of releases."""

    def __init__(
        self,
        parts: WindowParts,
        releases: ReleaseController,
        confirmation: ReleaseConfirmation,
        watcher: BudgetWatcher,
    ) -> None:
        super().__init__(parts)
        pages, column = parts.body.pages, parts.body.column
        self._column = column
        self._action = parts.actions["run"]
        self._confirmation = confirmation
        running, form = releases.channel, column.release
        form.run_requested.connect(self.use_form)
        running.progressed.connect(form.footer.progress.show_progress)
        running.busy_changed.connect(form.show_running)
        releases.released.connect(self._on_released)
        releases.failed.connect(parts.status.show_failure)
        confirmation.declined.connect(self._on_cancelled)
        running.cancelled.connect(self._on_cancelled)
        watcher.changed.connect(self._show_budget)
        pages.made.connect(self._take_in)
        self._large = (parts.body.run, form.footer)
        for part in self._large:
            part.installEventFilter(self)

    def _take_in(self, view: View) -> None:
        """Show a page's findings beside Run."""
        view.purpose_changed.connect(self._show_purpose)
        if isinstance(view, AnalysisPage):
            view.judged.connect(self._on_judged)
            view.certified.connect(self._on_certified)
            view.outdated.connect(self._column.release.outdate)
            view.clamped.connect(self._on_clamped)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the button of the page only where no large one does the same."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._show_start()
        return False

    def _show_start(self) -> None:
        self._pages.shown.show_start(not any(part.isVisible() for part in self._large))

    def start(self) -> None:
        """Make one release with the operating system's entropy, or do what Run does on the open page."""
        if not self._is_stopped() and not self._pages.shown.run():
            self._confirmation.run()

    def use_form(self) -> None:
        """Do what the large button of the form says."""
        if not self._is_stopped() and not self._pages.shown.take():
            self.start()

    def _is_stopped(self) -> bool:
        """Take the text that the user is typing; tell whether it, or another, stops Run."""
        if commit_typing() and not self._action.isEnabled():
            return True
        return self._pages.shown.is_stopped()

    def show_problems(self) -> None:
        """Explain the problems of the current choices."""
        ready = self._column.show_problems()
        self._show_purpose()
        if not ready:
            self.forget()

    def forget(self) -> None:
        """Clear the messages about an error and a certificate of other choices."""
        self._on_judged(None)
        self.forget_certificate()

    def forget_certificate(self) -> None:
        """Clear the message about a certificate."""
        self._column.release.show_certificate(None)

    def _show_purpose(self) -> None:
        """Say what Run does here, and what the large button of the form."""
        shown = self._pages.shown
        self._column.release.show_purpose(shown.purpose)
        self._show_start()
        self._action.setText(shown.action)
        self._action.setToolTip(shown.action_help)
        self._action.setStatusTip(shown.action_help)
        self._action.setEnabled(shown.is_ready(self._column.ready))

    def _show_budget(self, budget: Budget | None) -> None:
        """Say beside Run what a release would do to the limit."""
        self._column.release.show_budget(warning_words(budget))

    def _on_judged(self, expected: ExpectedWords | None) -> None:
        self._column.release.show_error(expected or ExpectedWords("", private=False))

    def _on_clamped(self, clamped: int) -> None:
        if self.sender() is self._pages.shown:
            self._column.data.show_clamped(clamped)

    def _on_certified(self, certified: NoiseCertificates) -> None:
        self._column.release.show_certificate(certified if self._session.state.uses_noise else None)

    def _on_released(self, record: ReleaseRecord) -> None:
        self._status.show_message(describe_release(record))

    def _on_cancelled(self) -> None:
        self._status.show_message("Cancelled; nothing was released or spent")


def describe_release(record: ReleaseRecord) -> str:
    if record.release.simulated:
        return f"Simulated {value_words(record)}; nothing was released or spent"
    if not record.promises:
        return f"Released {value_words(record)}; it is not differentially private"
    if record.release.value is None:
        return f"The mechanism refused to answer; {kept_words(record)} is spent anyway"
    return f"Released {value_words(record)} for {kept_words(record)}"
