"""In presentation mode, each step of each lesson shows one sentence and a large picture at 1280×720."""

import re

import numpy as np
import pytest
from fitting import misfits, settle
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PySide6.QtCore import QPoint
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QTableView, QWidget

from app.lessons.lesson import Lesson
from app.lessons.reading import lessons
from app.model.pages.audit import TAB as AUDIT
from app.model.pages.registry import PAGE_KINDS
from app.model.theme import LIGHT
from app.plots.figures import screen_figure
from app.widgets.plot_canvas import LayoutSteps, PlotCanvas

pytestmark = pytest.mark.usefixtures("undrawn")

LESSONS = lessons()[0]
WIDTH, HEIGHT = 1280, 720
LEAST_SHARE = 0.65
"""Share of the window that the pictures fill at least."""
LEAST_SIDE_OF_MAPS = 0.6
"""Share of the height or width of the window that the axes of a map have, whichever is more."""
LEAST_REACH_OF_PAGES = 0.65
LEAST_REACH = 0.55
"""Share of the width of the window between the outermost lines, labels or keys of the pictures."""
CAPTION, SENTENCE = 12, 28
"""Font sizes of a caption at the desk and of the sentence, in pixels."""
GROWTH = 1.5
"""Font size in presentation mode, as a multiple of the ordinary one."""
WAIT_MILLISECONDS = 60_000
"""Milliseconds; on a busy machine."""

LONGEST = sorted(LESSONS, key=lambda lesson: max(len(step.text) for step in lesson.steps))[-2:]
OFTEN = ("composition", "spanning-tree")
PLAYED = [
    pytest.param(lesson, id=lesson.name, marks=() if lesson.name in OFTEN else pytest.mark.slow)
    for lesson in LESSONS
]
"""Lessons of each kind of layout are played in every run, all in the slow one."""
SOME = [pytest.param(lesson.name, marks=() if lesson in LONGEST else pytest.mark.slow) for lesson in LESSONS]
"""The longest texts are measured in every run, all in the slow one."""


class StepShown:
    """Stands for a player that shows one step of a lesson, and needs no scene for it."""

    def __init__(self, lesson: Lesson, index: int) -> None:
        self.lesson, self.index = lesson, index
        self.step = lesson.steps[index]
        self.at_end = index == len(lesson.steps) - 1
        self.answers: dict[int, int] = {}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_each_step_has_one_sentence(lesson):
    for step in lesson.steps:
        assert step.sentence[-1] in ".?", step.title
        assert not re.search(r"[.?!] [A-Z“]", step.sentence), step.title


@pytest.mark.parametrize("name", SOME)
def test_text_and_question_need_no_scrolling(presenting, name, monkeypatch):
    panel = presenting.body.lesson
    lesson = next(lesson for lesson in LESSONS if lesson.name == name)
    hidden = {}
    for index, step in enumerate(lesson.steps):
        monkeypatch.setattr(panel, "_player", StepShown(lesson, index))
        panel.refresh()
        for part, answer in (("text", None), ("question", None), ("question", step.question.right)):
            panel.open(part)
            if answer is not None and step.question.prediction is not None:
                panel.question.take(step.question.prediction.answer)
            elif answer is not None:
                panel.question.choose(answer)
            settle(presenting)
            bars = panel.scroll_area.verticalScrollBar(), presenting.body.middle.verticalScrollBar()
            assert panel.scroll_area.isVisible()
            if any(bar.maximum() > 0 for bar in bars):
                hidden[step.title, part, answer] = [bar.maximum() for bar in bars]
    assert hidden == {}
    assert (presenting.width(), presenting.height()) == (WIDTH, HEIGHT)


