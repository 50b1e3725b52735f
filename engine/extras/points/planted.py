"""Mistakes that can be planted only in k-means."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.extras.points.k_means import KMeansOnCells, Lloyd, LloydPrepared, assign_points
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.prepared import Prepared, PreparedFields
from engine.privacy import Privacy
from engine.progress import Progress, each, part, silent


class LloydInverted(Planted):
    """The inverse of a round's share of epsilon."""

    name: ClassVar[str] = "lloyd-inverted"
    label: ClassVar[str] = "Share of a round upside down"
    summary: ClassVar[str] = "each of T rounds uses 2T/ε instead of ε/(2T): far too little noise"
    source: ClassVar[str] = "a lecture slide in circulation"
    worst: ClassVar[str] = "one-moved"
    runs: ClassVar[int] = 20_000
    made_in: ClassVar = (Lloyd,)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        """Use 2T/epsilon instead of epsilon/(2T)."""
        ready = self.right.prepare(data, privacy, progress)
        assert isinstance(ready, LloydPrepared)
        factor = (privacy.epsilon / (2 * ready.rounds)) ** 2
        less, fewer = (
            dataclasses.replace(noise, scale=noise.scale * factor)
            for noise in (ready.for_counts, ready.for_sums)
        )
        return dataclasses.replace(ready, for_counts=less, for_sums=fewer)


class ExactLastStep(Planted):
    """An exact round of k-means on the records, from private centers."""

    name: ClassVar[str] = "exact-last-step"
    label: ClassVar[str] = "Exact last step"
    summary: ClassVar[str] = (
        "moves private centers to the exact means of the records around them; but only steps that no longer "
        "use the data are free"
    )
    worst: ClassVar[str] = "one-moved"
    runs: ClassVar[int] = 2000
    made_in: ClassVar = (
        KMeansOnCells,
        Lloyd,
    )

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        ready = self.right.prepare(data, privacy, progress)
        return SteppedPrepared(
            ready, data.values, noise=ready.noise, error=ready.error, diagnostics=ready.diagnostics
        )


@dataclasses.dataclass(frozen=True, repr=False)
class SteppedPrepared(PreparedFields):
    """Private centers, and the records whose means they move to."""

    right: Prepared
    points: Floats

    @property
    def batch_size(self) -> int:
        return self.right.batch_size

    def most_runs(self, wanted: int) -> int:
        return self.right.most_runs(wanted)

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        drawn = self.right.draw(rng, size, part(progress, 0.0, 0.8))
        steps = zip(drawn, each(size, part(progress, 0.8, 1.0)), strict=True)
        return np.stack([self._moved(centers.reshape(-1, self.points.shape[1])) for centers, _ in steps])

    def _moved(self, centers: Floats) -> Floats:
        nearest = assign_points(self.points, centers)
        held = np.bincount(nearest, minlength=len(centers))[:, None]
        sums = np.stack([np.bincount(nearest, column, len(centers)) for column in self.points.T], axis=1)
        return np.where(held > 0, sums / np.maximum(held, 1), centers).ravel()
