"""Counts, shares, sums and means of parts of a table, by noise on sums."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.components import ComponentField
from engine.data.parts import Parts, PartsDomain
from engine.domain import Interval
from engine.mechanisms.facts import Mistake
from engine.mechanisms.guarantee import AddsNoise
from engine.mechanisms.histograms.noisy import noise_parameter
from engine.mechanisms.parts.base import PartsMechanism, batch_for, each_part
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise import Gaussian, Laplace, Noise
from engine.parameters import parameter
from engine.primitives.counts import check_delta
from engine.primitives.gaussian import analytic_gaussian_sigma
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import Count, Mean, Query, Sum
from engine.queries.count import read_where
from engine.sampling.exactness import ROUNDED
from engine.sampling.output_grid import OutputGrid, outward, round_up
from engine.sampling.sums import exact_sum

OUTSIDE = 0.05
"""Probability with which a value is outside its interval."""


@dataclasses.dataclass(frozen=True)
class SumsInParts(AddsNoise, PartsMechanism):
    """Release counts, shares, sums or means of all parts with noise, together for one epsilon.

    Let a record of a part add a vector to the sums of its part.  A neighbouring table has another record in
    one row: one vector is taken away, and another is added, in the same part or in a different one.

    * **Count.**  A record adds 1.  With several parts two counts change by 1: scale 2/epsilon, and sqrt(2) in
      L2.  A single part changes by 1.
    * **Share of all N records**: the count, divided by N.
    * **Sum** of values in [L, U], M = max(-L, U).  A record that moves changes one sum by at most M and
      another by at most M; one that stays changes a sum by at most U - L <= 2 M.  So several parts change by
      at most 2 M in L1 and max(U - L, sqrt(2) M) in L2, and a single part by at most max(U - L, M).
    * **Mean of several parts.**  A record adds (x - L, U - x), two numbers that are not negative, of sum
      U - L.  Taking one away and adding another changes at most 2 (U - L) in L1, and sqrt(2) (U - L) in L2,
      wherever they are.  With A and B these sums, the mean is L + (U - L) A/(A + B).
    * **Mean of a single part.**  With m the middle of the bounds and w half their width, a record adds
      (x - m, 1).  Replacing it changes the first by at most 2 w and the second by 0; entering or leaving
      changes them by at most w and 1.  So scales 2 w/epsilon and 2/epsilon suffice together, since
      w/(2 w) + 1/2 = 1.  In L2, 2 w sigma and sqrt(4/3) sigma suffice, since 1/4 + 3/4 = 1.
    * **Share of the records of a part** that satisfy the condition of `Count`: the mean of 0 and 1.

    The interval of a mean follows from both noisy sums, each within its own error with probability 97.5 %.

    Source: Dwork, McSherry, Nissim, Smith 2006; the sensitivities with confidential sizes are derived here.

    Examples
    --------
    >>> from engine import Interval, Mean, Parts, PartsDomain, Privacy, reproducible
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

    query: ComponentField[Query[Any]] = parameter(
        default=Mean(), label="Query", help="The statistic to release.", asks=True
    )
    noise: str = noise_parameter()

    def problems(self, privacy: Privacy, domain: PartsDomain, n: int) -> tuple[Problem, ...]:
        return super().problems(privacy, domain, n) or problems_of(check_delta, self.noise, privacy)

    def _unfit(self, domain: PartsDomain) -> tuple[Problem, ...]:
        if isinstance(self.query, Count) and not self._condition and domain.every and domain.size == 1:
            return (Problem("where", "every record is counted, so the answer is public; give a condition"),)
        if isinstance(self.query, Count | Sum | Mean):
            return ()
        problem = f"a {self.query.label.lower()} is no sum; choose a count, share, sum or mean"
        return (Problem("query", problem),)

    # Public facts

    @property
    def is_mean(self) -> bool:
        """Whether the answer is a ratio of two noisy sums: a mean, or a share of a part."""
        return isinstance(self.query, Mean) or (self._is_share and bool(self._condition))

    @property
    def _is_share(self) -> bool:
        return isinstance(self.query, Count) and self.query.give == "share"

    @property
    def _condition(self) -> str:
        return self.query.where.strip() if isinstance(self.query, Count) else ""

    def _divisor(self, n: int) -> int:
        """Return the public divisor of the noisy sum: n for a share of all records."""
        return n if self._is_share and not self.is_mean else 1

    def _values(self, domain: PartsDomain) -> Interval:
        """Return the bounds of the numbers that are added up."""
        return Interval(0.0, 1.0) if isinstance(self.query, Count) else domain.values

    def sensitivities(self, domain: PartsDomain) -> tuple[tuple[Fraction, float], ...]:
        """Return the L1 and L2 scale of each released sum of a part, for a budget of 1."""
        values, moves = self._values(domain), self.moves(domain)
        low, high = Fraction(values.lower), Fraction(values.upper)
        width, largest = high - low, max(abs(low), abs(high))
        if not self.is_mean:
            if moves:
                return ((2 * largest, max(float(width), math.sqrt(2) * float(largest))),)
            return ((max(width, largest), float(max(width, largest))),)
        if moves:
            return ((2 * width, math.sqrt(2) * float(width)),) * 2
        return (width, float(width)), (Fraction(2), math.sqrt(4 / 3))

    def scales(self, domain: PartsDomain, privacy: Privacy) -> tuple[float, ...]:
        """Return the scale of the noise on each released sum of a part."""
        if self.noise == "laplace":
            epsilon = Fraction(privacy.epsilon)
            return tuple(round_up(l1 / epsilon) for l1, _ in self.sensitivities(domain))
        sigma = analytic_gaussian_sigma(privacy)
        return tuple(outward(l2 * sigma) for _, l2 in self.sensitivities(domain))

    @property
    def _law(self) -> Noise:
        """The distribution of the noise."""
        return Laplace() if self.noise == "laplace" else Gaussian()

    def grids(self, domain: PartsDomain, n: int) -> tuple[OutputGrid, ...]:
        """Return the grid of each noisy sum."""
        values = self._values(domain)
        low, high = values.lower, values.upper
        if not self.is_mean:
            resolution = 1.0 if isinstance(self.query, Count) else values.resolution
            largest = max(abs(low), abs(high), high - low)
            return (OutputGrid.of(largest, min(0.0, n * low), max(0.0, n * high), resolution),)
        width = high - low
        if self.moves(domain):
            return (OutputGrid.of(width, 0.0, n * width, clamped=False),) * 2
        wide = OutputGrid.of(width, -n * width / 2, n * width / 2, clamped=False)
        return wide, OutputGrid.of(1.0, 0.0, n, 1.0, clamped=False)

    def half_widths(self, domain: PartsDomain, n: int, privacy: Privacy) -> tuple[float, ...]:
        """Return the error of each noisy sum that it exceeds with probability 5 %, or 2.5 % of two."""
        scales, grids = self.scales(domain, privacy), self.grids(domain, n)
        quantile = float(self._law.quantile(1 - OUTSIDE / len(scales) / 2))
        # a sum is rounded by half a step; counts and their intervals are whole
        return tuple(
            math.ceil(scale * quantile - 0.5)
            if grid.step == 1 and grid.declared
            else scale * quantile + grid.step / 2
            for scale, grid in zip(scales, grids, strict=True)
        )

    def step(self, domain: PartsDomain, n: int, privacy: Privacy) -> float | list[float] | None:
        return None if self.is_mean or self._is_share else self.grids(domain, n)[0].step

    def expected_error(
        self, domain: PartsDomain, n: int, privacy: Privacy, share: float | None = None
    ) -> float | None:
        """Return the half-width of the interval; for means, of `share` of the n records at most.

        None for a mean without a share.
        """
        half_widths = self.half_widths(domain, n, privacy)
        if not self.is_mean:
            return half_widths[0] / self._divisor(n)
        if not share:
            return None
        width = self._values(domain).width
        # to first order in the noise; for a single part at a bound, where it is largest
        both = half_widths[0] if self.moves(domain) else half_widths[0] + width / 2 * half_widths[1]
        return min(width, both / max(1.0, share * n))

    def _largest_error(self, domain: PartsDomain, n: int) -> float:
        values = self._values(domain)
        if self.is_mean:
            return values.width
        return n / self._divisor(n) * max(values.width, abs(values.lower), abs(values.upper))

    # The sums

    def _totals(self, data: Parts, progress: Progress) -> list[tuple[Fraction, int]]:
        """Return the exact sum and the number of records of each part (private)."""
        if isinstance(self.query, Count) and not self._condition:
            return [(Fraction(size), size) for size in data.sizes.tolist()]
        parts = each_part(data, progress, "adding up")
        return [(exact_sum(self._numbers(values)), values.size) for values, _ in parts]

    def _numbers(self, values: Floats) -> Floats:
        """Return the numbers that are added up for the values of a part."""
        if not isinstance(self.query, Count):
            return values
        return read_where(self.query.where).holds(values).astype(np.float64)

    def _sums(self, total: Fraction, size: int, domain: PartsDomain) -> tuple[Fraction, ...]:
        """Return the sums to which noise is added (private), from the sum and number of all records."""
        if not self.is_mean:
            return (total,)
        values = self._values(domain)
        low, high = Fraction(values.lower), Fraction(values.upper)
        if self.moves(domain):
            return total - size * low, size * high - total
        return total - size * (low + high) / 2, Fraction(size)

    def _answer(self, total: Fraction, size: int, n: int) -> float:
        """Return the answer (private); NaN for the mean of an empty part."""
        if self.is_mean:
            return float(total / size) if size else math.nan
        return float(total / self._divisor(n))

    def prepare(self, data: Parts, privacy: Privacy, progress: Progress = silent) -> SumsPrepared:
        domain, n = data.domain, data.n
        totals = self._totals(data, progress)
        scales, half_widths = self.scales(domain, privacy), self.half_widths(domain, n, privacy)
        answers = [self._answer(*both, n) for both in totals]
        return SumsPrepared(
            sums=tuple(self._sums(*both, domain) for both in totals),
            scales=scales,
            family=self._law,
            grids=self.grids(domain, n),
            half_widths=half_widths,
            bounds=self._values(domain),
            is_mean=self.is_mean,
            moves=self.moves(domain),
            divisor=self._divisor(n),
            noise={"family": self.noise, "scale": scales[0] if len(set(scales)) == 1 else list(scales)},
            error=None if self.is_mean else half_widths[0] / self._divisor(n),
            diagnostics=Private({"true_value": np.array(answers)}),
        )

    @property
    def _mistakes(self) -> dict[str, Mistake]:
        """Return half of the noise: in general, and as if a row that moves changed one part only."""
        if self.noise != "laplace":
            return {}
        return {
            "halved-scale": Mistake("changes-group", plant=_with_half_the_noise),
            "histogram-scale-one": Mistake("changes-group", _problem_of_one_part, _with_half_the_noise),
        }

    def unprocessed(self) -> SumsInParts:
        return NoisySums(query=self.query, noise=self.noise)


