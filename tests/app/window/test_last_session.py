"""A window begins with what the last one ended with, or says in one line why not."""

import pytest
from last_sessions import EDGES, opened
from PySide6.QtCore import QSettings
from tables import declare, open_table

from app.documents.last_session import last_session
from app.model.questions import AskedQuestion, ReleasedQuestion
from app.model.release_record import ReleaseRecord
from app.session import Session
from app.window.open_controller import KEY
from engine.ledger import Ledger
from engine.privacy import Privacy
from engine.questions.asking import answer as answer_sheet
from engine.questions.declarations import Declarations
from engine.questions.sheet import Sheet
from engine.questions.words import read_question

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.mark.parametrize("damage", [("12.5", '"much"'), ("{", "["), ("from", "\\u0000")])
@pytest.mark.slow
def test_a_last_session_that_makes_no_sense_is_passed_over_in_one_line(window_on, tmp_path, damage):
    edges = tmp_path / "edges.csv"
    edges.write_text(EDGES, "utf-8")
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("page", "spanning-tree")
    settings.setValue(KEY, last_session(opened(edges), "").replace(*damage))
    window = window_on(settings=settings)
    assert "karate" in window.windowTitle()
    (line,) = window.body.messages.texts()
    assert line.startswith("Cannot reopen the data of last time (")
    window.close()
    assert not settings.value(KEY)


@pytest.mark.slow
def test_forms_that_were_folded_away_stay_so(window_on, tmp_path):
    """In a window that has room for them, and in one that has not, each for itself."""
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    for begins, ends in ((True, False), (False, True), (True, True)):
        window = window_on(settings=settings)
        window.resize(1280, 800)
        assert window.wait_until_idle()
        assert window.body.column.isVisible() == begins
        window.body.show_controls(ends)
        assert window.body.column.isVisible() == ends
        window.resize(900, 800)
        assert window.wait_until_idle()
        assert not window.body.column.isVisible()
        window.close()


def test_the_sheet_comes_back_with_its_total_and_its_releases(window_of, tmp_path):
    file, ledger = tmp_path / "staff.csv", Ledger(tmp_path / "ledger.sqlite")
    file.write_text("age\n" + "\n".join(str(20 + index % 40) for index in range(500)), "utf-8")
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = window_of(Session(ledger=ledger), settings=settings)
    open_table(window, file)
    declare(window, "age", lower=0, upper=120)
    questions = tuple(map(AskedQuestion, map(read_question, ("mean of age", "median of age"))))
    window.session.edit("ask", questions=questions, sheet_budget=Privacy(3.0, 1e-6))
    release = Sheet(["mean of age"], 1.0, 0.0, window.session.state.declarations)
    account = window.session.state.table.account_in(ledger)
    (answer,) = answer_sheet(window.session.state.table.table, release, account=account)
    record = ReleaseRecord.of(
        answer.release,
        ReleasedQuestion(window.session.state.table, questions[0].question, Declarations()),
        account.name,
    )
    window.session.release_question(questions[0].key, record, window.session.state.table.digest)
    window.close()

    again = window_of(Session(ledger=ledger), settings=settings)
    assert again.wait_until_idle()
    state = again.session.state
    assert state.sheet_budget == Privacy(3.0, 1e-6)
    assert [row.question.as_text() for row in state.questions] == ["mean of age", "median of age"]
    first, second = state.questions
    assert first.released == record == state.releases[0]
    assert second.released is None
    again.close()

    file.write_text("age\n" + "\n".join(str(20 + index % 41) for index in range(500)), "utf-8")
    changed = window_of(Session(ledger=ledger), settings=settings)
    assert changed.wait_until_idle()
    state = changed.session.state
    assert [row.released for row in state.questions] == [None, None]  # other data have no answers yet
    assert state.releases == ()
