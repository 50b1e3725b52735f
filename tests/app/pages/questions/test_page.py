"""The page "Questions": a sheet that is planned, edited, run once, and locked row by row."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lent_windows import started
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt
from PySide6.QtGui import QDropEvent, QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from released_answers import record
from tables import declare, open_table

from app.model.questions import AskedQuestion
from app.pages.questions.ask_line import askable, suggested
from app.pages.questions.page import COVERS_NOISE
from app.pages.questions.planning import REMEDIES, SPENT
from app.pages.questions.sheet_table import (
    ANSWER,
    BUY,
    ERROR,
    INTERVAL,
    METHOD,
    PROBLEM,
    QUESTION,
    SHARE,
    WHISKER,
    WHISKERS,
    SheetTable,
)
from app.session import Session
from app.widgets.style import THEME
from engine.data import Column
from engine.data.categories import OTHER
from engine.ledger import Ledger, Limit
from engine.privacy import Privacy
from engine.questions.declarations import ColumnDeclaration, Declarations
from engine.questions.question import Question
from engine.questions.words import read_question

pytestmark = pytest.mark.usefixtures("undrawn")

QUESTIONS = ("median of salary by team", "mean of salary where age >= 30", "count by team")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table of 600 employees, some without a salary."""
    path = tmp_path_factory.mktemp("sheet") / "staff.csv"
    lines = (
        f"{20 + index % 45},{'' if index % 50 == 0 else 100 * index},{'ABC'[index % 3]}"
        for index in range(600)
    )
    path.write_text("age,salary,team\n" + "\n".join(lines), "utf-8")
    return path


@pytest.fixture
def window(qtbot: Any, tmp_path: Path, file: Path) -> Iterator[Any]:
    """Return a window on the page, with a declared table and an empty sheet."""
    with started(Session(ledger=Ledger(tmp_path / "ledger.sqlite"))) as window:
        open_table(window, file)
        declare(window, "salary", lower=0, upper=60_000, resolution=1, unit="$")
        declare(window, "team", categories=("A", "B", "C"))
        window.session.show_page("questions")
        assert window.wait_until_idle()
        yield window


@pytest.fixture
def asked(window: Any) -> Any:
    """Return the window with three questions."""
    for text in QUESTIONS:
        ask(window, text)
    return window


def ask(window: Any, text: str) -> None:
    """Type a question, and press Return."""
    window.page.ask.line.setText(text)
    QTest.keyClick(window.page.ask.line, Qt.Key.Key_Return)
    assert window.wait_until_idle()


def run(window: Any) -> None:
    """Run the sheet, without a limit."""
    window.page.run_button.click()
    assert window.wait_until_idle()
    dialog = window.controllers.sheet.dialog
    if dialog is not None:
        dialog.answers[None].click()
    assert window.wait_until_idle()


def texts(window: Any, column: int) -> list[str]:
    """Return a column of the rows, without their groups."""
    listing = window.page.listing
    return [listing.topLevelItem(index).text(column) for index in range(listing.topLevelItemCount())]


def words(window: Any) -> list[str]:
    """Return the questions of the session."""
    return [row.question.as_text() for row in window.session.state.questions]


def test_without_a_table_the_page_opens_an_example(qtbot: Any) -> None:
    with started() as window:
        window.session.show_page("questions")
        assert window.wait_until_idle()
        assert not window.page.sheet.isVisible()
        examples = window.page.opening.examples
        examples.fill()
        next(action for action in examples.actions() if action.data() == "salaries").trigger()
        assert window.wait_until_idle()
        assert window.session.state.workspace == "questions"
        assert window.page.empty.isVisible()


def test_rows_show_their_plan_before_anything_is_spent(asked: Any) -> None:
    assert texts(asked, QUESTION) == list(QUESTIONS)
    assert texts(asked, SHARE) == ["0.333"] * 3
    assert all(text.startswith("±") for text in texts(asked, ERROR))
    assert texts(asked, METHOD)[0] == "Choice by rank"
    assert texts(asked, ANSWER) == [""] * 3
    assert asked.page.run_button.text() == "&Run 3 questions"
    assert asked.page.budget.text() == ""  # the total says it
    assert "each part has" in asked.page.note.text() or "for all data" in asked.page.note.text()
    assert asked.session.state.releases == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("medain of salary", "median"),
        ("median of salry", "salary"),
        ("median of salary where", "where"),
    ],
)
def test_a_question_that_cannot_be_read_says_what_would_be_right(
    window: Any, text: str, problem: str
) -> None:
    ask(window, text)
    assert problem in window.page.ask.problem.text()
    assert words(window) == []
    ask(window, "median of salary")
    assert window.page.ask.problem.text() == ""


