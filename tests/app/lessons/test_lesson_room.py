"""Every step of every lesson has room in presentation mode at 1280×720: nothing has to be scrolled.

Texts are looked at without their pages, which takes no time; pages are played.
"""

import pytest
from fitting import misfits, settle
from PySide6.QtWidgets import QApplication

from app.lessons.lesson import Lesson
from app.lessons.reading import lessons

pytestmark = pytest.mark.usefixtures("undrawn")

LESSONS = lessons()[0]
WIDTH, HEIGHT = 1280, 720
WAIT_MILLISECONDS = 60_000
"""Milliseconds; on a busy machine."""

LONGEST = sorted(LESSONS, key=lambda lesson: max(len(step.text) for step in lesson.steps))[-2:]
OFTEN = ("composition",)
PLAYED = [
    pytest.param(lesson, id=lesson.name, marks=() if lesson.name in OFTEN else pytest.mark.slow)
    for lesson in LESSONS
]
"""Lessons whose pages have most on them, or just no room for all, are played in every run."""
SOME = [pytest.param(lesson.name, marks=() if lesson in LONGEST else pytest.mark.slow) for lesson in LESSONS]
"""Lessons whose texts are the longest are looked at in every run, all in the slow one."""


class StepShown:
    """Stands for a player that shows one step of a lesson, and needs no scene for it."""

    def __init__(self, lesson: Lesson, index: int) -> None:
        self.lesson, self.index = lesson, index
        self.step = lesson.steps[index]
        self.at_end = index == len(lesson.steps) - 1
        self.answers: dict[int, int] = {}


@pytest.mark.parametrize("name", SOME)
def test_the_text_of_a_step_needs_no_scrolling(presenting, name, monkeypatch):
    panel = presenting.body.lesson
    lesson = next(lesson for lesson in LESSONS if lesson.name == name)
    too_long = {}
    for place, step in enumerate(lesson.steps):
        monkeypatch.setattr(panel, "_player", StepShown(lesson, place))
        panel.refresh()
        for answer in (None, step.question.right):
            if answer is not None:
                panel.question.choose(answer)
            for _ in range(3):  # what is hidden, the card, and the text around it
                QApplication.processEvents()
            bar = panel.scroll_area.verticalScrollBar()
            if bar.maximum() > 0:
                too_long[step.title, answer] = bar.maximum()
    assert too_long == {}


@pytest.mark.slow
@pytest.mark.parametrize("played", PLAYED)
def test_the_page_of_a_step_needs_no_scrolling_either(presenting, played):
    found = {}
    for place in range(len(played.steps)):
        presenting.controllers.lessons.player.start(played, place)
        assert presenting.wait_until_idle(WAIT_MILLISECONDS)
        settle(presenting)
        hidden = presenting.body.middle.verticalScrollBar().maximum()
        found[place] = [*misfits(presenting), *([f"{hidden} pixels are out of sight"] if hidden else [])]
        assert (presenting.width(), presenting.height()) == (WIDTH, HEIGHT)
    assert {place: wrong for place, wrong in found.items() if wrong} == {}


@pytest.fixture
def presenting(stage, lesson):
    """Return a window in presentation mode in which a lesson is played."""
    stage.resize(WIDTH, HEIGHT)
    stage.controllers.appearance.set_presentation(True)
    stage.controllers.lessons.play(lesson)
    assert stage.wait_until_idle()
    assert (stage.width(), stage.height()) == (WIDTH, HEIGHT)
    yield stage
    stage.controllers.lessons.player.leave()
    stage.controllers.appearance.set_presentation(False)
    stage.resize(WIDTH, 800)