class NoisySums(SumsInParts):
    """The noisy sums themselves, for audits: answers and intervals follow from them."""

    def prepare(self, data: Parts, privacy: Privacy, progress: Progress = silent) -> SumsPrepared:
        return dataclasses.replace(super().prepare(data, privacy, progress), only_sums=True)


@dataclasses.dataclass(frozen=True, repr=False)
class SumsPrepared(PreparedFields):
    """The sums of all parts (private), and the noise that is added to them (public)."""

    sums: tuple[tuple[Fraction, ...], ...]  # of each part
    scales: tuple[float, ...]  # of each sum of a part
    family: Noise
    grids: tuple[OutputGrid, ...]
    half_widths: tuple[float, ...]
    bounds: Interval  # of the numbers that are added up
    is_mean: bool
    moves: bool
    divisor: int
    only_sums: bool = False  # whether to draw the noisy sums, not clamped, in place of the answers

    @property
    def batch_size(self) -> int:
        return batch_for(3 * len(self.sums))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        drawn = []
        for number, sums in enumerate(self.sums):
            progress(number / len(self.sums), "adding noise")
            noisy = [
                (grid.unclamped if self.only_sums else grid).noisy(one, scale, self.family, rng, size)
                for one, scale, grid in zip(sums, self.scales, self.grids, strict=True)
            ]
            drawn += noisy if self.only_sums else self._answers(noisy)
        return np.stack(drawn, axis=1)

    def draw_numbers(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Draw releases and return their values without the intervals, which follow from them."""
        return self.draw(rng, size, progress)[:, :: 1 if self.only_sums else 3]

    def _answers(self, noisy: list[Floats]) -> list[Floats]:
        """Return values, lower and upper ends that follow from noisy sums."""
        if not self.is_mean:
            ends = self.grids[0].ends
            return [
                np.clip(noisy[0] + shift, *ends) / self.divisor
                for shift in (0.0, -self.half_widths[0], self.half_widths[0])
            ]
        mean, ends = self._ratio if self.moves else self._centred, (self.bounds.lower, self.bounds.upper)
        first, second = noisy
        return [np.clip(mean(first, second, shift), *ends) for shift in (0, -1, 1)]

    def _ratio(self, above: Floats, below: Floats, shift: int) -> Floats:
        """Return the mean from the sums of the distances to both bounds, or an end of its interval."""
        above = np.maximum(above + shift * self.half_widths[0], 0.0)
        below = np.maximum(below - shift * self.half_widths[1], 0.0)
        total = above + below
        share = np.divide(above, total, out=np.full_like(total, 0.5), where=total > 0)
        return self.bounds.lower + share * self.bounds.width

    def _centred(self, total: Floats, size: Floats, shift: int) -> Floats:
        """Return the mean from the sum of distances to the middle and a size, or an end of its interval."""
        total = total + shift * self.half_widths[0]
        # an end is farther from the middle with fewer records, and nearer with more
        farther = np.where(total * shift > 0, -1, 1) * abs(shift)
        return (
            self.bounds.lower
            + self.bounds.width / 2
            + total / np.maximum(size + farther * self.half_widths[1], 1.0)
        )


def _with_half_the_noise(ready: SumsPrepared) -> SumsPrepared:
    return dataclasses.replace(ready, scales=tuple(scale / 2 for scale in ready.scales))


def _problem_of_one_part(domain: PartsDomain) -> tuple[Problem, ...]:
    if domain.size > 1:
        return ()
    return (Problem("categories", "this mistake needs at least two groups between which a row can move"),)
