"""Noise of another scale in what a mechanism has prepared."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any, cast

from engine.mechanisms.additive import AdditivePrepared
from engine.mechanisms.aggregators import VectorAdditive
from engine.mechanisms.histograms.base import HistogramPrepared, HistogramSanitizer
from engine.mechanisms.histograms.noisy import NoisyGrid
from engine.mechanisms.histograms.tree import NoisyTree
from engine.mechanisms.lloyd import LloydPrepared
from engine.mechanisms.planted.base import with_facts
from engine.mechanisms.prepared import Prepared
from engine.primitives.counts import AddedNoise

Change = Callable[[AddedNoise], AddedNoise]


def rescaled(ready: Prepared, factor: float) -> Prepared:
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
    if isinstance(ready, LloydPrepared):
        return dataclasses.replace(
            ready, for_counts=change(ready.for_counts), for_sums=change(ready.for_sums)
        )
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
