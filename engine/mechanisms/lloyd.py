"""Private k-means as most people run it: Lloyd's rounds with noisy counts and sums."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.aggregation.functions import KMeans
from engine.aggregation.spaces import Wasserstein
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.base import Prepared, Private, Problem, problems_of
from engine.mechanisms.points import PointsMechanism
from engine.mechanisms.sample_aggregate import whole
from engine.noise.base import check_bounds
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.randomness import reproducible

_Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Lloyd(PointsMechanism):
    """T rounds, each of which sees the data through noisy counts and sums: epsilon-private.

    The box is moved and scaled to [-1, 1]^d.  A round costs epsilon/T, half for the k counts,
    which change by 2 in L1 when a record is replaced, and half for the k sums, which change by
    at most 2 d: one point leaves a sum and another enters one, each of L1 norm at most d.
    The first centers, and those of clusters that come out empty, are public random points.
    Points are rounded to a grid so fine that it does no harm, on which sums are exact.

    Source: Blum, Dwork, McSherry, Nissim 2005 (SuLQ k-means).  A slide in circulation writes
    the share of a round upside down, as 2T/epsilon instead of epsilon/(2T).
    """

    name: ClassVar[str] = "lloyd"
    label: ClassVar[str] = "Noisy Lloyd"
    summary: ClassVar[str] = "k-means with noisy counts and sums in each round"
    source: ClassVar[str] = "Blum, Dwork, McSherry, Nissim 2005"
    unordered: ClassVar[bool] = True

    k: int = parameter(default=3, lower=1, upper=32, label="Clusters k", help="How many centers.")
    rounds: int = parameter(
        default=5, lower=1, upper=100, label="Rounds T", help="Each costs epsilon/T: more rounds, more noise."
    )
    pattern: int = parameter(
        default=1, lower=0, label="Pattern", help="Public number from which the first centers follow."
    )

    @property
    def uses_delta(self) -> bool:
        """Laplace noise does without."""
        return False

    @property
    def question(self) -> Hashable:
        """k centers, as k-means finds them."""
        return KMeans(k=self.k).question

    def space(self, box: Box) -> Wasserstein:
        """Return sets of k points of `box`."""
        return Wasserstein(box.times(self.k), self.k)

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        """Refuse more centers than records, and an epsilon that nothing can be calibrated for."""
        if self.k > n:
            return (Problem("k", f"{self.k} centers of {n:,} records are not possible; use at most {n:,}"),)
        return problems_of(check_bounds, Privacy(privacy.epsilon / (2 * self.rounds)), domain.dimension)

    def effort(self, domain: Box, n: int) -> float:
        """Return about how many seconds all rounds take."""
        return 7e-9 * self.rounds * (2000 + n * self.k)

    def true_value(self, prepared: Prepared, data: Points, progress: Progress = silent) -> _Floats:
        """Return the centers that k-means finds among all points."""
        return whole(KMeans(k=self.k), data, self.pattern, progress)

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> LloydPrepared:
        """Scale the points; all rounds are run with each draw."""
        self.refuse(privacy, data.domain, data.n)
        half, middle = data.domain.width / 2, data.domain.center
        # multiples of 1/steps, of which n add up to a double without rounding
        steps = 2.0 ** (53 - (data.n - 1).bit_length())
        scaled = np.rint((data.values - middle) / half * steps) / steps
        share = privacy.epsilon / (2 * self.rounds)
        return LloydPrepared(
            points=np.clip(scaled, -1, 1),
            back=lambda sets: data.domain.times(self.k).clamp((sets * half + middle).reshape(len(sets), -1)),
            first=reproducible(self.pattern).uniform(-1, 1, (self.k, data.domain.dimension)),
            rounds=self.rounds,
            count_scale=2 / share,
            sum_scale=2 * data.domain.dimension / share,
            noise={"family": "laplace", "scale_of_counts": 2 / share},
            error=None,
            diagnostics=Private(
                {}, later={"true_value": lambda: whole(KMeans(k=self.k), data, self.pattern)}
            ),
        )


@dataclasses.dataclass(frozen=True, repr=False)
class LloydPrepared(Prepared):
    """The points scaled to [-1, 1]^d (private), and what each round needs.

    Attributes
    ----------
    points : ndarray, shape (n, d)
    back : callable
        Maps sets of centers, shape (size, k, d), to vectors in the box, shape (size, k d).
    first : ndarray, shape (k, d)
        Public centers to begin with.
    count_scale, sum_scale : float
        Scales of the noise of one round.
    """

    points: _Floats
    back: Callable[[_Floats], _Floats]
    first: _Floats
    rounds: int
    count_scale: float
    sum_scale: float
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private

    @property
    def at_once(self) -> int:
        """As many as take a fraction of a second; a round costs what 2,000 distances do, and its own."""
        return max(1, 4 * 10**6 // (self.rounds * (2000 + len(self.points) * len(self.first))))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> _Floats:
        """Run all rounds `size` times."""
        return self.back(np.array([self._run(rng, here) for here in each(size, progress)]))

    def _run(self, rng: np.random.Generator, progress: Progress) -> _Floats:
        centers = self.first
        for _ in each(self.rounds, progress):
            centers = self._round(centers, rng)
        return centers

    def _round(self, centers: _Floats, rng: np.random.Generator) -> _Floats:
        k, d = centers.shape
        # the nearest center by |c|^2 - 2 x c: the square of x is the same for all
        nearest = np.argmin((centers**2).sum(axis=1) - 2 * self.points @ centers.T, axis=1)
        held = np.bincount(nearest, minlength=k)
        added = np.stack([np.bincount(nearest, column, k) for column in self.points.T], axis=1)
        counts = held + rng.laplace(0, self.count_scale, k)
        sums = added + rng.laplace(0, self.sum_scale, (k, d))
        anew = rng.uniform(-1, 1, (k, d))
        filled = (counts >= 1)[:, None]
        return np.where(filled, np.clip(sums / np.maximum(counts, 1)[:, None], -1, 1), anew)
