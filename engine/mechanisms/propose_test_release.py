"""Propose a bound on the local sensitivity, test it privately, release if it holds."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.data.database import Database
from engine.domain import Interval
from engine.mechanisms.global_noise import AdditivePrepared, half_width
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.prepared import PreparedFields, ScalarPrepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private
from engine.mechanisms.scalar import ScalarMechanism
from engine.noise import Laplace
from engine.numerals import short
from engine.parameters import parameter
from engine.primitives import Concentrated, compose, of_approximate, of_pure
from engine.privacy import Privacy
from engine.progress import Progress, part, silent
from engine.sampling.exactness import ROUNDED
from engine.sampling.noise import is_above
from engine.sampling.output_grid import OutputGrid, outward


@dataclasses.dataclass(frozen=True)
class ProposeTestRelease(ScalarMechanism):
    """Release f(x) + Lap(2 b/epsilon) if the data are far from all data with LS above b.

    With D the smallest k with A^(k)(x) > b, the test passes when
    ``D + Lap(2/epsilon) > 2 ln(1/(2 delta))/epsilon``.  Test and release cost epsilon/2 each.

    Source: Dwork and Lei 2009.  There, epsilon is the cost of each step and the whole costs
    (2 epsilon, delta); here epsilon is the cost of the whole.  With their ln(1/delta) the test passes
    wrongly with probability delta/2; this one uses all of delta.  A refusal is an answer too and costs as
    much.

    Examples
    --------
    The noise is 2 b/epsilon for the proposed bound b, for any data.

    >>> from engine import Interval, Median, Privacy, Sample, reproducible
    >>> data = Sample(range(1, 1001), Interval(0, 10_000))
    >>> mechanism = ProposeTestRelease(query=Median(), bound=50.0)
    >>> simulated = mechanism.run(data, Privacy(1.0, 1e-6), reproducible(1))
    >>> round(simulated.noise["scale"], 6), simulated.error > 2 * 50
    (100.0, True)
    """

    name: ClassVar[str] = "propose-test-release"
    label: ClassVar[str] = "Propose, test, release"
    summary: ClassVar[str] = "tests a proposed bound on the sensitivity; may refuse to answer"
    source: ClassVar[str] = "Dwork, Lei 2009"
    exact_because: ClassVar[str] = ROUNDED

    bound: float = parameter(
        default=1.0,
        lower=0.0,
        lower_open=True,
        label="Proposed bound",
        help="Sensitivity that you propose, in the unit of the data; choose it without looking at the data.",
    )

    @property
    def guarantee(self) -> Guarantee:
        # test and noise cost epsilon/2 each; delta is the probability that the test passes wrongly
        def zcdp(privacy: Privacy) -> Concentrated:
            half = Privacy(privacy.epsilon / 2, privacy.delta)
            return compose((of_pure(half.epsilon), of_approximate(half)))

        return Guarantee(zcdp=zcdp)

    @property
    def inexact(self) -> str:
        return self.query.inexact_distance or super().inexact

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if not 0 < privacy.delta < 0.5:
            return (
                Problem("delta", "the test can fail, so it needs delta above 0 (say 1e-6) and below 0.5"),
            )
        largest = self.query.global_sensitivity(domain, n)
        if self.bound >= largest:
            return (
                Problem(
                    "bound",
                    f"{short(self.bound)} is not below the global sensitivity {short(largest)}; "
                    "choose a smaller bound, or the laplace method",
                ),
            )
        return ()

    def prepare(self, data: Database, privacy: Privacy, progress: Progress = silent) -> PtrPrepared:
        half = privacy.epsilon / 2
        threshold = outward(math.log(1 / (2 * privacy.delta)) / half)
        # beyond this distance the probability of a refusal is below 2^-60; the cap is public and
        # keeps the sensitivity of D at 1
        farthest = min(data.records, math.ceil(threshold + 42 / half))
        self.query.explore(data, part(progress, 0.0, 0.1))
        distance = self.query.distance_beyond(data, self.bound, farthest, part(progress, 0.1, 1.0))
        value = self.query.exact_value(data)
        # the bound is compared with rounded values, which may err by the spacing of doubles in the range
        widest = max(abs(data.domain.lower), abs(data.domain.upper))
        scale = outward((self.bound + 2 * math.ulp(widest)) / half)
        passing = float(Laplace().cdf((distance - threshold) * half))
        return PtrPrepared(
            distance=float(distance),
            threshold=threshold,
            test_scale=outward(1 / half),
            answer=AdditivePrepared(
                center=value,
                scale=scale,
                family=Laplace(),
                grid=self.grid(data),
                diagnostics=Private({}),
            ),
            grid=self.grid(data),
            noise={"family": "laplace", "scale": scale},
            error=half_width(Laplace(), scale),
            diagnostics=Private(
                {
                    "true_value": float(value),
                    "distance": distance,
                    "answer_probability": passing,
                    "global": self.query.global_sensitivity(data.domain, data.n),
                }
            ),
        )


@dataclasses.dataclass(frozen=True, repr=False)
class PtrPrepared(PreparedFields, ScalarPrepared):
    """The test, and the answer that is released if it passes (private)."""

    distance: float  # D; the test passes if D with noise is above the threshold
    # Public
    threshold: float
    test_scale: float
    answer: AdditivePrepared
    grid: OutputGrid

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        passes = is_above(np.full(size, self.distance), self.test_scale, self.threshold, rng)
        return np.where(passes, self.answer.draw(rng, size, progress), np.nan)

    def density(self, values: ArrayLike) -> Floats:
        return self.answer.density(values)

    def quantile(self, p: ArrayLike) -> Floats:
        return self.answer.quantile(p)

    def unclamped(self) -> PtrPrepared:
        return dataclasses.replace(self, grid=self.grid.unclamped, answer=self.answer.unclamped())
