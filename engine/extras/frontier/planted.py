"""Mistakes that can be planted in these mechanisms alone."""

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


@dataclasses.dataclass(frozen=True)
class FixedThreshold(Planted):
    """No noise on the threshold of AboveThreshold."""

    name: ClassVar[str] = "fixed-threshold"
    label: ClassVar[str] = "A threshold without noise"
    summary: ClassVar[str] = (
        "each query gets the noise of a single one, and is held against the threshold itself; but a record "
        "changes all queries, and each that is below the threshold costs epsilon again"
    )
    source: ClassVar[str] = "variants in print that Lyu, Su, Li 2017 refute"
    worst: ClassVar[str] = "two-heaps"
    runs: ClassVar[int] = 2000

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, GrowingBox) and mechanism.way == ABOVE_THRESHOLD

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> FixedPrepared:
        ready = self.right.prepare(data, privacy, progress)
        assert isinstance(ready, GrowingPrepared)
        return FixedPrepared(**{one.name: getattr(ready, one.name) for one in dataclasses.fields(ready)})


@dataclasses.dataclass(frozen=True, repr=False)
class FixedPrepared(GrowingPrepared):
    """Counts that are held against the threshold itself."""

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        noisy = self.held + rng.laplace(scale=1 / self.privacy.epsilon, size=(size, self.held.size))
        noisy[:, -1] = np.inf
        result: Floats = self.corners[np.argmax(noisy >= self.sought, axis=1)]
        return result


@dataclasses.dataclass(frozen=True)
class AnyCell(Planted):
    """A stability histogram without its threshold."""

    name: ClassVar[str] = "any-cell"
    label: ClassVar[str] = "No threshold for cells"
    summary: ClassVar[str] = (
        "whichever cell has the largest noisy count is named, among those that hold records; but a cell "
        "that is named must hold one, and its neighbour may not"
    )
    worst: ClassVar[str] = "alone"
    runs: ClassVar[int] = 1000

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, StableCell)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> AnyPrepared:
        ready = self.right.prepare(data, privacy, progress)
        assert isinstance(ready, StablePrepared)
        return AnyPrepared(**{one.name: getattr(ready, one.name) for one in dataclasses.fields(ready)})


@dataclasses.dataclass(frozen=True, repr=False)
class AnyPrepared(StablePrepared):
    """Counts of which the largest noisy one always wins."""

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        noisy = self.counts + rng.laplace(scale=2 / self.privacy.epsilon, size=(size, self.counts.size))
        result: Floats = self.middles[np.argmax(noisy, axis=1)]
        return result


class AbruptWeights(FriendlyWeights):
    """Full weight from a majority of friends on."""

    @staticmethod
    def weigh(counts: Ints, m: int, s: int) -> Ints:
        """Return the largest weight, or 0."""
        return np.where(2 * counts > m + s, m - s, 0)


@dataclasses.dataclass(frozen=True)
class AbruptCore(FriendlyCore):
    """The friendly core with weights that one record can all take away: NOT private."""

    weights: ClassVar[type[FriendlyWeights]] = AbruptWeights


@dataclasses.dataclass(frozen=True)
class AllOrNothing(Planted):
    """Outputs with a majority of friends count fully, others for nothing.

    The friends of one output are near those of another, so that the mean of what is left looks safe.  But
    where each has just enough of them, one record takes all of them away at once.  The paper draws coins
    whose chances grow slowly; here weights do.
    """

    name: ClassVar[str] = "all-or-nothing"
    label: ClassVar[str] = "Friends of most, or nothing"
    summary: ClassVar[str] = (
        "outputs count fully from a majority of friends on, and not at all below it: one record can take all "
        "of them away"
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


@dataclasses.dataclass(frozen=True)
class HubsLeftOut(Planted):
    """Vertices beyond the bound are left out, with the noise for those that are within it."""

    name: ClassVar[str] = "hubs-left-out"
    label: ClassVar[str] = "Hubs left out"
    summary: ClassVar[str] = (
        "triangles are counted without the vertices of more than D neighbours, as if the bound D held then; "
        "but a vertex that joins all others takes them beyond it, and so out of the count"
    )
    source: ClassVar[str] = "Kasiviswanathan, Nissim, Raskhodnikova, Smith 2013, on naive truncation"
    worst: ClassVar[str] = "two-crowds"
    runs: ClassVar[int] = 2000

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, LipschitzExtension)

    def prepare(self, data: SimpleGraph, privacy: Privacy, progress: Progress = silent) -> AdditivePrepared:
        assert isinstance(self.right, LipschitzExtension)
        ready = self.right.prepare(data, privacy, progress)
        few = np.bincount(data.ends.ravel(), minlength=data.n) <= self.right.max_degree
        left = data.with_ends(data.ends[few[data.ends].all(axis=1)])
        return dataclasses.replace(ready, center=Fraction(TriangleCount().exact_value(left)))