@pytest.mark.parametrize("played", PLAYED)
def test_each_step_shows_its_picture_and_little_else(presenting, played):
    panel, faults = presenting.body.lesson, {}
    for index, step in enumerate(played.steps):
        presenting.controllers.lessons.player.start(played, index)
        assert presenting.wait_until_idle(WAIT_MILLISECONDS)
        settle(presenting)
        found = misfits(presenting)
        hidden = presenting.body.middle.verticalScrollBar().maximum()
        found += [f"{hidden} pixels are out of sight"] if hidden else []
        assert (presenting.width(), presenting.height()) == (WIDTH, HEIGHT)
        assert panel.sentence.isVisible()
        assert pixels(panel.sentence) == SENTENCE
        if panel.sentence.height() > 2.4 * SENTENCE:
            found.append("the sentence takes more than two lines")
        shown = [canvas for canvas in presenting.findChildren(PlotCanvas) if canvas.isVisible()]
        share = sum(canvas.width() * canvas.height() for canvas in shown) / (WIDTH * HEIGHT)
        found += [f"the pictures fill {share:.1%}"] if share < LEAST_SHARE else []
        above = [sentence for canvas in shown for sentence in canvas.picture.sentences]
        found += ["a second sentence stands above the picture"] * any(not one._silent for one in above)
        across = width_used(shown)
        found += [f"they reach over {across:.1%} of the width"] if across < LEAST_REACH else []
        found += [f"a map fills {one:.1%} of a side" for one in map_shares(shown) if one < LEAST_SIDE_OF_MAPS]
        found += [
            f"type of {one.picture_class.__name__} grows {growth(one)} times"
            for one in shown
            if growth(one) != GROWTH
        ]
        assert set(shown) == set(declared(presenting.page, step.scene.shows))
        assert presenting.page.card.tab == step.scene.tab
        badge = presenting.page.card.badge
        assert badge.text() == "Public data" or not badge.isVisible()
        assert [button.text() for button in unnamed_buttons(presenting, step.attempt)] == []
        faults[index + 1] = found
    assert {index: found for index, found in faults.items() if found} == {}


@pytest.mark.parametrize("page", PAGE_KINDS)
def test_outside_lessons_the_picture_fills_the_wall(stage, page):
    stage.session.show_page(page)
    stage.resize(WIDTH, HEIGHT)
    assert stage.wait_until_idle(WAIT_MILLISECONDS)
    tabs = [tab for tab in stage.page.card.shown if tab != AUDIT]
    stage.controllers.appearance.set_presentation(True)
    shares, reaches, faults, said = {}, {}, {}, set()
    for tab in tabs[:2]:
        stage.page.show_tab(tab)
        assert stage.wait_until_idle(WAIT_MILLISECONDS)
        settle(stage)
        shown = [canvas for canvas in stage.findChildren(PlotCanvas) if canvas.isVisible()]
        shares[tab] = sum(canvas.width() * canvas.height() for canvas in shown) / (WIDTH * HEIGHT)
        reaches[tab] = width_used(shown)
        faults[tab] = misfits(stage)
        assert [growth(canvas) for canvas in shown] == [GROWTH] * len(shown)
        assert not stage.body.navigation.isVisible()
        assert not stage.page.card.tabs.isVisible()
        assert stage.page.card.badge.text() in ("Confidential", "Public data")
        sentence = stage.page.card.advice
        assert sentence.isVisible()
        assert sentence.text()[-1] in ".?"
        assert pixels(sentence) == SENTENCE
        assert y_of(sentence) < min(map(y_of, shown))
        said.add(sentence.text())
    assert min(shares.values()) >= LEAST_SHARE, shares
    assert min(reaches.values()) >= LEAST_REACH_OF_PAGES, reaches
    assert not any(faults.values()), faults
    assert len(said) == len(shares)  # each picture has its own sentence
    stage.actions_by_name["controls"].trigger()  # F9
    assert stage.wait_until_idle()
    assert stage.body.navigation.isVisible()
    stage.controllers.appearance.set_presentation(False)
    assert stage.page.card.isAncestorOf(stage.page.card.advice)
    assert pixels(stage.page.card.advice) == CAPTION
    stage.resize(WIDTH, 800)