def test_the_line_proposes_what_the_fields_say_and_typing_replaces_it(window: Any) -> None:
    ask = window.page.ask
    assert (ask.line.text(), ask.line.placeholderText()) == ("median of salary by team", "")
    assert (ask.statistic.currentData(), ask.by.currentData()) == ("median", "team")
    ask.add.click()
    assert words(window) == ["median of salary by team"]
    assert ask.line.text() == "median of salary by team"
    QApplication.sendEvent(ask.line, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.MouseFocusReason))
    QTest.qWait(0)
    QTest.keyClicks(ask.line, "count")
    assert ask.line.text() == "count"


def test_before_the_first_question_the_wall_names_the_data(window: Any) -> None:
    title = window.session.state.table.title
    assert window.page.headline == f"Choose a question about {title}."
    ask(window, "median of salary")
    assert window.page.headline == "The question gets ε = 1: the larger ε, the smaller the error."


def test_a_question_without_declared_bounds_stops_the_run(window: Any) -> None:
    ask(window, "median of age")
    problem = window.page.listing.topLevelItem(0).data(ERROR, PROBLEM)
    assert "age" in problem
    assert "bounds" in problem
    assert not window.page.run_button.isEnabled()
    assert "bounds" in window.page.run_button.toolTip()
    declare(window, "age", lower=18, upper=70)
    assert window.wait_until_idle()
    assert window.page.run_button.isEnabled()


def test_fields_write_the_words(window: Any) -> None:
    page = window.page.ask
    for box, value in ((page.statistic, "mean"), (page.column, "salary"), (page.by, "team")):
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())
    page.where.setFocus()
    QTest.keyClicks(page.where, "age >= 30")
    page.where.editingFinished.emit()
    assert page.line.text() == "mean of salary by team where age >= 30"
    page.add.click()
    assert words(window) == ["mean of salary by team where age >= 30"]
    assert page.line.text() == "mean of salary by team"


def test_words_are_shown_in_the_fields(window: Any) -> None:
    page = window.page.ask
    page.line.selectAll()
    QTest.keyClicks(page.line, "sum of salary by team where age < 40")
    page.completer.popup.hide()
    assert (page.statistic.currentData(), page.column.currentData()) == ("sum", "salary")
    assert (page.by.currentData(), page.where.text()) == ("team", "age < 40")


def test_fields_change_one_part_of_the_words_and_keep_the_rest(window: Any) -> None:
    page = window.page.ask
    page.line.selectAll()
    QTest.keyClicks(page.line, "quantile 0.75 of salary where age >= 30 and age < 40")
    page.completer.popup.hide()
    page.by.setCurrentIndex(page.by.findData("team"))
    page.by.activated.emit(page.by.currentIndex())
    assert page.line.text() == "quantile 0.75 of salary by team where age >= 30 and age < 40"
    page.line.clear()
    QTest.keyClicks(page.line, "table of team and age")
    page.completer.popup.hide()
    page.by.setCurrentIndex(0)
    page.by.activated.emit(0)
    assert page.line.text() == "table of team and age"


def test_a_new_question_begins_without_the_condition_of_the_last_one(window: Any) -> None:
    page = window.page.ask
    ask(window, "mean of salary where age >= 30")
    page.statistic.activated.emit(page.statistic.currentIndex())
    assert "where" not in page.line.text()


def test_tab_completes_a_word(window: Any) -> None:
    line, completer = window.page.ask.line, window.page.ask.completer
    line.selectAll()
    QTest.keyClicks(line, "median of sal")
    assert completer.popup.isVisible()
    QTest.keyClick(line, Qt.Key.Key_Tab)
    assert line.text() == "median of salary "
    assert not completer.popup.isVisible()


