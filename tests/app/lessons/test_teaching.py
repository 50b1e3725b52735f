"""For teachers: a record of answers, which is off at first."""

import csv

import pytest

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def teaching(playing):
    """Return the window in a lesson, and leave it afterwards."""
    yield playing
    playing.controllers.lessons.player.leave()
    playing.body.messages.clear()


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.slow
def test_answers_are_recorded_only_where_that_is_wanted(teaching, tmp_path):
    question, answers = teaching.body.lesson.question, teaching.controllers.answers
    action, path = teaching.actions_by_name["answer_log"], tmp_path / "class" / "answers.csv"
    question.choose(0)
    assert not action.isChecked()
    action.trigger()
    answers.dialog.reject()
    assert not action.isChecked()
    action.trigger()
    answers.dialog.set_file(str(path))
    answers.dialog.start.click()
    assert action.isChecked()
    assert str(path) in teaching.body.messages.texts()[0]
    question.choose(2)
    question.choose(1)
    found = rows(path)
    assert [(row["name"], row["lesson"], row["step"], row["answer"], row["right"]) for row in found] == [
        ("", "tiny", "1", "Neither", "no"),
        ("", "tiny", "1", "That", "yes"),
    ]
    action.trigger()  # ends it
    question.choose(0)
    assert len(rows(path)) == 2


@pytest.mark.slow
def test_a_record_is_continued_under_a_name_and_ends_where_it_cannot_be_written(teaching, tmp_path):
    action, answers = teaching.actions_by_name["answer_log"], teaching.controllers.answers
    path = tmp_path / "answers.csv"
    for name in ("Ada", "Emmy"):
        action.trigger()
        answers.dialog.set_file(str(path))
        answers.dialog.name.setText(name)
        answers.dialog.start.click()
        teaching.body.lesson.question.choose(1)
        action.trigger()
    assert [row["name"] for row in rows(path)] == ["Ada", "Emmy"]
    action.trigger()
    answers.dialog.set_file(str(tmp_path))
    answers.dialog.start.click()
    teaching.body.lesson.question.choose(1)
    assert "not recorded" in teaching.body.messages.texts()[0]
    assert not action.isChecked()