def test_type_grows_with_the_wall(stage):
    stage.session.show_page("median")
    stage.controllers.appearance.set_presentation(True)
    stage.resize(1920, 1080)
    assert stage.wait_until_idle(WAIT_MILLISECONDS)
    settle(stage)
    assert pixels(stage.page.card.advice) == 43  # 28 · 1080 / 720, rounded after both factors
    assert growth(stage.page.canvas) == 1.5 * GROWTH
    stage.resize(WIDTH, HEIGHT)
    assert stage.wait_until_idle(WAIT_MILLISECONDS)
    assert pixels(stage.page.card.advice) == SENTENCE
    assert growth(stage.page.canvas) == GROWTH
    stage.controllers.appearance.set_presentation(False)
    stage.resize(WIDTH, 800)


def test_no_picture_has_a_rim_before_the_keyboard_is_used(stage):
    stage.session.show_page("median")
    assert stage.wait_until_idle(WAIT_MILLISECONDS)
    stage.activateWindow()
    QApplication.processEvents()
    stage.body.column.privacy.epsilon.setFocus()
    assert QApplication.focusWidget() is not None
    for on in (True, False):
        stage.controllers.appearance.set_presentation(on)
        assert stage.wait_until_idle(WAIT_MILLISECONDS)
        assert not any(canvas.hasFocus() for canvas in stage.findChildren(PlotCanvas))


def test_all_type_grows_by_one_factor(stage):
    (lesson,) = (one for one in LESSONS if one.name == "global-sensitivity")
    sizes = []
    for on in (False, True):
        stage.controllers.appearance.set_presentation(on)
        stage.controllers.lessons.player.start(lesson, 0)
        assert stage.wait_until_idle(WAIT_MILLISECONDS)
        panel, page = stage.body.lesson, stage.page
        panel.open("text")
        prose = panel.title, panel.text.findChild(QLabel), panel.look.text, panel.question.ask
        controls = panel.next, panel.back, stage.body.strip.epsilon, page.card.advice
        stage.body.history.show()  # a table
        for part in (stage.body.strip, stage.body.history):
            stage.controllers.appearance.style(part)
        tables = stage.body.history.findChildren(QTableView)
        assert tables
        sizes.append([pixels(widget) for widget in (*prose, *controls, *tables)])
        sizes[-1].append(page.card.canvas.figure.dpi)
    stage.controllers.lessons.player.leave()
    stage.controllers.appearance.set_presentation(False)
    ordinary, large = sizes
    assert large == pytest.approx([GROWTH * size for size in ordinary], abs=0.5)


def test_a_key_shows_text_question_and_controls(presenting, qtbot):
    panel = presenting.body.lesson
    button = panel.next
    for key, seen, hidden in (("T", panel.explained, panel.question), ("Q", panel.question, panel.explained)):
        qtbot.keyClick(button, key)
        assert seen.isVisible()
        assert not hidden.isVisible()
        assert not panel.sentence.isVisible()
        qtbot.keyClick(button, key)
        assert panel.sentence.isVisible()
        assert not seen.isVisible()
    qtbot.keyClick(button, "1")
    assert panel.question.isVisible()
    assert panel.question.given == 0
    panel.next.click()
    assert presenting.wait_until_idle()
    assert panel.sentence.isVisible()  # of the next step
    presenting.actions_by_name["controls"].trigger()  # F9
    assert presenting.wait_until_idle()
    assert presenting.page.card.tabs.isVisible()
    assert presenting.body.column.isVisible()
    presenting.actions_by_name["controls"].trigger()
    assert presenting.wait_until_idle()
    assert not presenting.page.card.tabs.isVisible()


def test_the_options_of_a_step_stand_beside_its_buttons(presenting):
    lesson = next(lesson for lesson in LESSONS if lesson.name == "histograms")
    presenting.controllers.lessons.player.start(lesson, 2)
    assert presenting.wait_until_idle(WAIT_MILLISECONDS)
    card, foot = presenting.page.card, presenting.body.lesson.foot
    assert card.draws.isVisible()
    assert foot.isAncestorOf(card.draws)
    presenting.controllers.appearance.set_presentation(False)
    assert presenting.wait_until_idle(WAIT_MILLISECONDS)
    assert card.isAncestorOf(card.draws)
    assert y_of(card.tabs) < y_of(card.draws) < y_of(card.canvas)


