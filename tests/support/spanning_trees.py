"""Graphs whose spanning tree is asked about."""

import numpy as np
from graphs import connected

from engine.data.graph import WeightedGraph
from engine.domain import Interval
from engine.queries import MstCost

MST = MstCost()
LARGEST = 10.0
BOUNDS = Interval(0.0, LARGEST)


def weights_of_every_kind(rng, count):
    yield rng.uniform(0, LARGEST, count)
    yield rng.integers(0, 5, count) * LARGEST / 4
    yield rng.choice([0.0, 0.1, 0.3, LARGEST], count)
    yield np.round(rng.random(count), 1)


def dense(n, m, seed, weights=lambda rng, m: rng.uniform(0, 1, m)):
    rng = np.random.default_rng(seed)
    return WeightedGraph(connected(rng, n, m), weights(rng, m), Interval(0, 1))
