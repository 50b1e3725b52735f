"""Noisy counts of a public grid: the baseline for histograms."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.grid import BINS, MAX_CELLS, Grid, max_bins, round_edges
from engine.histograms.histogram import Histogram
from engine.mechanisms.facts import Resources
from engine.mechanisms.guarantee import AddsNoise
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramSanitizer
from engine.mechanisms.histograms.components import (
    Components,
    check_components,
    component_points,
    component_problems,
    components_parameter,
)
from engine.mechanisms.number_lists import number_list
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.relation import relation_parameter
from engine.numerals import grouped, short
from engine.parameters import parameter
from engine.primitives.counts import FAMILIES, AddedNoise, check_delta, count_noise
from engine.primitives.simplex import top_down, whole_on_simplex
from engine.privacy import Privacy
from engine.progress import Progress, part, silent
from engine.sampling.exactness import COUNTED

POST = ("simplex", "none")
SECONDS_PER_CELL = 3e-7
"""Approximate time for noise on a cell and its post-processing."""


def bins_parameter(cells: int = MAX_CELLS) -> Any:
    """Declare the number of bins per axis, for a grid of at most `cells` cells."""
    return parameter(
        default=BINS,
        label="Bins",
        lower=1,
        help=f"Number of parts of each axis; a grid has at most {cells:,} cells.",
    )


def too_many_bins(bins: int, domain: Box, cells: int = MAX_CELLS) -> tuple[Problem, ...]:
    """Return a problem if the grid has more than `cells` cells."""
    most = max_bins(domain.dimension, cells)
    if bins <= most:
        return ()
    message = f"{grouped(bins)} bins on each of {domain.dimension} axes make more than {grouped(cells)} cells"
    return (Problem("bins", f"{message}; choose at most {grouped(most)}"),)


def noise_parameter() -> Any:
    """Declare the noise on counts."""
    return parameter(
        default="laplace",
        choices=FAMILIES,
        choice_labels=tuple(name.title() for name in FAMILIES),
        label="Noise",
        help="Laplace noise needs no delta; Gaussian noise needs delta and has lighter tails.",
    )


class PostProcesses:
    """A mechanism whose parameter `post` declares what is done to noisy counts, or "none"."""

    def unprocessed(self) -> Self:
        return dataclasses.replace(self, post="none")  # type: ignore[type-var]


def post_parameter() -> Any:
    """Declare the post-processing of noisy counts."""
    return parameter(
        default="simplex",
        choices=POST,
        label="Afterwards",
        advanced=True,
        help="simplex: the nearest whole counts that are not negative and add up to the public number of "
        "records; "
        "none: the unbiased noisy counts.",
    )


def grid_post_parameter(*more: str) -> Any:
    """Declare the post-processing of noisy counts of cells made by repeated halving."""
    return parameter(
        default="top-down",
        choices=("top-down", *more, "none"),
        label="Afterwards",
        advanced=True,
        help="top-down: from the whole to its parts, the nearest whole counts that are not negative "
        "and add up; "
        + ("simplex: the same for all cells at once, which changes much if most are empty; " if more else "")
        + "none: the unbiased noisy counts.",
        source="Abowd and others 2022",
    )


def finish_counts(counts: Floats, n: int, post: str) -> Floats:
    """Return noisy counts after post-processing."""
    return counts if post == "none" else whole_on_simplex(counts, n)


@dataclasses.dataclass(frozen=True)
class NoisyHistogram(PostProcesses, AddsNoise, HistogramMechanism, on_step=True):
    """Release the counts of all cells of a public grid, with noise on each.

    Replacing a record moves 1 from one count to another.  The sensitivity is 2 in L1, so Lap(2/epsilon) is
    epsilon-DP.  It is sqrt(2) in L2, for Gaussian noise with its exact condition.  A record left empty
    changes one count, so half of the noise suffices.

    With `components`, the cells are the parts of space nearest to each of these public points, with the same
    sensitivity.

    Source: Dwork, McSherry, Nissim, Smith 2006; Balle, Wang 2018, Theorem 8.  Tools for added or removed
    records use half of the noise, for a different promise.

    Examples
    --------
    Replacing a record changes two counts, so the scale is 2/epsilon.

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> simulated = NoisyHistogram(bins=4).run(data, Privacy(1.0), reproducible(1))
    >>> simulated.noise, simulated.histogram.size
    ({'family': 'laplace', 'scale': 2.0}, 16)
    """

    name: ClassVar[str] = "histogram-noisy"
    label: ClassVar[str] = "Noisy histogram"
    summary: ClassVar[str] = "counts of a public grid, with noise on each: differentially private"
    source: ClassVar[str] = "Dwork, McSherry, Nissim, Smith 2006"
    exact_because: ClassVar[str] = COUNTED

    bins: int | None = parameter(
        default=None,
        kind="int",
        optional=True,
        label="Bins",
        lower=1,
        help=f"Number of parts of each axis; a grid has at most {MAX_CELLS:,} cells. Empty: parts of one "
        f"column end at round numbers, and several columns have {BINS} each.",
    )
    edges: str = parameter(
        default="",
        label="Edges",
        holds="numbers",
        help="Edges between the cells of one column, instead of equal bins, separated by commas: 18, 25, 35, "
        "65. The bounds are edges, too.",
        advanced=True,
    )
    noise: str = noise_parameter()
    post: str = grid_post_parameter("simplex")
    relation: str = relation_parameter()
    components: str = components_parameter("their parts replace the grid", ("post", "top-down"))

    def __post_init__(self) -> None:
        super().__post_init__()
        check_components(self.components)
        if list(self._edges) != sorted(set(self._edges)):
            raise ParameterError("edges", f"'{self.edges}' does not increase; write them in order, once each")

    @property
    def _edges(self) -> tuple[float, ...]:
        return number_list(self.edges, "edges")

    def _edge_problems(self, domain: Box) -> tuple[Problem, ...]:
        if not self._edges:
            return ()
        if domain.dimension > 1:
            return (Problem("edges", f"they cut one column, not {domain.dimension}; leave them empty"),)
        side = domain.sides[0]
        outside = [edge for edge in self._edges if not side.lower <= edge <= side.upper]
        if outside:
            bounds = f"{short(side.lower)} and {short(side.upper)}"
            return (Problem("edges", f"{short(outside[0])} is not between the bounds, {bounds}"),)
        return ()

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        return (
            super().problems(privacy, domain, n)
            or self._edge_problems(domain)
            or problems_of(check_delta, self.noise, privacy)
            or component_problems(self.components, domain)
            or (too_many_bins(self._grid(domain).bins, domain) if self.is_grid else ())
        )

    @property
    def is_grid(self) -> bool:
        """Whether the cells form a grid; top-down post-processing always uses one."""
        return self.post == "top-down" or not self.components.strip()

    def _component_points(self, domain: Box) -> Floats | None:
        """Return the points of the components; None for a grid."""
        return None if self.is_grid else component_points(self.components, domain)

    def cells(self, domain: Box) -> int:
        """Return the number of cells (public)."""
        named = self._component_points(domain)
        return self._grid(domain).size if named is None else len(named)

    def _automatic(self, name: str, domain: Box) -> Any:
        return self._grid(domain).bins if name == "bins" else super()._automatic(name, domain)

    def _grid(self, domain: Box) -> Grid:
        edges: Sequence[float] = self._edges
        if not edges and self.bins is None and domain.dimension == 1:
            edges = round_edges(domain.sides[0]).tolist()
            domain = Box.of(edges[:1], edges[-1:])  # equal parts, and one of its own for the last value
        return Grid.between(domain, edges) if edges else Grid(domain, int(self.bins or BINS))

    def added(self, privacy: Privacy) -> AddedNoise:
        """Return the noise of each count (public)."""
        return count_noise(self.noise, privacy, self.relation)

    def half_width(self, domain: Box, privacy: Privacy) -> float:
        return self.added(privacy).half_width

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=SECONDS_PER_CELL * self._grid(domain).size * self.is_grid)

    def step(self, domain: Box, n: int, privacy: Privacy) -> float:
        return self.added(privacy).step

    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> NoisyGrid:
        named = self._component_points(data.domain)
        grid = self._grid(data.domain) if named is None else Components(data.domain, named)
        counts = sum(
            data.found_in_parts(grid.counts, progress, "counting points"), np.zeros(grid.size, np.int64)
        )
        added = self.added(privacy)
        return NoisyGrid(grid, counts, data.n, added, self.post, added.facts)


@dataclasses.dataclass(repr=False)
class NoisyGrid(HistogramSanitizer):
    """Counts to which noise is added (private)."""

    grid: Grid | Components
    counts: Ints
    n: int
    added: AddedNoise
    post: str
    noise: Mapping[str, Any]

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> Histogram:
        noisy = self.added.added(self.counts, rng, part(progress, 0.0, 0.2))
        progress(0.2, "making counts")
        if isinstance(self.grid, Grid) and self.post == "top-down":
            blocks = noisy.reshape(self.grid.shape)
            counts = top_down(blocks, self.n, whole=True, progress=part(progress, 0.2, 0.9)).reshape(-1)
        else:
            counts = finish_counts(noisy, self.n, self.post)
        progress(0.9, "making cells")
        intervals = self.added.intervals(noisy, counts, self.n)
        return dataclasses.replace(self.grid.histogram(counts), intervals=intervals)
