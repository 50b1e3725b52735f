"""Errors of histograms: of the counts of boxes, and of densities as n grows."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Iterator, Sequence

import numpy as np

from engine.analysis.expected_error import SIZES, ErrorAgainstSize
from engine.analysis.memory import noise_budget, remembered
from engine.analysis.preparing import prepare
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.findings import Finding
from engine.histograms.histogram import Histogram
from engine.histograms.ranges import Ranges
from engine.histograms.spanning_tree import euclidean_tree, resampled_tree
from engine.mechanisms import NoisyHistogram
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramPrepared, sanitize_with
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, Publish, each, part, silent, unpublished
from engine.randomness import reproducible
from engine.shown import ShownInALine

RUNS, MIN_RUNS = 100, 5
"""Number of runs behind an error, and the least one, of a slow histogram."""

PRECISE, MIN_ESTIMATED = 0.08, 10
"""An error is estimated in so many runs at least, and until its standard error is a smaller share of it."""

MAX_TREE_RUNS = 20
"""Largest number of runs behind an error of trees, or with more than `MAX_WITH_TREES` records."""

MAX_SECONDS = 1.0
"""Largest time for all runs of a histogram, approximately in seconds, unless they are few."""

MAX_WITH_TREES = 20_000
"""Largest number of records for comparing trees: each run computes one per kind of histogram."""

MAX_EFFORT = 1.0
"""Largest time for one histogram, approximately in seconds; otherwise its runs would delay the rest."""

PUBLISH_SECONDS = 0.4
"""Seconds between two published results."""

MAX_JUDGED = 100_000
"""Largest number of records for judging one histogram; counting the boxes of more takes seconds."""

JUDGED_SEED = 1


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class HistogramErrorSample(ShownInALine):
    """Errors of one kind of histogram over repeated runs (private), from `histogram_errors`."""

    mechanism: HistogramMechanism
    # shape (runs,); `counts`: mean absolute error of the counts of the boxes of `Ranges`, in points.  `tree`:
    # error of the cost of the tree of resampled points, as a share of the true cost (0.5: 50 % off), in the
    # first `MAX_TREE_RUNS` runs, but not in those without points; none of one column.
    counts: Floats
    tree: Floats
    problem: str = ""  # why there are no errors, if there are none

    @property
    def typical(self) -> float:
        """The median error of counts; inf without errors."""
        return float(np.median(self.counts)) if self.counts.size else math.inf


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class HistogramErrors(ShownInALine):
    """Errors of several kinds of histograms of the same data (private), from `histogram_errors`."""

    mechanism: HistogramMechanism  # the chosen mechanism, which may be among the samples
    samples: tuple[HistogramErrorSample, ...]
    n: int  # number of points
    # share of the runs that are done; results before 1 are preliminary
    done: float = 1.0

    @property
    def ranked(self) -> list[HistogramErrorSample]:
        """The private ones first, each group by its error of counts."""
        return sorted(self.samples, key=lambda one: (not one.mechanism.facts.is_private, one.typical))

    def findings(self) -> Iterator[Finding]:
        """Yield the median errors of each kind that has some."""
        for sample in self.samples:
            if not sample.problem:
                medians = [float(np.median(off)) for off in (sample.counts, sample.tree) if off.size]
                yield Finding(f"{sample.mechanism.label}: errors of counts, of trees", medians)


def histogram_errors(
    mechanism: HistogramMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    alternatives: Sequence[HistogramMechanism],
    seed: int = 1,
    progress: Progress = silent,
    publish: Publish[HistogramErrors] = unpublished,
) -> HistogramErrors:
    """Repeat each kind of histogram, and measure the errors of its counts and its tree."""
    privacy = as_privacy(privacy)
    kinds = tuple(alternatives)

    def work() -> HistogramErrors:
        return _Benchmark(mechanism, kinds, data, privacy).run(seed, progress, publish)

    return remembered(data, ("histogram errors", mechanism, kinds, privacy, seed), work)


@dataclasses.dataclass(frozen=True, repr=False)
class CountError(ShownInALine):
    """Typical error of the counts of a histogram (private), from `estimate_count_error`."""

    typical: float  # in points
    standard_error: float  # of `typical`, as the median of some runs

    def findings(self) -> Iterator[Finding]:
        """Yield the error."""
        yield Finding("typical error of the counts of public boxes", self.typical)


def estimate_count_error(
    mechanism: HistogramMechanism, data: Points, privacy: PrivacyLike, *, progress: Progress = silent
) -> CountError | None:
    """Return the typical error of counts of the boxes of `Ranges`, in points (private).

    It is the median over simulated histograms of the mean absolute error.  There are as many runs as in
    `histogram_errors`, or fewer if the standard error is then below 8 %.  None for more than `MAX_JUDGED`
    records.

    Parameters
    ----------
    mechanism : HistogramMechanism
        A mechanism with cells, such as `NoisyHistogram`.
    data : Points
    privacy : PrivacyLike
        Used only if the mechanism is private.
    progress : Progress

    Returns
    -------
    CountError or None

    See Also
    --------
    estimate_scalar_error, NoisyHistogram

    Examples
    --------
    In boxes among 400 points, the counts of a noisy grid are a few points off:

    >>> import numpy as np
    >>> from engine import Box, Points, NoisyHistogram, Privacy
    >>> data = Points(np.random.default_rng(1).random((400, 2)), Box.of([0, 0], [1, 1]))
    >>> 1 < estimate_count_error(NoisyHistogram(bins=8), data, Privacy(1.0)).typical < 20
    True
    """
    privacy = as_privacy(privacy)
    if data.n > MAX_JUDGED:
        return None

    def work() -> CountError:
        mechanism.refuse(privacy, data.domain, data.n)
        benchmark = _Benchmark(mechanism, (mechanism,), data, privacy, trees=False)
        made = benchmark.run(JUDGED_SEED, progress, unpublished, PRECISE)
        return CountError(*_median(made.samples[0].counts))

    return remembered(data, ("count error", mechanism, noise_budget(mechanism, privacy)), work)


def _median(errors: Floats) -> tuple[float, float]:
    """Return the median and its standard error, as of normally distributed errors."""
    return float(np.median(errors)), float(errors.std() * math.sqrt(np.pi / 2 / errors.size))


class _Benchmark:
    """Repeated runs of several kinds of histograms on one database."""

    def __init__(
        self,
        mechanism: HistogramMechanism,
        kinds: Sequence[HistogramMechanism],
        data: Points,
        privacy: Privacy,
        *,
        trees: bool = True,
    ) -> None:
        self._mechanism, self._kinds = mechanism, kinds
        self._data, self._privacy = data, privacy
        self._with_trees = trees and data.n <= MAX_WITH_TREES and data.domain.dimension > 1
        self._errors: list[list[tuple[float, float]]] = [[] for _ in kinds]
        self._problems = [self._problem(one) for one in kinds]

    def _problem(self, one: HistogramMechanism) -> str:
        """Return why a kind has no errors, from public facts alone; "" if it has some."""
        domain, n = self._data.domain, self._data.n
        if problems := one.problems(self._privacy, domain, n):
            return problems[0].message
        if one != self._mechanism and one.resources(domain, n).seconds > MAX_EFFORT:
            return "left out: slow with so many records"
        return ""

    def _schedule(self) -> list[tuple[int, int]]:
        """Return run and kind in order of usefulness: the chosen kind and the private ones first."""
        able = [index for index, problem in enumerate(self._problems) if not problem]
        first = [
            index
            for index in able
            if self._kinds[index].facts.is_private or self._kinds[index] == self._mechanism
        ]
        groups = (first, [index for index in able if index not in first])
        runs = [self._runs(one) for one in self._kinds]
        return [(run, at) for group in groups for run in range(RUNS) for at in group if run < runs[at]]

    def _runs(self, one: HistogramMechanism) -> int:
        """Return the number of runs of a kind, from public facts alone."""
        seconds = one.resources(self._data.domain, self._data.n).seconds
        most = RUNS if self._data.n <= MAX_WITH_TREES else min(RUNS, MAX_TREE_RUNS)
        return most if most * seconds <= MAX_SECONDS else max(MIN_RUNS, int(MAX_SECONDS / seconds))

    def run(
        self, seed: int, progress: Progress, publish: Publish[HistogramErrors], precise: float = 0.0
    ) -> HistogramErrors:
        """Return the errors of all runs; publish intermediate results a few times a second.

        It stops early if the standard error of a median of counts is at most this share of it.
        """
        data = self._data
        ranges = Ranges.within(data.domain)
        early = part(progress, 0.0, 0.05)
        truth = remembered(data, ("counts of ranges",), lambda: ranges.exact(data.values, early))
        tree = self._true_cost(part(progress, 0.05, 0.1))
        ready: dict[int, HistogramPrepared] = {}
        schedule = self._schedule()
        seen = time.monotonic()
        for step, (run, index) in enumerate(schedule):
            one = self._kinds[index]
            here = part(progress, *(0.1 + 0.9 * (step + end) / len(schedule) for end in (0, 1)))
            here(0.0, f"run {run + 1}: {one.label.lower()}")
            if index not in ready:
                early = part(here, 0.0, 0.3)
                # the page has prepared the chosen one already; keeping all of them would crowd that out
                if one == self._mechanism:
                    ready[index] = prepare(one, data, self._privacy, progress=early)
                else:
                    ready[index] = one.prepare(data, self._privacy, early)
            histogram = ready[index].histogram(reproducible(seed + run), part(here, 0.3, 0.5))
            off = float(np.abs(ranges.answers(histogram, part(here, 0.5, 0.7)) - truth).mean())
            true = tree if run < MAX_TREE_RUNS else np.nan
            tree_off = self._tree_error(histogram, true, seed + run, part(here, 0.7, 1.0))
            self._errors[index].append((off, tree_off))
            if precise and len(self._errors[index]) >= MIN_ESTIMATED:
                median, standard_error = _median(self._sample(index).counts)
                if standard_error <= precise * median:
                    break
            if time.monotonic() - seen > PUBLISH_SECONDS:
                publish(self._so_far((step + 1) / len(schedule)))
                seen = time.monotonic()
        return self._so_far()

    def _so_far(self, done: float = 1.0) -> HistogramErrors:
        samples = tuple(self._sample(index) for index in range(len(self._kinds)))
        return HistogramErrors(self._mechanism, samples, self._data.n, done)

    def _true_cost(self, progress: Progress) -> float:
        """Return the cost of the true tree; NaN if it is not computed."""
        if not self._with_trees:
            return np.nan
        return euclidean_tree(self._data.values, progress=progress).cost

    def _tree_error(self, histogram: Histogram, true: float, seed: int, progress: Progress) -> float:
        """Return the relative error of the resampled tree's cost; NaN if it is unknown."""
        if not true > 0 or not (histogram.counts > 0).any():
            return np.nan
        # use the public n; its noisy estimate would only add an irrelevant error
        result = resampled_tree(histogram, reproducible(seed), self._data.n, progress=progress)[0].cost
        return abs(result / true - 1)

    def _sample(self, index: int) -> HistogramErrorSample:
        errors = np.array(self._errors[index]).reshape(-1, 2)
        tree = errors[np.isfinite(errors[:, 1]), 1]
        return HistogramErrorSample(self._kinds[index], errors[:, 0], tree, self._problems[index])


