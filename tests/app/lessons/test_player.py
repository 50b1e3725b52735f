"""Playing: the keys, undo, Run, and every way out of a lesson bring one's own work back."""

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt

from app.lessons.bookmarks import Bookmarks
from app.lessons.reading import read_lesson
from engine.data.table import Numbers
from engine.errors import DataError

STEP = """
[[step]]
title = "{title}"
text = "Words."
[step.scene]
page = "{page}"
{scene}
[step.question]
ask = "Which?"
answers = ["This", "That", "Neither"]
right = 2
because = "That is it."
"""
HEAD = 'title = "T"\ntopic = "T"\nminutes = 1\nsummary = "S"\nneeds = "N"\n'
SCENES = (
    ("One", "median", 'values = [0, 0, 4, 10, 10]\nlower = 0\nupper = 10\ntab = "k"\nepsilon = 2.0'),
    (
        "Two",
        "median",
        'values = [0, 0, 4, 10, 10]\nlower = 0\nupper = 10\ntab = "audit"\nedits = { 2 = 9 }\n'
        'audit = { bug = "halved-scale", runs = 1000 }',
    ),
    ("Three", "spanning-tree", 'example = "k3"\ntab = "path"\npath = "upper"\nk = 1'),
)


@pytest.fixture
def lesson(tmp_path):
    """Return a lesson of three steps on two pages."""
    path = tmp_path / "tiny.toml"
    steps = (STEP.format(title=title, page=page, scene=scene) for title, page, scene in SCENES)
    path.write_text(HEAD + "".join(steps), "utf-8")
    return read_lesson(path)


@pytest.fixture
def working(stage, dataset):
    """Return the window with work of one's own."""
    stage.session.show_page("median")
    values = np.arange(101.0)
    stage.session.open_dataset(
        dataset(x=values), "open", column="x", numbers=Numbers(values), lower=0.0, upper=100.0
    )
    stage.session.edit("begin", epsilon=1.0)
    stage.session.undo_stack.clear()
    stage.session.edit("change epsilon", epsilon=0.25)
    stage.page.show_tab("epsilon")
    stage.page.card.show_target("halves")
    stage.messages.clear()
    assert stage.wait_until_idle()
    return stage


@pytest.fixture
def playing(working, lesson):
    """Return the window in the first step of the lesson."""
    working.player.start(lesson)
    assert working.wait_until_idle()
    return working


def own_work(window):
    """Tell whether the window is as it was before the lesson."""
    window.wait_until_idle()
    state = window.session.state
    return (
        state.lesson is None
        and state.at("median").data.numbers.values.size == 101
        and state.epsilon == 0.25
        and (window.median.card.tab, window.median.card.target) == ("epsilon", "halves")
        and window.median.card.audit.choice.bug == ""
        and window.navigation.isVisible()
        and not window.lesson.isVisible()
        and window.session.undo_stack.undoText() == "change epsilon"
    )