def test_the_desk_is_as_before_afterwards(stage, lesson):
    stage.controllers.lessons.play(lesson)
    assert stage.wait_until_idle()
    before = places(stage)
    stage.controllers.appearance.set_presentation(True)
    assert stage.wait_until_idle()
    assert places(stage) != before
    stage.controllers.appearance.set_presentation(False)
    assert stage.wait_until_idle()
    assert places(stage) == before
    stage.controllers.lessons.player.leave()


def pixels(widget):
    """Return the font size of a widget, in pixels."""
    widget.ensurePolished()
    return QFontInfo(widget.font()).pixelSize()


def growth(canvas):
    """Return the font size of a picture, as a multiple of the ordinary one."""
    return canvas.figure.dpi / 100


def width_used(canvases):
    """Return the distance between the outermost ink of pictures, as a share of the width of the window."""
    ends = []
    for canvas in canvases:
        figure = screen_figure(LIGHT, growth(canvas))
        figure.set_size_inches(canvas.width() / figure.dpi, canvas.height() / figure.dpi)
        drawing = FigureCanvasAgg(figure)
        canvas.picture_class.draw(figure.axes[0], canvas.result, LIGHT)
        layout = LayoutSteps(figure)
        while not layout.step(drawing.get_renderer()):
            pass
        drawing.draw()
        pixels = np.asarray(drawing.buffer_rgba())
        left = canvas.mapTo(canvas.window(), QPoint()).x()
        columns = np.flatnonzero((pixels != pixels[0, 0]).any(axis=(0, 2)))
        ends += [left + columns[0], left + columns[-1]]
    return float(max(ends) - min(ends)) / WIDTH


def map_shares(canvases):
    """Return how much of the height or width of the window each map has, whichever is more."""
    boxes = [canvas.picture.axes.bbox for canvas in canvases if canvas.picture.is_map]
    ratio = canvases[0].devicePixelRatioF() if canvases else 1.0
    return [max(box.width / WIDTH, box.height / HEIGHT) / ratio for box in boxes]


def y_of(widget):
    """Return the upper edge of a widget in its window."""
    return widget.mapTo(widget.window(), QPoint()).y()


def declared(page, shows):
    """Return the pictures that a step declares."""
    data = [part.canvas for part in getattr(page, "parts", ()) if part.canvas is not None]
    return [*(data if shows != "picture" else ()), *([page.card.canvas] if shows != "data" else ())]


def unnamed_buttons(window, attempt):
    """Return the visible buttons of the page that the task of a step does not name."""
    game = window.page.card.audit.player  # the task of its step is to play
    rows = {
        button: [one.text().replace("&", "") for one in button.parentWidget().findChildren(QAbstractButton)]
        for button in window.page.findChildren(QAbstractButton)
        if button.isVisible() and not game.isAncestorOf(button)
    }
    return [button for button, row in rows.items() if not any(f"“{text}”" in attempt for text in row)]


def places(window):
    """Return where everything visible is."""
    return sorted(
        f"{widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else '')} "
        f"{type(widget).__name__} {widget.mapTo(window, widget.rect().topLeft()).toTuple()}"
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
    )


@pytest.fixture
def presenting(stage, lesson):
    """Return a window in presentation mode in which a lesson is played."""
    stage.resize(WIDTH, HEIGHT)
    stage.controllers.appearance.set_presentation(True)
    stage.controllers.lessons.play(lesson)
    assert stage.wait_until_idle()
    stage.activateWindow()
    QApplication.processEvents()
    assert (stage.width(), stage.height()) == (WIDTH, HEIGHT)
    yield stage
    stage.controllers.lessons.player.leave()
    stage.controllers.appearance.set_presentation(False)
    stage.resize(WIDTH, 800)
