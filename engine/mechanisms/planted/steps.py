"""Mistakes in a single step: a test left out, or a last step without noise."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.mechanisms.base import Mechanism
from engine.mechanisms.k_means import KMeansOnCells, Lloyd, assign_points
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.propose_test_release import ProposeTestRelease, PtrPrepared
from engine.mechanisms.release import Private
from engine.privacy import Privacy
from engine.progress import Progress, each, part, silent


@dataclasses.dataclass(frozen=True)
class ExactLastStep(Planted):
    """A round of k-means on the records, without noise, from centers that were found privately."""

    name: ClassVar[str] = "exact-last-step"
    label: ClassVar[str] = "Exact last step"
    summary: ClassVar[str] = (
        "private centers are moved to the means of the records around them in the end, without noise: "
        "only what looks at the data no more is free"
    )
    worst: ClassVar[str] = "one-moved"
    runs: ClassVar[int] = 2000

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, (KMeansOnCells, Lloyd))

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        ready = self.right.prepare(data, privacy, progress)
        return SteppedPrepared(ready, data.values, ready.noise, ready.error, ready.diagnostics)


@dataclasses.dataclass(frozen=True, repr=False)
class SteppedPrepared(Prepared):
    """Private centers, and the records to whose means they are moved."""

    right: Prepared
    points: Floats
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private

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


PASSED = 1e9
"""A distance that passes every test."""


@dataclasses.dataclass(frozen=True)
class TestLeftOut(Planted):
    """Noise for a sensitivity that was proposed and never tested."""

    name: ClassVar[str] = "test-left-out"
    label: ClassVar[str] = "The test left out"
    summary: ClassVar[str] = "noise for a sensitivity that is hoped for, whatever the data are"
    worst: ClassVar[str] = "zeros-and-tops"
    __test__: ClassVar[bool] = False  # it is no test of pytest

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, ProposeTestRelease) or cls.name in mechanism.mistakes

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        ready = self.right.prepare(data, privacy, progress)
        if isinstance(ready, PtrPrepared):
            return dataclasses.replace(ready, distance=PASSED)
        planted: Prepared = self.right.mistakes[self.name].plant(ready)
        return planted
