"""Base classes of mechanisms that release a histogram of points."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engine.arguments import SeedLike
from engine.array_types import Floats
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.histogram import Histogram
from engine.histograms.isolation_sweeps import Sanitize
from engine.histograms.ranges import Ranges
from engine.mechanisms.points import PointsMechanism
from engine.mechanisms.prepared import Prepared, PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private, Release
from engine.noise.base import check_bounds
from engine.numerals import grouped, short
from engine.privacy import Privacy, PrivacyLike
from engine.progress import Progress, each, part, silent
from engine.sampling.public_grid import stack_rows

MAX_DIMENSIONS = 12
"""A cut makes 2^d cells; with more dimensions nearly every cell holds at most one point."""

WIDEST, NARROWEST = 1e150, 1e-140
"""Limits on bounds: squared distances would overflow or underflow beyond them."""


class HistogramMechanism(PointsMechanism, abc.ABC, topic="histograms", shape="cells"):
    """A mechanism that cuts the box into cells and releases the number of points in each.

    Different histograms have different cells, so simulations and audits draw the answers to the same public
    questions: how many points lie in each of the boxes of `Ranges`.
    """

    question: ClassVar[str] = "ranges"

    def step(self, domain: Box, n: int, privacy: Privacy) -> float | list[float] | None:
        return None if self.facts.is_private else 1.0  # exact counts are whole numbers

    def half_width(self, domain: Box, privacy: Privacy) -> float | None:
        """Return the half-width of 95 % intervals of the noise of each count; None without noise (public)."""
        return None

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        """Return warnings about settings that work but are hardly intended, from public facts alone."""
        return ()

    def _largest_error(self, domain: Box, n: int) -> float:
        """Return n: a range holds at most n points."""
        return float(n)

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        wrong = problems_of(check_bounds, privacy, domain.dimension) if self.facts.is_private else ()
        return wrong or dimension_problems(domain)

    @abc.abstractmethod
    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> HistogramSanitizer:
        """Read the data and return the object that draws histograms of them."""

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> HistogramPrepared:
        ranges = Ranges.within(data.domain)
        sanitizer = self._sanitizer(data, privacy, progress)
        return HistogramPrepared(
            sanitizer=sanitizer,
            ranges=ranges,
            is_random=self.facts.is_random,
            noise=sanitizer.noise,
            diagnostics=Private(
                {}, later={"true_value": lambda progress: ranges.exact(data.values, progress)}
            ),
        )

    if TYPE_CHECKING:

        def run(
            self,
            data: Points | Sample,
            privacy: PrivacyLike,
            seed: SeedLike | None = None,
            progress: Progress = silent,
            *,
            rng: SeedLike | None = None,
        ) -> ReleasedHistogram: ...

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        return mean_errors(values, true_value)

    def release(
        self,
        prepared: Prepared,
        data: Points,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> ReleasedHistogram:
        assert isinstance(prepared, HistogramPrepared)
        histogram = prepared.histogram(rng, part(progress, 0.0, 0.5))
        value = histogram.value(part(progress, 0.5, 1.0))
        fields = self._release_fields(prepared, data, privacy, rng)
        return ReleasedHistogram(value=value, histogram=histogram, **fields)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class ReleasedHistogram(Release):
    """A release of a histogram."""

    # the released cells as an object that can measure distances and draw samples; it adds nothing to `value`
    histogram: Histogram


def sanitize_with(mechanism: HistogramMechanism, privacy: Privacy) -> Sanitize:
    """Return a function that makes a histogram of any points, with any t if the mechanism has one.

    `engine.histograms.isolation_sweeps` attacks such functions.
    """

    def sanitize(values: Floats, box: Box, t: int, rng: np.random.Generator) -> Histogram:
        has_t = any(one.name == "t" for one in mechanism.parameters())
        other: Any = dataclasses.replace(mechanism, **({"t": t} if has_t else {}))
        ready: HistogramPrepared = other.prepare(Points(values, box), privacy)
        return ready.histogram(rng)

    return sanitize


class HistogramSanitizer(abc.ABC):
    """Draws histograms of the points that it holds (private)."""

    noise: Mapping[str, Any]  # public description of the noise, as in `Release`; empty if there is none

    @abc.abstractmethod
    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> Histogram:
        """Draw one histogram with all its random choices."""


@dataclasses.dataclass(frozen=True, repr=False)
class DrawnBy(HistogramSanitizer):
    """A sanitizer that draws histograms with a function (private)."""

    draw: Callable[[np.random.Generator, Progress], Histogram]
    noise: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> Histogram:
        return self.draw(rng, progress)


@dataclasses.dataclass(frozen=True, repr=False)
class HistogramPrepared(PreparedFields):
    """Ready to draw histograms; each draw makes a new one.

    If `is_random` is false, all draws are equal and one is made.
    """

    sanitizer: HistogramSanitizer
    ranges: Ranges
    is_random: bool

    @property
    def batch_size(self) -> int:
        """1 for random histograms, since one may take a while; else the default."""
        return 1 if self.is_random else super().batch_size

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> Histogram:
        """Draw one histogram with all its random choices."""
        return self.sanitizer.histogram(rng, progress)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        if not self.is_random:
            return np.tile(self._answers(rng, progress), (size, 1))
        return np.stack([self._answers(rng, here) for here in each(size, progress)])

    def _answers(self, rng: np.random.Generator, progress: Progress) -> Floats:
        """Draw one histogram and return its answers for the ranges, shape (k,)."""
        made = self.histogram(rng, part(progress, 0.0, 0.5))
        return self.ranges.answers(made, part(progress, 0.5, 1.0))

    def draw_numbers(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return stack_rows([self.histogram(rng, here).counts[None] for here in each(size, progress)])


def mean_errors(values: Floats, true_value: Any) -> Floats:
    """Return the mean absolute error of each vector of `values`, (size, k), shape (size,)."""
    return np.asarray(np.abs(values - np.asarray(true_value)).mean(axis=1))


def dimension_problems(domain: Box) -> tuple[Problem, ...]:
    """Return a problem for too many columns, or for bounds too wide or too close for distances."""
    d = domain.dimension
    if d > MAX_DIMENSIONS:
        message = f"{d} columns are too many: one cut makes 2^{d} = {grouped(2**d)} cells, nearly all"
        return (Problem("columns", f"{message} without points; choose at most {MAX_DIMENSIONS}"),)
    if not np.abs([domain.lower, domain.upper]).max() <= WIDEST:
        return (
            Problem(
                "upper", f"bounds beyond {short(WIDEST)} are too large to compute distances; declare others"
            ),
        )
    if not domain.width.min() >= NARROWEST:
        message = (
            f"bounds less than {short(NARROWEST)} apart are too close to compute distances; declare others"
        )

        return (Problem("upper", message),)
    return ()