DENSITY_RUNS = 16
"""Number of samples of each size."""

SQUARED_SLOPE = 12.0
"""Integral of the squared slope of the density, 6 - 12 x: the smoothing error of cells depends on it."""

POINTS_PER_CELL = 64
"""Points per cell for evaluating the density."""


def density_rate(
    mechanism: NoisyHistogram, privacy: PrivacyLike, n: int = 100_000, *, progress: Progress = silent
) -> ErrorAgainstSize:
    """Return the error of histograms against a density for many sizes, n being the present one (public).

    The records are n synthetic draws from the density 6 x (1 - x) on [0, 1].  The number of cells is the best
    one without noise: 1/h with h = (6/(n R))^(1/3), R the integral of the squared slope.  The root mean
    squared error then falls like n^(-1/3).  Noise of scale 2/epsilon on each count adds at most
    sqrt(8)/(epsilon n h), which falls like n^(-2/3): from some n on it does not matter.

    Source: the lectures ("when does noise not matter?"); Scott 1979 for the number of cells.
    """
    privacy = as_privacy(privacy)
    rng, line = reproducible(1), Box.of([0.0], [1.0])
    noise, sampling = np.empty(len(SIZES)), np.empty(len(SIZES))
    for index, (size, _) in enumerate(zip(SIZES.tolist(), each(len(SIZES), progress), strict=True)):
        bins = _best_bins(size)
        sanitize = sanitize_with(dataclasses.replace(mechanism, bins=bins), privacy)
        edges = np.arange(bins + 1) / bins
        middles, shares = (edges[1:] + edges[:-1]) / 2, np.diff(_below(edges))
        missed, added = [], []
        for counts in rng.multinomial(size, shares, size=DENSITY_RUNS):
            made = sanitize(np.repeat(middles, counts)[:, np.newaxis], line, 1, rng)
            noisy = made.counts[np.argsort(made.lower[:, 0])]
            missed.append(_root(counts / size - shares))
            added.append(_root((noisy - counts) / size))
        sampling[index], noise[index] = np.hypot(np.median(missed), _smeared(bins)), np.median(added)
    return ErrorAgainstSize(SIZES, noise, sampling, n)


def _best_bins(n: int) -> int:
    """Return the number of cells that minimizes the mean squared error without noise, for large n."""
    return max(1, round(float((SQUARED_SLOPE * n / 6) ** (1 / 3))))


def _below(x: Floats) -> Floats:
    """Return the distribution function of the density 6 x (1 - x)."""
    return x * x * (3 - 2 * x)


def _root(shares: Floats) -> float:
    """Return the root of the integral of a step function's square, from its integrals over cells."""
    return float(np.sqrt(np.square(shares).sum() * shares.size))


def _smeared(bins: int) -> float:
    """Return the same root for the density minus its mean in each cell."""
    places = ((np.arange(bins * POINTS_PER_CELL) + 0.5) / (bins * POINTS_PER_CELL)).reshape(
        bins, POINTS_PER_CELL
    )
    heights = 6 * places * (1 - places)
    return float(np.sqrt(np.square(heights - heights.mean(axis=1, keepdims=True)).mean()))
