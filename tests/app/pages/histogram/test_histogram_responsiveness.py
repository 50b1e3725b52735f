"""A million points: the window stays prompt while levels are played and a query point is dragged."""

import time

import numpy as np
import pytest
from lateness import Turns

from app.model.pages.histogram_options import LevelOptions

N = 1_000_000
DRAGGED, OPENED = 50.0, 100.0
"""Milliseconds of work in one turn of the loop: while something moves, and when a picture is made."""


@pytest.fixture
def window(points_on):
    rng = np.random.default_rng(11)
    points = np.clip(0.4 + 0.1 * rng.standard_normal((N, 2)), 0, 1)
    return points_on(page="histogram", x=points[:, 0], y=points[:, 1])


@pytest.mark.slow
def test_the_window_stays_prompt(window):
    def idle():
        return not (window.jobs.busy or window.page.pending)

    page, opened, dragged = window.page, Turns(), Turns()
    for level in range(page.card.editors[LevelOptions].slider.maximum() // 2):
        page.card.editors[LevelOptions].slider.setValue(level)
        dragged.until(idle)
    for tab in ("tree", "attacks", "isolation"):
        page.show_tab(tab)
        opened.until(idle)
        assert window.wait_until_idle(60_000)
    for x in np.linspace(0.1, 0.9, 20):
        page.canvas.moved.emit(float(x), 0.4)
        end = time.monotonic() + 0.02
        dragged.until(lambda end=end: time.monotonic() > end)
    dragged.until(idle)
    page.show_tab("compare")
    begun = time.monotonic() + 3.0
    opened.until(lambda: time.monotonic() > begun)
    page.cancel()
    asked = time.process_time()
    opened.until(lambda: not page.requester.channel.busy)
    assert time.process_time() - asked < 2.0
    assert max(opened.busy) < OPENED, opened
    assert max(dragged.busy) < DRAGGED, dragged
    assert not window.body.messages.texts()