def test_rows_move_duplicate_and_go_and_all_of_it_is_undone(asked: Any) -> None:
    session, listing = asked.session, asked.page.listing
    listing.choose(session.state.questions[0].key)
    asked.activateWindow()
    listing.setFocus()
    assert asked.wait_until_idle()
    QTest.keyClick(listing, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert words(asked) == [QUESTIONS[1], QUESTIONS[0], QUESTIONS[2]]
    QTest.keyClick(listing, Qt.Key.Key_Insert)
    assert words(asked) == [QUESTIONS[1], QUESTIONS[0], QUESTIONS[0], QUESTIONS[2]]
    QTest.keyClick(listing, Qt.Key.Key_Delete)
    assert words(asked) == [QUESTIONS[1], QUESTIONS[0], QUESTIONS[2]]
    for _ in range(3):
        session.stacks.undo()
    assert words(asked) == list(QUESTIONS)
    assert session.undo_stack.undoText() == f"add {QUESTIONS[2]}"
    assert asked.wait_until_idle()


def test_a_row_is_dragged_to_another_place(asked: Any) -> None:
    listing = asked.page.listing
    listing.choose(asked.session.state.questions[2].key)
    onto = listing.visualItemRect(listing.topLevelItem(0)).center()
    actions, buttons = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton
    event = QDropEvent(QPointF(onto), actions, QMimeData(), buttons, Qt.KeyboardModifier.NoModifier)
    listing.dropEvent(event)
    assert words(asked) == [QUESTIONS[2], *QUESTIONS[:2]]
    assert listing.key == asked.session.state.questions[0].key


def test_shares_are_dragged_typed_and_made_equal(asked: Any) -> None:
    page = asked.page
    page.bar.moved.emit(0, 0.5)
    assert asked.wait_until_idle()
    assert texts(asked, SHARE) == ["0.5", "0.167", "0.333"]
    key = asked.session.state.questions[2].key
    page.listing.share_typed.emit(key, "1")
    assert asked.wait_until_idle()
    assert texts(asked, SHARE) == ["0.5", "0.167", "1"]
    assert page.epsilon.value == pytest.approx(5 / 3)
    page.same.click()
    assert asked.wait_until_idle()
    shares = [row.privacy.epsilon for row in page.plan.rows]
    assert sum(shares) == pytest.approx(5 / 3)
    assert shares[0] != pytest.approx(0.5)


@pytest.mark.parametrize("typed", ["x", "0", "-1"])
def test_a_share_that_is_not_possible_gives_way(asked: Any, typed: str) -> None:
    item = asked.page.listing.topLevelItem(0)
    item.setText(SHARE, typed)
    assert asked.wait_until_idle()
    assert texts(asked, SHARE) == ["0.333"] * 3
    assert len(asked.body.messages.texts()) == 1


def test_methods_are_offered_with_their_errors(window: Any) -> None:
    declare(window, "salary", lower=0, upper=60_000, resolution=1, missing="refuse")
    ask(window, "mean of salary")
    page = window.page
    page.listing.choose(window.session.state.questions[0].key)
    page.listing.method_wanted.emit(page.listing.key)
    assert window.wait_until_idle()
    offered = {action.data()[1]: action for action in page.methods.actions()}
    assert "±" in offered["laplace"].text()
    assert offered["auto"].isChecked()
    offered["smooth"].trigger()
    page.methods.hide()
    assert window.session.state.questions[0].question.method == "smooth"


def test_a_median_buys_an_interval(asked: Any) -> None:
    page = asked.page
    page.listing.choose(asked.session.state.questions[0].key)
    page.row_actions["interval"].trigger()
    assert asked.wait_until_idle()
    assert asked.session.state.questions[0].question.interval == 0.5
    assert texts(asked, INTERVAL)[0].startswith("for 50")
    run(asked)
    assert " to " in page.listing.topLevelItem(0).child(0).text(INTERVAL)
    page.listing.choose(asked.session.state.questions[1].key)
    assert not page.row_actions["interval"].isEnabled()


def test_a_click_buys_the_interval_of_a_median(asked: Any) -> None:
    listing = asked.page.listing
    assert texts(asked, INTERVAL) == [BUY, "", ""]
    listing.itemClicked.emit(listing.topLevelItem(1), INTERVAL)
    assert words(asked) == list(QUESTIONS)
    listing.itemClicked.emit(listing.topLevelItem(0), INTERVAL)
    assert asked.session.state.questions[0].question.interval == 0.5
    assert asked.wait_until_idle()


def test_an_audience_sees_questions_and_then_answers_with_intervals(asked: Any) -> None:
    page, listing = asked.page, asked.page.listing
    appearance, sentence = asked.controllers.appearance, asked.body.sentence
    before = visible_columns(listing)
    appearance.set_presentation(True)
    assert asked.wait_until_idle()
    assert visible_columns(listing) == [QUESTION, SHARE, ERROR]
    assert sentence.text() == "3 questions share ε = 1: the larger its share, the smaller the error."
    assert not any(
        one.isVisible() for one in (page.ask, page.epsilon, page.row_button, asked.body.navigation)
    )
    assert page.bar.isVisible()
    assert asked.body.run.isVisible()
    appearance.set_presentation(False)
    assert asked.wait_until_idle()
    assert visible_columns(listing) == before
    run(asked)
    appearance.set_presentation(True)
    assert asked.wait_until_idle()
    assert visible_columns(listing) == [QUESTION, ANSWER, INTERVAL, WHISKER]
    assert sentence.text() == "3 answers about staff.csv, with 95 % intervals where possible."
    assert not any(one.isVisible() for one in (page.bar, asked.body.run))
    assert listing.verticalScrollBar().maximum() == 0
    asked.actions_by_name["controls"].trigger()  # F9
    assert asked.wait_until_idle()
    assert page.ask.isVisible()
    assert asked.body.navigation.isVisible()
    assert not sentence.isVisible()
    asked.actions_by_name["controls"].trigger()
    appearance.set_presentation(False)
    assert asked.wait_until_idle()
    assert page.ask.isVisible()


def visible_columns(listing: SheetTable) -> list[int]:
    """Return the columns of the sheet that are not hidden."""
    return [column for column in range(listing.columnCount()) if not listing.isColumnHidden(column)]


def test_intervals_of_groups_stand_on_one_scale_with_its_ends(asked: Any) -> None:
    listing = asked.page.listing
    run(asked)
    assert listing.topLevelItem(0).data(WHISKER, WHISKERS) is None  # a median without an interval
    assert listing.topLevelItem(1).data(WHISKER, WHISKERS) is None  # a single number has no scale
    counts = listing.topLevelItem(2)
    scale, bars = (
        counts.data(WHISKER, WHISKERS),
        [counts.child(index).data(WHISKER, WHISKERS) for index in range(4)],
    )
    assert {(bar.lower, bar.upper) for bar in bars} == {(scale.lower, scale.upper)}
    assert scale.lower == min(bar.answer.low for bar in bars)
    assert scale.upper == max(bar.answer.high for bar in bars)
    asked.page.grab()  # draws them


def test_a_note_says_what_an_interval_covers(asked: Any) -> None:
    run(asked)
    listing, rows = asked.page.listing, asked.session.state.questions
    listing.choose(rows[1].key)
    assert COVERS_NOISE in asked.page.note.text()
    listing.choose(rows[0].key)
    assert COVERS_NOISE not in asked.page.note.text()


def test_an_answer_that_would_be_mostly_noise_warns(window: Any) -> None:
    ask(window, "mean of salary by team")
    page = window.page
    assert page.note.text().startswith("95 %")
    assert not page.run_button.property("secondary")
    page.epsilon.type_in("0.01")
    assert window.wait_until_idle()
    assert texts(window, ERROR)[0].endswith("%)")
    assert page.note.text().startswith("Mostly noise")
    assert page.note.text().endswith(REMEDIES)
    assert page.run_button.property("secondary")
    assert page.run_button.isEnabled()
    run(window)
    group = page.listing.topLevelItem(0).child(0)
    assert group.foreground(ANSWER).color().name() == THEME.palette.muted.lower()
    assert "Mostly noise" in page.note.text()


def test_other_bounds_say_nothing_about_the_error_of_a_release(asked: Any) -> None:
    run(asked)
    declare(asked, "salary", lower=0, upper=90_000, resolution=1, unit="$")
    assert asked.wait_until_idle()
    assert texts(asked, ERROR)[:2] == ["", ""]
    assert texts(asked, ERROR)[2].startswith("±")


@pytest.mark.parametrize(("text", "name"), [("count", OTHER), ("mean of salary", f"{OTHER} (may be empty)")])
def test_a_group_other_may_be_empty_unless_it_is_counted(text: str, name: str) -> None:
    groups = {"A": [4.0, 6.0], OTHER: [-20.0, 90.0]}
    value = {"groups": [{"group": one, "value": 5.0, "interval": ends} for one, ends in groups.items()]}
    made = record(value, query=text.split()[0])
    table, row = SheetTable(), AskedQuestion(read_question(f"{text} by team"), made)
    table.show_rows([row], {})
    item = table.topLevelItem(0)
    assert item.child(1).text(QUESTION) == name
    scale = item.data(WHISKER, WHISKERS)
    assert (scale.lower, scale.upper) == ((-20.0, 90.0) if name == OTHER else (4.0, 6.0))
    assert (item.child(1).data(WHISKER, WHISKERS) is None) == (name != OTHER)


@pytest.mark.parametrize("wall", [False, True])
def test_an_answer_and_its_interval_are_shown_whole(asked: Any, wall: bool) -> None:
    declare(asked, "salary", lower=0, upper=6e9, resolution=1, unit="$")
    ask(asked, "sum of salary")
    run(asked)
    asked.controllers.appearance.set_presentation(wall)
    assert asked.wait_until_idle()
    listing = asked.page.listing
    for column in (ANSWER, INTERVAL):
        assert listing.columnWidth(column) >= listing.sizeHintForColumn(column)
    asked.controllers.appearance.set_presentation(False)


def test_an_empty_sheet_offers_questions_about_declared_columns(window: Any) -> None:
    page = window.page
    assert page.empty.isVisible()
    assert not page.listing.isVisible()
    assert [button.text() for button in page.suggested] == [
        "median of salary by team",
        "mean of salary",
        "count by team",
    ]
    page.suggested[1].click()
    assert window.wait_until_idle()
    assert words(window) == ["mean of salary"]
    assert page.listing.isVisible()
    assert not page.empty.isVisible()


def test_what_is_planned_is_said_where_the_total_does_not(asked: Any) -> None:
    budget = asked.page.budget
    assert budget.text() == ""
    run(asked)
    assert budget.text() == "Spent ε = 1"
    ask(asked, "median of salary")
    asked.session.edit("double the budget", sheet_budget=Privacy(2.0))
    assert asked.wait_until_idle()
    assert budget.text() == "Planned ε = 1 · spent ε = 1"


def test_one_column_alone_suggests_three_questions() -> None:
    known = Declarations((ColumnDeclaration("age", 18, 70),))
    texts = [one.as_text() for one in suggested(("age",), known)]
    assert texts == ["median of age", "mean of age", "quantile 0.9 of age"]


def test_without_declared_columns_the_sheet_leads_to_data(window: Any) -> None:
    window.session.edit("declare nothing", declarations=Declarations())
    assert window.wait_until_idle()
    assert [button.isVisible() for button in window.page.suggested] == [True, False, False]
    window.page.suggested[0].click()
    assert window.session.state.workspace == "data"


def test_numbers_are_offered_first_and_identifiers_never() -> None:
    texts, numbers = ("person_id", "team", "note"), ("ID", "Id", "STAFF_ID", "staffId", "paid", "age")
    columns = [*(Column(name, "text", 0) for name in texts), *(Column(name, "number", 0) for name in numbers)]
    age, team = ColumnDeclaration("age", 18, 70), ColumnDeclaration("team", categories=("A", "B"))
    assert askable(columns, Declarations((team, age))) == ["age", "team", "paid"]
    assert askable(columns, Declarations((team, age), person="paid")) == ["age", "team"]


def test_an_interval_may_cover_the_population(asked: Any) -> None:
    page = asked.page
    page.listing.choose(asked.session.state.questions[0].key)
    page.row_actions["population"].trigger()
    assert asked.wait_until_idle()
    question = asked.session.state.questions[0].question
    assert (question.interval, question.population) == (0.5, True)
    assert page.row_actions["interval"].isChecked()
    assert texts(asked, INTERVAL)[0].startswith("population, for 50")
    run(asked)
    assert page.listing.topLevelItem(0).child(0).text(INTERVAL).endswith("for the population")


def test_the_epsilon_for_an_error_is_found_and_taken(asked: Any) -> None:
    page = asked.page
    page.listing.choose(asked.session.state.questions[2].key)
    page.row_actions["needed"].trigger()
    page.needed.error.type_in("5")
    assert asked.wait_until_idle()
    assert "is enough" in page.needed.answer.text()
    page.needed.take_button.click()
    assert asked.wait_until_idle()
    assert float(texts(asked, SHARE)[2]) > 1
    assert texts(asked, SHARE)[:2] == ["0.333"] * 2


def test_one_run_releases_all_rows_and_locks_them(asked: Any) -> None:
    run(asked)
    state = asked.session.state
    assert all(row.released is not None for row in state.questions)
    assert len(state.releases) == 3
    assert sum(record.release.privacy.epsilon for record in state.releases) == pytest.approx(1.0)
    assert all(text.startswith("±") for text in texts(asked, ERROR))
    assert "locked" in asked.page.note.text()
    groups = [asked.page.listing.topLevelItem(0).child(index) for index in range(4)]
    assert [item.text(QUESTION) for item in groups] == ["A", "B", "C", "other (may be empty)"]
    assert all(item.text(ANSWER).endswith("$") for item in groups)
    assert " to " in texts(asked, INTERVAL)[1]
    assert not asked.page.run_button.isEnabled()
    table = state.table
    assert table is not None
    assert len(table.account_in(asked.session.ledger).entries()) == 3
    assert asked.page.budget.text() == "Spent ε = 1"
    assert asked.page.table[2][0][0] == QUESTIONS[0]


def test_a_release_outlives_undo_and_cannot_be_removed(asked: Any) -> None:
    run(asked)
    ask(asked, "sum of salary")
    for _ in range(3):
        asked.session.stacks.undo()
    assert asked.wait_until_idle()
    rows = asked.session.state.questions
    assert [row.question.as_text() for row in rows] == list(QUESTIONS)
    assert all(row.released is not None for row in rows)
    asked.page.listing.choose(rows[0].key)
    QTest.keyClick(asked.page.listing, Qt.Key.Key_Delete)
    assert words(asked) == list(QUESTIONS)
    assert not asked.page.row_actions["remove"].isEnabled()


def test_a_question_after_the_run_needs_more_budget(asked: Any) -> None:
    run(asked)
    ask(asked, "sum of salary")
    assert asked.page.note.text() == SPENT
    assert not asked.page.run_button.isEnabled()
    asked.page.epsilon.type_in("1.5")
    assert asked.wait_until_idle()
    assert texts(asked, SHARE)[3] == "0.5"
    run(asked)
    assert len(asked.session.state.releases) == 4


def test_a_cancelled_run_keeps_what_was_released(asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    controller = asked.controllers.sheet
    released = asked.session.release_question

    def release(*what: Any) -> None:
        released(*what)
        asked.page.cancel()

    monkeypatch.setattr(asked.session, "release_question", release)
    run(asked)
    rows = asked.session.state.questions
    assert [row.released is not None for row in rows] == [True, False, False]
    assert "2 questions spent nothing" in asked.controllers.status.text()
    assert controller._run is None
    monkeypatch.undo()
    assert texts(asked, SHARE) == ["0.333"] * 3
    run(asked)
    assert len(asked.session.state.releases) == 3
    assert asked.page.budget.text() == "Spent ε = 1"


def test_a_sheet_over_the_limit_releases_nothing_until_it_is_smaller(asked: Any) -> None:
    table = asked.session.state.table
    table.account_in(asked.session.ledger).set_limit(Limit(0.5, 0.0))
    asked.controllers.budget_watcher.refresh()
    assert asked.wait_until_idle()
    assert "0.5 of 0.5 left" in asked.page.budget.text()
    asked.page.run_button.click()
    assert asked.wait_until_idle()
    dialog = asked.controllers.sheet.dialog
    left = next(key for key in dialog.answers if key is not None)
    assert left == pytest.approx(0.5)
    dialog.answers[left].click()
    assert asked.wait_until_idle()
    assert asked.session.state.releases == ()
    run(asked)
    assert len(asked.session.state.releases) == 3


def test_a_sheet_can_pass_the_limit_with_consent(asked: Any) -> None:
    table = asked.session.state.table
    table.account_in(asked.session.ledger).set_limit(Limit(0.5, 0.0))
    asked.controllers.budget_watcher.refresh()
    assert asked.wait_until_idle()
    run(asked)
    assert len(asked.session.state.releases) == 3


def test_wrong_data_release_nothing(window: Any) -> None:
    declare(window, "salary", lower=0, upper=60_000, missing="refuse")
    ask(window, "count by team")
    ask(window, "mean of salary")
    run(window)
    assert window.session.state.releases == ()
    assert window.body.messages.texts()


def test_a_sheet_is_saved_and_opened_as_toml(asked: Any, tmp_path: Path) -> None:
    links, path = asked.controllers.sheet_links, tmp_path / "sheet.toml"
    asked.page.epsilon.type_in("2")
    links.save(str(path))
    assert asked.wait_until_idle()
    text = path.read_text("utf-8")
    assert 'ask = "median of salary by team"' in text
    assert "epsilon = 2.0" in text
    asked.session.edit("clear", questions=())
    links.open(str(path))
    assert asked.wait_until_idle()
    assert words(asked) == list(QUESTIONS)
    asked.session.stacks.undo()
    assert words(asked) == []


def test_a_file_that_is_no_sheet_is_refused(asked: Any, tmp_path: Path) -> None:
    path = tmp_path / "sheet.toml"
    path.write_text("epsilon = ", "utf-8")
    asked.controllers.sheet_links.open(str(path))
    assert asked.wait_until_idle()
    assert words(asked) == list(QUESTIONS)
    assert asked.body.messages.texts()


def test_a_page_explains_a_question_and_asks_it_again(asked: Any) -> None:
    page = asked.page
    page.listing.choose(asked.session.state.questions[1].key)
    page.row_actions["explain"].trigger()
    assert asked.wait_until_idle()
    state = asked.session.state
    assert (state.visible_view, state.query, state.subject) == ("median", "mean", "salary")
    asked.controllers.sheet_links.ask_this()
    assert asked.wait_until_idle()
    assert asked.session.state.workspace == "questions"
    assert words(asked) == [*QUESTIONS, "mean of salary"]


def test_another_table_asks_the_questions_anew(asked: Any, tmp_path: Path, file: Path) -> None:
    run(asked)
    other = tmp_path / "later.csv"
    other.write_text(file.read_text("utf-8") + "\n30,100,A", "utf-8")
    open_table(asked, other)
    assert words(asked) == list(QUESTIONS)
    assert all(row.released is None for row in asked.session.state.questions)


def test_the_filter_of_the_data_table_begins_a_question(window: Any) -> None:
    window.actions_by_name["data_table"].trigger()
    assert window.wait_until_idle()
    dialog = window.controllers.data_table.dialog
    assert not dialog.ask.isEnabled()  # all rows
    for column, text in (("age", "30..40"), ("team", "= A or = C")):
        dialog.column.setCurrentText(column)
        dialog.condition.setText(text)
        dialog.filter()
        assert window.wait_until_idle()
    dialog.ask.click()
    assert window.wait_until_idle()
    assert window.controllers.data_table.dialog is None
    text = 'count where age >= 30 and age <= 40 and team = "A" or age >= 30 and age <= 40 and team = "C"'
    assert window.page.ask.line.text() == text
    QTest.keyClick(window.page.ask.line, Qt.Key.Key_Return)
    assert window.wait_until_idle()
    assert words(window) == [text]


def test_a_search_for_a_part_of_a_text_begins_no_question(window: Any) -> None:
    window.actions_by_name["data_table"].trigger()
    assert window.wait_until_idle()
    dialog = window.controllers.data_table.dialog
    dialog.column.setCurrentText("team")
    dialog.condition.setText("A")
    dialog.filter()
    assert window.wait_until_idle()
    assert not dialog.ask.isEnabled()
    assert dialog.ask.toolTip() == "A question compares the text of team as a whole; write = A."


def test_a_histogram_with_edges_is_released_and_named_with_them(window: Any) -> None:
    first, second = "histogram of salary (edges 20000)", "histogram of salary (edges 20000, 30000.5)"
    window.page.add(Question("histogram", ("salary",), edges=(20_000,)))
    window.page.add(Question("histogram", ("salary",), edges=(20_000, 30_000.5)))
    assert window.wait_until_idle()
    assert window.session.undo_stack.undoText() == f"add {second}"
    run(window)
    assert all(row.released is not None for row in window.session.state.questions)
    assert texts(window, QUESTION) == [first, second]
    account = window.session.state.table.account_in(window.session.ledger)
    assert [entry.about["question"] for entry in account.entries()] == [first, second]
