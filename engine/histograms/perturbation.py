"""Points that are moved at random, as far as their neighbours are: what attacks and trees see of them."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.data.points import search_tree
from engine.histograms.histogram import BoxHistogram

LAWS = ("gaussian", "sphere")
"""Spherical Gaussian noise, and noise of one length in a random direction."""


def moved(values: Floats, radii: Floats, law: str, rng: np.random.Generator) -> Floats:
    """Move points (n, d) at random: with a mean squared length of the squared radius of each, shape (n,).

    Parameters
    ----------
    values : ndarray, shape (n, d)
    radii : ndarray, shape (n,)
    law : {"gaussian", "sphere"}
        Variance radius^2/d along each axis; or a length that is the radius itself.
    rng : Generator
    """
    noise = rng.standard_normal(values.shape)
    if law == "sphere":
        lengths = np.linalg.norm(noise, axis=1, keepdims=True)
        noise *= math.sqrt(values.shape[1]) / np.where(lengths > 0, lengths, 1.0)
    made: Floats = values + noise * (radii / math.sqrt(values.shape[1]))[:, None]
    return made


def own_isolation_bound(c: float, d: int) -> float:
    """Bound the probability that a point, after Gaussian noise of its t-radius, isolates itself: any data.

    Let N be the noise of x, with variance T^2/d along each axis, where T is the distance of the t-th
    other point.  The ball around x + N with radius c |N| holds that around x with radius (c - 1) |N|.
    If this is T or more, it holds x and t others: x + N does not (c, t)-isolate x.  Otherwise
    |N|^2 d/T^2, which follows chi^2 with d degrees of freedom, is below a^2 d, a = 1/(c - 1); for a < 1
    that has a probability of at most (a^2 e^(1 - a^2))^(d/2) (Chernoff).

    It says nothing about another record that happens to lie nearer, and nothing of what all moved points
    together tell.  On the sphere |N| = T: for c >= 2 no point isolates itself.

    Examples
    --------
    >>> round(own_isolation_bound(4.0, 2), 3), own_isolation_bound(2.0, 2)
    (0.27, 1.0)
    """
    if c <= 2:
        return 1.0
    a = 1 / (c - 1) ** 2
    return float((a * math.exp(1 - a)) ** (d / 2))


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class MovedPoints(BoxHistogram):
    """Released points as cells without extent, each of which counts one record."""

    @classmethod
    def at(cls, points: ArrayLike) -> MovedPoints:
        """Return points (n, d), sorted: their order says nothing about that of the records."""
        values = np.asarray(points, dtype=np.float64)
        values = values[np.lexsort(values.T[::-1])]
        return cls(values, values, np.ones(len(values)), np.zeros(len(values), dtype=np.int64))

    def named_boxes(self) -> tuple[Floats, Floats]:
        """Return equal cubes around the points: most do not reach the cube of the nearest other point."""
        far = search_tree(self.lower).query(self.lower, k=[2], p=np.inf)[0]
        side = float(np.median(far)) / 2
        return self.lower - side, self.lower + side
