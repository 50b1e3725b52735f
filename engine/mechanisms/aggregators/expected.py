"""What a planner expects of outputs before there are any: that they are spread like a normal law."""

from __future__ import annotations

import functools
import math

import numpy as np

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats
from engine.noise import Noise
from engine.randomness import reproducible

DRAWS = 4001
"""Of noise, from which its typical length is taken."""

UPPER_QUARTER = 0.6745
"""The normal law has a quarter above."""

RANK = math.sqrt(2 * math.pi)
"""In the middle, normal numbers are RANK sigma/m apart from one rank to the next."""

DOUBT = 0.25
"""A choice by rank that leads among all numbers with more than this probability leads nowhere."""


def spread_of(radius: Floats, dimension: int) -> Floats:
    """Return the standard deviation of each coordinate where three quarters are within a radius.

    By the approximation of Wilson and Hilferty to the upper quarter of the chi-squared law.
    """
    part = 2 / (9 * dimension)
    return radius / math.sqrt(dimension * (1 - part + UPPER_QUARTER * math.sqrt(part)) ** 3)


def width_of(space: OutputSpace) -> float:
    """Return how wide the range of a coordinate typically is."""
    return float(np.sqrt(np.square(space.box.width).mean()))


def misled_distance(blocks: Floats, spread: Floats, width: float, epsilon: float, rank: float) -> Floats:
    """Return with which probability a choice by rank falls outside of the outputs.

    For the density exp(-epsilon i/2), i ranks away, `rank` of the blocks lie between the one that is
    sought and the end.  All of the range has exp(-epsilon rank blocks/2), the outputs about those near.
    """
    outside = width * np.exp(-epsilon * rank * blocks / 2)
    inside = RANK * spread / blocks * 4 / epsilon
    share: Floats = outside / (outside + inside)
    return share


@functools.lru_cache(maxsize=256)
def typical_length(noise: Noise, dimension: int, joint: bool = True) -> float:
    """Simulate the median Euclidean length of Z in `dimension` coordinates, drawn together or one by one."""
    rng = reproducible(0)
    drawn = noise.sample_vectors(rng, DRAWS, dimension) if joint else noise.sample(rng, (DRAWS, dimension))
    return float(np.median(np.linalg.norm(drawn, axis=1)))
