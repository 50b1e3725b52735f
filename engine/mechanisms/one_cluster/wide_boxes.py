"""Wide boxes: the shape of the paper's algorithms, with constants for data of usual size."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from engine.array_types import Floats
from engine.mechanisms.one_cluster.in_boxes import Boxed, ClusterRegion, InBoxes, farthest
from engine.mechanisms.one_cluster.search import Crossing, Task
from engine.mechanisms.one_cluster.shifted_boxes import chance


class WideBoxes(InBoxes):
    """Wide boxes.

    1. A radius r_j = sqrt(d) 2^-j at which L(r, S) falls below t - 2 G, by the exponential
       mechanism: at most four times that of the smallest ball with t points.
    2. Boxes of side 4 d r at random places until one is full, by AboveThreshold.
    3. The fullest box, by a stability histogram.
    4. Noisy sum and count of its points give the center; the ball reaches its farthest corner.

    A ball of radius r fits into a box with probability (1 - 1/(2 d))^d, at least 1/2.  No
    projection and no rotation: the box bounds itself, at the price of a radius of up to
    16 d sqrt(d) times the smallest.

    Source: derived for this program from Algorithms 1 and 2 of Nissim, Stemmer, Vadhan 2016.
    """

    name: ClassVar[str] = "wide-boxes"
    label: ClassVar[str] = "Wide boxes"
    summary: ClassVar[str] = "the published shape: L(r, S), boxes at random places, the mean of one"
    source: ClassVar[str] = "After Nissim, Stemmer, Vadhan 2016, Algorithms 1 and 2"

    parts: ClassVar[Mapping[str, tuple[str, float]]] = {
        "scale": ("GoodRadius", 0.25),
        "threshold": ("AboveThreshold", 0.25),
        "box": ("GoodCenter (box)", 0.25),
        "center": ("NoisyAVG", 0.25),
    }
    with_delta: ClassVar[Mapping[str, float]] = {"box": 0.5, "center": 0.5}

    def side(self, radius: float, dimension: int) -> float:
        """Return 4 d r."""
        return 4 * dimension * radius

    def fits(self, task: Task) -> float:
        """Return (1 - 1/(2 d))^d."""
        d = task.grid.dimension
        return chance(self.side(1.0, d), 2.0, d)

    def factor(self, task: Task) -> float:
        d = task.grid.dimension
        return 4 * self.side(1.0, d) * math.sqrt(d)

    def ball(
        self, located: Boxed, center: Floats, cell: ClusterRegion, rng: np.random.Generator
    ) -> tuple[float, Crossing | None]:
        return farthest(center, cell) * located.task.grid.step, None
