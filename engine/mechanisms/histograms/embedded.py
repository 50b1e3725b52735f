"""Histograms of the ball around the bounds, as one of a cube."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np

from engine.data.points import Points
from engine.domain import Box
from engine.histograms.cubes import Cubes
from engine.histograms.embedding import EmbeddedHistogram, Embedding
from engine.histograms.growth import grow
from engine.mechanisms.histograms.base import HistogramSanitizer
from engine.mechanisms.histograms.cubes import CubeHistogram
from engine.privacy import Privacy
from engine.progress import Progress, silent


@dataclasses.dataclass(frozen=True)
class BallHistogram(CubeHistogram):
    """The ball around the bounds, stretched to a cube, which is cut as in the recursive histogram.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 1.1, third method; the embedding is ours.

    Examples
    --------
    Every point is counted once, whatever the centers are.

    >>> import numpy as np
    >>> from engine import NO_PROMISE, Box, Points, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> histogram = BallHistogram(t=50).run(data, NO_PROMISE, reproducible(1)).histogram
    >>> histogram.counts.sum().item()
    1000.0
    """

    name: ClassVar[str] = "histogram-embedded"
    label: ClassVar[str] = "Embedded histogram"
    is_random: ClassVar[bool] = False
    summary: ClassVar[str] = "the ball around the bounds stretched to a cube, which is halved again and again"

    def effort(self, domain: Box, n: int) -> float:
        return 5e-4 * math.sqrt(n)

    def sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> HistogramSanitizer:
        embedding = Embedding(data.domain)
        points = embedding.to_cube(data.values)
        cube = grow(Cubes(embedding.cube), points, self.t, self.max_depth, progress)
        return Embedded(EmbeddedHistogram.of(cube, embedding))


@dataclasses.dataclass(frozen=True, repr=False)
class Embedded(HistogramSanitizer):
    """A histogram in which nothing is random."""

    is_random: ClassVar[bool] = False

    made: EmbeddedHistogram

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> EmbeddedHistogram:
        return self.made
