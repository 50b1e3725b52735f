"""Every step of every lesson, played through a real window; `-k NAME` plays the lesson of that file.

The default run plays one lesson of each kind, `-m slow` the others.
"""

import dataclasses
import re

import pytest
from matplotlib.text import Text
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel

from app.lessons.reading import lessons
from app.model.dataset import Dataset
from app.model.pages.audit import LOW_BITS
from app.model.selection import problems
from app.model.state import LessonPosition
from app.model.wording.buttons import BUTTONS
from app.model.wording.numbers import in_prose

pytestmark = pytest.mark.usefixtures("undrawn")

LESSONS, PROBLEMS = lessons()
ALWAYS = ("global-sensitivity", "two-clusters", "histograms")
WAIT_MILLISECONDS = 60_000  # milliseconds; on a busy machine


@pytest.fixture(autouse=True)
def left(stage):
    """Leave the lesson of a test that fails, so that the next one begins as ever."""
    yield
    stage.controllers.lessons.player.leave()
    stage.wait_until_idle(WAIT_MILLISECONDS)


def played(lesson):
    """Return a parameter of the default run, or of the slow one."""
    marks = () if lesson.name in ALWAYS else pytest.mark.slow
    return pytest.param(lesson, id=lesson.name, marks=marks)


def test_every_file_is_a_lesson():
    assert LESSONS
    assert PROBLEMS == ()


@pytest.mark.parametrize("lesson", [played(lesson) for lesson in LESSONS])
def test_a_lesson_is_played_to_its_end(stage, lesson):
    before = stage.session.state
    stage.controllers.lessons.play(lesson)
    for place, step in enumerate(lesson.steps):
        assert stage.wait_until_idle(WAIT_MILLISECONDS)
        where = f"{lesson.name}, step {place + 1}"
        assert stage.session.state.lesson == LessonPosition(lesson.name, place, lesson.seed), where
        shows_scene(stage, step.scene, where)
        shows_text(stage.body.lesson, step, where)
        names_what_is_there(stage, step, where)
        answers(stage.body.lesson, step.question, where)
        stage.body.lesson.next.click()
    assert stage.wait_until_idle(WAIT_MILLISECONDS)
    assert stage.session.state.lesson is None
    assert stage.session.state.workspace == "lessons"
    assert stage.controllers.lessons.bookmarks.is_done(lesson.name)
    for field in dataclasses.fields(before):
        if field.name != "workspace":
            assert getattr(stage.session.state, field.name) is getattr(before, field.name), field.name


def shows_scene(window, scene, where):
    """Check that page, data and picture are those of the scene, and that nothing is wrong."""
    state, session = window.session.state, window.session
    assert (state.page, state.workspace, state.query) == (scene.page, scene.workspace, scene.query), where
    assert isinstance(state.dataset, Dataset)
    if scene.values:
        assert tuple(state.data.numbers.values) == scene.values, where
    else:
        assert state.dataset.example == scene.example, where
    wrong = [one for one in problems(state) if not (scene.group and one.field == "data")]
    assert wrong == [], where  # a group alone is for looking: it cannot be released
    chosen = state.resolved({"query": scene.query, **scene.shared})
    for name in chosen.keys() - {"remembered"}:
        assert state.value(name) == chosen[name], where
    assert state.data.changed_values() == scene.edits, where
    assert session.undo_stack.count() == 0, where
    assert window.body.stack.currentWidget() is window.page
    assert window.page.view_state.tab == scene.tab, where
    if scene.audit:
        choice = window.page.card.audit.choice
        assert (choice.pair, choice.bug) == (scene.audit.pair, scene.audit.bug), where
        run = window.page.audit.result.view.run
        finds_what_the_text_says(
            run.found if scene.audit.shows == LOW_BITS else run.audit, scene.audit, where
        )
    assert is_drawn(window.page), where
    assert window.body.messages.texts() == [], where
    assert window.minimumSizeHint().width() <= 1280, where


def finds_what_the_text_says(found, told, where):
    """Check verdict and least epsilon; both follow from the seed of the lesson."""
    if told.verdict:
        assert found.verdict == told.verdict, where
    if told.bound is not None:
        assert found.epsilon_lower_bound == pytest.approx(told.bound, rel=0.03), where


def is_drawn(page):
    """Tell whether a picture, or the table in its place, shows something."""
    canvas = page.canvas
    return page.table is not None if canvas is None else canvas.has_result


def shows_text(panel, step, where):
    """Check that the panel stands in the place of the list of pages, and has the words of the step."""
    assert panel.isVisible(), where
    assert not panel.window().body.navigation.isVisible(), where
    assert panel.title.text() == in_prose(step.title), where
    assert panel.look.isVisible() == (bool(step.look) and not step.question.prediction), where
    assert panel.attempt.isVisible() == bool(step.attempt), where
    assert panel.question.given is None, where


def names_what_is_there(window, step, where):
    """Check that what the hints name in quotes stands in the window or in its pictures."""
    named = re.findall("“([^”]*)”", f"{step.look} {step.attempt}")
    if not named:
        return
    for fold in window.body.column.findChildren(QAbstractButton):
        if fold.text() == BUTTONS["how"] and fold.isVisible() and not fold.isChecked():
            fold.click()
    shown = window.findChildren(QAbstractButton) + window.findChildren(QLabel)
    parts = [one.text() for one in shown if not window.body.lesson.isAncestorOf(one)]
    parts += [box.itemText(row) for box in window.findChildren(QComboBox) for row in range(box.count())]
    parts += [title.name for title in window.page.card.tabs.titles.values()]
    for canvas in window.page.canvases:
        if canvas is not None and canvas.has_result:
            parts += [text.get_text() for text in canvas.figure.findobj(Text)] + canvas.picture.labels.texts()
    texts = " | ".join(parts).replace("&&", "\0").replace("&", "").replace("\0", "&")
    assert [name for name in named if name not in " ".join(texts.split())] == [], where


def answers(panel, question, where):
    """Answer wrongly, then rightly; or predict, which shows the answer."""
    if question.prediction is not None:
        card = panel.question
        assert not card.verdict.isVisible(), where
        assert panel.sentence.text() == in_prose(question.ask), where
        card.take(question.prediction.answer if not question.prediction.layer else 0.0)
        assert in_prose(question.because) in card.verdict.text(), where
        assert card.sign.accessibleName() == "right", where
        assert not card.prediction.reveal.isEnabled(), where
        return
    wrong = (question.right + 1) % len(question.answers)
    panel.question.answers[wrong].button.click()
    assert "Not quite" in panel.question.verdict.text(), where
    panel.question.answers[question.right].button.click()
    assert "Right." in panel.question.verdict.text(), where
    assert in_prose(question.because) in panel.question.verdict.text(), where
