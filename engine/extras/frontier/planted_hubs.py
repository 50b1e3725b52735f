"""Mistakes in how vertices with many neighbours are cut down."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from engine.data.graph import SimpleGraph
from engine.extras.frontier.lipschitz_extension import LipschitzExtension
from engine.mechanisms.additive import AdditivePrepared
from engine.mechanisms.base import Mechanism
from engine.mechanisms.planted.base import Planted
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries.triangles import TriangleCount


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
