"""Playing: the keys, undo, Run, and every way out of a lesson bring one's own work back."""

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt

from app.lessons.bookmarks import Bookmarks
from app.lessons.reading import read_lesson
from engine.errors import DataError

pytestmark = pytest.mark.usefixtures("undrawn")

LIKE_IT = [pytest.param(page, marks=pytest.mark.slow) for page in ("median", "clustering", "compare")]
"""Pages that are left alike."""


def own_work(window):
    """Tell whether the window is as it was before the lesson."""
    window.wait_until_idle()
    state = window.session.state
    return (
        state.lesson is None
        and state.at("median").data.numbers.values.size == 101
        and state.epsilon == 0.25
        and (window.body.pages["median"].card.tab, window.body.pages["median"].card.options["target"])
        == ("epsilon", "halves")
        and window.body.pages["median"].card.audit.choice.bug == ""
        and window.body.navigation.isVisible()
        and not window.body.lesson.isVisible()
        and window.session.undo_stack.undoText() == "change epsilon"
    )


@pytest.mark.slow
def test_keys_go_on_and_back_and_answer(playing, qtbot):
    window, panel = playing, playing.body.lesson
    assert panel.steps.hasFocus()  # and no button has a rim
    qtbot.keyClick(panel.next, Qt.Key.Key_1)
    assert panel.question.given == 0
    assert "Not quite" in panel.question.verdict.text()
    qtbot.keyClick(panel.next, Qt.Key.Key_4)  # there is no such answer
    qtbot.keyClick(panel.next, Qt.Key.Key_2)
    assert panel.question.verdict.text() == "**Right.** That is it."
    qtbot.keyClick(panel.steps, Qt.Key.Key_Space)
    window.wait_until_idle()
    assert (panel.title.text(), window.body.pages["median"].card.tab) == ("Two", "audit")
    assert panel.question.given is None
    qtbot.keyClick(panel.next, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    window.wait_until_idle()
    assert panel.title.text() == "One"
    assert panel.question.given == 1  # the answer is kept
    assert not panel.back.isEnabled()


@pytest.mark.slow
def test_next_needs_no_answer_and_the_last_step_ends_the_lesson(playing, lesson):
    window = playing
    for _ in lesson.steps[1:]:
        window.body.lesson.next.click()
    assert window.wait_until_idle()
    assert window.session.state.page == "spanning-tree"
    assert window.body.pages["spanning-tree"].graph.k == 1
    assert window.body.pages["spanning-tree"].card.options["target"] == "upper"
    assert window.body.lesson.next.text() == "&Finish"
    window.body.lesson.next.click()
    assert own_work(window)
    assert window.session.state.workspace == "lessons"
    assert window.controllers.lessons.bookmarks.is_done("tiny")
    assert not window.body.column.isVisible()
    assert not window.body.history.isVisible()


@pytest.mark.slow
def test_undo_stays_in_the_step_and_again_takes_everything_back(playing):
    window, session = playing, playing.session
    session.move_point(2, 7.0)
    session.edit("change epsilon", epsilon=5.0)
    window.session.undo_stack.undo()
    assert session.state.epsilon == 2.0
    window.session.undo_stack.undo()
    window.session.undo_stack.undo()  # nothing is left to undo, least of all one's own edit
    assert (session.state.data.modified_values, session.state.epsilon) == ({}, 2.0)
    window.session.undo_stack.redo()
    assert session.state.data.modified_values == {2: 7.0}
    window.body.lesson.again.click()
    window.wait_until_idle()
    assert session.state.data.modified_values == {}
    assert session.undo_stack.count() == 0
    session.move_point(2, 7.0)
    window.controllers.lessons.player.next()
    window.wait_until_idle()
    assert session.state.data.modified_values == {2: 9.0}
    window.body.lesson.leave.click()
    assert own_work(window)
    window.session.undo_stack.undo()
    assert session.state.epsilon == 1.0


@pytest.mark.slow
def test_run_simulates_with_the_seed_and_spends_nothing(working, lesson):
    window, kept = working, working.session.state.releases
    window.controllers.lessons.player.start(lesson)
    window.wait_until_idle()

    def released():
        window.controllers.run.start()
        window.wait_until_idle()
        return window.session.state.releases[-1].release

    first, second = released(), released()
    assert first.simulated
    assert second.simulated
    assert first.value != second.value
    assert window.session.ledger.accounts() == []
    assert window.body.history.total.text() == "a lesson spends nothing"
    assert "Simulated" in window.controllers.status.text()
    window.body.lesson.again.click()
    window.wait_until_idle()
    assert window.session.state.releases == ()
    assert released().value == first.value
    window.body.lesson.leave.click()
    assert window.session.state.releases == kept
    assert not released().simulated


@pytest.mark.parametrize("page", ["lessons", *LIKE_IT])
def test_a_page_that_is_chosen_leaves_the_lesson(playing, page):
    playing.actions_by_name[f"page_{page}"].trigger()
    assert playing.wait_until_idle()
    assert own_work(playing)
    assert playing.session.state.visible_view == page


@pytest.mark.slow
def test_a_file_that_is_opened_leaves_the_lesson(playing, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("y\n1\n2\n3\n", "utf-8")
    playing.controllers.data.open_file(path)
    assert playing.wait_until_idle()
    state = playing.session.state
    assert (state.lesson, state.epsilon, state.table.path) == (None, 0.25, path)


@pytest.mark.slow
def test_a_window_may_be_closed_in_a_lesson(window_on, lesson, tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = window_on(np.arange(5.0), settings=settings)
    window.controllers.lessons.play(lesson)
    window.wait_until_idle()
    window.controllers.lessons.player.next()
    window.wait_until_idle()
    window.close()
    assert settings.value("page") == "median"
    assert not settings.value("last session")
    assert Bookmarks(settings).step("tiny", 3) == 1
    assert Bookmarks(settings).step("tiny", 1) == 0  # the lesson has become shorter


def test_a_scene_that_cannot_be_shown_leaves_the_step_before_it(playing, monkeypatch):
    def fail(*_):
        raise DataError("the disk is gone", source="k3.csv")

    monkeypatch.setattr("app.lessons.player.load_scene", fail)
    playing.controllers.lessons.player.next()
    playing.wait_until_idle()
    playing.controllers.lessons.player.next()
    playing.wait_until_idle()
    assert playing.body.messages.texts() == ["k3.csv: the disk is gone"]
    assert playing.controllers.lessons.player.index == 1
    assert playing.body.lesson.title.text() == "Two"


def test_a_lesson_with_an_unknown_layer_does_not_begin(working, lesson):
    text = lesson.path.read_text("utf-8")
    lesson.path.write_text(text.replace("[step.scene]\n", '[step.scene]\nlayers = ["lokal"]\n', 1), "utf-8")
    player = working.controllers.lessons.player
    player.start(read_lesson(lesson.path))
    working.wait_until_idle()
    (message,) = working.body.messages.texts()
    assert player.lesson is None
    assert "tiny.toml, line" in message
    assert "lokal" in message
    assert "local" in message  # what there is


def test_what_was_begun_before_the_lesson_is_spent_all_the_same(working, lesson):
    kept = working.session.state.releases
    working.controllers.releases.run()
    working.controllers.lessons.player.start(lesson)
    working.wait_until_idle()
    assert working.session.state.releases == ()
    working.body.lesson.leave.click()
    assert working.session.state.releases[:-1] == kept
    assert not working.session.state.releases[-1].release.simulated
