"""A million records: the window stays prompt while five mechanisms are compared, looked at and cancelled."""

import dataclasses
import time

import numpy as np
import pytest
from lateness import Turns

from app.model.comparison_choice import NO_CHOICE

N = 1_000_000
OPENED = 100.0
"""Milliseconds of work in one turn of the loop when a picture is made; half of it otherwise."""


@pytest.mark.slow
def test_the_window_stays_prompt(window_on):
    window = window_on(np.random.default_rng(2).normal(50, 20, N).clip(0, 100))
    window.session.edit("many runs", comparison=dataclasses.replace(NO_CHOICE, runs=20_000), delta=1e-6)
    entered, opened, working = Turns(), Turns(), Turns()
    window.session.show_page("compare")
    entered.until(lambda: not (window.jobs.busy or window.page.pending))
    room = window.body.pages["compare"]
    window.controllers.run.start()
    working.until(lambda: room.seen.result is not None and len(room.seen.result.comparison.outcomes) > 5)
    for tab in ("frontier", "time", "table", "errors"):
        room.show_tab(tab)
        end = time.monotonic() + 0.3
        opened.until(lambda end=end: time.monotonic() > end)
    for mode in ("box", "ecdf", "dots"):
        room.card.modes.button(mode).click()
        end = time.monotonic() + 0.2
        opened.until(lambda end=end: time.monotonic() > end)
    for place in range(room.card.slider.maximum() + 1):
        room.card.slider.setValue(place)
        end = time.monotonic() + 0.05
        working.until(lambda end=end: time.monotonic() > end)
    window.handlers.cancel()
    asked = time.process_time()
    working.until(lambda: not room.work.busy)
    assert time.process_time() - asked < 2.0
    assert max(entered.busy) < OPENED, entered
    assert max(opened.busy) < OPENED, opened
    assert max(working.busy) < OPENED / 2, working
    assert not window.body.messages.texts()
