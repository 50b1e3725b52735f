"""A tree that is cut where there are many points, by noisy decisions, with noisy counts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.cubes import DEEPEST, Cubes, Scheme, ShiftedCubes
from engine.histograms.grid import MAX_CELLS
from engine.histograms.point_descent import PointDescent
from engine.histograms.tree import Level, Tree
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramSanitizer
from engine.mechanisms.histograms.noisy import finish_counts, post_parameter
from engine.mechanisms.problem import Problem
from engine.mechanisms.relation import relation_parameter
from engine.noise.base import EPSILONS
from engine.numerals import short
from engine.parameters import parameter
from engine.primitives.accounting import compose, of_pure
from engine.primitives.counts import AddedNoise, count_noise
from engine.primitives.priv_tree import Cutting
from engine.privacy import Privacy
from engine.progress import Progress, part, silent
from engine.sampling.exactness import COUNTED

SCHEMES: dict[str, type[Scheme]] = {"shifted": ShiftedCubes, "cubes": Cubes}


@dataclasses.dataclass(frozen=True)
class PrivTree(HistogramMechanism, on_step=True):
    """Release the cells of a tree that is cut by noisy decisions, and noisy counts of its leaves.

    The differentially private counterpart of the histogram at a random place: the planes are the
    same and are drawn without a look at the data; whether a cell is cut further is decided by a
    noisy count that decays from level to level, so that the cost does not grow with the depth
    (`engine.primitives.priv_tree` has the proof).  What is left of the budget pays for
    Lap(2/epsilon') on the counts of the leaves, a partition; of both, less for a record left empty.
    All parts of a cell are released, those without points too: leaving them out would say where no
    point is.

    Source: Zhang, Xiao, Xie 2016, sections 3 and 5, with less noise for the decisions than twice that
    of the paper; the shifted cubes, Chawla, Dwork, McSherry, Talwar 2005, section 3.1.

    Examples
    --------
    Half of epsilon is for the counts: noise of scale 4.  They add up to n.

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> simulated = PrivTree(share=0.5).run(data, Privacy(1.0), reproducible(1))
    >>> simulated.noise["scale"], round(simulated.histogram.counts.sum())
    (4.0, 1000)
    """

    name: ClassVar[str] = "privtree"
    label: ClassVar[str] = "PrivTree"
    summary: ClassVar[str] = (
        "cells that are small where many points are, by noisy decisions: differentially private"
    )
    source: ClassVar[str] = "Zhang, Xiao, Xie 2016"
    exact_because: ClassVar[str] = COUNTED

    cells: str = parameter(
        default="shifted",
        choices=tuple(SCHEMES),
        label="Cells",
        help="Cubes at a random place, of which those at the faces are joined to their neighbours, "
        "or plain cubes.",
    )
    share: float = parameter(
        default=0.5,
        label="Share for the shape",
        lower=0,
        upper=1,
        lower_open=True,
        upper_open=True,
        help="Share of epsilon for the decisions where to cut; the rest pays for the counts.",
        advanced=True,
    )
    threshold: float = parameter(
        default=0.0,
        label="Threshold",
        lower=0,
        upper=1e9,
        unit="points",
        help="A cell is cut where its count, less a decay for each level, with noise is above this.",
        source="Zhang, Xiao, Xie 2016, section 3.4, where 0 is best",
        advanced=True,
    )
    post: str = post_parameter()
    relation: str = relation_parameter()

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        if wrong := super().problems(privacy, domain, n):
            return wrong
        shape, counts = privacy.epsilon * self.share, privacy.epsilon * (1 - self.share)
        if min(shape, counts) >= EPSILONS[0]:
            return ()
        message = (
            f"it leaves epsilon = {short(shape)} for the shape and {short(counts)} for the counts; each must "
            f"get at least {short(EPSILONS[0])}: choose a share nearer to 0.5, or a larger epsilon"
        )
        return (Problem("share", message),)

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(
            uses_delta=False,
            zcdp=lambda privacy: compose(of_pure(part.epsilon) for part in self._budgets(privacy)),
        )

    def _budgets(self, privacy: Privacy) -> tuple[Privacy, Privacy]:
        """Return what the decisions and the counts cost."""
        shape, counts = Privacy(privacy.epsilon).split((self.share, 1 - self.share))
        return shape, counts

    def _cutting(self, privacy: Privacy, dimension: int) -> Cutting:
        """Return how decisions are taken (public)."""
        parts = float(SCHEMES[self.cells].ways) ** dimension
        return Cutting.of(self._budgets(privacy)[0].epsilon, parts, self.threshold, self.relation)

    def added(self, privacy: Privacy) -> AddedNoise:
        """Return the noise of the counts of leaves (public)."""
        return count_noise("laplace", self._budgets(privacy)[1], self.relation)

    def step(self, domain: Box, n: int, privacy: Privacy) -> float:
        return self.added(privacy).step

    def unprocessed(self) -> PrivTree:
        return dataclasses.replace(self, post="none")

    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> CutPoints:
        cutting, added = self._cutting(privacy, data.domain.dimension), self.added(privacy)
        fine = np.empty((data.n, data.domain.dimension), np.int32, order="F")  # axis by axis
        start = 0
        for some in data.found_in_parts(Cubes(data.domain).fine, progress, "placing points"):
            fine[start : start + len(some)] = some
            start += len(some)
        decisions = {"scale": cutting.scale, "decay": cutting.decay}
        return CutPoints(self, data.domain, fine, cutting, added, {**added.facts, "decisions": decisions})


@dataclasses.dataclass(repr=False)
class CutPoints(HistogramSanitizer):
    """Points in whole steps, ready to be cut apart (private)."""

    mechanism: PrivTree
    box: Box
    fine: NDArray[np.int32]
    cutting: Cutting
    added: AddedNoise
    noise: Mapping[str, Any]

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> Tree:
        is_shifted = self.mechanism.cells == "shifted"
        scheme = ShiftedCubes.draw(self.box, rng) if is_shifted else Cubes(self.box)
        levels = grow_levels(scheme, self.fine, self.cutting, rng, part(progress, 0.0, 0.7))
        leaves = np.concatenate([level.counts[~level.cut] for level in levels])
        noisy = self.added.added(leaves, rng, part(progress, 0.7, 0.75))
        progress(0.75, "making cells")
        counts = finish_counts(noisy, len(self.fine), self.mechanism.post)
        return with_counts(scheme, levels, counts, part(progress, 0.8, 1.0))


def grow_levels(
    scheme: Scheme,
    fine: NDArray[np.int32],
    cutting: Cutting,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> list[Level]:
    """Cut cells by noisy decisions; return levels with their true counts (private).

    It ends at the resolution of the scheme, and before there would be more cells than fit into a
    release; both depend on nothing but what was decided before.
    """
    descent = PointDescent(scheme, fine)
    levels: list[Level] = []
    leaves, parts = 0, scheme.ways**scheme.dimension
    while True:
        depth = descent.level
        here = part(progress, depth / (DEEPEST + 1), (depth + 1) / (DEEPEST + 1))
        here(0.0, f"cutting cells of level {depth}")
        cut = cutting.chosen(descent.counts, depth, rng)
        if depth == DEEPEST or leaves + np.count_nonzero(cut) * parts > MAX_CELLS:
            cut[:] = False
        levels.append(Level(descent.index, descent.counts, descent.parent, cut))
        if not cut.any():
            return levels
        leaves += int(np.count_nonzero(~cut))
        descent.split(cut, empty=True, progress=here)


def with_counts(scheme: Scheme, levels: list[Level], leaves: Floats, progress: Progress = silent) -> Tree:
    """Return the tree with these counts of its leaves, and with their sums elsewhere."""
    ends = np.cumsum([np.count_nonzero(~level.cut) for level in levels])
    counted: list[Level] = []
    below: Floats = np.zeros(0)
    for level, start in zip(reversed(levels), reversed([0, *ends[:-1]]), strict=True):
        counts = np.zeros(len(level.cut))
        if counted:
            counts += np.bincount(counted[0].parent, below, len(counts))
        kept = ~level.cut
        counts[kept] = leaves[start : start + np.count_nonzero(kept)]
        counted.insert(0, dataclasses.replace(level, counts=counts))
        below = counts
    return Tree.from_levels(scheme, counted, progress)
