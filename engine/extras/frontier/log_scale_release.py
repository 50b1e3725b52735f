"""Dwork and Lei's release of the scale of data: a bin of the logarithm, a test, noise on the logarithm."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms.facts import Mistake
from engine.mechanisms.global_noise import AdditivePrepared
from engine.mechanisms.prepared import PreparedFields, ScalarPrepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private
from engine.mechanisms.scalar import ScalarMechanism
from engine.noise import Laplace
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries.interquartile_range import InterquartileRange, bin_around, distance_to_leave
from engine.sampling.exactness import ROUNDED
from engine.sampling.noise import is_above
from engine.sampling.output_grid import OutputGrid, outward

SHIFTS = (0.0, 0.5)
"""Starts of the bins, in bins: the edges of one set lie in the middle of the other's bins."""

TEST, ANSWER = 0.25, 0.5
"""Shares of epsilon for each of the two tests, and for the answer."""

LOG_STEP = 2.0**-40
"""Step of the grid of noisy logarithms."""

ROUNDING = 2.0**-40
"""Upper bound of the errors of logarithms of edges and values."""


@dataclasses.dataclass(frozen=True)
class LogScaleRelease(ScalarMechanism, is_meant_for=lambda query, n: isinstance(query, InterquartileRange)):
    """Release f(x) exp(Lap) if all databases near x have f in the same bin of a logarithmic scale.

    Bins are [b^(j + s), b^(j + 1 + s)) for a public factor b, once with s = 0 and once with s = 1/2.
    Let D be the smallest number of records to be replaced so that f leaves the bin of f(x).  The test passes
    if ``D - 1 + Lap(4/epsilon) > 4 ln(1/delta)/epsilon``.  If it fails with the first bins, the second are
    tried.  If one passes, ln f with noise Lap(2 ln b/epsilon) is released.

    Proof.  D is at least 1.  For a neighbour in another bin it is exactly 1, in the same bin it differs by at
    most 1.  So D - 1 has sensitivity 1, and each test costs epsilon/4.  With a neighbour in another bin,
    D - 1 = 0, and a test passes with probability at most delta/2: for both tests delta.  Otherwise ln f
    differs by at most ln b, and the answer costs epsilon/2.

    Source: Dwork, Lei 2009, Section 4 (b = 1 + 1/ln n).  There epsilon is for each step, and of the
    probability delta of a wrong pass, delta/2 is unused.

    Examples
    --------
    >>> from engine import Interval, Privacy, Sample, reproducible
    >>> data = Sample(range(1, 1001), Interval(0, 10_000))
    >>> simulated = LogScaleRelease().run(data, Privacy(1.0, 1e-6), reproducible(1))
    >>> 300 < simulated.value < 800, round(simulated.noise["scale"], 3)
    (True, 0.811)
    """

    name: ClassVar[str] = "log-scale"
    label: ClassVar[str] = "Test on a log scale"
    summary: ClassVar[str] = "tests whether similar data have about the same scale; may give no answer"
    source: ClassVar[str] = "Dwork, Lei 2009, Section 4"
    exact_because: ClassVar[str] = ROUNDED

    query: InterquartileRange = parameter(
        default=InterquartileRange(), label="Query", help="The range whose scale is released.", asks=True
    )
    factor: float = parameter(
        default=1.5,
        lower=1.0,
        upper=1000.0,
        lower_open=True,
        label="Factor of bins",
        help="Ratio of the end of each bin to its start. Narrow bins need many records, and have little "
        "noise.",
    )

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if not self.facts.is_meant_for(self.query, n):
            text = f"tests on a logarithmic scale need an interquartile range, not a {self.query.label}"
            return (Problem("method", f"{text}; use propose-test-release"),)
        if not 0 < privacy.delta < 0.5:
            text = "the test can fail, so it needs delta above 0 (say 1e-6) and below 0.5"
            return (Problem("delta", text),)
        return ()

    @property
    def _mistakes(self) -> Mapping[str, Mistake]:
        from engine.mechanisms.planted.choices import PASSED

        passed = Mistake(plant=lambda ready: dataclasses.replace(ready, distances=(PASSED, PASSED)))
        return {"test-left-out": passed}

    def scale(self, privacy: Privacy) -> float:
        """Return the scale of the noise on the logarithm (public)."""
        return outward((math.log(self.factor) + ROUNDING) / (ANSWER * privacy.epsilon))

    def prepare(self, data: Sample, privacy: Privacy, progress: Progress = silent) -> LogScalePrepared:
        each = TEST * privacy.epsilon
        threshold = outward(math.log(1 / privacy.delta) / each)
        # beyond this a test fails with probability below 2^-60; the cap is public
        farthest = min(data.n, math.ceil(threshold + 42 / each))
        lowest, highest = self.query.extremes(data, farthest)
        value = float(highest[0])
        distances = [0.0, 0.0]
        if value > 0:
            bins = (bin_around(value, self.factor, shift) for shift in SHIFTS)
            distances = [distance_to_leave(lowest, highest, *ends) - 1.0 for ends in bins]
        scale, grid = self.scale(privacy), self.grid(data)
        failing = Laplace().cdf((threshold - np.array(distances)) * each)
        return LogScalePrepared(
            distances=(distances[0], distances[1]),
            threshold=threshold,
            test_scale=outward(1 / each),
            answer=AdditivePrepared(
                # if f is 0, a test passes with probability at most delta
                center=Fraction(math.log(max(value, grid.step))),
                scale=scale,
                family=Laplace(),
                grid=OutputGrid(LOG_STEP),
                diagnostics=Private({}),
            ),
            grid=grid,
            noise={"family": "laplace", "scale": scale},
            error=None,  # the error is a multiple of the released value, which is not yet known
            diagnostics=Private(
                {
                    "true_value": value,
                    "distance": max(distances) + 1,
                    "answer_probability": 1 - float(failing.prod()),
                }
            ),
        )


@dataclasses.dataclass(frozen=True, repr=False)
class LogScalePrepared(PreparedFields, ScalarPrepared):
    """Both tests, and the logarithm that is released if one passes (private)."""

    distances: tuple[float, float]  # D - 1 for each set of bins
    # Public
    threshold: float
    test_scale: float
    answer: AdditivePrepared  # ln f
    grid: OutputGrid

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        first, second = (
            is_above(np.full(size, distance), self.test_scale, self.threshold, rng)
            for distance in self.distances
        )
        return np.where(first | second, self._of_logarithms(self.answer.draw(rng, size, progress)), np.nan)

    def _of_logarithms(self, logarithms: Floats) -> Floats:
        with np.errstate(over="ignore"):
            values = np.minimum(np.exp(logarithms), np.finfo(np.float64).max)
        return self.grid.clamp(self.grid.snap(values))

    def density(self, values: ArrayLike) -> Floats:
        points = np.asarray(values, dtype=np.float64)
        above = np.maximum(points, np.finfo(np.float64).tiny)
        return np.where(points > 0, self.answer.density(np.log(above)) / above, 0.0)

    def quantile(self, p: ArrayLike) -> Floats:
        with np.errstate(over="ignore"):
            values = np.minimum(np.exp(self.answer.quantile(p)), np.finfo(np.float64).max)
        return self.grid.clamp(values)

    def unclamped(self) -> LogScalePrepared:
        return dataclasses.replace(self, grid=self.grid.unclamped)
