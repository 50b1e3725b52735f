"""Mistakes in the scale of noise."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any, ClassVar, cast

from engine.mechanisms.aggregators import Average, VectorAdditive
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories import ContingencyTable, SortedHistogram
from engine.mechanisms.global_noise import AdditivePrepared, GlobalRelease
from engine.mechanisms.histograms import CountingQueries, HierarchicalHistogram, NoisyHistogram
from engine.mechanisms.histograms.base import HistogramPrepared, HistogramSanitizer
from engine.mechanisms.histograms.noisy import NoisyGrid
from engine.mechanisms.histograms.tree import NoisyTree
from engine.mechanisms.noisy_average import NoisyAverage
from engine.mechanisms.planted.base import Planted, with_facts
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.noise import Laplace
from engine.primitives.counts import CHANGED, AddedNoise
from engine.privacy import NEIGHBOURS, Privacy
from engine.progress import Progress, silent

Change = Callable[[AddedNoise], AddedNoise]


def rescale(ready: Prepared, factor: float) -> Prepared:
    """Return a copy whose noise scale is multiplied by `factor`."""
    if isinstance(ready, AdditivePrepared):
        scale = ready.scale * factor
        facts = with_facts(ready.diagnostics, scale=scale)
        return dataclasses.replace(ready, scale=scale, diagnostics=facts)
    if isinstance(ready, VectorAdditive):
        scales = ready.scale * factor
        facts = with_facts(ready.diagnostics, scale=float(scales.max()))
        return dataclasses.replace(ready, scale=scales, diagnostics=facts)
    return with_noise(ready, lambda added: dataclasses.replace(added, scale=added.scale * factor))


def with_noise(ready: Prepared, change: Change) -> Prepared:
    """Return a copy of prepared counts or sums with changed noise."""
    added = getattr(ready, "added", None)
    if isinstance(added, AddedNoise):
        changed: Prepared = dataclasses.replace(cast("Any", ready), added=change(added))
        return changed
    if isinstance(ready, HistogramPrepared):
        return dataclasses.replace(ready, sanitizer=_sanitizer(ready.sanitizer, change))
    raise TypeError(f"{type(ready).__name__} has no noise of one scale")


def _sanitizer(sanitizer: HistogramSanitizer, change: Change) -> HistogramSanitizer:
    changed: Any = copy.copy(sanitizer)
    if isinstance(sanitizer, NoisyGrid):
        changed.added = change(sanitizer.added)
    elif isinstance(sanitizer, NoisyTree):
        changed.levels = tuple(map(change, sanitizer.levels))
    else:
        raise TypeError(f"{type(sanitizer).__name__} has no noise of one scale")
    result: HistogramSanitizer = changed
    return result


MAX_AUDITED_CELLS = 4
"""Largest grid in which an audit finds noise for half of the sensitivity."""
MAX_CHANGED_COUNTS = 3
"""Most counts that one record may change if 100,000 runs of an audit shall find half of the noise."""


def has_laplace_counts(mechanism: Mechanism[Any]) -> bool:
    """Return whether an audit sees counts with Laplace noise of one scale, before post-processing.

    Making the counts of a tree agree hides a mistake in the noise.  With Gaussian noise it shows only in
    tails that rarely occur.
    """
    if isinstance(mechanism, HierarchicalHistogram) and mechanism.post != "none":
        return False
    counted = (NoisyHistogram, HierarchicalHistogram, ContingencyTable, SortedHistogram, CountingQueries)
    return isinstance(mechanism, counted) and mechanism.noise == "laplace"


def hidden_in_cells(mechanism: Mechanism[Any], domain: Any) -> tuple[Problem, ...]:
    """Return a problem for more cells than an audit can examine; the mistake is spread over two of them."""
    if not isinstance(mechanism, NoisyHistogram):
        return ()
    if mechanism.cells(domain) <= MAX_AUDITED_CELLS:
        return ()
    message = (
        f"an audit finds this mistake with at most {MAX_AUDITED_CELLS} cells; choose fewer bins or columns"
    )
    return (Problem("bins", message),)


def hidden_in_counts(mechanism: Mechanism[Any], domain: Any) -> tuple[Problem, ...]:
    """Return a problem if many counts change at once, since the mistake is spread over all of them."""
    if not isinstance(mechanism, CountingQueries) or mechanism.sensitivity(domain) <= MAX_CHANGED_COUNTS:
        return ()
    message = (
        f"an audit finds this mistake if a record changes at most {MAX_CHANGED_COUNTS} counts; "
        "choose fewer conditions, or ranges that exclude each other"
    )
    return (Problem("where", message),)


class HalvedScale(Planted):
    """Half of the required noise."""

    name: ClassVar[str] = "halved-scale"
    label: ClassVar[str] = "Half of the noise"
    summary: ClassVar[str] = "the noise scale is half of the required one: a factor of 2 was lost"
    worst: ClassVar[str] = "zeros-and-tops"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        """Applies to Laplace noise of one scale; half of the noise for a smooth bound is nearly enough."""
        if isinstance(mechanism, BlockMechanism):
            return isinstance(mechanism.aggregator, Average)
        if isinstance(mechanism, GlobalRelease) and isinstance(mechanism.added, Laplace):
            return True
        known = isinstance(mechanism, NoisyAverage) or has_laplace_counts(mechanism)
        return known or cls.name in mechanism._mistakes

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        hidden = hidden_in_cells(self.right, domain) or hidden_in_counts(self.right, domain)
        return hidden or super().problems(privacy, domain, n)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        ready = self.right.prepare(data, privacy, progress)
        mistake = self.right._mistakes.get(self.name)
        return rescale(ready, 0.5) if mistake is None else mistake.plant(ready)


class HistogramScaleOne(Planted):
    """Noise for one changed count, although replacing a record changes two."""

    name: ClassVar[str] = "histogram-scale-one"
    label: ClassVar[str] = "Sensitivity 1 for counts"
    summary: ClassVar[str] = (
        "the noise is for one changed count, as if a record were added; replacing a record lowers one "
        "count and raises another"
    )
    source: ClassVar[str] = "a lecture slide in circulation"
    worst: ClassVar[str] = "one-moved"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        known = has_laplace_counts(mechanism) and mechanism.relation == NEIGHBOURS
        return known or cls.name in mechanism._mistakes

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        return hidden_in_cells(self.right, domain) or super().problems(privacy, domain, n)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        if isinstance(self.right, CountingQueries):
            changed = self.right.sensitivity(data.domain)
            return rescale(self.right.prepare(data, privacy, progress), 1 / changed)
        ready = self.right.prepare(data, privacy, progress)
        mistake = self.right._mistakes.get(self.name)
        return rescale(ready, 1 / CHANGED[NEIGHBOURS]) if mistake is None else mistake.plant(ready)
