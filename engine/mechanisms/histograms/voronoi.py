"""Histograms of Voronoi cells, by nets or by random centers."""

from __future__ import annotations

import abc
import dataclasses
import math
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.voronoi import VoronoiHistogram
from engine.histograms.voronoi_centers import LARGEST_COUNT, Centers, Net, Random
from engine.histograms.voronoi_growth import DEEPEST, grow_voronoi
from engine.histograms.voronoi_region import Region
from engine.mechanisms.histograms.base import HistogramSanitizer
from engine.mechanisms.histograms.components import (
    check_components,
    component_points,
    component_problems,
    components_parameter,
)
from engine.mechanisms.histograms.exact import ExactHistogram
from engine.mechanisms.problem import Problem, problems_of
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent


@dataclasses.dataclass(frozen=True)
class CentersHistogram(ExactHistogram, abc.ABC):
    """Cells with more than t points are cut into the Voronoi cells of centers that are not data."""

    slowness: ClassVar[float]
    """Seconds that a draw takes in the plane, about, divided by the root of n."""

    whole: ClassVar[str] = "the bounds stay one cell"

    depth: int = parameter(
        default=3,
        lower=1,
        upper=DEEPEST,
        label="Depth",
        help="How often a cell is cut at most; cells are less round the deeper they are.",
        source="Chawla, Dwork, McSherry, Talwar 2005, section 2.2: a constant number of steps",
    )
    region: str = parameter(
        default="box",
        choices=("box", "ball"),
        label="Region",
        help="What is cut: the bounds themselves, or the ball around them.",
        advanced=True,
    )

    def first(self, domain: Box) -> Floats | None:
        """Return public centers of the first cut; None for such as all cuts have."""
        return None

    @property
    @abc.abstractmethod
    def method(self) -> Centers:
        """How centers are chosen."""

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        found = super().problems(privacy, domain, n)
        return found or problems_of(self.method.check, domain.dimension)

    def public_facts(self, domain: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        warning = self.method.warning(domain.dimension)
        return {**super().public_facts(domain, n, privacy), **({"warning": warning} if warning else {})}

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        warning = self.method.warning(domain.dimension)
        return (*super().notices(domain, n), *([Problem("centers", warning)] if warning else []))

    def effort(self, domain: Box, n: int) -> float:
        """Return about how many seconds it takes to cut all cells: more centers in more dimensions."""
        return self.slowness * math.sqrt(n) * float(4.0 ** (domain.dimension - 2))

    def sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> HistogramSanitizer:
        """Keep the points: which cells there are depends on the centers."""
        return VoronoiSanitizer(self, data)


@dataclasses.dataclass(frozen=True)
class NetHistogram(CentersHistogram):
    """Centers that are well apart and near to every point of a cell.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 2.3, method 1.

    Examples
    --------
    Every point is counted once, whatever the centers are.

    >>> import numpy as np
    >>> from engine import NO_PROMISE, Box, Points, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> histogram = NetHistogram(t=50).run(data, NO_PROMISE, reproducible(1)).histogram
    >>> histogram.counts.sum().item()
    1000.0
    """

    name: ClassVar[str] = "histogram-voronoi-net"
    label: ClassVar[str] = "Voronoi histogram, net"
    slowness: ClassVar[float] = 0.003
    summary: ClassVar[str] = "Voronoi cells of evenly spread centers, cut while they hold many points"

    components: str = components_parameter("the first cut is by them, and each part is then cut by itself")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_components(self.components)

    def first(self, domain: Box) -> Floats | None:
        return component_points(self.components, domain)

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        return super().problems(privacy, domain, n) or component_problems(self.components, domain)

    @property
    def method(self) -> Centers:
        return Net()


@dataclasses.dataclass(frozen=True)
class RandomCentersHistogram(CentersHistogram):
    """Centers drawn evenly from a cell: points near to each other are seldom parted.

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 2.3, method 2.

    Examples
    --------
    Every point is counted once, whatever the centers are.

    >>> import numpy as np
    >>> from engine import NO_PROMISE, Box, Points, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> histogram = RandomCentersHistogram(t=50).run(data, NO_PROMISE, reproducible(1)).histogram
    >>> histogram.counts.sum().item()
    1000.0
    """

    name: ClassVar[str] = "histogram-voronoi-random"
    label: ClassVar[str] = "Voronoi histogram, random centers"
    slowness: ClassVar[float] = 0.005
    summary: ClassVar[str] = "Voronoi cells of random centers, cut while they hold many points"

    centers: int = parameter(
        default=0,
        lower=0,
        upper=LARGEST_COUNT,
        label="Centers per cell",
        help="How many centers cut a cell; 0 stands for the 4 d 8^d of the proof, in d dimensions.",
        source="Chawla, Dwork, McSherry, Talwar 2005, lemma 2.4",
        advanced=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        Random(self.centers)

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        """Refuse, too, what would take minutes: so many cells can hold more than t points."""
        cells = n // (self.t + 1) if self.depth > 1 else 0
        found = super().problems(privacy, domain, n)
        return found or problems_of(Random(self.centers).check_work, domain.dimension, cells)

    @property
    def method(self) -> Centers:
        return Random(self.centers)


@dataclasses.dataclass(frozen=True, repr=False)
class VoronoiSanitizer(HistogramSanitizer):
    """Points (private), to be parted by centers."""

    mechanism: CentersHistogram
    data: Points

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> VoronoiHistogram:
        made = self.mechanism
        box = self.data.domain
        region, first = Region(box, made.region == "ball"), made.first(box)
        return grow_voronoi(self.data.values, region, made.method, made.t, made.depth, rng, progress, first)
