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
    """Return the same with the scale of its noise multiplied by `factor`."""
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
    """Return counts, or sums, that are ready to get other noise."""
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
"""Cells of a grid of points among which an audit finds noise for half of the sensitivity."""
MAX_CHANGED_COUNTS = 3
"""Counts that change with one record, among which 100,000 runs of an audit find half of the noise."""


def has_laplace_counts(mechanism: Mechanism[Any]) -> bool:
    """Tell whether noise of one scale is added to counts that an audit sees before they are post-processed.

    What makes the counts of a tree agree hides a mistake in the noise, and Gaussian noise hides it in tails
    that hardly ever occur.
    """
    if isinstance(mechanism, HierarchicalHistogram) and mechanism.post != "none":
        return False
    counted = (NoisyHistogram, HierarchicalHistogram, ContingencyTable, SortedHistogram, CountingQueries)
    return isinstance(mechanism, counted) and mechanism.noise == "laplace"


def hidden_in_cells(mechanism: Mechanism[Any], domain: Any) -> tuple[Problem, ...]:
    """Ask for as few cells as an audit can look at together: a mistake is spread over two of them."""
    if not isinstance(mechanism, NoisyHistogram):
        return ()
    if mechanism.cells(domain) <= MAX_AUDITED_CELLS:
        return ()
    message = f"the mistake shows with at most {MAX_AUDITED_CELLS} cells; choose fewer bins, and few columns"
    return (Problem("bins", message),)


def hidden_in_counts(mechanism: Mechanism[Any], domain: Any) -> tuple[Problem, ...]:
    """Ask for conditions that change few counts at once: the mistake is spread over all that change."""
    if not isinstance(mechanism, CountingQueries) or mechanism.sensitivity(domain) <= MAX_CHANGED_COUNTS:
        return ()
    message = (
        f"the mistake shows where a record changes at most {MAX_CHANGED_COUNTS} counts; "
        "choose fewer conditions, or ranges that exclude each other"
    )
    return (Problem("where", message),)


@dataclasses.dataclass(frozen=True)
class HalvedScale(Planted):
    """Half of the noise that is needed."""

    name: ClassVar[str] = "halved-scale"
    label: ClassVar[str] = "Half of the noise"
    summary: ClassVar[str] = "the scale of the noise is half of what it must be: a factor of 2 got lost"
    worst: ClassVar[str] = "zeros-and-tops"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        """Laplace noise of one scale; half of the noise for a smooth bound is nearly enough."""
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


@dataclasses.dataclass(frozen=True)
class HistogramScaleOne(Planted):
    """Noise for one changed count, where replacing a record changes two."""

    name: ClassVar[str] = "histogram-scale-one"
    label: ClassVar[str] = "Sensitivity 1 for counts"
    summary: ClassVar[str] = (
        "the noise is for one count that changes by one, as if a record were added; where it is "
        "replaced, one count falls and another rises"
    )
    source: ClassVar[str] = "a lecture slide in circulation"
    worst: ClassVar[str] = "one-moved"

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return has_laplace_counts(mechanism) and mechanism.relation == NEIGHBOURS

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        return hidden_in_cells(self.right, domain) or super().problems(privacy, domain, n)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        if isinstance(self.right, CountingQueries):
            changed = self.right.sensitivity(data.domain)
            return rescale(self.right.prepare(data, privacy, progress), 1 / changed)
        return rescale(self.right.prepare(data, privacy, progress), 1 / CHANGED[NEIGHBOURS])
