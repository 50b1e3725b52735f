"""Runs the sheet: one confirmation for all of it, then one release after the other."""

from __future__ import annotations

import dataclasses
import math
from functools import partial
from typing import TYPE_CHECKING, Any

from app.jobs.channels import Failure
from app.jobs.tasks import JobTask
from app.model import lazy
from app.model.budget import Budget
from app.model.ledger import AnyLedger, about_release
from app.model.pages.workspaces import QUESTIONS_VIEW
from app.model.questions import AskedQuestion, ReleasedQuestion
from app.model.release_record import ReleaseRecord, about_data
from app.model.wording.console import counted
from app.model.wording.numbers import number
from app.pages.base.view import View
from app.panels.release_questions import OverspendingDialog, SheetSpendingDialog
from app.window.budget_watcher import COSTLESS, BudgetWatcher, account_of
from app.window.parts import WindowParts
from app.window.release_confirmation import SpendingController
from engine.privacy import PERSON, ROW_STEPS

if TYPE_CHECKING:
    from app.model.state import SessionState
    from app.pages.questions.page import QuestionsPage
    from app.pages.questions.planning import RowPlan, SheetPlan
    from engine.ledger import Cost, Overspent

CHANGED = "The settings have changed. Nothing was released: press Run again"
TOO_MUCH = (
    "This sheet would exceed the limit of {title}: nothing was released or spent; see the budget (Ctrl+B)"
)


@dataclasses.dataclass(frozen=True, eq=False)
class SheetRun:
    """A run of the sheet: its plan and state, what the user has agreed to, and the data of each row."""

    plan: SheetPlan
    state: SessionState
    over: bool = False
    apart: bool = False
    data: tuple[Any, ...] = dataclasses.field(default=(), repr=False)

    @property
    def rows(self) -> tuple[tuple[AskedQuestion, RowPlan], ...]:
        rows = {row.key: row for row in self.plan.request.rows}
        return tuple((rows[one.key], one) for one in self.plan.rows)

    @property
    def row_steps(self) -> int:
        """Number of records that one row of the file can change."""
        return ROW_STEPS[PERSON] if self.plan.request.declarations.person else 1

    def costs(self) -> list[Cost]:
        """Return the cost of each open row."""
        from engine.ledger import Cost

        rows = self.plan.request.declarations.rows_of_person
        planned = [one.planned for one in self.plan.rows if one.planned is not None]
        return [Cost.of(one.resolved.mechanism, one.privacy, one.resolved.domain, rows) for one in planned]


def check(run: SheetRun, ledger: AnyLedger, task: JobTask) -> SheetRun:
    """Return the run with the data of its rows, if all of it may be released (in a worker).

    Raises `Overspent` if the whole sheet passes the limit, or `Resembling` if the data resemble others.
    """
    from app.pages.questions.planning import records
    from engine.ledger import SLACK, Cost, Overspent, compose

    account = account_of(run.state, ledger)
    first = run.plan.rows[0].planned
    assert first is not None
    account.check(first.resolved.mechanism, first.privacy, over=True, apart=run.apart)
    limit, costs = account.limit, run.costs()
    more = compose(costs, SLACK if limit is None else limit.extra)
    spent = account.spent()
    together = more if spent is None or more is None else spent + more
    if not run.over and limit is not None and together is not None and not together.within(limit):
        whole = Cost(more.basic, None, costs[0].neighbours) if more is not None else costs[0]
        raise Overspent(whole, limit, together, spent, account.title)
    data = records(run.plan.request.table, run.plan.request.declarations)
    read = []
    for _, row in run.rows:  # refuses wrong data before anything is released
        assert row.planned is not None
        task(0.0, "reading the data")
        read.append(row.planned.resolved.read(data))
    return dataclasses.replace(run, data=tuple(read))


def release(run: SheetRun, index: int, ledger: AnyLedger, task: JobTask) -> tuple[int, ReleaseRecord]:
    """Release one row (in a worker); return its key and its record."""
    row, plan = run.rows[index]
    planned, request = plan.planned, run.plan.request
    assert planned is not None
    about = ReleasedQuestion(request.table, row.question, request.declarations)
    account = account_of(run.state, ledger)
    mechanism = planned.resolved.mechanism
    facts = {
        **about_release(row.question.statistic, about.subject, mechanism),
        **about_data(about, about.treatment),
        "question": row.question.title,
    }
    made = account.release(
        mechanism,
        run.data[index],
        planned.privacy,
        facts,
        over=run.over,
        apart=run.apart,
        progress=task,
        settle=task.settle,
    )
    return row.key, ReleaseRecord.of(made, about, account.name, mechanism.inexact, about.treatment)


