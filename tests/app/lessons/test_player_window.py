"""Lessons beside the page: the list of them, room, presentation, comparisons."""

import pytest
from PySide6.QtCore import Qt
from tiny_lesson import HEAD, STEP

from app.lessons.reading import lessons, read_lesson
from engine.errors import DataError

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.mark.slow
def test_the_room_lists_lessons_and_files_with_mistakes(window, lesson, monkeypatch, qtbot):
    error = DataError("is not valid TOML", source="bad.toml, line 3")
    monkeypatch.setattr("app.lessons.lessons_page.lessons", lambda: ((lesson,), (error,)))
    window.handlers.show_lessons()
    window.wait_until_idle()
    card, marks = window.body.pages.lessons.cards[0], []
    assert window.body.pages.lessons.problems.text() == "Not read: bad.toml, line 3: is not valid TOML"
    for step in (1, None):
        marks.append(card.mark.text())
        qtbot.keyClick(card, Qt.Key.Key_Return)
        window.wait_until_idle()
        assert window.session.state.lesson is not None
        if step:
            window.controllers.lessons.player.next()
            window.wait_until_idle()
        window.body.lesson.leave.click()
        assert window.session.state.workspace == "lessons"
    assert marks == ["Start", "Continue with step 2"]


@pytest.mark.slow
def test_presentation_has_room_for_lesson_and_page_on_a_small_screen(playing):
    playing.controllers.appearance.set_presentation(True)
    playing.wait_until_idle()
    assert playing.body.lesson.isVisible()
    assert not playing.body.column.isVisible()
    assert playing.width() == 1280
    assert playing.body.lesson.width() > 380
    playing.body.messages.clear()
    playing.handlers.cancel()  # Esc
    assert not playing.controllers.appearance.presenting
    assert playing.body.column.isVisible()
    assert playing.session.state.lesson is not None


def test_presentation_fills_the_screen_and_gives_it_back(working, monkeypatch):
    monkeypatch.setattr("app.window.appearance.SCREENLESS", ())
    before, stored = working.geometry(), working.saveGeometry()
    working.actions_by_name["presentation"].trigger()
    assert working.isFullScreen()
    assert working.controllers.appearance.presenting
    assert working.controllers.appearance.geometry == stored  # the next session begins in a window
    working.handlers.cancel()  # Esc
    assert not working.isFullScreen()
    assert not working.controllers.appearance.presenting
    assert not working.actions_by_name["presentation"].isChecked()
    working.setGeometry(before)  # which is larger than the screen of this platform


@pytest.mark.slow
def test_without_room_for_the_right_column_it_stands_below_the_text(stage, lesson, qtbot):
    panel, action = stage.body.lesson, stage.actions_by_name["controls"]
    stage.resize(1280, 800)
    stage.controllers.appearance.set_presentation(True)
    stage.controllers.lessons.play(lesson)
    assert stage.wait_until_idle()
    assert not stage.body.column.isVisible()
    panel.controls.click()
    assert stage.body.column.isVisible()
    assert panel.isAncestorOf(stage.body.column)
    assert panel.scroll_area.isVisible()
    assert panel.scroll_area.geometry().bottom() < stage.body.column.geometry().top()
    assert action.isChecked()
    # Return ends what is typed into a field, and is no step
    qtbot.keyClick(stage.body.column.privacy.epsilon.lineEdit(), Qt.Key.Key_Return)
    assert stage.controllers.lessons.player.index == 0
    # the choice stays from step to step
    panel.next.click()
    assert stage.wait_until_idle()
    assert stage.controllers.lessons.player.index == 1
    assert stage.body.column.isVisible()
    action.trigger()
    assert not stage.body.column.isVisible()
    assert panel.sentence.isVisible()
    action.trigger()
    # what was chosen for the audit leaves the room to the picture, until it is asked for
    tools = stage.page.card.audit
    assert not stage.body.pages["median"].strip.isVisible()
    assert not tools.boxes["bug"].isVisible()
    tools.settings_button.click()
    assert tools.boxes["bug"].isVisible()
    # and everything is as before afterwards
    panel.leave.click()
    assert stage.wait_until_idle()
    stage.controllers.appearance.set_presentation(False)
    assert stage.body.column.isVisible()
    assert not panel.isAncestorOf(stage.body.column)
    assert action.isChecked()
    stage.page.show_tab("audit")
    size = stage.size()
    assert not stage.body.pages["median"].strip.isVisible()  # the window is too low for both
    stage.resize(size.width(), 1000)
    assert stage.body.pages["median"].strip.isVisible()
    stage.resize(size)


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
        monkeypatch.setattr(
            stage.body.pages["compare"].running, deed, lambda question, deed=deed: asked.append(deed)
        )
    stage.controllers.lessons.player.start(read_lesson(path))
    assert stage.wait_until_idle()
    assert asked == [begun]
    stage.controllers.lessons.player.leave()
    assert stage.wait_until_idle()


@pytest.mark.slow
def test_a_scene_shows_its_layers_only_until_the_lesson_is_left(stage):
    (lesson,) = (one for one in lessons()[0] if one.name == "global-sensitivity")
    stage.controllers.lessons.player.start(lesson, 1)
    assert stage.wait_until_idle(60_000)
    picture = stage.page.card.canvas.picture
    assert picture.shown_layers == {"local"}
    assert [text.split()[0] for text in picture.labels.texts()] == ["local"]
    assert stage.page.card.canvas.drawn.layers == {"local"}
    stage.controllers.lessons.player.next()
    assert stage.wait_until_idle(60_000)
    assert stage.page.card.canvas.picture.shown_layers == {"local", "global"}
    stage.controllers.lessons.player.leave()
    assert stage.wait_until_idle(60_000)
    assert stage.body.pages["median"].card.pictures.canvases["k"].picture.shown_layers == frozenset()
