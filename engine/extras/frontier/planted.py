"""Mistakes that can be planted only in the mechanisms of this folder."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.graph import SimpleGraph
from engine.extras.frontier.friendly_core import FriendlyCore, FriendlyWeights
from engine.extras.frontier.growing_box import ABOVE_THRESHOLD, GrowingBox, GrowingPrepared
from engine.extras.frontier.lipschitz_extension import LipschitzExtension
from engine.extras.frontier.stable_cell import StableCell, StablePrepared
from engine.mechanisms.base import Mechanism
from engine.mechanisms.global_noise import AdditivePrepared
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries.triangles import TriangleCount


class FixedThreshold(Planted):
    """AboveThreshold without noise on its threshold."""

    name: ClassVar[str] = "fixed-threshold"
    label: ClassVar[str] = "A threshold without noise"
    summary: ClassVar[str] = (
        "compares each query, with the noise of a single one, with the exact threshold; but one record "
        "changes all queries, and each query below the threshold costs epsilon again"
    )
    source: ClassVar[str] = "published variants that Lyu, Su, Li 2017 refute"
    worst: ClassVar[str] = "two-heaps"
    runs: ClassVar[int] = 2000

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, GrowingBox) and mechanism.way == ABOVE_THRESHOLD

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> FixedPrepared:
        ready = self.right.prepare(data, privacy, progress)
        assert isinstance(ready, GrowingPrepared)
        return FixedPrepared(**{one.name: getattr(ready, one.name) for one in dataclasses.fields(ready)})


class FixedPrepared(GrowingPrepared):
    """Counts that are compared with the exact threshold."""

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        noisy = self.held + rng.laplace(scale=1 / self.privacy.epsilon, size=(size, self.held.size))
        noisy[:, -1] = np.inf
        result: Floats = self.corners[np.argmax(noisy >= self.sought, axis=1)]
        return result


class AnyCell(Planted):
    """The stability histogram without its threshold."""

    name: ClassVar[str] = "any-cell"
    label: ClassVar[str] = "No threshold for cells"
    summary: ClassVar[str] = (
        "names the cell with the largest noisy count among those with records; but a named cell must hold "
        "a record, and in a neighboring database it may be empty"
    )
    worst: ClassVar[str] = "alone"
    runs: ClassVar[int] = 1000
    made_in: ClassVar = (StableCell,)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> AnyPrepared:
        ready = self.right.prepare(data, privacy, progress)
        assert isinstance(ready, StablePrepared)
        return AnyPrepared(**{one.name: getattr(ready, one.name) for one in dataclasses.fields(ready)})


class AnyPrepared(StablePrepared):
    """Counts whose largest noisy one is always released."""

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        noisy = self.counts + rng.laplace(scale=2 / self.privacy.epsilon, size=(size, self.counts.size))
        result: Floats = self.middles[np.argmax(noisy, axis=1)]
        return result


class AbruptWeights(FriendlyWeights):
    """Full weight for each output with a majority of friends, none for others."""

    @staticmethod
    def weigh(counts: Ints, m: int, s: int) -> Ints:
        """Return the largest weight, or 0."""
        return np.where(2 * counts > m + s, m - s, 0)


class AbruptCore(FriendlyCore):
    """The friendly core with weights that one record can all remove: NOT private."""

    weights: ClassVar[type[FriendlyWeights]] = AbruptWeights


class AllOrNothing(Planted):
    """Outputs with a majority of friends count fully, others not at all.

    All outputs that count lie near each other, so their mean seems safe.  But if each has just enough
    friends, one record takes the majority from all of them at once.  In the paper, outputs count with a
    probability that grows slowly with the number of friends; here weights grow slowly.
    """

    name: ClassVar[str] = "all-or-nothing"
    label: ClassVar[str] = "Friends of most, or nothing"
    summary: ClassVar[str] = (
        "outputs count fully with a majority of friends, and not at all below it; one record can remove all "
        "of them"
    )
    source: ClassVar[str] = "Tsfadia, Cohen, Kaplan, Mansour, Stemmer 2022, Section 1"
    worst: ClassVar[str] = "lost-majority"
    runs: ClassVar[int] = 1000

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, BlockMechanism) and isinstance(mechanism.aggregator, FriendlyCore)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        assert isinstance(self.right, BlockMechanism)
        abrupt = AbruptCore(**self.right.aggregator.settings())
        return dataclasses.replace(self.right, aggregator=abrupt).prepare(data, privacy, progress)


class HubsLeftOut(Planted):
    """Vertices above the degree bound are left out, with the noise for graphs within the bound."""

    name: ClassVar[str] = "hubs-left-out"
    label: ClassVar[str] = "Hubs left out"
    summary: ClassVar[str] = (
        "counts triangles without vertices of more than D neighbors, with the noise for graphs within the "
        "bound D; but a vertex that joins all others pushes them out of the count"
    )
    source: ClassVar[str] = "Kasiviswanathan, Nissim, Raskhodnikova, Smith 2013, on naive truncation"
    worst: ClassVar[str] = "two-crowds"
    runs: ClassVar[int] = 2000
    made_in: ClassVar = (LipschitzExtension,)

    def prepare(self, data: SimpleGraph, privacy: Privacy, progress: Progress = silent) -> AdditivePrepared:
        assert isinstance(self.right, LipschitzExtension)
        ready = self.right.prepare(data, privacy, progress)
        few = np.bincount(data.ends.ravel(), minlength=data.n) <= self.right.max_degree
        left = data.with_ends(data.ends[few[data.ends].all(axis=1)])
        return dataclasses.replace(ready, center=Fraction(TriangleCount().exact_value(left)))
