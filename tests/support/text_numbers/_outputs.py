"""Errors of aggregators on simulated outputs of blocks, for help pages."""

import numpy as np

from engine.aggregation.blocks import Partition
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import MECHANISMS
from engine.privacy import Privacy
from engine.randomness import reproducible

SETS, RUNS = 40, 50
"""Sets of outputs, and releases from each."""
SPREAD = 0.02
CENTER = 0.4


def outputs(blocks, dimension, seed, away=0.0, width=1.0, center=CENTER):
    """Return normal outputs in a box from 0 to `width`; a share lies at 1 in each coordinate."""
    values = np.random.default_rng(seed).normal(center, SPREAD, (blocks, dimension))
    values[: round(away * blocks)] = 1.0
    return Points(np.clip(values, 0.0, width), Box.of([0.0] * dimension, [width] * dimension))


def drawn(aggregator, data, epsilon=1.0, delta=0.0, runs=RUNS, seed=1):
    """Return simulated releases from outputs that are given, one in each row."""
    mechanism = MECHANISMS["sample-aggregate"](sampling=Partition(blocks=data.n), aggregator=aggregator)
    found = mechanism.prepare(data, Privacy(epsilon, delta)).draw(reproducible(seed), runs)
    return found.reshape(runs, data.domain.dimension)


def distance(aggregator, blocks, dimension=1, *, epsilon=1.0, delta=0.0, sets=SETS, **more):
    """Return the median distance of releases from the center of the normal law."""
    distances = []
    for seed in range(sets):
        data = outputs(blocks, dimension, seed, **more)
        found = drawn(aggregator, data, epsilon, delta, seed=seed)
        distances.append(np.linalg.norm(found - more.get("center", CENTER), axis=1))
    return float(np.median(np.concatenate(distances)))
