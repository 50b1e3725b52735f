"""Whoever waits for a release, or for draws, can stop them soon."""

import time

import numpy as np
import pytest

from engine.data.points import Points
from engine.domain import Box, Interval
from engine.extras.points.privtree import PrivTree
from engine.extras.points.synthetic_data import SyntheticPoints
from engine.mechanisms.histograms.exact_counts import NetHistogram
from engine.mechanisms.histograms.noisy import NoisyHistogram
from engine.mechanisms.histograms.tree import HierarchicalHistogram
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Cancelled, each, part
from engine.randomness import reproducible
from engine.simulation import simulate_prepared

SOON = 0.2
"""Seconds of this thread's own time, so that others on the same machine do not count."""


class Stopped:
    """Progress of a user who has had enough after some time of work; remembers the longest silence."""

    def __init__(self, after):
        self.began = self.last = time.thread_time()
        self.after = after
        self.silence = 0.0

    def __call__(self, fraction, message=""):
        now = time.thread_time()
        assert 0 <= fraction <= 1
        self.silence, self.last = max(self.silence, now - self.last), now
        if now - self.began > self.after:
            raise Cancelled


def points(n, d, spread=1.0):
    values = np.random.default_rng(1).random((n, d)) * spread
    return Points(values, Box(tuple(Interval(0.0, 1.0) for _ in range(d))))


LONG = {
    "noisy": (NoisyHistogram(bins=1024), points(100, 2), Privacy(1.0)),
    "tree": (HierarchicalHistogram(depth=10), points(100, 2), Privacy(1.0)),
    "privtree": (PrivTree(), points(100, 12, 0.1), Privacy(1.0)),
    "net": (NetHistogram(t=50), points(300_000, 2), NO_PROMISE),
    "metropolis": (SyntheticPoints(sampler="metropolis", steps=200_000), points(100, 2), Privacy(1.0)),
}


def longest_silence(work, after):
    """The least of some attempts: a long stretch is in each of them, an import or a busy machine is not."""
    silences = []
    for _ in range(3):
        stop = Stopped(after)
        with pytest.raises(Cancelled):
            work(stop)
        silences.append(stop.silence)
        if stop.silence < SOON:
            break
    return min(silences)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in ("tree", "privtree") else ()) for name in LONG],
)
def test_a_release_is_cancelled_soon(name):
    mechanism, data, privacy = LONG[name]
    assert longest_silence(lambda stop: mechanism.run(data, privacy, reproducible(1), stop), 0.4) < SOON


@pytest.mark.parametrize("name", ["net", "metropolis"])
def test_so_is_one_long_draw_of_a_simulation(name):
    mechanism, data, privacy = LONG[name]
    prepared = mechanism.prepare(data, privacy)
    assert (
        longest_silence(
            lambda stop: simulate_prepared(mechanism, prepared, data, runs=1, seed=1, progress=stop), 0.2
        )
        < SOON
    )


def test_equal_steps_share_the_progress():
    told = []
    for here in each(2, part(lambda fraction, message="": told.append((fraction, message)), 0.5, 1), "at it"):
        here(0.5)
    assert told == [(0.5, "at it"), (0.625, ""), (0.75, "at it"), (0.875, "")]
