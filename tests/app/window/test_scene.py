"""The opening scene over the window: shown once, dragged, skipped, opened in the workbench, saved."""

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtGui import QFontInfo, QKeyEvent
from PySide6.QtWidgets import QApplication

from app.model.theme import DARK
from app.panels.leap_scene import ORDINARY
from app.window.scene_controller import save_animation

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def scened(shared):
    """Lend a window with the scene open."""
    shared.actions_by_name["scene"].trigger()
    assert shared.wait_until_idle(30_000)
    yield shared
    shared.controllers.scene.close()


def test_the_scene_covers_the_window_and_follows_hand_and_keys(scened):
    scene = scened.controllers.scene.scene
    assert scene.geometry() == scened.rect()
    scene.canvas.moved.emit(89.0, 0.4)
    assert scene.canvas.result.at_local.belief_at_home > 0.998
    scene.canvas.nudged.emit(-5, 0)
    assert scene.canvas.result.position == 79.0
    scene.slider.moved.emit(0.5)
    assert scene.canvas.result.epsilon == 0.5
    assert "ε = 0.5" in scene.value.text()


def test_escape_closes_it_and_nothing_was_changed(scened, qtbot):
    before = scened.session.state
    qtbot.keyClick(scened.controllers.scene.scene, Qt.Key.Key_Escape)
    assert scened.controllers.scene.scene is None
    assert scened.session.state is before


def test_nothing_below_hears_a_key(scened, qtbot):
    scene, before = scened.controllers.scene.scene, scened.session.state
    scened.activateWindow()
    scene.canvas.setFocus()
    for widget in (scene.canvas, scene.slider):
        override = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
        override.ignore()
        QApplication.sendEvent(widget, override)
        assert override.isAccepted()  # and so no shortcut of the window is
    reached = []
    for _ in range(6):
        qtbot.keyClick(QApplication.focusWidget() or scene.canvas, Qt.Key.Key_Tab)
        reached.append(scene.isAncestorOf(QApplication.focusWidget() or scene.canvas))
    assert all(reached)
    assert scened.session.state is before


def test_it_is_shown_once_and_never_again_by_itself(shared, tmp_path):
    controller = shared.controllers.scene
    controller._store = QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)
    controller.show_first()
    assert shared.wait_until_idle(30_000)
    assert controller.scene is not None
    controller.close()
    controller.show_first()
    assert shared.wait_until_idle()
    assert controller.scene is None
    controller._store = None


def test_the_workbench_opens_the_leap_of_a_median(window_on):
    window = window_on()
    window.actions_by_name["scene"].trigger()
    assert window.wait_until_idle(30_000)
    window.controllers.scene.scene.go.click()
    assert window.wait_until_idle(30_000)
    assert window.session.state.dataset.example == "two-heaps"
    assert window.page.card.tab == "path"


def test_type_grows_with_the_window_and_f11_fills_the_screen(scened, qtbot):
    scene, presenting = scened.controllers.scene.scene, scened.controllers.appearance.presenting
    before = scene.canvas._wanted_scale
    size = scened.size()
    scened.resize(2 * ORDINARY[0], 2 * ORDINARY[1])
    assert scene.canvas._wanted_scale == 2 * before == 2.0
    assert scene.geometry() == scened.rect()
    scened.resize(size)
    qtbot.keyClick(scene.canvas, Qt.Key.Key_F11)
    assert scened.controllers.appearance.presenting is not presenting
    assert scened.controllers.scene.scene is scene
    scened.resize(1024, 768)
    assert scened.wait_until_idle(30_000)
    assert not scene.save.isVisible()
    buttons = (scene.skip, scene.go)
    assert all(button.width() >= button.sizeHint().width() for button in buttons)
    scened.resize(size)
    qtbot.keyClick(scene.canvas, Qt.Key.Key_F11)
    assert scened.controllers.appearance.presenting is presenting


def test_figure_and_type_grow_by_one_factor(scened):
    scene, appearance = scened.controllers.scene.scene, scened.controllers.appearance
    scened.resize(1280, 720)
    seen = []
    for on in (False, True):
        appearance.set_presentation(on)
        assert scened.wait_until_idle(30_000)
        type_sizes = QFontInfo(scene.value.font()).pixelSize(), scene.canvas.figure.dpi
        seen.append((*type_sizes, scene.canvas.width() * scene.canvas.height() / (1280 * 720)))
    appearance.set_presentation(False)
    (text, dpi, share), (large_text, large_dpi, large_share) = seen
    assert large_text == pytest.approx(1.5 * text, abs=0.5)
    assert large_dpi == 1.5 * dpi
    assert min(share, large_share) > 0.65
    assert large_share > 0.98 * share


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_an_animation_moves(tmp_path, monkeypatch, suffix):
    from PIL import Image

    from app.export import animation

    monkeypatch.setattr(animation, "FRAMES", 6)
    path = tmp_path / f"leap{suffix}"
    assert save_animation(str(path), DARK, 1.0, lambda *_: None) == f"Saved leap{suffix}"
    with Image.open(path) as image:
        assert image.n_frames >= 4
