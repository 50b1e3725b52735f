"""Points moved at random, as far as their neighbours are, which is not differentially private."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.perturbation import LAWS, MovedPoints, moved
from engine.histograms.radii import neighbour_radii
from engine.mechanisms.histograms.base import (
    HistogramMechanism,
    HistogramPrepared,
    HistogramSanitizer,
    ReleasedHistogram,
)
from engine.mechanisms.histograms.exact import points_t, too_few_to_hide
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.randomness import public_generator


@dataclasses.dataclass(frozen=True)
class PerturbedPoints(HistogramMechanism):
    """Release every point, moved at random by about its t-radius: the distance of its t-th other point.

    Where points are dense they stay about where they are, and a point alone goes far.  It is not
    differentially private: t + 1 equal points have radius 0 and stay where they are, and if one of them
    is replaced, the others move, with certainty.  What holds for any data is the bound of
    `engine.histograms.perturbation.own_isolation_bound`.

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
    shape: ClassVar[str] = "perturbed-points"
    is_private: ClassVar[bool] = False

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

    @property
    def noun(self) -> str:
        return "moved point"

    def step(self, domain: Box, n: int, privacy: Privacy) -> None:
        """Return None: points lie on no grid."""

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_few_to_hide(self.t, n, "every point moves as far as the bounds are wide")

    def effort(self, domain: Box, n: int) -> float:
        return 5e-6 * n

    def sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> HistogramSanitizer:
        """Find how far the neighbours are; where there are not so many, they are as far as bounds allow."""
        if self.t < data.n:
            radii = neighbour_radii(data.values, int(self.t), progress)
        else:
            radii = np.full(data.n, data.domain.diameter)
        return Perturbation(self.law, data, radii)

    def draw_value(
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

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> MovedPoints:
        # nothing is promised that doubles could break; a release draws from the operating system all the same
        return MovedPoints.at(moved(self.data.values, self.radii, self.law, public_generator(rng)))
