"""Histograms of other libraries: counts of the cells of a public grid."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.extras.libraries.diffprivlib import DIFFPRIVLIB
from engine.extras.libraries.library import ADDED_OR_REMOVED, STEPS, Peer, raising_data_errors, seeds
from engine.extras.libraries.opendp import OPENDP, import_opendp, smallest
from engine.extras.libraries.python_dp import PYTHON_DP
from engine.histograms.grid import Grid, GridHistogram
from engine.mechanisms.facts import Resources
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramSanitizer, dimension_problems
from engine.mechanisms.histograms.noisy import bins_parameter, too_many_bins
from engine.mechanisms.problem import Problem, problems_of
from engine.noise.base import check_bounds
from engine.privacy import NEIGHBOURS, Privacy
from engine.progress import Progress, silent

MAX_CELLS = 1 << 14
"""The libraries add noise to one cell at a time; more cells would take seconds."""


@dataclasses.dataclass(frozen=True)
class CellsRequest:
    """A request for a histogram to a library."""

    # Returns the counts of all cells; its argument is the seed of a simulation, or None for a release
    draw: Callable[[int | None], Any]
    epsilon: float  # passed to the library
    between: str  # the library's relation of neighbours


@dataclasses.dataclass(frozen=True)
class PeerHistogram(Peer, abc.ABC):
    """Base of histograms of a public grid that another library releases, such as `DiffprivlibHistogram`.

    The counts are not post-processed; compare them with `NoisyHistogram` without its post-processing.
    """

    name: ClassVar[str]
    _cell_seconds: ClassVar[float]
    """Approximate time that the noise of a cell takes."""

    bins: int = bins_parameter(MAX_CELLS)

    @abc.abstractmethod
    def _request(self, data: Points, grid: Grid, epsilon: float) -> CellsRequest:
        """Return the request for the counts of a grid."""

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        return (
            self._library.not_installed("mechanism")
            or problems_of(check_bounds, privacy, domain.dimension)
            or dimension_problems(domain)
            or too_many_bins(self.bins, domain, MAX_CELLS)
        )

    def step(self, domain: Box, n: int, privacy: Privacy) -> float:
        """Return 1: all of these libraries add integer noise."""
        return 1.0

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=1e-3 + self._cell_seconds * float(self.bins) ** domain.dimension + 2e-7 * n)

    def public_facts(self, domain: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        return self._library.facts

    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> PeerCells:
        grid = Grid(data.domain, int(self.bins))
        return PeerCells(self.name, grid, self._request(data, grid, privacy.epsilon))


class PeerCells(HistogramSanitizer):
    """A library with the data, ready to release counts (private)."""

    def __init__(self, name: str, grid: Grid, asked: CellsRequest) -> None:
        self.noise = {"family": name, "epsilon": asked.epsilon, "neighbours": asked.between}
        self._name, self._grid, self._cells_request = name, grid, asked

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> GridHistogram:
        [seed] = seeds(rng, 1)
        with raising_data_errors(self._name):
            counts = np.asarray(self._cells_request.draw(seed), dtype=np.float64).reshape(self._grid.size)
        return self._grid.histogram(counts)


class DiffprivlibHistogram(PeerHistogram, HistogramMechanism, library=DIFFPRIVLIB, on_step=True):
    """Counts of a public grid by diffprivlib (IBM).

    Its sensitivity is 1, for one added or removed record.  A replaced record changes two counts, so
    diffprivlib gets epsilon/2 (group privacy).  Noise is an integer, and negative counts become 0.

    Source: the function `histogramdd` of `diffprivlib.tools`; Ghosh, Roughgarden, Sundararajan 2012 for the
    truncated geometric mechanism.

    Examples
    --------
    >>> from engine import Box, Privacy
    >>> problems = DiffprivlibHistogram().problems(Privacy(1.0), Box.of([0, 0], [1, 1]), n=50)
    >>> [problem.message for problem in problems] in (
    ...     [], ["diffprivlib is not installed; install it with: pip install 'sensiscope[peers]'"]
    ... )
    True
    """

    name: ClassVar[str] = "histogram-diffprivlib"
    label: ClassVar[str] = "Histogram of diffprivlib"
    summary: ClassVar[str] = "a grid of counts released by diffprivlib, to compare and to audit"
    _cell_seconds: ClassVar[float] = 1.6e-5

    def _request(self, data: Points, grid: Grid, epsilon: float) -> CellsRequest:
        tools = DIFFPRIVLIB.load()

        values = np.concatenate(list(data.found_in_parts(np.copy)))
        ends = list(zip(grid.box.lower.tolist(), grid.box.upper.tolist(), strict=True))
        half = epsilon / STEPS

        def draw(seed: int | None) -> Floats:
            answer = tools.histogramdd(values, epsilon=half, bins=grid.bins, range=ends, random_state=seed)
            counts: Floats = answer[0]
            return counts

        return CellsRequest(draw, half, ADDED_OR_REMOVED)


class OpenDPHistogram(PeerHistogram, HistogramMechanism, library=OPENDP, on_step=True):
    """Counts of a public grid by OpenDP: its own proof, sampler and random bits.

    OpenDP counts the records by their cell; the cell of a record depends on that record alone.  The scale is
    the smallest for which OpenDP's privacy map gives epsilon at symmetric distance 2, that is one replaced
    record, as here.  OpenDP takes no seed, so simulations cannot be repeated.

    Source: OpenDP's `make_count_by_categories` and `make_laplace` (Canonne, Kamath, Steinke 2020).

    Examples
    --------
    >>> from engine import Box, Privacy
    >>> problems = OpenDPHistogram().problems(Privacy(1.0), Box.of([0, 0], [1, 1]), n=50)
    >>> [problem.message for problem in problems] in (
    ...     [], ["opendp is not installed; install it with: pip install 'sensiscope[peers]'"]
    ... )
    True
    """

    name: ClassVar[str] = "histogram-opendp"
    label: ClassVar[str] = "Histogram of OpenDP"
    summary: ClassVar[str] = "a grid of counts released by OpenDP, to compare and to audit"
    _cell_seconds: ClassVar[float] = 6e-6

    def _request(self, data: Points, grid: Grid, epsilon: float) -> CellsRequest:
        """Return the request for the counts of the categories 0, 1, …"""
        cells = np.concatenate(list(data.found_in_parts(grid.cells))).astype(np.int32)
        dp = import_opendp()
        domain = dp.vector_domain(dp.atom_domain(T=dp.i32), size=cells.size)
        count = dp.t.make_count_by_categories(
            domain, dp.symmetric_distance(), categories=list(range(grid.size)), null_category=False
        )
        ready = smallest(dp, lambda scale: count >> dp.m.then_laplace(scale), epsilon)
        return CellsRequest(lambda _: ready(cells), epsilon, NEIGHBOURS)


class PythonDPHistogram(PeerHistogram, HistogramMechanism, library=PYTHON_DP, on_step=True):
    """Counts of a public grid by python-dp (PyDP), a wrapper of Google's library in C++.

    Cells are public and disjoint, so all counts together cost as much as one (parallel composition).  An
    added or removed record changes one count.  A replaced record changes two, so each count gets epsilon/2.
    python-dp takes no seed, so simulations cannot be repeated.

    Source: the class `Count` of `pydp.algorithms.laplacian`, for each of public partitions; Wilson, Zhang,
    Lam, Desfontaines, Simmons-Marengo, Gipson 2020.

    Examples
    --------
    >>> from engine import Box, Privacy
    >>> problems = PythonDPHistogram().problems(Privacy(1.0), Box.of([0, 0], [1, 1]), n=50)
    >>> [problem.message for problem in problems] in (
    ...     [], ["python-dp is not installed; install it with: pip install 'sensiscope[peers]'"]
    ... )
    True
    """

    name: ClassVar[str] = "histogram-python-dp"
    label: ClassVar[str] = "Histogram of python-dp"
    summary: ClassVar[str] = "a grid of counts released by python-dp, to compare and to audit"
    _cell_seconds: ClassVar[float] = 8e-6

    def _request(self, data: Points, grid: Grid, epsilon: float) -> CellsRequest:
        laplacian = PYTHON_DP.load()

        counts = sum(data.found_in_parts(grid.counts), np.zeros(grid.size, np.int64))
        half, inside = epsilon / STEPS, [[1.0] * count for count in counts.tolist()]

        def draw(_: int | None) -> list[float]:
            return [laplacian.Count(half, dtype="float").quick_result(records) for records in inside]

        return CellsRequest(draw, half, ADDED_OR_REMOVED)
