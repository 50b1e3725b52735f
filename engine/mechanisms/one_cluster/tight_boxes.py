"""The finder "tight boxes", for many dimensions; above 25 dimensions it works in a projection."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.mechanisms.one_cluster.in_boxes import (
    Boxed,
    ClusterRegion,
    InBoxes,
    ShiftedBoxes,
    counted,
    farthest,
)
from engine.mechanisms.one_cluster.radius import reach_slack
from engine.mechanisms.one_cluster.search import BallGuarantee, Crossing, Share, StepCosts, Task, shared
from engine.primitives import (
    Concentrated,
    gaussian_threshold,
    johnson_lindenstrauss,
    largest_rho,
    random_rotation,
    stable_argmax_gaussian,
)
from engine.privacy import Privacy

MAX_AXES = 25
"""Largest dimension of the boxes."""

FITS = 0.1
"""Probability that the cluster fits into one box of a partition; a small one allows small boxes."""

WIDER = 1 + 1e-10
"""Factor on the noise that covers rounding errors."""

STRETCH = 1.2
"""Assumed stretch of distances in a projection; only utility depends on it."""


class TightBoxes(InBoxes):
    """Finds the ball with small, randomly shifted boxes and many tries.

    It works as `WideBoxes`, but the cluster fits into one box with probability 1/10 only, so that more tries
    are needed.  The radius is chosen last, by the number of points around the center.

    Above 25 dimensions, boxes are drawn in a random projection (Johnson, Lindenstrauss).  The chosen box then
    does not determine a region of the data.  So each axis of a random rotation is cut into intervals, and one
    Gaussian histogram over all axes chooses the fullest interval of each.

    Source: derived for this program from Algorithm 2 (GoodCenter) of Nissim, Stemmer, Vadhan 2016;
    above 25 dimensions, the utility is measured, not proved.
    """

    name: ClassVar[str] = "tight-boxes"
    label: ClassVar[str] = "Tight boxes"
    summary: ClassVar[str] = "for many dimensions: small boxes, many tries"
    source: ClassVar[str] = "After Nissim, Stemmer, Vadhan 2016, Algorithm 2"

    parts: ClassVar[Mapping[str, tuple[str, float]]] = {
        "scale": ("GoodRadius", 0.2),
        "threshold": ("AboveThreshold", 0.2),
        "box": ("GoodCenter (box)", 0.2),
        "center": ("NoisyAVG", 0.2),
        "reach": ("Radius", 0.2),
    }
    projected: ClassVar[Mapping[str, tuple[str, float]]] = {
        "scale": ("GoodRadius", 0.16),
        "threshold": ("AboveThreshold", 0.16),
        "box": ("GoodCenter (box)", 0.16),
        "axes": ("GoodCenter (axes)", 0.2),
        "center": ("NoisyAVG", 0.16),
        "reach": ("Radius", 0.16),
    }
    with_delta: ClassVar[Mapping[str, float]] = {"box": 0.5, "center": 0.5}
    with_delta_projected: ClassVar[Mapping[str, float]] = {"box": 0.25, "axes": 0.5, "center": 0.25}
    costs: ClassVar[StepCosts] = {**InBoxes.costs, "axes": lambda privacy: cost_of_axes(privacy)}

    def shares(self, task: Task) -> tuple[Share, ...]:
        """Return the budget of each step; a projection has one more step."""
        if task.grid.dimension > MAX_AXES:
            return shared(task.privacy, self.projected, self.with_delta_projected)
        return super().shares(task)

    def budgets(self, privacy: Privacy) -> tuple[tuple[Share, ...], ...]:
        projected = shared(privacy, self.projected, self.with_delta_projected)
        return (*super().budgets(privacy), projected)

    def side(self, radius: float, dimension: int) -> float:
        """Return the side of boxes into which a diameter of 2 r fits with probability 1/10."""
        stretch = STRETCH if dimension == MAX_AXES else 1.0
        return 2 * stretch * radius / (1 - math.pow(FITS, 1 / dimension))

    def fits(self, task: Task) -> float:
        return FITS

    def positions(self, points: Ints, rng: np.random.Generator) -> Floats:
        """Return the points; above 25 dimensions, a random projection to 25."""
        d = points.shape[1]
        if d <= MAX_AXES:
            return super().positions(points, rng)
        return projected(points, johnson_lindenstrauss(d, MAX_AXES, rng))

    def least(self, task: Task) -> int:
        """Return one more than the first step may lose; in a projection, also enough for stable intervals."""
        first = super().least(task)
        if task.grid.dimension <= MAX_AXES:
            return first
        [axes] = [share.privacy for share in self.shares(task) if share.name == "axes"]
        sigma, d = sigma_of_axes(axes, task.grid.dimension), task.grid.dimension
        # the cluster may extend over two intervals of each axis; three sigma cover nearly all noise
        return max(first, math.ceil(2 * (gaussian_threshold(sigma, axes.delta / (2 * d)) + 3 * sigma)))

    def guarantee(self, task: Task) -> BallGuarantee:
        """Return the guarantee; there is none in a projection, where utility is measured, not proved."""
        if task.grid.dimension > MAX_AXES:
            return BallGuarantee(0.0, self.least(task), self.factor(task))
        return super().guarantee(task)

    def factor(self, task: Task) -> float:
        d = task.grid.dimension
        across = self.side(1.0, d) * math.sqrt(d) if d <= MAX_AXES else 6 * math.sqrt(d)
        return 4 * across

    def loss_of_reach(self, task: Task) -> float:
        [last] = [share.privacy for share in self.shares(task) if share.name == "reach"]
        return reach_slack(2 * task.grid.diameter, last.epsilon, self.failing(task))

    def cell(
        self,
        located: Boxed,
        box: ShiftedBoxes,
        index: Ints,
        members: Ints,
        radius: float,
        rng: np.random.Generator,
    ) -> ClusterRegion | None:
        """Return the box; above 25 dimensions, a ball around the fullest intervals."""
        d = located.task.grid.dimension
        if d <= MAX_AXES:
            return super().cell(located, box, index, members, radius, rng)
        rotation = random_rotation(d, rng)
        width = 2 * radius
        axes = located.share["axes"]
        sigma, delta = sigma_of_axes(axes, d), axes.delta / (2 * d)
        middles = fullest_intervals(
            projected(members, rotation),
            width,
            lambda counts: stable_argmax_gaussian(counts, sigma, delta, rng),
        )
        return None if middles is None else ClusterRegion(rotation.T @ middles, 1.5 * width * math.sqrt(d))

    def ball(
        self, located: Boxed, center: Floats, cell: ClusterRegion, rng: np.random.Generator
    ) -> tuple[float, Crossing | None]:
        crossing = located.reached(center, farthest(center, cell), rng)
        return float(crossing.radii[crossing.chosen]), crossing


def projected(points: Ints | Floats, axes: Floats) -> Floats:
    """Project points (n, d) on axes (k, d), shape (n, k); no point's last digits depend on other points."""
    coordinates: Floats = np.einsum("nd,kd->nk", points.astype(np.float64), axes, optimize=False)
    return coordinates


