"""Counts, shares, sums and means of parts of a table, by noise on sums."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.parts import Parts, PartsDomain
from engine.domain import Interval
from engine.mechanisms.guarantee import Guarantee, noise_guarantee
from engine.mechanisms.histograms.noisy import noise_parameter
from engine.mechanisms.parts.base import COLUMNS, PartsMechanism, each_part
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise import Gaussian, Laplace, Noise
from engine.primitives.counts import check_delta
from engine.primitives.gaussian import analytic_gaussian_sigma
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import Count, Mean, Sum
from engine.queries.count import read_where
from engine.sampling.exactness import ROUNDED
from engine.sampling.output_grid import OutputGrid, round_up
from engine.sampling.sums import exact_sum

CONFIDENCE = 0.95


@dataclasses.dataclass(frozen=True)
class SumsInParts(PartsMechanism):
    """Release counts, shares, sums or means of all parts with noise, together for one epsilon.

    Let a record of a part add a vector to the sums of its part.  A neighbouring table has another record in
    one row: one vector is taken away, and another is added, in the same part or in a different one.

    * **Count.**  A record adds 1.  With several parts two counts change by 1: scale 2/epsilon.  A single part
      changes by 1: scale 1/epsilon.
    * **Sum** of values in [L, U], M = max(-L, U, U - L).  Several parts change by at most 2 max(-L, U), a
      single part by at most M.
    * **Mean of several parts.**  A record adds (x - L, U - x), two numbers of sum U - L.  Taking one away and
      adding another changes at most 2 (U - L) in L1, and sqrt(2) (U - L) in L2, wherever they are.  With A
      and B these sums, the mean is L + (U - L) A/(A + B).
    * **Mean of a single part.**  With m the middle of the bounds and w half their width, a record adds
      (x - m, 1).  Replacing it changes the first by at most 2 w and the second by 0; entering or leaving
      changes them by at most w and 1.  So scales 2 w/epsilon and 2/epsilon suffice together, since
      w/(2 w) + 1/2 = 1.
    * **Share** of the records that satisfy a condition: the mean of 0 and 1.

    The interval of a mean follows from both noisy sums, each within its own error with probability 97.5 %.

    Source: Dwork, McSherry, Nissim, Smith 2006; the sensitivities with confidential sizes are derived here.

    Examples
    --------
    >>> from engine import Interval, Mean, Privacy, reproducible
    >>> from engine.data.parts import Parts, PartsDomain
    >>> data = Parts([1] * 900 + [3] * 900, [0] * 900 + [1] * 900, PartsDomain(Interval(0, 4), ("a", "b")))
    >>> simulated = SumsInParts(query=Mean()).run(data, Privacy(1.0), reproducible(1))
    >>> [round(group["value"], 1) for group in simulated.value["groups"]]
    [1.0, 3.0]
    """

    name: ClassVar[str] = "sums-in-parts"
    label: ClassVar[str] = "Noise on sums"
    summary: ClassVar[str] = "adds noise to the count or the sums of each part"
    source: ClassVar[str] = "Dwork, McSherry, Nissim, Smith 2006"
    exact_because: ClassVar[str] = ROUNDED

    noise: str = noise_parameter()

    @property
    def guarantee(self) -> Guarantee:
        return noise_guarantee(self.noise)

    def problems(self, privacy: Privacy, domain: PartsDomain, n: int) -> tuple[Problem, ...]:
        wrong = super().problems(privacy, domain, n) or problems_of(check_delta, self.noise, privacy)
        if not wrong and self.is_mean and not self.values(domain).width > 0:
            return (Problem("upper", "must be above the lower bound"),)
        return wrong

    def _unfit(self) -> tuple[Problem, ...]:
        if isinstance(self.query, Count | Sum | Mean):
            return ()
        problem = f"a {self.query.label.lower()} is no sum; choose a count, share, sum or mean"
        return (Problem("query", problem),)

    @property
    def is_mean(self) -> bool:
        """Whether the answer is a ratio of sums: a mean or a share."""
        return isinstance(self.query, Mean) or (isinstance(self.query, Count) and self.query.give == "share")

    def values(self, domain: PartsDomain) -> Interval:
        """Return the bounds of the numbers that are added up (public)."""
        return Interval(0.0, 1.0) if isinstance(self.query, Count) else domain.values

    def numbers(self, values: Floats) -> Floats:
        """Return the numbers that are added up for the values of a part."""
        if not isinstance(self.query, Count):
            return values
        if not self.query.where.strip():
            return np.ones(values.size)
        return read_where(self.query.where).holds(values).astype(np.float64)

    def true_value_of(self, values: Floats, domain: PartsDomain) -> float:
        numbers = self.numbers(values)
        total = exact_sum(numbers)
        if not self.is_mean:
            return float(total)
        return float(total / numbers.size) if numbers.size else np.nan

    def sensitivities(self, domain: PartsDomain) -> tuple[tuple[Fraction, float], ...]:
        """Return the L1 and L2 scale of each released sum of a part, for sensitivity 1 (public)."""
        values, moves = self.values(domain), self.moves(domain)
        low, high = Fraction(values.lower), Fraction(values.upper)
        width = high - low
        if not self.is_mean:
            largest = max(abs(low), abs(high))
            if moves:
                return ((2 * largest, math.sqrt(2) * float(largest)),)
            most = max(width, largest)
            return ((most, float(most)),)
        if moves:
            return ((2 * width, math.sqrt(2) * float(width)),) * 2
        return (width, float(width)), (Fraction(2), math.sqrt(4 / 3))

    def scales(self, domain: PartsDomain, privacy: Privacy) -> tuple[float, ...]:
        """Return the scale of the noise on each released sum of a part (public)."""
        if self.noise == "laplace":
            epsilon = Fraction(privacy.epsilon)
            return tuple(round_up(first / epsilon) for first, _ in self.sensitivities(domain))
        sigma = analytic_gaussian_sigma(privacy)
        return tuple(second * sigma * (1 + 2.0**-48) for _, second in self.sensitivities(domain))

    @property
    def law(self) -> Noise:
        """The distribution of the noise."""
        return Laplace() if self.noise == "laplace" else Gaussian()

    def half_widths(self, domain: PartsDomain, privacy: Privacy) -> tuple[float, ...]:
        """Return the error of each sum that its noise exceeds with probability 5 %, or 2.5 % of two sums."""
        scales = self.scales(domain, privacy)
        outside = (1 - CONFIDENCE) / len(scales)
        return tuple(scale * float(self.law.quantile(1 - outside / 2)) for scale in scales)

    def grids(self, domain: PartsDomain, n: int) -> tuple[OutputGrid, ...]:
        """Return the grid of each noisy sum (public)."""
        values = self.values(domain)
        low, high = values.lower, values.upper
        if not self.is_mean:
            count = isinstance(self.query, Count)
            resolution = 1.0 if count else values.resolution
            largest = max(abs(low), abs(high), high - low)
            return (OutputGrid.of(largest, min(0.0, n * low), max(0.0, n * high), resolution),)
        width = high - low
        if self.moves(domain):
            return (OutputGrid.of(width, 0.0, n * width, clamped=False),) * 2
        wide = OutputGrid.of(width, -n * width / 2, n * width / 2, clamped=False)
        return wide, OutputGrid.of(1.0, 0.0, n, 1.0, clamped=False)

    def step(self, domain: PartsDomain, n: int, privacy: Privacy) -> float | list[float] | None:
        return None if self.is_mean else self.grids(domain, n)[0].step

    def _largest_error(self, domain: PartsDomain, n: int) -> float:
        width = self.values(domain).width
        return width if self.is_mean else n * max(width, abs(domain.values.lower), abs(domain.values.upper))

    def sums_of(self, values: Floats, domain: PartsDomain) -> tuple[Fraction, ...]:
        """Return the sums of a part to which noise is added (private), exactly."""
        numbers, bounds = self.numbers(values), self.values(domain)
        total, n = exact_sum(numbers), numbers.size
        if not self.is_mean:
            return (total,)
        low, high = Fraction(bounds.lower), Fraction(bounds.upper)
        if self.moves(domain):
            return total - n * low, n * high - total
        return total - n * (low + high) / 2, Fraction(n)

    def prepare(self, data: Parts, privacy: Privacy, progress: Progress = silent) -> SumsPrepared:
        domain = data.domain
        sums: list[tuple[Fraction, ...]] = []
        truth: list[float] = []
        for values in each_part(data):
            progress(len(sums) / domain.size, "adding up")
            sums.append(self.sums_of(values, domain))
            truth.append(self.true_value_of(values, domain))
        scales, half_widths = self.scales(domain, privacy), self.half_widths(domain, privacy)
        return SumsPrepared(
            sums=tuple(sums),
            scales=scales,
            family=self.law,
            grids=self.grids(domain, data.n),
            half_widths=half_widths,
            bounds=self.values(domain),
            is_mean=self.is_mean,
            moves=self.moves(domain),
            noise={"family": self.noise, "scale": scales[0] if len(set(scales)) == 1 else list(scales)},
            error=None if self.is_mean else half_widths[0],
            diagnostics=Private({"true_value": np.array(truth)}),
        )


@dataclasses.dataclass(frozen=True, repr=False)
class SumsPrepared(PreparedFields):
    """The sums of all parts (private), and the noise that is added to them (public)."""

    sums: tuple[tuple[Fraction, ...], ...]  # of each part
    scales: tuple[float, ...]  # of each sum of a part
    family: Noise
    grids: tuple[OutputGrid, ...]
    half_widths: tuple[float, ...]
    bounds: Interval
    is_mean: bool
    moves: bool

    @property
    def batch_size(self) -> int:
        return max(1, 10_000 // len(self.sums))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        drawn = np.empty((size, len(self.sums), COLUMNS))
        for number, sums in enumerate(self.sums):
            progress(number / len(self.sums), "adding noise")
            noisy = [
                grid.noisy(one, scale, self.family, rng, size)
                for one, scale, grid in zip(sums, self.scales, self.grids, strict=True)
            ]
            drawn[:, number] = self._answers(noisy)
        return drawn.reshape(size, -1)

    def draw_numbers(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return self.draw(rng, size, progress)[:, ::COLUMNS]

    def _answers(self, noisy: list[Floats]) -> Floats:
        """Return values and intervals that follow from noisy sums, shape (size, 3)."""
        if not self.is_mean:
            (value,), (half,) = noisy, self.half_widths
            return np.stack([value, value - half, value + half], axis=1)
        first, second = noisy
        one, other = self.half_widths
        if self.moves:
            points = [self._ratio(first + shift * one, second - shift * other) for shift in (0.0, -1.0, 1.0)]
        else:
            middle, most = self.bounds.lower / 2 + self.bounds.upper / 2, self.bounds.width / 2
            few = np.maximum(second - other, 1.0)
            points = [middle + first / np.maximum(second, 1.0)]
            for shift in (-1.0, 1.0):
                end = first + shift * one
                # the fewer records, the farther from the middle; the more, the nearer
                far = np.where(end * shift > 0, few, np.maximum(second + other, 1.0))
                points.append(middle + np.clip(end / far, -most, most))
        return np.clip(np.stack(points, axis=1), self.bounds.lower, self.bounds.upper)

    def _ratio(self, above: Floats, below: Floats) -> Floats:
        """Return the mean from the sums of the distances to both bounds."""
        above, below = np.maximum(above, 0.0), np.maximum(below, 0.0)
        total = above + below
        share = np.divide(above, total, out=np.full_like(total, 0.5), where=total > 0)
        return self.bounds.lower + share * self.bounds.width
