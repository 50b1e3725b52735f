"""Histograms of other points and other t, for attacks that vary them."""

import numpy as np

from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import NoisyHistogram, RecursiveHistogram
from engine.privacy import Privacy
from engine.randomness import reproducible

BOX = Box.of([0.0, 0.0], [1.0, 1.0])
POINTS = np.random.default_rng(1).random((200, 2))


def test_the_t_that_is_asked_for_decides_what_is_cut():
    sanitize = RecursiveHistogram(t=100).sanitize_with(Privacy(1.0))
    made = sanitize(POINTS, BOX, 10, reproducible(1))
    asked = RecursiveHistogram(t=10).prepare(Points(POINTS, BOX), Privacy(1.0)).histogram(reproducible(1))
    assert made.size == asked.size
    assert made.size > sanitize(POINTS, BOX, 100, reproducible(1)).size


def test_a_mechanism_without_t_stays_as_it_is():
    sanitize = NoisyHistogram().sanitize_with(Privacy(1.0))
    few, many = (sanitize(POINTS, BOX, t, reproducible(1)) for t in (2, 50))
    assert np.array_equal(few.counts, many.counts)
