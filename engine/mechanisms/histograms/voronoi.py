"""Histograms of Voronoi cells, by nets or by random centers."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

from engine.data.points import Points
from engine.domain import Box
from engine.histograms.voronoi import DEEPEST, grow_voronoi
from engine.histograms.voronoi_centers import LARGEST_COUNT, Net, Random
from engine.histograms.voronoi_region import Region
from engine.mechanisms.histograms.base import DrawnBy, HistogramMechanism
from engine.mechanisms.histograms.components import (
    check_components,
    component_points,
    component_problems,
    components_parameter,
)
from engine.mechanisms.histograms.exact import points_t, too_few_to_hide
from engine.mechanisms.problem import Problem, problems_of
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent

STAYS_WHOLE = "the bounds stay one cell"
"""What happens to bounds with too few points."""


def cuts_at_most() -> int:
    """Declare how often a cell is cut at most."""
    declared: int = parameter(
        default=3,
        lower=1,
        upper=DEEPEST,
        label="Depth",
        help="How often a cell is cut at most; cells are less round the deeper they are.",
        source="Chawla, Dwork, McSherry, Talwar 2005, section 2.2: a constant number of steps",
    )
    return declared


def region_parameter() -> str:
    """Declare what is cut."""
    declared: str = parameter(
        default="box",
        choices=("box", "ball"),
        label="Region",
        help="What is cut: the bounds themselves, or the ball around them.",
        advanced=True,
    )
    return declared


def seconds_to_cut(per_root: float, domain: Box, n: int) -> float:
    """Return about how long cutting all cells takes: `per_root` sqrt(n) in the plane, more with more axes."""
    return per_root * math.sqrt(n) * float(4.0 ** (domain.dimension - 2))


@dataclasses.dataclass(frozen=True)
class NetHistogram(HistogramMechanism):
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
    summary: ClassVar[str] = "Voronoi cells of evenly spread centers, cut while they hold many points"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Talwar 2005"
    is_private: ClassVar[bool] = False

    t: int = points_t()
    depth: int = cuts_at_most()
    region: str = region_parameter()
    components: str = components_parameter("the first cut is by them, and each part is then cut by itself")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_components(self.components)

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        return (
            super().problems(privacy, domain, n)
            or problems_of(Net().check, domain.dimension)
            or component_problems(self.components, domain)
        )

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        return too_few_to_hide(self.t, n, STAYS_WHOLE)

    def effort(self, domain: Box, n: int) -> float:
        return seconds_to_cut(0.003, domain, n)

    def sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> DrawnBy:
        region = Region(data.domain, self.region == "ball")
        first = component_points(self.components, data.domain)
        return DrawnBy(
            lambda rng, progress: grow_voronoi(
                data.values, region, Net(), self.t, self.depth, rng, progress, first
            )
        )


@dataclasses.dataclass(frozen=True)
class RandomCentersHistogram(HistogramMechanism):
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
    summary: ClassVar[str] = "Voronoi cells of random centers, cut while they hold many points"
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Talwar 2005"
    is_private: ClassVar[bool] = False

    t: int = points_t()
    depth: int = cuts_at_most()
    region: str = region_parameter()
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
        return (
            super().problems(privacy, domain, n)
            or problems_of(Random(self.centers).check, domain.dimension)
            or problems_of(Random(self.centers).check_work, domain.dimension, cells)
        )

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        warning = Random(self.centers).warning(domain.dimension)
        few = too_few_to_hide(self.t, n, STAYS_WHOLE)
        return (*few, Problem("centers", warning)) if warning else few

    def public_facts(self, domain: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        warning = Random(self.centers).warning(domain.dimension)
        return {"warning": warning} if warning else {}

    def effort(self, domain: Box, n: int) -> float:
        return seconds_to_cut(0.005, domain, n)

    def sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> DrawnBy:
        region = Region(data.domain, self.region == "ball")
        return DrawnBy(
            lambda rng, progress: grow_voronoi(
                data.values, region, Random(self.centers), self.t, self.depth, rng, progress
            )
        )
