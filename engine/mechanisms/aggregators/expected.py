"""Estimates for planning, before there are outputs: they are assumed to be normal."""

from __future__ import annotations

import functools
import math

import numpy as np

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats
from engine.noise import Noise
from engine.randomness import reproducible

DRAWS = 4001
"""Draws of noise that estimate its typical length."""

UPPER_QUARTER = 0.6745
"""Upper quartile of the standard normal distribution."""

RANK = math.sqrt(2 * math.pi)
"""Near the median, neighbouring ranks of m normal numbers are RANK sigma/m apart."""

DOUBT = 0.25
"""If a choice by rank misses the outputs with more than this probability, it counts as useless."""


def spread_of(radius: Floats, dimension: int) -> Floats:
    """Return the standard deviation per coordinate if three quarters of the outputs are within a radius.

    Uses the approximation of Wilson and Hilferty to the upper quartile of the chi-squared distribution.
    """
    part = 2 / (9 * dimension)
    return radius / math.sqrt(dimension * (1 - part + UPPER_QUARTER * math.sqrt(part)) ** 3)


def width_of(space: OutputSpace) -> float:
    """Return the typical width of a coordinate: the root mean square."""
    return float(np.sqrt(np.square(space.box.width).mean()))


def misled_distance(blocks: Floats, spread: Floats, width: float, epsilon: float, rank: float) -> Floats:
    """Return the probability that a choice by rank falls outside the outputs.

    The density i ranks away is exp(-epsilon i/2).  A share `rank` of the blocks lies between the target and
    the end, so the range outside has density exp(-epsilon rank blocks/2), relative to that of the outputs
    near the target.
    """
    outside = width * np.exp(-epsilon * rank * blocks / 2)
    inside = RANK * spread / blocks * 4 / epsilon
    share: Floats = outside / (outside + inside)
    return share


@functools.lru_cache(maxsize=256)
def typical_length(noise: Noise, dimension: int, joint: bool = True) -> float:
    """Simulate the median Euclidean length of Z in `dimension` coordinates, drawn jointly or one by one."""
    rng = reproducible(0)
    drawn = noise.sample_vectors(rng, DRAWS, dimension) if joint else noise.sample(rng, (DRAWS, dimension))
    return float(np.median(np.linalg.norm(drawn, axis=1)))
