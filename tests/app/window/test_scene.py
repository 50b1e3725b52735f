"""The game over the window: shown once, played, skipped, opened in the workbench, saved."""

import re

import numpy as np
import pytest
from matplotlib.text import Text
from PySide6.QtCore import QEvent, QPoint, QSettings, Qt
from PySide6.QtGui import QFontInfo, QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from scipy.stats import binom

from app.model.theme import DARK
from app.model.wording.numbers import THIN
from app.pages.audit import guess_player, opening
from app.pages.audit.opening import AT_LOCAL, GameMechanism, opening_game, players
from app.panels.guess_scene import ORDINARY, PICTURE_EDGE, TOLD, WORDS
from app.plots.audit.guess_who import PENDING
from app.window.scene_controller import save_animation
from engine import audit
from engine.catalog import methods
from engine.privacy import Privacy

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def scened(shared):
    """Lend a window with the scene open."""
    shared.actions_by_name["scene"].trigger()
    assert shared.wait_until_idle(30_000)
    yield shared
    shared.controllers.scene.close()


def test_the_game_covers_the_window_and_follows_keys(scened, qtbot):
    scene = scened.controllers.scene.scene
    assert scene.geometry() == scened.rect()
    assert "by luck" in [text.get_text() for text in scene.canvas.picture._hits.texts]
    edges = [one.mapTo(scene, QPoint()).x() for one in (scene.game.bet_buttons[0], scene.noise)]
    assert edges == [scene.canvas.x() + PICTURE_EDGE] * 2
    game = scene.canvas.result.run.game
    for bet in game.bets[:5]:
        qtbot.keyClick(scene.canvas, Qt.Key.Key_Right if bet else Qt.Key.Key_Left)
    assert game.hits(scene.game.bets).sum() >= 4  # with weak noise one wins
    assert scene._text.text() == TOLD.format(f"97{THIN}%", "there is too little noise to hide Ana")
    assert scene.noise.text() == "Try more noise"
    qtbot.keyClick(scene.canvas, Qt.Key.Key_L)
    assert scened.wait_until_idle(30_000)
    strong = scene.canvas.result.run.game
    assert (game.hit_rate > 0.95, strong.hit_rate < 0.62) == (True, True)
    assert scene.noise.text() == "Try less noise"
    assert scene.game.bets.size == 0
    assert scene._text.text() == WORDS
    scene.game.play(20)
    assert scene._text.text() == TOLD.format(f"58{THIN}%", "the noise hides Ana")
    scene.noise.click()
    assert scened.wait_until_idle(30_000)
    assert scene.canvas.result.run.game is game  # remembered


class FrameClock:
    """Stands for a clock on a machine that is never busy: at each look, a frame has passed."""

    def start(self) -> None:
        self.passed = 0

    def elapsed(self) -> int:
        self.passed += guess_player.FRAME_MS
        return self.passed

    def restart(self) -> int:
        return guess_player.FRAME_MS


def test_a_first_start(window_on, qtbot, tmp_path, monkeypatch):
    """Bet, see the answers fall, win; take more noise, lose; open the same data in the workbench."""
    monkeypatch.setattr(guess_player, "QElapsedTimer", FrameClock)
    window = window_on()
    controller = window.controllers.scene
    controller._store = QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)
    controller.show_first()
    assert window.wait_until_idle(30_000)
    scene = controller.scene
    picture, player = scene.canvas.picture, scene.game
    assert scene.focusWidget() is scene.canvas  # so that arrow keys bet
    heights, game = [], scene.canvas.result.run.game
    for bet in game.bets[:5]:
        qtbot.keyClick(scene.canvas, Qt.Key.Key_Right if bet else Qt.Key.Key_Left)
        heights.append([])
        while player.fall_progress < 1:
            QApplication.processEvents()
            heights[-1].append(float(picture._open.get_ydata()[0]))
        assert window.wait_until_idle()
    assert float(picture._open.get_ydata()[0]) == PENDING
    assert all(fall == sorted(fall, reverse=True) and fall[0] > fall[-1] for fall in heights)
    assert "of 5 right" in picture._score.get_text()
    assert picture._rate.get_ydata()[-1] >= 80
    qtbot.keyClick(scene.canvas, Qt.Key.Key_L)
    assert window.wait_until_idle(30_000)
    player.auto.click()
    qtbot.waitUntil(lambda: player.bets.size > 300)
    player.auto.click()
    assert window.wait_until_idle()
    shares = picture._rate.get_ydata()
    assert shares[-1] < 100 * scene.canvas.result.run.game.bound
    player.teams.click()
    for side in (0, 1, 1):
        player.bet(side)
    assert window.wait_until_idle()
    assert re.fullmatch(r"A \d of 2   B \d of 1", picture._score.get_text())
    scene.go.click()
    assert window.wait_until_idle(30_000)
    state = window.session.state
    assert (state.dataset.example, state.epsilon, window.page.card.tab) == ("anas-firm", 1.0, "audit")
    assert window.page.card.audit.verdict.numbers.text().startswith("The best guess is right for 58")
    assert window.page.card.audit.player.bets.tolist() == [0, 1, 1]  # the game goes on
    controller._store = None


