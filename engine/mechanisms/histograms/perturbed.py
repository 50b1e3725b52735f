"""Points moved at random by the distance of their neighbours; not differentially private."""

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
    """Release every point, moved at random by about its t-radius, the distance to its t-th other point.

    Points in dense regions hardly move, and isolated points move far.  This is not differentially private:
    t + 1 equal points have radius 0 and do not move; if one is replaced, the others certainly move.
    `own_isolation_bound` holds for any data.

    Source: Chawla, Dwork, McSherry, Smith, Wee 2005, for spherical noise proportional to the t-radius; the
    scale, T/sqrt(d) along each axis, and the bound are ours.

    Examples
    --------
    Four points are close together and one is far away; with t = 2 only this one moves far.

    >>> import numpy as np
    >>> from engine import NO_PROMISE, Box, Points, reproducible
    >>> data = Points([[0.1], [0.1], [0.1], [0.1], [0.9]], Box.of([0], [1]))
    >>> np.round(PerturbedPoints(t=2).run(data, NO_PROMISE, reproducible(3)).value, 2).tolist()
    [[0.1], [0.1], [0.1], [0.1], [1.09]]
    """

    name: ClassVar[str] = "perturbed-points"
    label: ClassVar[str] = "Perturbed points"
    summary: ClassVar[str] = "every point moved at random, by about the distance of its t-th neighbor"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Smith, Wee 2005"
    vectors: ClassVar[Vectors] = Vectors("moved point")

    t: int = points_t()
    law: str = parameter(
        default="gaussian",
        choices=LAWS,
        choice_labels=("Gaussian", "sphere"),
        label="Noise",
        help="gaussian: the same variance along every axis; sphere: a random direction, and the radius as "
        "the length.",
        advanced=True,
    )

    def step(self, domain: Box, n: int, privacy: Privacy) -> None:
        """Return None: the points are on no grid."""

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_few_to_hide(self.t, n, "every point moves by about the diameter of the bounds")

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=5e-6 * n)

    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> HistogramSanitizer:
        """Find the distance of each point's t-th neighbour, or the diameter if there are too few points."""
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
        # no promise depends on the last bits of doubles; a release still uses the system's entropy
        return MovedPoints.at(move_points(self.data.values, self.radii, self.law, public_generator(rng)))


def move_points(values: Floats, radii: Floats, law: str, rng: np.random.Generator) -> Floats:
    """Move points (n, d) at random; the mean squared length of a move is the squared radius, shape (n,)."""
    noise = rng.standard_normal(values.shape)
    if law == "sphere":
        lengths = np.linalg.norm(noise, axis=1, keepdims=True)
        noise *= math.sqrt(values.shape[1]) / np.where(lengths > 0, lengths, 1.0)
    made: Floats = values + noise * (radii / math.sqrt(values.shape[1]))[:, None]
    return made


def own_isolation_bound(c: float, d: int) -> float:
    """Bound the probability that a point, after Gaussian noise of its t-radius, isolates itself.

    The bound holds for any data.  Let N be the noise of x, with variance T^2/d along each axis, where T is
    the distance of the t-th other point.  The ball around x + N with radius c |N| contains the ball around x
    with radius (c - 1) |N|.  If this radius is at least T, the ball holds x and t others, so that x + N does
    not (c, t)-isolate x.  Otherwise |N|^2 d/T^2, which is chi^2 with d degrees of freedom, is below a^2 d,
    a = 1/(c - 1).  For a < 1 this has probability at most (a^2 e^(1 - a^2))^(d/2) (Chernoff).

    The bound covers neither another record that happens to be nearer, nor all moved points together.
    On the sphere |N| = T: for c >= 2 no point isolates itself.
    """
    if c <= 2:
        return 1.0
    a = 1 / (c - 1) ** 2
    return float((a * math.exp(1 - a)) ** (d / 2))


class MovedPoints(BoxHistogram):
    """Released points as cells of size 0 that each count one record."""

    @classmethod
    def at(cls, points: ArrayLike) -> MovedPoints:
        """Return points (n, d), sorted so that their order reveals nothing about that of the records."""
        values = np.asarray(points, dtype=np.float64)
        values = values[np.lexsort(values.T[::-1])]
        return cls(values, values, np.ones(len(values)), np.zeros(len(values), dtype=np.int64))

    def named_boxes(self) -> tuple[Floats, Floats]:
        """Return equal cubes around the points; most do not touch the cube of the nearest other point."""
        far = search_tree(self.lower).query(self.lower, k=[2], p=np.inf)[0]
        side = float(np.median(far)) / 2
        return self.lower - side, self.lower + side
