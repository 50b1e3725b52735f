"""The page "Questions"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from app.jobs.channels import Channel, Jobs
from app.model.budget import Budget
from app.model.pages.workspaces import DATA_VIEW
from app.model.questions import AskedQuestion, Rows, moved
from app.model.release_record import ReleaseRecord
from app.model.view_states import WallView
from app.model.wording.console import counted
from app.model.wording.numbers import number
from app.model.wording.typed_numbers import NumberError, parse_number
from app.pages.base.view import View
from app.pages.questions.ask_line import AskLine
from app.pages.questions.needed_dialog import NeededDialog
from app.pages.questions.planning import (
    REMEDIES,
    MethodChoice,
    MethodsRequest,
    NeededEpsilon,
    NeededRequest,
    PlanRequest,
    RowPlan,
    SameAccuracyRequest,
    SheetPlan,
    budget_words,
    sizes_of,
    with_boundary,
    with_share,
)
from app.pages.questions.sheet_table import SheetTable, lock_words
from app.releases.answers import answers
from app.session import Session
from app.widgets.buttons import push_button
from app.widgets.card import Card, Invitation, caption, plain
from app.widgets.combo_box import ClosesWith
from app.widgets.layouts import line_up, stack
from app.widgets.number_box import NumberBox
from app.widgets.open_invitation import OpenInvitation
from app.widgets.stacked_bar import BarPiece, ShareBar
from app.widgets.style import THEME
from engine.mechanisms.answer_rows import covers_population
from engine.privacy import Privacy
from engine.questions.question import BY_RANK, Question

FOLLOWED = frozenset(
    {"table", "declarations", "questions", "sheet_budget", "view", "workspace", "lesson", "releases"}
)
NO_TABLE = "For instance: median of salary by department. No budget is spent before you run your questions."
WHAT = "What do you want to know?"
NO_QUESTION = "Begin with one of these. No budget is spent before you run it."
NOT_DECLARED = "A question needs a column with public bounds or categories; no column has them yet."
DECLARE = "Declare columns on the page Data"
COVERS_NOISE = "The 95 % interval covers the noise alone, without sampling."
COVERS_POPULATION = "The 95 % interval covers noise and sampling."
INTERVAL_SHARE = 0.5
"""Share of the epsilon of a row that buys an interval."""
ROW_ACTIONS = (
    ("up", "Move &up", "Alt+Up"),
    ("down", "Move &down", "Alt+Down"),
    ("duplicate", "D&uplicate", "Ins"),
    ("share", "Type a &share", "F2"),
    ("interval", "&Interval for half of its ε", ""),
    ("population", "Interval for the &population", ""),
    ("needed", "Which &ε do I need?", ""),
    ("explain", "&Explain on its page", ""),
    ("remove", "&Remove", "Del"),
)


LOCKED = ("share", "interval", "population", "needed", "remove")
"""Actions that released rows do not have."""


class QuestionsPage(View):
    """A sheet of questions about the table."""

    name = "questions"
    opening: OpenInvitation
    action_help = "Release all open rows at once"

    run_requested = Signal(object)  # SheetPlan
    stop_requested = Signal()
    report_requested = Signal()
    open_requested = Signal()  # a sheet is to be opened
    save_requested = Signal()
    explain_requested = Signal(object)  # Question: show the page that explains it

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session, jobs)
        self.plan: SheetPlan | None = None
        self._asked: PlanRequest | None = None
        self._limit = ""
        self.planning = jobs.channel("plan of the sheet", self._on_plan, self.failed)
        self.searching = jobs.channel("search for the sheet", self._on_searched, self.failed)
        self.running = jobs.channel("run the sheet")
        self.running.busy_changed.connect(self._show_rows)
        self.needed: NeededDialog | None = None
        self._on_wall = False
        self._build()
        self._wire()
        session.watch(FOLLOWED, self, self.refresh)

    def _build(self) -> None:
        self.ask = AskLine()
        self.sheet = Card("Sheet", private=True)
        self.sheet.use_words()
        self.epsilon = NumberBox("Total ε of the sheet", logarithmic=True, lower=1e-6, upper=1e3)
        self.delta = NumberBox("Total δ of the sheet", logarithmic=True, lower=0.0, upper=0.5)
        for box in (self.epsilon, self.delta):
            box.setFixedWidth(84)
        self.epsilon.setToolTip("Cost of all questions together, for one record")
        self.delta.setToolTip("Above 0, the shares may add up by zCDP: less noise for many questions")
        self.budget = plain(name="caption")
        tip = "Share ε so that all errors are the same part of their possible range"
        self.same = push_button("S&ame accuracy for all", tip, self._share_equally)
        self.run_button = push_button("", clicked=self._on_run_button, name="run")
        self.run_button.setMinimumWidth(160)  # its words change
        self.bar = ShareBar("Shares of the total ε")
        self.bar.setToolTip("Drag a boundary to move budget from one question to the next")
        self.listing = SheetTable()
        THEME.changed.connect(self._show_rows)
        self.suggested = tuple(push_button("", clicked=self._suggest, name=name) for name in ("run", "", ""))
        for button in self.suggested:
            button.setMinimumWidth(60)  # a long name of a column does not widen the window
        self.empty = Invitation(WHAT, NO_QUESTION, *self.suggested, drawing="answers")
        self.note = caption()
        self.row_button = push_button("Ro&w", "Move, duplicate, remove or explain the selected row")
        self.row_menu = QMenu(self, toolTipsVisible=True)
        self.row_actions: dict[str, QAction] = {}
        for name, text, keys in ROW_ACTIONS:
            action = self.row_actions[name] = self.row_menu.addAction(text)
            action.setData(name)
            action.setShortcut(keys)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.listing.addActions(self.row_menu.actions())
        tips = {
            "interval": "Medians and quantiles have an interval only for a share of ε",
            "population": "It covers the value of the population from which the records are a random sample",
        }
        for name, tip in tips.items():
            self.row_actions[name].setCheckable(True)
            self.row_actions[name].setToolTip(tip)
        self.row_button.setMenu(self.row_menu)
        self.methods = QMenu(self)
        for menu in (self.row_menu, self.methods):
            ClosesWith(menu, self)
        self.open_button = push_button("&Open a sheet…", clicked=self.open_requested)
        self.save_button = push_button("Sa&ve the sheet…", clicked=self.save_requested)
        tip = "Save the answers as a page (HTML or PDF)"
        self.report_button = push_button("Re&port…", tip, self.report_requested)
        budget, foot = QWidget(), QWidget()
        total = QLabel("Total ε"), self.epsilon, QLabel("δ"), self.delta
        line_up(budget, *total, (self.budget, 1), self.same, self.run_button, spacing=6)
        self.sheet.put(budget, self.bar)
        for part in (self.empty, self.listing):
            self.sheet.body.addWidget(part, 1)
        tools = self.row_button, self.open_button, self.save_button, None, self.report_button
        line_up(foot, *tools, spacing=6)
        self.sheet.put(self.note, foot)
        self._desk_parts = budget, self.note, foot  # an audience does not need them
        self.nothing = Card("Questions")
        self.opening = OpenInvitation("Ask about a table", NO_TABLE, drawing="answers")
        self.nothing.put(self.opening)
        stack(self, (self.nothing, 1), self.ask, (self.sheet, 1), spacing=8)

    def _wire(self) -> None:
        self.ask.asked.connect(self.add)
        self.epsilon.edited.connect(self._on_budget_typed)
        self.delta.edited.connect(self._on_budget_typed)
        self.bar.moved.connect(self._on_boundary)
        listing = self.listing
        listing.moved.connect(self._move)
        listing.share_typed.connect(self._on_share_typed)
        listing.method_wanted.connect(self._ask_methods)
        listing.interval_wanted.connect(self._change_interval)
        listing.currentItemChanged.connect(self._enable)
        self.row_menu.triggered.connect(self._on_row_action)
        self.methods.triggered.connect(self._on_method)

    # Interface to the window.

    @property
    def action(self) -> str:
        is_open = any(row.released is None for row in self.rows)
        return "&Run the sheet" if is_open else super().action

    @property
    def headline(self) -> str:
        table, rows, budget = self._session.state.table, self.rows, self._session.state.sheet_budget
        if table is None or not rows:
            return (
                "Open a table to ask about it."
                if table is None
                else f"Choose a question about {table.title}."
            )
        if all(row.released for row in rows):
            return f"{counted(len(rows), 'answer')} about {table.title}, with 95 % intervals where possible."
        if len(rows) == 1:
            return f"The question gets ε = {number(budget.epsilon)}: the larger ε, the smaller the error."
        text = f"{len(rows)} questions share ε = {number(budget.epsilon)}"
        return f"{text}: the larger its share, the smaller the error."

    def show_wall(self, wall: WallView | None) -> None:
        self._on_wall = wall is not None
        for card in (self.sheet, self.nothing):
            card.show_heading(wall is None)
        for part in (*self._desk_parts, self.empty.title, self.opening.title):  # the headline names it
            part.setVisible(wall is None)
        self.refresh()

    @property
    def channels(self) -> tuple[Channel, ...]:
        return self.running, self.searching

    @property
    def pending(self) -> bool:
        return self.planning.busy

    def cancel(self) -> None:
        self.stop_requested.emit()
        super().cancel()

    @property
    def ready(self) -> bool:
        """Whether the sheet can be run."""
        plan = self.plan
        current = plan is not None and plan.request.is_same(PlanRequest.of(self._session.state))
        return bool(plan is not None and current and not plan.problem and not self.running.busy)

    def is_ready(self, form: bool) -> bool:
        return self.ready

    def run(self) -> bool:
        if self.ready:
            self.run_requested.emit(self.plan)
        return True

    def take(self) -> bool:
        return self.run()

    @property
    def table(self) -> tuple[str, list[str], list[list[Any]]] | None:
        rows = [
            [row.question.title, one.group, *map(_cell, (one.value, one.low, one.high)), epsilon]
            for row in self.rows
            if row.released is not None
            for epsilon in [row.released.release.privacy.epsilon]
            for one in answers(row.released)
        ]
        return ("answers", ["question", "group", "value", "low", "high", "epsilon"], rows) if rows else None

    def show_limit(self, budget: Budget | None) -> None:
        """Say how much of the limit is left."""
        self._limit = left_words(budget)
        self._show_budget()

    # Edits.

    @property
    def rows(self) -> Rows:
        return self._session.state.questions

    def add(self, question: Question) -> None:
        """Add a question at the end of the sheet."""
        row = AskedQuestion(question)
        self._edit(f"add {question.title}", (*self.rows, row))
        self.listing.choose(row.key)

    def _edit(self, text: str, rows: Rows, merge: str = "") -> None:
        self._session.edit(text, merge=merge, questions=rows)

    def _index(self, key: int) -> int:
        return next(index for index, row in enumerate(self.rows) if row.key == key)

    def _move(self, key: int, to: int) -> None:
        if 0 <= to < len(self.rows):
            self._edit("move a question", moved(self.rows, self._index(key), to))

    def _change(self, text: str, key: int, **changes: Any) -> None:
        """Change a row."""
        self._edit(text, tuple(row.but(**changes) if row.key == key else row for row in self.rows))

    def _duplicate(self, key: int) -> None:
        index = self._index(key)
        copy = AskedQuestion(self.rows[index].question)
        self._edit("duplicate a question", (*self.rows[: index + 1], copy, *self.rows[index + 1 :]))

    def _on_budget_typed(self) -> None:
        epsilon, delta = self.epsilon.value, self.delta.value
        if epsilon is not None and delta is not None:
            merge = "sheet budget"
            self._session.edit("change the total ε", merge=merge, sheet_budget=Privacy(epsilon, delta))

    def _on_boundary(self, index: int, share: float) -> None:
        keys = [row.key for row in self.rows]
        if self.plan is not None and keys == [row.key for row in self.plan.request.rows]:
            self._edit("move budget", with_boundary(self.plan, keys, index, share), "move budget")

    def _on_share_typed(self, key: int, text: str) -> None:
        try:
            epsilon = parse_number(text)
            problem = "" if epsilon > 0 else "A share of ε must be above 0"
        except NumberError as error:
            problem = str(error)
        if problem:
            self.refused.emit(problem)
            self._show_rows()
        else:
            self._give(key, epsilon)

    def _give(self, key: int, epsilon: float) -> None:
        """Give a row another epsilon; those of the others stay."""
        if self.plan is not None and self.plan.request.is_same(PlanRequest.of(self._session.state)):
            rows, total = with_share(self.plan, key, epsilon)
            self._session.edit("change a share", questions=rows, sheet_budget=total)

    def _share_equally(self) -> None:
        if self.plan is not None and not self.plan.problem:
            self.searching.request(SameAccuracyRequest(self.plan).compute)

    def _ask_methods(self, key: int) -> None:
        if self.plan is not None:
            self.searching.request(MethodsRequest(self.plan, key).compute)

    def _on_searched(self, result: object) -> None:
        if isinstance(result, dict):
            rows = tuple(row.but(weight=result[row.key]) if row.key in result else row for row in self.rows)
            self._edit("same accuracy for all", rows)
        elif isinstance(result, NeededEpsilon):
            if self.needed is not None:
                self.needed.show_result(result)
        elif isinstance(result, tuple):
            self._offer_methods(result)

    def _offer_methods(self, choices: Sequence[MethodChoice]) -> None:
        self.methods.clear()
        questions = {row.key: row.question for row in self.rows}
        choices = [choice for choice in choices if choice.key in questions]
        for choice in choices:
            text = f"{choice.label}   {choice.error}".rstrip().replace("&", "&&")
            action = self.methods.addAction(text)
            action.setData((choice.key, choice.name))
            action.setCheckable(True)
            action.setChecked(questions[choice.key].method == choice.name)
        if not choices:
            self.methods.addAction("Noisy counts are the only method here").setEnabled(False)
        item = self.listing.currentItem()
        rect = self.listing.visualItemRect(item) if item is not None else self.listing.rect()
        at = QPoint(self.listing.columnViewportPosition(3), rect.bottom())
        self.methods.popup(self.listing.viewport().mapToGlobal(at))

    def _on_method(self, action: QAction) -> None:
        if action.data() is not None:
            key, name = action.data()
            self._change("change the method", key, method=name)

    def _on_row_action(self, action: QAction) -> None:
        key = self.listing.key
        if key is None:
            return
        index = self._index(key)
        match action.data():
            case "up":
                self._move(key, index - 1)
            case "down":
                self._move(key, index + 1)
            case "duplicate":
                self._duplicate(key)
            case "share":
                self.listing.type_share()
            case "interval":
                share = None if self.rows[index].question.interval else INTERVAL_SHARE
                self._change_interval(key, share)
            case "population":
                question = self.rows[index].question
                self._change_interval(key, question.interval or INTERVAL_SHARE, not question.population)
            case "needed":
                self._ask_needed(key)
            case "explain":
                self.explain_requested.emit(self.rows[index].question)
            case "remove":
                self._edit("remove a question", tuple(row for row in self.rows if row.key != key))

    def _change_interval(
        self, key: int, share: float | None = INTERVAL_SHARE, population: bool = False
    ) -> None:
        self._change("change the interval", key, interval=share, population=population)

    def _ask_needed(self, key: int) -> None:
        if self.plan is None:
            return
        dialog = NeededDialog(key, self.rows[self._index(key)].question.title, self)
        dialog.wanted.connect(self._search_epsilon)
        dialog.taken.connect(self._give)
        dialog.finished.connect(self._on_needed_closed)
        self.needed = dialog
        dialog.open()

    def _search_epsilon(self, key: int, error: float) -> None:
        if self.plan is not None:
            self.searching.request(NeededRequest(self.plan, key, error).compute)

    def _on_needed_closed(self, _: int) -> None:
        self.needed = None

    def _on_run_button(self) -> None:
        if self.running.busy:
            self.cancel()
        elif not self.is_stopped():
            self.run()

    # Following the session.

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        if not self.is_open:
            return
        state, request = self._session.state, PlanRequest.of(self._session.state)
        there = state.table is not None
        self.nothing.setVisible(not there)
        self.ask.setVisible(there and not (self._on_wall and self.rows))
        self.sheet.setVisible(there)
        if state.table is None or request is None:
            return
        self.ask.show_columns(state.table.table.columns, state.declarations)
        if self._asked is None or not self._asked.is_same(request):
            self._asked = request
            self.planning.request(request.compute, live=True)
        self.epsilon.set_value(state.sheet_budget.epsilon)
        self.delta.set_value(state.sheet_budget.delta)
        self._show_rows()

    def _show_suggestions(self) -> None:
        """Offer first questions, or the page Data while no column is declared."""
        texts = [one.as_text() for one in self.ask.suggestions]
        self.empty.text.setText(NO_QUESTION if texts else NOT_DECLARED)
        for button, text in zip(self.suggested, [*(texts or [DECLARE]), "", ""], strict=False):
            button.setVisible(bool(text))
            button.setText(text.replace("&", "&&"))
            button.setAccessibleName(f"Ask: {text}" if texts else text)

    def _suggest(self) -> None:
        if self.ask.suggestions:
            self.add(self.ask.suggestions[[button is self.sender() for button in self.suggested].index(True)])
        else:
            self._session.show_page(DATA_VIEW.name)

    def _on_plan(self, plan: SheetPlan) -> None:
        if plan.request.is_same(self._asked):
            self.plan = plan
            self._show_rows()

    def _show_rows(self) -> None:
        if not self.is_open or self._session.state.table is None:
            return
        rows, plan = self.rows, self.plan
        plans = {} if plan is None else {one.key: one for one in (*plan.rows, *plan.released)}
        self.listing.show_rows(rows, plans)
        self.listing.show_wall(self._on_wall, rows)
        self.empty.setVisible(not rows)
        self.listing.setVisible(bool(rows))
        self._show_suggestions()
        sizes = sizes_of(rows, plan)
        pieces = [
            BarPiece(row.question.title, sizes[row.key], f"ε = {number(sizes[row.key])}") for row in rows
        ]
        answered = self._on_wall and any(row.released for row in rows)
        self.bar.setVisible(len(rows) > 1 and any(sizes.values()) and not answered)
        self.bar.locked = frozenset(
            index for index, row in enumerate(rows) if row.released is not None or not sizes[row.key]
        )
        self.bar.show_pieces(pieces)
        self.sheet.set_title(f"Sheet about {self._title}")
        self._show_budget()
        self._enable()

    @property
    def _title(self) -> str:
        table, plan = self._session.state.table, self.plan
        assert table is not None
        return table.title if plan is None else f"{table.title}, n = {number(plan.n, 12)}"

    def _show_budget(self) -> None:
        self.budget.setText(budget_words(self.plan, self.rows, self._limit))

    def _enable(self) -> None:
        rows, plan, key = self.rows, self.plan, self.listing.key
        open_rows = [row for row in rows if row.released is None]
        busy = self.running.busy
        text = f"&Run {len(open_rows)} question{'s' * (len(open_rows) != 1)}" if open_rows else "&Run"
        self.run_button.setText("&Cancel" if busy else text)
        self.run_button.setEnabled(busy or self.ready)
        why = "Stop; released rows stay" if busy else "Release all open rows at once (Ctrl+R)"
        noisy = "" if plan is None else next((one.warning for one in plan.rows if one.warning), "")
        problem = "" if plan is None or busy else plan.problem or noisy
        self.run_button.setToolTip(problem or why)
        if self.run_button.property("secondary") != bool(noisy):
            self.run_button.setProperty("secondary", bool(noisy))
            self.run_button.style().polish(self.run_button)
        self.same.setEnabled(len(open_rows) > 1 and plan is not None and not plan.problem)
        self.save_button.setEnabled(bool(rows))
        self.report_button.setEnabled(len(open_rows) < len(rows))
        self.row_button.setEnabled(key is not None)
        row = None if key is None else self.rows[self._index(key)]
        released = row is not None and row.released is not None
        for name, action in self.row_actions.items():
            action.setEnabled(not (released and name in LOCKED))
        question = None if row is None else row.question
        by_rank = question is not None and not released and question.statistic in BY_RANK
        for name in ("interval", "population"):
            self.row_actions[name].setEnabled(by_rank)
            self.row_actions[name].setChecked(question is not None and bool(getattr(question, name)))
        self.note.setText("" if row is None or plan is None else _note(plan, row))
        self.note.setVisible(not self._on_wall)  # an empty line keeps its room
        self.purpose_changed.emit()


def _note(plan: SheetPlan, row: AskedQuestion) -> str:
    """Say what the expected error of a row assumes, or what its answer covers."""
    plans = (one for one in (*plan.rows, *plan.released) if one.key == row.key)
    planned = next(plans, RowPlan(row.key))
    if row.released is not None:
        return f"{lock_words(row.released)} {planned.warning or _coverage(row.released)}".rstrip()
    if planned.warning:
        return f"{planned.warning} {REMEDIES}"
    if not planned.error:
        return planned.problem or planned.reason
    return f"95 % of releases stay within {planned.error}, {planned.model or 'for all data'}"


def _coverage(record: ReleaseRecord) -> str:
    """Say what the intervals of a release cover; "" without one."""
    if not any(one.interval for one in answers(record)):
        return ""
    return COVERS_POPULATION if covers_population(record.release) else COVERS_NOISE


def _cell(value: float | None) -> float | str:
    return "" if value is None else value


def left_words(budget: Budget | None) -> str:
    """Say how much of the limit of the data is left; "" without a limit."""
    if budget is None or budget.limit is None:
        return ""
    used = 0.0 if budget.spent is None else budget.spent.tightest.epsilon
    return f"{number(max(0.0, budget.limit.epsilon - used))} of {number(budget.limit.epsilon)} left"
