"""The seconds left: from the pace of the last seconds."""

import pytest

from app.jobs.tasks import WINDOW, RemainingTime


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def told(clock, pace, seconds, fraction, step=0.1):
    """Let time pass up to a fraction of the work; return what is said last."""
    start, last = pace.done if hasattr(pace, "done") else 0.0, None
    steps = round(seconds / step)
    for place in range(1, steps + 1):
        clock.now += step
        last = pace.left(start + (fraction - start) * place / steps)
    pace.done = fraction
    return last


def test_nothing_is_said_before_anything_is_known(clock):
    pace = RemainingTime(clock)
    assert pace.left(0.5) is None
    clock.now += 0.1
    assert pace.left(0.6) is None
    clock.now += 10
    assert RemainingTime(clock).left(0.9) is None


def test_steady_work_is_told_exactly(clock):
    pace = RemainingTime(clock)
    pace.left(0.0)
    assert told(clock, pace, 10, 0.25) == pytest.approx(30)
    assert told(clock, pace, 30, 1.0) == pytest.approx(0)


def test_a_quick_first_step_is_forgotten(clock):
    pace = RemainingTime(clock)
    pace.left(0.0)
    told(clock, pace, 0.5, 0.5)
    assert told(clock, pace, WINDOW + 1, 0.56) == pytest.approx(44, rel=0.05)


def test_work_that_stands_still_or_begins_anew_has_no_end_in_sight(clock):
    pace = RemainingTime(clock)
    pace.left(0.0)
    told(clock, pace, 2, 0.5)
    clock.now += 2 * WINDOW
    pace.left(0.5)
    clock.now += 1
    assert pace.left(0.5) is None
    assert pace.left(0.1) is None
    assert told(clock, pace, 4, 0.5) is not None
