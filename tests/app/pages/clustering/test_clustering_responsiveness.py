"""A million points: the window stays prompt, the newest question wins, and work can be cancelled."""

import time

import numpy as np
import pytest
from lateness import Turns

N = 1_000_000
DRAGGED, OPENED = 50.0, 100.0
"""Milliseconds of work in one turn of the window's loop: while epsilon moves, and when a picture is made."""
CANCELLED = 1.0
"""Seconds until cancelled work has ended; other tests may be running."""


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(11)
    centers = np.array([[0.2, 0.2], [0.5, 0.8], [0.8, 0.3]])
    points = centers[rng.integers(0, 3, N)] + 0.03 * rng.standard_normal((N, 2))
    return {"x": points[:, 0], "y": points[:, 1]}


@pytest.fixture
def window(points_on, columns):
    return points_on(**columns)


def idle(window):
    return not (window.jobs.busy or window.page.pending)


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["outputs", "aggregate", "release"])
def test_the_window_stays_prompt(window, stage):
    opened, dragged = Turns(), Turns()
    window.page.show_tab(stage)
    opened.until(lambda: idle(window))
    assert window.wait_until_idle()
    for epsilon in np.geomspace(1.0, 1.1, 12):
        window.session.edit("change epsilon", merge="epsilon", epsilon=float(epsilon))
        dragged.until(later(0.03))
    dragged.until(lambda: idle(window))
    assert max(opened.busy, default=0) < OPENED, opened
    assert max(dragged.busy) < DRAGGED, dragged
    assert not window.body.messages.texts()


def later(seconds):
    """Return what tells whether so many seconds have gone by."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


@pytest.mark.slow
def test_the_newest_question_wins_and_a_long_sweep_grows_and_can_be_cancelled(window, qtbot):
    window.page.show_tab("blocks")
    window.page.requester.due.emit()
    start = time.process_time()
    window.page.show_tab("outputs")
    assert window.wait_until_idle(30_000)
    assert window.page.canvas.picture.result.outputs is not None
    assert time.process_time() - start < 5
    window.page.show_tab("blocks")
    qtbot.waitUntil(lambda: window.page.canvas is not None and window.page.canvas.picture.result is not None)
    sweep = window.page.canvas.picture.result
    assert np.isnan(sweep.smooth).any()
    assert window.page.requester.channel.busy
    start = time.process_time()
    window.page.cancel()
    qtbot.waitUntil(lambda: not window.page.requester.channel.busy)
    assert time.process_time() - start < CANCELLED
    assert window.body.pages["clustering"].card.waiting.text().startswith("Cancelled.")