class SheetController(SpendingController):
    """Runs the sheet of the page *Questions*."""

    def __init__(self, parts: WindowParts, watcher: BudgetWatcher) -> None:
        super().__init__(parts, watcher)
        self._page: QuestionsPage | None = None
        self._run: SheetRun | None = None
        self._done = 0
        self._stopping = False  # after the row that is being released
        self.similar_data.settled.connect(self._confirm)
        self.similar_data.refused.connect(parts.status.show_message)
        self.channel = parts.jobs.channel("run the sheet", self._on_result, self._on_failed)
        self.channel.cancelled.connect(self._on_cancelled)

    def take_in(self, view: View) -> None:
        """Run the sheet of a page."""
        if view.name == QUESTIONS_VIEW.name and isinstance(view, lazy.QuestionsPage):
            self._page = view
            view.run_requested.connect(self.run)
            view.stop_requested.connect(self._stop)
            view.show_limit(self._watcher.budget)

    def run(self, plan: SheetPlan) -> None:
        """Release all open rows, after all confirmations."""
        state = self._session.state
        if plan.request.is_same(plan.request.of(state)) and not plan.problem and not self.channel.busy:
            self._run = SheetRun(plan, state)
            if similar := self.similar_data.pending(state):
                self.similar_data.ask(similar)
            else:
                self._confirm()

    def _confirm(self) -> None:
        """Ask for a first limit, or whether to spend, where the settings say so."""
        run, budget = self._run, self._watcher.budget
        if run is None:
            return
        state = run.state
        assert state.table is not None
        run = self._run = dataclasses.replace(run, apart=self._watcher.is_apart(state))
        chosen = budget is None or budget.limit_chosen or state.has_public_data
        if not chosen and self._settings["ask"] != "never":
            self._ask_limit(state.table.title, run.row_steps * run.plan.cost, self._delta)
        elif self._settings["ask"] == "always":
            heading = f"Release {counted(len(run.rows), 'answer')} about {state.table.title}?"
            delta = run.plan.request.budget.delta
            question = SheetSpendingDialog(heading, run.plan.cost, delta, self._window)
            question.agreed.connect(self._start)
            self._open_dialog(question)
        else:
            self._start()

    def _on_budget(self, budget: Budget | None) -> None:
        if self._page is not None:
            self._page.show_limit(budget)
        super()._on_budget(budget)

    def _go_on(self) -> None:
        self._start()

    def _start(self, *, over: bool = False) -> None:
        """Check the whole sheet, and then release row after row."""
        if self._run is not None:
            self._run = dataclasses.replace(self._run, over=over)
            self._done = 0
            self._stopping = False
            self.channel.request(partial(check, self._run, self._session.ledger))

    def _start_over(self) -> None:
        self._start(over=True)

    def _on_result(self, result: object) -> None:
        run = self._run
        if run is None:
            return
        if isinstance(result, SheetRun):
            run = self._run = result
        elif isinstance(result, tuple):
            key, record = result
            assert run.state.table is not None
            self._session.release_question(key, record, run.state.table.digest)
            self._done += 1
        if self._stopping and self._done < len(run.rows):
            self._on_cancelled()
            return
        if self._done < len(run.rows):
            self.channel.request(partial(release, run, self._done, self._session.ledger))
            return
        self._run = None
        self._status.show_message(f"Released {counted(self._done, 'answer')} for ε = {number(run.plan.cost)}")

    def _on_failed(self, failure: Failure) -> None:
        from engine.ledger import Overspent, Resembling

        run = self._run
        if isinstance(failure.error, Overspent) and run is not None and not self._done:
            self._ask_over(failure.error)
        elif isinstance(failure.error, Resembling) and run is not None:
            self.similar_data.ask(failure.error.similar)
            self._watcher.refresh()
        else:
            self._run = None
            self._status.show_failure(failure)

    def _ask_over(self, overspent: Overspent) -> None:
        assert self._run is not None
        table = self._run.state.table
        assert table is not None
        if self._settings["ask"] == "never":
            self._run = None
            self._status.show_message(TOO_MUCH.format(title=table.title))
            return
        left = self._epsilon_left(overspent)
        dialog = OverspendingDialog(table.title, overspent, left, self._window)
        dialog.agreed.connect(self._start_over)
        dialog.reduced.connect(self._reduce)
        self._open_dialog(dialog)

    def _epsilon_left(self, overspent: Overspent) -> float | None:
        """Return the largest total of the sheet that the limit allows; None if there is none."""
        spent = 0.0 if overspent.spent is None else overspent.spent.basic.epsilon
        left = overspent.limit.epsilon - spent
        if not math.isfinite(left) or left <= 1e-6 * overspent.limit.epsilon:
            return None
        assert self._run is not None
        budget, cost = self._run.plan.request.budget.epsilon, self._run.plan.cost
        return float(f"{budget - cost + left / self._run.row_steps * (1 - 1e-9):.10g}")

    def _reduce(self, epsilon: float) -> None:
        """Plan the sheet with what is left; the user runs it then."""
        self._run = None
        budget = dataclasses.replace(self._session.state.sheet_budget, epsilon=epsilon)
        self._session.edit("change the total ε", sheet_budget=budget)
        self._status.show_message("The total ε is what is left now: press Run again")

    def _stop(self) -> None:
        self._stopping = True

    def _on_cancelled(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            rest = len(run.rows) - self._done
            done = f"{counted(self._done, 'answer')} released; " if self._done else ""
            self._status.show_message(f"Cancelled: {done}{counted(rest, 'question')} spent nothing")

    def _decline(self) -> None:
        self._run = None
        self._status.show_message("Cancelled; nothing was released or spent")

    def _follow(self, fields: frozenset[str]) -> None:
        run = self._run
        if run is None or run.data or self.channel.busy or not fields - COSTLESS:
            return
        if not run.plan.request.is_same(run.plan.request.of(self._session.state)):
            self._run, self._waiting = None, False
            self.close()
            self._status.show_message(CHANGED)