def cost_of_axes(privacy: Privacy) -> Concentrated:
    """Return the zCDP cost of the Gaussian histograms of all axes, for any number (`sigma_of_axes`)."""
    return Concentrated(largest_rho(Privacy(privacy.epsilon, privacy.delta / 2)), privacy.delta / 2)


def sigma_of_axes(privacy: Privacy, d: int) -> float:
    """Return the standard deviation of the noise of one Gaussian histogram of d axes.

    One person changes two counts of each axis by 1, which is sqrt(2 d) in L2.  With sigma^2 = d/rho all axes
    together cost rho; half of delta is for intervals that appear or vanish.  `WIDER` covers the error of rho,
    1e-12, and rounding errors here.
    """
    return WIDER * math.sqrt(d / largest_rho(Privacy(privacy.epsilon, privacy.delta / 2)))


def fullest_intervals(positions: Floats, width: float, choose: Callable[[Ints], int]) -> Floats | None:
    """Return the middle of the chosen interval of each axis of positions (m, d); None if one has none."""

    middles = np.empty(positions.shape[1])
    for axis, column in enumerate(positions.T):
        cells = counted(np.floor(column[:, None] / width).astype(np.int64))
        chosen = choose(cells.counts) if len(cells.counts) else -1
        if chosen < 0:
            return None
        middles[axis] = (cells.corners[chosen, 0] + 0.5) * width
    return middles
