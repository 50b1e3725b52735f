"""A lecture: the strip of presentation mode, the keys of a clicker, and a lesson whose file is dropped."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from tiny_lesson import HEAD, SCENES, STEP

from app.widgets.black_screen import BlackScreen

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def presenting(playing):
    """Return a window in presentation mode, in the first step of a lesson."""
    playing.controllers.appearance.set_presentation(True)
    playing.wait_until_idle()
    yield playing
    playing.controllers.lessons.player.leave()
    playing.controllers.appearance.set_presentation(False)


@pytest.mark.slow
def test_menus_and_status_line_fold_away_and_epsilon_stays(presenting):
    strip = presenting.body.strip
    assert not presenting.menuBar().isVisible()
    assert not presenting.statusBar().isVisible()
    assert not strip.isVisible()  # no task of this step moves epsilon
    assert presenting.session.state.epsilon == 2.0
    presenting.controllers.lessons.player.leave()
    presenting.wait_until_idle()
    assert strip.isVisible()
    assert strip.epsilon.value == presenting.session.state.epsilon
    strip.slider.moved.emit(0.5)
    assert presenting.session.state.epsilon == strip.epsilon.value == 0.5
    assert strip.delta.isVisible()
    strip.show_controls(frozenset({"method"}))
    assert not strip.delta.isVisible()
    strip.show_controls(frozenset({"delta"}))
    assert strip.delta.isVisible()
    presenting.controllers.appearance.set_presentation(False)
    assert presenting.menuBar().isVisible()
    assert presenting.statusBar().isVisible()
    assert not strip.isVisible()


@pytest.mark.slow
def test_the_keys_of_a_clicker_step_a_lesson(presenting, qtbot):
    panel, player = presenting.body.lesson, presenting.controllers.lessons.player
    places = []
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_Right, Qt.Key.Key_PageUp, Qt.Key.Key_Left):
        presenting.activateWindow()  # a page that is made takes that from it, on this platform
        qtbot.waitUntil(lambda: QApplication.activeWindow() is presenting)
        panel.next.setFocus()
        qtbot.keyClick(panel.next, key)
        presenting.wait_until_idle()
        places.append(player.index)
    assert places == [1, 2, 1, 0]
    # answering by mouse, or moving epsilon, leaves the page keys to the clicker
    qtbot.mouseClick(panel.question.answers[0].button, Qt.MouseButton.LeftButton)
    assert panel.question.given == 0
    slider = presenting.body.strip.slider
    for focused in (QApplication.focusWidget(), slider):
        for key, place in ((Qt.Key.Key_PageDown, 1), (Qt.Key.Key_PageUp, 0)):
            focused.setFocus()
            qtbot.keyClick(focused, key)
            presenting.wait_until_idle()
            assert player.index == place
    # a field has these keys for itself
    presenting.body.strip.epsilon.setFocus()
    qtbot.keyClick(presenting.body.strip.epsilon, Qt.Key.Key_PageDown)
    presenting.wait_until_idle()
    assert player.index == 0


def test_the_screen_goes_black_and_the_key_that_ends_it_does_nothing_else(presenting, qtbot):
    panel, player = presenting.body.lesson, presenting.controllers.lessons.player
    for blackening, ending in ((Qt.Key.Key_B, Qt.Key.Key_PageDown), (Qt.Key.Key_Period, Qt.Key.Key_Escape)):
        presenting.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is presenting)
        panel.next.setFocus()
        qtbot.keyClick(panel.next, blackening)
        (black,) = presenting.findChildren(BlackScreen)
        assert black.geometry() == presenting.rect()
        assert black.grab().toImage().pixelColor(9, 9) == QColor("black")
        assert presenting.childAt(presenting.rect().center()) is black
        qtbot.keyClick(black, Qt.Key.Key_Shift)
        assert black.isVisible()
        qtbot.keyClick(black, ending)
        assert not black.isVisible()
        assert QApplication.focusWidget() is panel.next
        assert player.index == 0
        assert presenting.controllers.appearance.presenting
        qtbot.waitUntil(lambda: not presenting.findChildren(BlackScreen))
    presenting.actions_by_name["black_screen"].trigger()
    (black,) = presenting.findChildren(BlackScreen)
    qtbot.mouseClick(black, Qt.MouseButton.LeftButton)
    assert not black.isVisible()
    presenting.controllers.appearance.set_presentation(False)
    assert not presenting.actions_by_name["black_screen"].isEnabled()


def test_the_key_of_a_clicker_begins_and_ends_presentation_mode(playing, qtbot):
    appearance = playing.controllers.appearance
    playing.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is playing)
    for on in (True, False):
        qtbot.keyClick(QApplication.focusWidget() or playing, Qt.Key.Key_F5)
        assert appearance.presenting is on
    playing.controllers.lessons.player.leave()


def test_the_file_of_a_lesson_is_played_and_a_faulty_one_is_told(stage, tmp_path):
    path = tmp_path / "own.toml"
    title, page, scene = SCENES[0]
    path.write_text(HEAD + STEP.format(title=title, page=page, scene=scene), "utf-8")
    stage.controllers.files.open_path(path)
    stage.wait_until_idle()
    assert stage.session.state.lesson.lesson == "own"
    stage.controllers.lessons.player.leave()
    stage.wait_until_idle()
    path.write_text("minutes = 0\n", "utf-8")
    stage.controllers.files.open_path(path)
    stage.wait_until_idle()
    (told,) = stage.body.messages.texts()
    assert told.startswith("own.toml, line 1: 'title' is missing")
    assert "more: sensiscope lessons --check" in told
    stage.body.messages.clear()
