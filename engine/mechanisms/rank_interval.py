"""Intervals for order statistics: a public one in ranks, and a 95 % interval for a share of epsilon."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.rank_gaps import RankGaps
from engine.mechanisms.release import Private, Release
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import OrderStatistic
from engine.sampling.output_grid import DIGITS, OutputGrid

if TYPE_CHECKING:
    from collections.abc import Iterator

COVERS = ("data", "population")
"""The value that an interval covers: that of these records, or that of the population they are drawn from."""

BETA = 0.05
"""Probability that an interval does not hold its value."""

OF_SAMPLING = 0.04
"""Part of `BETA` for the sampling error, if an interval covers the population."""

POINTS_PER_RECORD = 1
"""Points of the grid of ends, for each record; more make ends finer, but intervals wider in ranks."""


def spaced(grid: OutputGrid, domain: Interval) -> OutputGrid:
    """Return the grid, coarser if half of its step is lost in doubles as large as the bounds (public)."""
    least = math.ldexp(1.0, math.frexp(max(abs(domain.lower), abs(domain.upper)))[1] - DIGITS + 2)
    return grid if grid.declared else dataclasses.replace(grid, step=max(grid.step, least))


def grid_of_ends(domain: Interval, finest: OutputGrid, n: float) -> OutputGrid:
    """Return the grid of the ends of an interval: `finest`, or one of about n points (public)."""
    usual = math.ldexp(1.0, math.frexp(domain.width / (POINTS_PER_RECORD * n))[1] - 1)
    if finest.declared and finest.step >= usual:
        return finest
    step = min(max(usual, finest.step), domain.width)
    return OutputGrid(step, declared=True, lower=domain.lower, upper=domain.upper)


def rank_error(
    domain: Interval, step: float, epsilon: float, beta: float = BETA, margin: float = 0.0
) -> float:
    """Return the distance in ranks that a choice exceeds with probability at most `beta` (public).

    Statement.  A multiple v of the step is drawn with probability proportional to exp(-epsilon d(v)/2), with
    d(v) its distance from the target rank; a record moves to the nearest multiple.  Then d(v) is above
    2 ln(M/beta)/epsilon with probability at most beta, for M multiples.  With a `margin` (`RankGaps`), the
    distance in ranks is above that plus the margin with probability at most beta.

    Proof.  Some multiple has d = 0, or with a margin d <= margin, if the target is between 0 and n.  Each of
    those farther by r weighs at most exp(-epsilon r/2) times as much.  By permute-and-flip each has at most
    this probability.  A margin only adds to the distance of multiples that miss the target.
    """
    return 2 * math.log((domain.width / step + 1) / beta) / epsilon + margin


def share_parameter() -> Any:
    """Return the declared share of epsilon for an interval."""
    return parameter(
        default=0.0,
        lower=0.0,
        upper=1.0,
        upper_open=True,
        label="Share of ε for an interval",
        help="Share of epsilon that pays for a 95 % interval. With 0 a release has none, unless the size of "
        "its noise is public.",
        advanced=True,
    )


def covers_parameter() -> Any:
    """Return the declared value that an interval covers."""
    return parameter(
        default=COVERS[0],
        choices=COVERS,
        label="Interval covers",
        help="data: the value of these records; population: the value of the population from which they are "
        "a random sample, so that the interval includes the sampling error.",
        advanced=True,
    )


def sampling_ranks(n: int, share: float) -> float:
    """Return z sqrt(n q (1 - q)): n records miss a share q by more ranks with probability 4 %."""
    from scipy.special import ndtri

    share = min(1.0, max(0.0, share))
    return float(ndtri(1 - OF_SAMPLING / 2)) * math.sqrt(n * share * (1 - share))


def with_interval(
    made: Release, interval: RankInterval, data: Sample, rng: np.random.Generator, progress: Progress
) -> Release:
    """Return a release with the interval among its parameters, widened to hold the released value.

    Both are released already: this costs nothing, and the interval holds no less often what it shall hold.
    The value is not moved instead, since most of epsilon is spent on it: usually the interval has missed.
    """
    low, high = interval.draw(data, rng, progress)
    ends = [min(low, made.value), max(high, made.value)]
    return dataclasses.replace(made, parameters={**made.parameters, "interval": ends})


def split_budget(privacy: Privacy, share: float) -> tuple[Privacy, float]:
    """Return the budget of the value and the epsilon of its interval."""
    if share == 0:
        return privacy, 0.0
    value, interval = Privacy(privacy.epsilon).split((1 - share, share))
    return Privacy(value.epsilon, privacy.delta), interval.epsilon


@dataclasses.dataclass(frozen=True)
class RankInterval:
    """A 95 % interval for an order statistic of n records: two values chosen by rank.

    The lower end is chosen near a rank R below that of the order statistic.  It is above the order statistic
    with probability at most 2.5 %.  The upper end is alike.  Each end costs half of `epsilon`.

    Statement.  Take R = 4 ln(M/0.025)/epsilon for M points of the grid of ends.  The interval holds the order
    statistic with probability at least 95 %, whatever the data.  With a resolution, the order statistic
    counts as its nearest multiple.  Without one, the interval is half a step longer on each side.

    Proof.  Let t be the rank.  A point above the order statistic has at least t records below it, so it is at
    least R ranks from the target t - R.  `rank_error` bounds the probability of all these points.  A target
    beyond the first or the last record needs no choice: that end is the public bound.  An interval
    without the released value is widened to it (`with_interval`).

    For the population, R grows by z sqrt(n q (1 - q)).  The number of records below the quantile of the
    population is nearly normal and farther away with probability 4 %; each choice may then err with 0.5 %.

    Source: derived here; Smith 2011 for the choices.
    """

    query: OrderStatistic
    domain: Interval
    n: int
    epsilon: float  # budget of both ends
    covers: str = COVERS[0]

    @property
    def grid(self) -> OutputGrid:
        """The public grid of both ends: the resolution, or about `POINTS_PER_RECORD` n points."""
        domain = self.domain
        finest = OutputGrid.of(domain.width, domain.lower, domain.upper, domain.resolution)
        return grid_of_ends(domain, spaced(finest, domain), self.n)

    @property
    def of_choice(self) -> float:
        """Distance in ranks of both targets from the rank, for the error of the choices."""
        beta = (BETA - OF_SAMPLING if self.covers == "population" else BETA) / 2
        return rank_error(self.domain, self.grid.step, self.epsilon / 2, beta)

    @property
    def of_sampling(self) -> float:
        """Further distance, for the sampling error."""
        if self.covers == "data":
            return 0.0
        return sampling_ranks(self.n, self.query.records_below(self.n) / self.n)

    @property
    def targets(self) -> tuple[float, float]:
        """Target ranks of both ends (public)."""
        away = self.of_choice + self.of_sampling
        rank = self.query.records_below(self.n)
        return rank - away, rank + away

    def draw(
        self, data: Sample, rng: np.random.Generator, progress: Progress = silent
    ) -> tuple[float, float]:
        """Draw both ends (a release, if `rng` is of the operating system)."""
        low, high = sorted(self._ends(data, rng, progress))
        half = 0.0 if self.domain.resolution == self.grid.step else self.grid.step / 2
        return max(low - half, self.domain.lower), min(high + half, self.domain.upper)

    def _ends(self, data: Sample, rng: np.random.Generator, progress: Progress) -> Iterator[float]:
        for target, bound in zip(self.targets, (self.domain.lower, self.domain.upper), strict=True):
            if 0 < target < self.n:
                yield float(self.choice(data, target, progress).draw(rng, 1)[0])
            else:
                yield bound

    def choice(self, data: Sample, target: float, progress: Progress = silent) -> PiecewisePrepared:
        """Return the choice of an end, by its target rank."""
        half = Fraction(self.epsilon) / 2  # exact, as halving a double is
        near = RankGaps.near(data, target, float(half), self.grid.step, progress=progress)
        return PiecewisePrepared(near=near, grid=self.grid, diagnostics=Private({}))