def test_no_bet_is_taken_while_answers_are_drawn(scened, qtbot):
    scene = scened.controllers.scene.scene
    qtbot.keyClick(scene.canvas, Qt.Key.Key_L)
    assert not any(button.isEnabled() for button in scene.game.bet_buttons)
    assert scened.wait_until_idle(30_000)
    assert all(button.isEnabled() for button in scene.game.bet_buttons)


def test_drawing_answers_can_be_cancelled(scened, qtbot, monkeypatch):
    def draw(player, progress):
        progress(0.25, "simulated releases")
        while True:
            progress(0.5, "simulated releases")

    scene = scened.controllers.scene.scene
    player = scene.player
    monkeypatch.setattr(opening, "opening_game", draw)
    scene.choose(next(one for one in scene._players if one not in scene._views))
    assert scene.progress.isVisible()
    qtbot.waitUntil(lambda: scene.progress.bar.value() > 0)
    qtbot.keyClick(scene, Qt.Key.Key_Escape)
    assert scened.wait_until_idle(30_000)
    assert (scene.player, scene.progress.isVisible()) == (player, False)
    assert scened.controllers.scene.scene is scene


@pytest.mark.parametrize("bug", ["gap-formula", "shifted-gap-formula"])
def test_a_fault_that_these_lists_do_not_show_is_named_after_the_first_bet(scened, bug):
    scene = scened.controllers.scene.scene
    scene.choose(GameMechanism(bug=bug))
    assert scened.wait_until_idle(30_000)
    assert scene._text.text() == WORDS
    scene.game.bet(0)
    scene.game.play(100)
    assert "do not show the fault" in scene._text.text()
    assert any(f"“{pair.label}”" in scene._text.text() for pair in worst_pairs(bug))


def worst_pairs(bug):
    """Return the pairs of the workbench on which the faulty variant is caught."""
    mechanism, data = audit.with_bug(opening._mechanism("smooth"), bug), opening._domain()
    privacy = Privacy(opening.EPSILON)
    for pair in audit.worst_case_pairs(mechanism, data, 21, privacy):
        if audit.audit_run(mechanism, pair, privacy, runs=100_000).audit.violated:
            yield pair