def test_keys_go_on_and_back_and_answer(playing, qtbot):
    window, panel = playing, playing.lesson
    assert panel.next.hasFocus()
    qtbot.keyClick(panel.next, Qt.Key.Key_1)
    assert panel.question.given == 0
    assert "Not quite" in panel.question.verdict.text()
    qtbot.keyClick(panel.next, Qt.Key.Key_4)  # there is no such answer
    qtbot.keyClick(panel.next, Qt.Key.Key_2)
    assert panel.question.verdict.text() == "**Right.** That is it."
    qtbot.keyClick(panel.next, Qt.Key.Key_Return)
    window.wait_until_idle()
    assert (panel.title.text(), window.median.card.tab) == ("Two", "audit")
    assert panel.question.given is None
    qtbot.keyClick(panel.next, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    window.wait_until_idle()
    assert panel.title.text() == "One"
    assert panel.question.given == 1  # the answer is kept
    assert not panel.back.isEnabled()


def test_next_needs_no_answer_and_the_last_step_ends_the_lesson(playing, lesson):
    window = playing
    for _ in lesson.steps[1:]:
        window.lesson.next.click()
    assert window.wait_until_idle()
    assert window.session.state.page == "spanning-tree"
    assert window.spanning_tree.graph.k == 1
    assert window.spanning_tree.card.target == "upper"
    assert window.lesson.next.text() == "&Finish"
    window.lesson.next.click()
    assert own_work(window)
    assert window.session.state.room == "lessons"
    assert window.memory.bookmarks.is_done("tiny")
    assert not window.column.isVisible()
    assert not window.history.isVisible()


def test_undo_stays_in_the_step_and_again_takes_everything_back(playing):
    window, session = playing, playing.session
    session.move_point(2, 7.0)
    session.edit("change epsilon", epsilon=5.0)
    window.undo()
    assert session.state.epsilon == 2.0
    window.undo()
    window.undo()  # nothing is left to undo, least of all one's own edit
    assert (session.state.data.modified_values, session.state.epsilon) == ({}, 2.0)
    window.redo()
    assert session.state.data.modified_values == {2: 7.0}
    window.lesson.again.click()
    window.wait_until_idle()
    assert session.state.data.modified_values == {}
    assert session.undo_stack.count() == 0
    session.move_point(2, 7.0)
    window.player.next()
    window.wait_until_idle()
    assert session.state.data.modified_values == {2: 9.0}
    window.lesson.leave.click()
    assert own_work(window)
    window.undo()
    assert session.state.epsilon == 1.0


def test_run_simulates_with_the_seed_and_spends_nothing(working, lesson):
    window, kept = working, working.session.state.releases
    window.player.start(lesson)
    window.wait_until_idle()

    def released():
        window.run()
        window.wait_until_idle()
        return window.session.state.releases[-1].release

    first, second = released(), released()
    assert first.simulated
    assert second.simulated
    assert first.value != second.value
    assert window.session.ledger.accounts() == []
    assert window.history.total.text() == "a lesson spends nothing"
    assert "Simulated" in window.status.text()
    window.lesson.again.click()
    window.wait_until_idle()
    assert window.session.state.releases == ()
    assert released().value == first.value
    window.lesson.leave.click()
    assert window.session.state.releases == kept
    assert not released().simulated


@pytest.mark.parametrize("page", ["median", "clustering", "lessons", "compare"])
def test_a_page_that_is_chosen_leaves_the_lesson(playing, page):
    playing.actions_by_name[f"page_{page}"].trigger()
    assert own_work(playing)
    assert playing.session.state.visible_view == page


def test_a_file_that_is_opened_leaves_the_lesson(playing, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("y\n1\n2\n3\n", "utf-8")
    playing.opener.open_file(path)
    assert own_work(playing)
    assert playing.importer.dialog is not None
    playing.importer.close()


def test_a_window_may_be_closed_in_a_lesson(window_on, lesson, tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = window_on(np.arange(5.0), settings=settings)
    window.play(lesson)
    window.wait_until_idle()
    window.player.next()
    window.wait_until_idle()
    window.close()
    assert settings.value("page") == "median"
    assert not settings.contains("data/median/path")
    assert Bookmarks(settings).step("tiny", 3) == 1
    assert Bookmarks(settings).step("tiny", 1) == 0  # the lesson has become shorter


def test_a_scene_that_cannot_be_shown_leaves_the_step_before_it(playing, monkeypatch):
    def fail(*_):
        raise DataError("the disk is gone", source="k3.csv")

    monkeypatch.setattr("app.lessons.player.load_stage", fail)
    playing.player.next()
    playing.wait_until_idle()
    playing.player.next()
    playing.wait_until_idle()
    assert playing.messages.texts() == ["k3.csv: the disk is gone"]
    assert playing.player.place == 1
    assert playing.lesson.title.text() == "Two"


def test_what_was_begun_before_the_lesson_is_spent_all_the_same(working, lesson):
    kept = working.session.state.releases
    working.releaser.run()
    working.player.start(lesson)
    working.wait_until_idle()
    assert working.session.state.releases == ()
    working.lesson.leave.click()
    assert working.session.state.releases[:-1] == kept
    assert not working.session.state.releases[-1].release.simulated


def test_the_room_lists_lessons_and_files_with_mistakes(window, lesson, monkeypatch, qtbot):
    error = DataError("is no TOML", source="bad.toml, line 3")
    monkeypatch.setattr("app.lessons.lessons_page.lessons", lambda: ((lesson,), (error,)))
    window.show_lessons()
    window.wait_until_idle()
    card, marks = window.lessons.cards[0], []
    assert window.lessons.problems.text() == "Not read: bad.toml, line 3: is no TOML"
    for step in (1, None):
        marks.append(card.mark.text())
        qtbot.keyClick(card, Qt.Key.Key_Return)
        window.wait_until_idle()
        assert window.session.state.lesson is not None
        if step:
            window.player.next()
            window.wait_until_idle()
        window.lesson.leave.click()
        assert window.session.state.room == "lessons"
    assert marks == ["Start", "Continue with step 2"]


@pytest.mark.slow
def test_presentation_has_room_for_lesson_and_page_on_a_small_screen(playing):
    playing.set_presentation(True)
    playing.wait_until_idle()
    assert playing.lesson.isVisible()
    assert not playing.column.isVisible()
    assert playing.width() == 1280
    assert playing.lesson.width() > 380
    playing.messages.clear()
    playing.cancel()  # Esc
    assert not playing.presenting
    assert playing.column.isVisible()
    assert playing.session.state.lesson is not None


def test_presentation_fills_the_screen_and_gives_it_back(working, monkeypatch):
    monkeypatch.setattr("app.window.layout.SCREENLESS", ())
    before, stored = working.geometry(), working.saveGeometry()
    working.actions_by_name["presentation"].trigger()
    assert working.isFullScreen()
    assert working.presenting
    assert working.kept_geometry == stored  # the next session begins in a window
    working.cancel()  # Esc
    assert not working.isFullScreen()
    assert not working.presenting
    assert not working.actions_by_name["presentation"].isChecked()
    working.setGeometry(before)  # which is larger than the screen of this platform


@pytest.mark.slow
def test_without_room_for_the_right_column_it_takes_the_place_of_the_text(stage, lesson, qtbot):
    panel, action = stage.lesson, stage.actions_by_name["controls"]
    stage.set_presentation(True)
    stage.play(lesson)
    assert stage.wait_until_idle()
    assert not stage.column.isVisible()
    panel.controls.click()
    assert stage.column.isVisible()
    assert panel.isAncestorOf(stage.column)
    assert not panel.scroll_area.isVisible()
    assert action.isChecked()
    # Return ends what is typed into a field, and is no step
    qtbot.keyClick(stage.privacy.epsilon.lineEdit(), Qt.Key.Key_Return)
    assert stage.player.place == 0
    # the choice stays from step to step
    panel.next.click()
    assert stage.wait_until_idle()
    assert stage.player.place == 1
    assert stage.column.isVisible()
    action.trigger()
    assert not stage.column.isVisible()
    assert panel.scroll_area.isVisible()
    action.trigger()
    # what was chosen for the audit leaves the room to the picture, until it is asked for
    tools = stage.page.card.audit
    assert not stage.median.strip.isVisible()
    assert not tools.bug_box.isVisible()
    tools.settings_button.click()
    assert tools.bug_box.isVisible()
    # and everything is as before afterwards
    panel.leave.click()
    assert stage.wait_until_idle()
    stage.set_presentation(False)
    assert stage.column.isVisible()
    assert not panel.isAncestorOf(stage.column)
    assert not action.isEnabled()
    stage.page.show_tab("audit")
    assert stage.median.strip.isVisible()
    assert tools.bug_box.isVisible()
    assert not tools.settings_button.isVisible()


@pytest.mark.parametrize(("tab", "begun"), [("needed", "search"), ("errors", "begin")])
def test_a_scene_in_the_room_about_comparisons_begins_without_asking(
    stage, tmp_path, monkeypatch, tab, begun
):
    path = tmp_path / "comparing.toml"
    choice = f'{{ steps = 1, runs = 9, within = 1.0, share = 0.9, tab = "{tab}" }}'
    scene = f"values = [0, 0, 4, 10, 10]\nlower = 0\nupper = 10\ncompare = {choice}"
    path.write_text(HEAD + STEP.format(title="One", page="compare", scene=scene), "utf-8")
    asked = []
    for deed in ("search", "begin", "compare"):
        monkeypatch.setattr(stage.compare.running, deed, lambda question, deed=deed: asked.append(deed))
    stage.player.start(read_lesson(path))
    assert stage.wait_until_idle()
    assert asked == [begun]
    stage.player.leave()
    assert stage.wait_until_idle()
