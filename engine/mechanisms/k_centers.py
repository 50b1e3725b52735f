"""Mechanisms that look for the centers of k clusters among points, as k-means does."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import ClassVar

from engine.aggregation.functions import KMeans
from engine.aggregation.spaces import Wasserstein
from engine.domain import Box
from engine.mechanisms.aggregators.base import output_grids
from engine.mechanisms.clusters import Clusters
from engine.mechanisms.points import PointsMechanism
from engine.parameters import parameter
from engine.privacy import Privacy


@dataclasses.dataclass(frozen=True)
class KCenters(PointsMechanism):
    """A set of k points of the box, whose truth is what k-means finds among all records.

    `KMeansOnCells` and `Lloyd` are such mechanisms.
    """

    unordered: ClassVar[bool] = True
    hides: ClassVar[str] = "Laplace"

    k: int = parameter(default=3, lower=1, upper=32, label="Clusters k", help="How many centers.")
    pattern: int = parameter(
        default=1,
        lower=0,
        label="Pattern",
        help="Public number from which starting points follow.",
        advanced=True,
    )

    @property
    def uses_delta(self) -> bool:
        return False

    @property
    def question(self) -> Hashable:
        return KMeans(k=self.k).question

    @property
    def estimand(self) -> Hashable:
        """The centers that k-means finds among the points themselves: as of `Clusters`."""
        return Clusters(k=self.k, pattern=self.pattern).estimand

    def step(self, domain: Box, n: int, privacy: Privacy) -> list[float]:
        return [grid.step for grid in output_grids(domain)]

    def space(self, box: Box) -> Wasserstein:
        return Wasserstein(box.times(self.k), self.k)
