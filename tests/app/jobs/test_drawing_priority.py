"""Workers wait while the window draws, and never for long."""

import threading
import time

import pytest

from app.jobs import drawing_priority as courtesy
from app.jobs.drawing_priority import stand_aside, undisturbed


def waited(seconds_of_drawing):
    """Return how long a worker stood aside that reported at the beginning of a drawing."""
    times = []
    started = threading.Event()

    def work():
        started.wait(1.0)
        begin = time.perf_counter()
        stand_aside()
        times.append(time.perf_counter() - begin)

    worker = threading.Thread(target=work)
    worker.start()

    @undisturbed
    def draw():
        started.set()
        time.sleep(seconds_of_drawing)

    draw()
    worker.join()
    return times[0]


def test_a_worker_waits_until_the_window_has_drawn():
    assert 0.02 <= waited(0.05) < courtesy.PATIENCE + 0.05


def test_a_worker_does_not_wait_for_ever():
    assert waited(4 * courtesy.PATIENCE) < 3 * courtesy.PATIENCE


def test_nobody_waits_while_nothing_is_drawn():
    begin = time.perf_counter()
    for _ in range(1000):
        stand_aside()
    assert time.perf_counter() - begin < courtesy.PATIENCE


def test_a_drawing_within_a_drawing_does_not_end_it():
    @undisturbed
    def inner():
        pass

    @undisturbed
    def outer():
        inner()
        assert not courtesy._idle.is_set()

    outer()
    assert courtesy._idle.is_set()


def test_a_drawing_that_fails_ends_too():
    @undisturbed
    def draw():
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        draw()
    assert courtesy._idle.is_set()
