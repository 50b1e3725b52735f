"""Points moved at random, as far as their neighbours are, which is not differentially private."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.data.points import Points, search_tree
from engine.domain import Box
from engine.histograms.histogram import BoxHistogram
from engine.histograms.radii import neighbour_radii
from engine.mechanisms.facts import Resources
from engine.mechanisms.histograms.base import (
    HistogramMechanism,
    HistogramPrepared,
    HistogramSanitizer,
    ReleasedHistogram,
)
from engine.mechanisms.histograms.exact_counts import points_t, too_few_to_hide
from engine.mechanisms.points import Vectors
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.randomness import public_generator

LAWS = ("gaussian", "sphere")
"""Spherical Gaussian noise, and noise of one length in a random direction."""


@dataclasses.dataclass(frozen=True)
class PerturbedPoints(HistogramMechanism, shape="perturbed-points", is_private=False):
    """Release every point, moved at random by about its t-radius: the distance of its t-th other point.

    Where points are dense they stay about where they are, and a point alone goes far.  It is not
    differentially private: t + 1 equal points have radius 0 and stay where they are, and if one of them
    is replaced, the others move, with certainty.  What holds for any data is the bound of
    `own_isolation_bound`.

    Source: Chawla, Dwork, McSherry, Smith, Wee 2005, for spherical noise in proportion to the t-radius; the
    choice of the scale, T/sqrt(d) along each axis, and the bound are ours.

    Examples
    --------
    Of four points close together, and one far from them, with t = 2, only the last moves far.

    >>> import numpy as np
    >>> from engine import NO_PROMISE, Box, Points, reproducible
    >>> data = Points([[0.1], [0.1], [0.1], [0.1], [0.9]], Box.of([0], [1]))
    >>> np.round(PerturbedPoints(t=2).run(data, NO_PROMISE, reproducible(3)).value, 2).tolist()
    [[0.1], [0.1], [0.1], [0.1], [1.09]]
    """

    name: ClassVar[str] = "perturbed-points"
    label: ClassVar[str] = "Perturbed points"
    summary: ClassVar[str] = "every point, moved at random about as far as its t-th neighbour is"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Smith, Wee 2005"
    vectors: ClassVar[Vectors] = Vectors("moved point")

    t: int = points_t()
    law: str = parameter(
        default="gaussian",
        choices=LAWS,
        choice_labels=("Gaussian", "sphere"),
        label="Noise",
        help="gaussian: the same variance along every axis; sphere: a length that is the radius itself, in "
        "a random direction.",
        advanced=True,
    )

    def step(self, domain: Box, n: int, privacy: Privacy) -> None:
        """Return None: points lie on no grid."""

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_few_to_hide(self.t, n, "every point moves as far as the bounds are wide")

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=5e-6 * n)

    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> HistogramSanitizer:
        """Find how far the neighbours are; where there are not so many, they are as far as bounds allow."""
        if self.t < data.n:
            radii = neighbour_radii(data.values, int(self.t), progress=progress)
        else:
            radii = np.full(data.n, data.domain.diameter)
        return Perturbation(self.law, data, radii)

    def _draw_value(
        self, prepared: Prepared, domain: Any, rng: np.random.Generator, progress: Progress = silent
    ) -> list[list[float]]:
        assert isinstance(prepared, HistogramPrepared)
        points: list[list[float]] = prepared.histogram(rng, progress).lower.tolist()
        return points

    def release(
        self,
        prepared: Prepared,
        data: Points,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> ReleasedHistogram:
        made = super().release(prepared, data, privacy, rng, progress)
        return dataclasses.replace(made, value=made.histogram.lower.tolist())


@dataclasses.dataclass(frozen=True, repr=False)
class Perturbation(HistogramSanitizer):
    """Points and their t-radii (private)."""

    law: str
    data: Points
    radii: Floats
    noise: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> MovedPoints:
        # nothing is promised that doubles could break; a release draws from the operating system all the same
        return MovedPoints.at(move_points(self.data.values, self.radii, self.law, public_generator(rng)))


def move_points(values: Floats, radii: Floats, law: str, rng: np.random.Generator) -> Floats:
    """Move points (n, d) at random: with a mean squared length of the squared radius of each, shape (n,)."""
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