def test_the_last_game_goes_on_if_another_cannot_be_drawn(scened, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    scene = scened.controllers.scene.scene
    player, text = scene.player, scene._text.text()
    monkeypatch.setattr(opening, "opening_game", fail)
    scene.choose(next(one for one in scene._players if one not in scene._views))
    assert scene._text.text() != text
    assert scened.wait_until_idle(30_000)
    assert (scene.player, scene._text.text()) == (player, text)
    assert scene._players[scene.chooser.currentIndex()] == player
    assert all(button.isEnabled() for button in scene.game.bet_buttons)


CHAIRS = [
    pytest.param(
        player,
        id=player.bug or player.mechanism,
        marks=() if methods()[player.mechanism].facts.library is None else pytest.mark.slow,
    )
    for player in players()
]


@pytest.mark.parametrize("player", CHAIRS)
def test_any_mechanism_can_take_the_chair(player, monkeypatch):
    """No exact one exceeds the limit; noise at the local sensitivity and in doubles does."""
    monkeypatch.setattr(opening, "RUNS", 4000)
    game = opening_game(player).run.game
    hits = game.hits(game.bets)
    exceeds = binom.sf(int(hits.sum()) - 1, len(hits), game.bound) < 1e-6
    assert exceeds or player.bug not in ("local-noise", "naive-doubles")
    assert not exceeds or player.bug


def test_other_mechanisms_make_the_answers(scened):
    scene = scened.controllers.scene.scene
    labels = [scene.chooser.itemText(index) for index in range(scene.chooser.count())]
    assert sum(label.startswith("Not DP: ") for label in labels) >= 4
    index = labels.index("Exponential mechanism") if "Exponential mechanism" in labels else 1
    scene.chooser.setCurrentIndex(index)
    scene.chooser.activated.emit(index)
    assert scened.wait_until_idle(30_000)
    assert scene.canvas.result.run.game.hit_rate < 0.74


def test_the_first_screen_has_few_words(scened):
    """Every visible word of labels, buttons and the picture; it names nothing of the field."""
    scene = scened.controllers.scene.scene
    texts = [
        one.text() for kind in (QLabel, QPushButton) for one in scene.findChildren(kind) if one.isVisible()
    ]
    texts += [one.get_text() for one in scene.canvas.figure.findobj(Text) if one.get_visible()]
    words = [word.lower() for text in texts for word in re.findall(r"[^\W\d_]+", text)]
    assert len(words) <= 48, words
    assert not {"epsilon", "ε", "sensitivity", "privacy", "neighbour", "mechanism"} & set(words)


def test_escape_closes_it_and_nothing_was_changed(scened, qtbot):
    before = scened.session.state
    qtbot.keyClick(scened.controllers.scene.scene, Qt.Key.Key_Escape)
    assert scened.controllers.scene.scene is None
    assert scened.session.state is before


def test_nothing_below_hears_a_key(scened, qtbot):
    scene, before = scened.controllers.scene.scene, scened.session.state
    scened.activateWindow()
    scene.canvas.setFocus()
    for widget in (scene.canvas, scene.noise):
        override = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
        override.ignore()
        QApplication.sendEvent(widget, override)
        assert override.isAccepted()  # and so no shortcut of the window is
    reached = []
    for _ in range(12):
        qtbot.keyClick(QApplication.focusWidget() or scene.canvas, Qt.Key.Key_Tab)
        here = QApplication.focusWidget() or scene.canvas
        reached.append(scene.isAncestorOf(here) and here.isVisibleTo(scene))
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


def test_the_workbench_opens_the_same_game(window_on):
    window = window_on()
    window.actions_by_name["scene"].trigger()
    assert window.wait_until_idle(30_000)
    scene = window.controllers.scene.scene
    for bet in (0, 1, 0):
        scene.game.bet(bet)
    seen = scene.canvas.result
    scene.go.click()
    assert window.wait_until_idle(30_000)
    state, card = window.session.state, window.page.card
    assert (state.dataset.example, state.epsilon, card.tab) == ("anas-firm", 1.0, "audit")
    shown = card.canvas.result
    for here, there in ((shown.pair.data, seen.pair.data), (shown.pair.neighbour, seen.pair.neighbour)):
        np.testing.assert_array_equal(here.values, there.values)
    assert shown.run.game.best == pytest.approx(seen.run.game.best, abs=1e-9)
    np.testing.assert_array_equal(shown.run.game.answers, seen.run.game.answers)
    assert shown.bets.tolist() == [0, 1, 0]
    first = card.audit.verdict.numbers.text()
    assert first.startswith(
        "The best guess is right for 97 % of all answers (exact)".replace(" %", THIN + "%")
    )
    assert window.focusWidget() is card.canvas


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
        type_sizes = QFontInfo(scene.noise.font()).pixelSize(), scene.canvas.figure.dpi
        seen.append((*type_sizes, scene.canvas.width() * scene.canvas.height() / (1280 * 720)))
    appearance.set_presentation(False)
    (text, dpi, share), (large_text, large_dpi, large_share) = seen
    assert large_text == pytest.approx(1.5 * text, abs=0.5)
    assert large_dpi == 1.5 * dpi
    assert min(share, large_share) > 0.65
    assert large_share > 0.9 * share


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_an_animation_moves(tmp_path, monkeypatch, suffix):
    from PIL import Image

    from app.export import animation

    monkeypatch.setattr(animation, "COUNTS", 8)
    path = tmp_path / f"game{suffix}"
    assert save_animation(str(path), DARK, AT_LOCAL, lambda *_: None) == f"Saved game{suffix}"
    with Image.open(path) as image:
        assert image.n_frames >= 4
