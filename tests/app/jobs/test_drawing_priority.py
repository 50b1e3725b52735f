"""Workers wait while the window draws, and never for long."""

import threading
import time

import pytest

from app.jobs import tasks
from app.jobs.tasks import hold_workers, wait_for_window


def drawn_while_a_worker_reports(wait):
    """Draw for as long as `wait(ended)` takes; return whether that was drawn when the worker went on."""
    started, ended = threading.Event(), threading.Event()
    drawn, found = [], []

    def work():
        started.wait(30)
        wait_for_window()
        found.append(bool(drawn))
        ended.set()

    worker = threading.Thread(target=work)
    worker.start()

    @hold_workers()
    def draw():
        started.set()
        wait(ended)
        drawn.append(True)

    draw()
    worker.join()
    return found[0]


def test_a_worker_waits_until_the_window_has_drawn(monkeypatch):
    monkeypatch.setattr(tasks, "IDLE_SECONDS", 30.0)
    assert drawn_while_a_worker_reports(lambda ended: time.sleep(0.05))


def test_a_worker_does_not_wait_for_ever():
    assert not drawn_while_a_worker_reports(lambda ended: ended.wait(30))


def test_nobody_waits_while_nothing_is_drawn(monkeypatch):
    monkeypatch.setattr(tasks, "IDLE_SECONDS", 600.0)
    worker = threading.Thread(target=wait_for_window, daemon=True)
    worker.start()
    worker.join(60)
    assert not worker.is_alive()


def test_a_drawing_within_a_drawing_does_not_end_it():
    @hold_workers()
    def inner():
        pass

    @hold_workers()
    def outer():
        inner()
        assert not tasks._idle.is_set()

    outer()
    assert tasks._idle.is_set()


def test_a_drawing_that_fails_ends_too():
    @hold_workers()
    def draw():
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        draw()
    assert tasks._idle.is_set()
