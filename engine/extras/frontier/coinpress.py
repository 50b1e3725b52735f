"""The mean with wide bounds: locate it step by step, and clip ever closer."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from engine.aggregation.functions import MeanFunction
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.aggregators.base import exact_mean, nearest_doubles
from engine.mechanisms.facts import Mistake
from engine.mechanisms.guarantee import Guarantee, noise_guarantee
from engine.mechanisms.histograms.noisy import noise_parameter
from engine.mechanisms.number_lists import positive_numbers
from engine.mechanisms.one_cluster.grid import failure_probability
from engine.mechanisms.points import PointsMechanism
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise import Gaussian, Laplace, Noise
from engine.noise.base import check_bounds
from engine.parameters import parameter
from engine.primitives.accounting import compose, of_pure
from engine.primitives.counts import check_delta
from engine.primitives.gaussian import analytic_gaussian_sigma
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.randomness import is_release
from engine.sampling.exactness import ROUNDED
from engine.sampling.output_grid import OutputGrid, outward

LAST_SHARE = 0.75
"""Share of the budget for the last step, which releases its mean."""

DEFAULT_SPREAD = 0.1
"""Default standard deviation of a column, as a share of the width of its bounds."""


@dataclasses.dataclass(frozen=True)
class CoinPress(
    PointsMechanism,
    hides="Clipping and noise",
    why="Its noise is for the range in which the records are, not for the whole bounds.",
):
    """Release the mean of points whose bounds are far wider than the data.

    For each column there is an interval for its mean, at first the bounds.  A step widens the interval by
    how far records may be from the mean, and clips the records to it.  It then releases the mean of the
    clipped records, with noise for that range.  The next interval lies around this mean, as wide as the
    noise.  The last step has three quarters of the budget, and its mean is the answer.

    One record moves the mean of records clipped to [a, b] by at most (b - a)/n, whatever a and b are, and
    these follow from earlier releases.  So privacy needs no assumption.  For accuracy, most records must
    lie in the clipping ranges: a column needs about the stated standard deviation and no heavy tails.

    With Laplace noise, each step has a share of epsilon.  With Gaussian noise, each has a share of
    1/sigma^2, and all steps are as private as one release, even if later steps follow from earlier ones.

    Source: Biswas, Dong, Kamath, Ullman 2020, for one column after the other.  They use concentrated
    privacy, and add or remove records; here records are replaced, and clipping ranges stay within the
    bounds.  The exact condition of Balle and Wang 2018 holds for several steps by Dong, Roth, Su 2022,
    Corollary 3.3.

    Examples
    --------
    Incomes below a million; the only public bound is a billion.  Noise for the bounds would have the scale
    100,000.

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> incomes = np.random.default_rng(1).normal(40_000, 10_000, (10_000, 1))
    >>> data = Points(incomes, Box.of([0], [1e9]))
    >>> simulated = CoinPress(spread="10000").run(data, Privacy(1.0), reproducible(1))
    >>> bool(abs(simulated.value - incomes.mean()) < 100)
    True
    """

    name: ClassVar[str] = "coinpress"
    label: ClassVar[str] = "CoinPress"
    summary: ClassVar[str] = "the mean, clipped ever closer around its location, for very wide bounds"
    source: ClassVar[str] = "Biswas, Dong, Kamath, Ullman 2020"
    exact_because: ClassVar[str] = ROUNDED
    vectors: ClassVar[MeanFunction] = MeanFunction()
    question: ClassVar[MeanFunction] = vectors

    spread: str = parameter(
        default="",
        label="Standard deviation",
        holds="numbers",
        help="Approximate standard deviation of each column, from common knowledge: one number for all, or "
        "one for each, separated by commas. Empty: a tenth of the width of the bounds. If it is far too "
        "small, records are clipped; if it is too large, there is more noise than needed.",
        asks=True,
    )
    noise: str = noise_parameter()
    rounds: int = parameter(
        default=6,
        lower=1,
        upper=20,
        label="Steps T",
        help="Each step but the last narrows the interval by a factor of about n epsilon/T.",
        advanced=True,
    )
    beta: float = failure_probability()

    def __post_init__(self) -> None:
        super().__post_init__()
        positive_numbers(self.spread, "spread")

    @property
    def guarantee(self) -> Guarantee:
        if self.noise == "gaussian":
            return noise_guarantee(self.noise)
        # for several columns this is less than epsilon for all at once
        shares = self.shares().tolist()
        return Guarantee(
            uses_delta=False, zcdp=lambda privacy: compose(of_pure(privacy.epsilon * one) for one in shares)
        )

    @property
    def _mistakes(self) -> Mapping[str, Mistake]:
        halved = Mistake(plant=lambda ready: dataclasses.replace(ready, units=ready.units * 0.5))
        return {"halved-scale": halved} if self.noise == "laplace" else {}

    def shares(self) -> Floats:
        """Return the share of the budget of each step."""
        if self.rounds == 1:
            return np.ones(1)
        return np.append(np.full(self.rounds - 1, (1 - LAST_SHARE) / (self.rounds - 1)), LAST_SHARE)

    def spreads(self, domain: Box) -> Floats:
        """Return the stated standard deviation of each column (public)."""
        stated = positive_numbers(self.spread, "spread")
        return np.broadcast_to(stated, domain.dimension) if stated else DEFAULT_SPREAD * domain.width

    def grids(self, domain: Box) -> tuple[OutputGrid, ...]:
        """Return the public grid of each coordinate, as fine as its stated standard deviation needs."""
        return tuple(
            OutputGrid.of(spread, side.lower, side.upper)
            for spread, side in zip(self.spreads(domain).tolist(), domain.sides, strict=True)
        )

    def step(self, domain: Box, n: int, privacy: Privacy) -> list[float]:
        return [grid.step for grid in self.grids(domain)]

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        """Refuse a budget out of range, and a wrong number of standard deviations."""
        parts = domain.dimension / float(self.shares().min())
        result = problems_of(check_bounds, privacy, 1, parts) or problems_of(check_delta, self.noise, privacy)
        stated = len(positive_numbers(self.spread, "spread"))
        if result or stated in (0, 1, domain.dimension):
            return result
        text = f"{stated} numbers do not fit {domain.dimension} columns; give one for each"
        return (Problem("spread", f"{text}, or one for all"),)

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> CoinPressPrepared:
        d = data.domain.dimension
        shares = self.shares() / d
        if self.noise == "gaussian":
            law: Noise = Gaussian()
            units = analytic_gaussian_sigma(privacy) / np.sqrt(shares)
        else:
            law, units = Laplace(), 1 / (privacy.epsilon * shares)
        return CoinPressPrepared(
            columns=tuple(np.sort(column) for column in data.values.T),
            box=data.domain,
            spreads=self.spreads(data.domain),
            units=outward(units),
            law=law,
            failure=self.beta / (3 * d * self.rounds),
            grids=self.grids(data.domain),
            noise={"family": self.noise},
            diagnostics=Private({"true_value": nearest_doubles(exact_mean(data.values))}),
        )


@dataclasses.dataclass(frozen=True, repr=False)
class CoinPressPrepared(PreparedFields):
    """Sorted columns, ready to be clipped and averaged (private)."""

    columns: tuple[Floats, ...]  # shape (n,); sorted
    box: Box
    spreads: Floats  # shape (d,); the stated standard deviations
    units: Floats  # shape (T,); scale of the noise of each step, for a sensitivity of 1
    law: Noise
    failure: float  # probability that a single assumption of a step fails
    grids: tuple[OutputGrid, ...]

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        places = zip(range(len(self.columns)), each(len(self.columns), progress), strict=True)
        return np.stack([self._release_column(index, rng, size) for index, _ in places], axis=1)

    def _release_column(self, index: int, rng: np.random.Generator, size: int) -> Floats:
        """Return means of one column, shape (size,)."""
        column, side, spread = self.columns[index], self.box.sides[index], float(self.spreads[index])
        n = column.size
        beyond = spread * math.sqrt(2 * math.log(2 * n / self.failure))
        sampled = spread * math.sqrt(2 * math.log(2 / self.failure) / n)
        likely = float(self.law.quantile(1 - self.failure / 2))
        low, high, noisy = np.full(size, side.lower), np.full(size, side.upper), np.zeros(size)
        sums = None if is_release(rng) else np.concatenate([[0.0], np.cumsum(column)])
        for unit in self.units.tolist():
            first, last = np.maximum(low - beyond, side.lower), np.minimum(high + beyond, side.upper)
            scales = outward((last - first) / n * unit)
            noisy = self._noisy(index, first, last, scales, sums, rng)
            around = scales * likely + sampled
            low, high = np.clip(noisy - around, low, high), np.clip(noisy + around, low, high)
        return noisy

    def _noisy(
        self,
        index: int,
        first: Floats,
        last: Floats,
        scales: Floats,
        sums: Floats | None,
        rng: np.random.Generator,
    ) -> Floats:
        """Return the means of clipped records with noise; a release rounds nothing before the noise."""
        column, grid = self.columns[index], self.grids[index]
        if sums is not None:
            means = clip_means(column, sums, first, last)
            return grid.round_values(means + scales * self.law.sample(rng, scales.size))
        result = []
        for low, high, scale in zip(first.tolist(), last.tolist(), scales.tolist(), strict=True):
            (mean,) = exact_mean(np.clip(column, low, high)[:, np.newaxis])
            result.append(grid.noisy(mean, scale, self.law, rng, 1))
        return np.concatenate(result)


def clip_means(column: Floats, sums: Floats, first: Floats, last: Floats) -> Floats:
    """Return the means of a sorted column, clipped to each of several ranges; `sums` are its partial sums."""
    below, within = np.searchsorted(column, first), np.searchsorted(column, last, side="right")
    above = column.size - within
    means: Floats = (sums[within] - sums[below] + below * first + above * last) / column.size
    return means
