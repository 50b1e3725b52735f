"""A hundred thousand points: the window stays prompt while balls are found and epsilon moves."""

import time

import numpy as np
import pytest
from lateness import Turns

N = 100_000
DRAGGED, OPENED = 50.0, 100.0
"""Milliseconds of work in one turn of the window's loop: while epsilon moves, and when a picture is made."""


@pytest.fixture
def window(points_on):
    rng = np.random.default_rng(11)
    points = rng.random((N, 2))
    points[:2000] = (0.6, 0.4) + 0.01 * rng.standard_normal((2000, 2))
    return points_on(page="one-cluster", x=points[:, 0], y=points[:, 1])


@pytest.mark.slow
@pytest.mark.parametrize("tab", ["radius", "boxes", "runs"])
def test_the_window_stays_prompt(window, tab):
    def idle():
        return not (window.jobs.busy or window.page.pending)

    opened, dragged = Turns(), Turns()
    window.page.show_tab(tab)
    opened.until(idle)
    assert window.wait_until_idle(30_000)
    for epsilon in np.geomspace(1.0, 1.1, 12):
        window.session.edit("change epsilon", merge="epsilon", epsilon=float(epsilon))
        end = time.monotonic() + 0.03
        dragged.until(lambda end=end: time.monotonic() > end)
    dragged.until(idle)
    assert max(opened.busy) < OPENED, opened
    assert max(dragged.busy) < DRAGGED, dragged
    assert not window.body.messages.texts()
