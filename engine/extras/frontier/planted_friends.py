"""A friendly core whose outputs are friends of most, or count for nothing."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Ints
from engine.extras.frontier.friendly_weights import FriendlyWeights
from engine.mechanisms.aggregators import FriendlyCore
from engine.mechanisms.base import Mechanism
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.privacy import Privacy
from engine.progress import Progress, silent


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
        self.refuse(privacy, data.domain, data.n)
        assert isinstance(self.right, BlockMechanism)
        abrupt = AbruptCore(**self.right.aggregator.settings())
        return dataclasses.replace(self.right, aggregator=abrupt).prepare(data, privacy, progress)
