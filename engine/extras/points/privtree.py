"""PrivTree: a tree whose cells are divided where points are dense, by noisy decisions, with noisy counts."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.array_types import Bools, Floats
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.cubes import DEEPEST, Cubes, Scheme, ShiftedCubes
from engine.histograms.grid import MAX_CELLS
from engine.histograms.point_descent import PointDescent
from engine.histograms.tree import Level, Tree
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramSanitizer
from engine.mechanisms.histograms.noisy import PostProcesses, finish_counts, post_parameter
from engine.mechanisms.problem import Problem
from engine.mechanisms.relation import relation_parameter
from engine.noise.base import EPSILONS
from engine.numerals import short
from engine.parameters import parameter
from engine.primitives.accounting import compose, of_pure
from engine.primitives.counts import CHANGED, AddedNoise, count_noise
from engine.privacy import NEIGHBOURS, Privacy
from engine.progress import Progress, part, silent
from engine.sampling.exactness import COUNTED
from engine.sampling.noise import is_above
from engine.sampling.output_grid import outward

GRID_BITS, MAX_BITS = 20, 40
"""Decays and thresholds are multiples of 2^-20, or have this many bits if they are large."""


@dataclasses.dataclass(frozen=True)
class Cutting:
    """The decisions of PrivTree, for replaced records or for records left empty.

    A cell at depth i with count c is divided if ``b + Lap(scale) > threshold`` with
    ``b = max(threshold - decay, c - i decay)``.

    Threshold, decay and b are multiples of the same power of two.  So b is exact in doubles for counts below
    2^32, epsilon of at least 10^-9 and 30 levels.  Then b moves by no more than the count, and the program
    decides exactly as the proof assumes.

    Source: Zhang, Xiao, Xie 2016, Algorithm 2 and Theorem 3.1, for added or removed records: scale
    ``(2 e^g - 1)/((e^g - 1) epsilon)`` and decay ``g scale``, g > 0.  For replaced records it needs
    epsilon/2.  The proof here shows that less noise is enough.

    Proof.  Let F(x) = Pr[Lap(s) > -x] be the probability to divide a cell whose b is x above the threshold,
    and G = ln F.  Then G' <= 1/s everywhere, and for x >= 0

        G'(x) = (1/s)/(2 e^(x/s) - 1).

    Replacing a record lowers by 1 the counts on one path A of nested cells, and raises by 1 those on another
    path B; cells that contain both records keep their counts.  Let x_0, x_1, ... be the larger values of
    c - i decay - threshold along A.  Counts do not grow downwards, so x_(i+1) <= x_i - decay.  In favour
    of the database with the larger counts on A, the probability of the whole tree changes

    * on A, for divided cells, by exp of the sum of ``G(max(-decay, x_i)) - G(max(-decay, x_i - 1))``.  That
      is the integral over u in [0, 1] of the sum of G'(x_i - u) over those i with x_i - u > -decay.  For
      each u at most one of these numbers is in (-decay, 0], and contributes at most 1/s.  The others are at
      least 0, decay, 2 decay, ....  With decay >= g s the sum is at most
      1/s + (1/s) sum over k >= 0 of 1/(2 e^(g k) - 1);
    * on A, for a last cell that is not divided, by a factor of at most 1;
    * on B, for divided cells, by a factor of at most 1, since counts are smaller there;
    * on B, for the last cell, by at most e^(1/s), since b changes by at most 1.

    So the loss is at most ``(3 + sum over k >= 1 of 1/(2 e^(g k) - 1))/s``.  Cells that stay whole for
    public reasons take no decision, which changes nothing.

    Leaving a record empty only lowers the counts on A; there is no B.  In favour of the larger counts, the
    first two points give ``(2 + sum over k >= 1 of 1/(2 e^(g k) - 1))/s``.  In favour of the smaller ones,
    only the end of A counts: 1/s.  That is below Theorem 3.1, which has ``(2 + 1/(e^g - 1))/s`` for added
    or removed records.
    """

    threshold: float  # public
    scale: float  # of the noise
    decay: float  # subtracted from a count at each level: at least g scale, with g as below

    @classmethod
    def of(cls, epsilon: float, parts: float, threshold: float = 0.0, relation: str = NEIGHBOURS) -> Cutting:
        """Return epsilon-private decisions, for cells that are divided into at most `parts` parts.

        With g = ln(parts), a cell without points is divided with probability 1/(2 parts).  On average half
        of one of its parts is then divided again, so the tree ends.  The scale and then the decay are
        rounded up.  The threshold, which the proof does not use, is rounded to the nearest multiple.
        """
        if not (math.isfinite(epsilon) and epsilon > 0):
            raise ParameterError(
                "epsilon", f"{short(epsilon)} is not possible; choose a finite number above 0"
            )
        if not parts >= 2:
            raise ParameterError("parts", f"{short(parts)} is not possible; choose at least 2")
        g = math.log(parts)
        scale = outward(path_constant(g, relation) / epsilon)
        least = outward(g * scale)
        unit = math.ldexp(1.0, max(-GRID_BITS, math.frexp(least)[1] - MAX_BITS))
        return cls(round(threshold / unit) * unit, scale, math.ceil(least / unit) * unit)

    def biased(self, counts: ArrayLike, depth: int) -> Floats:
        """Return b of cells of one depth with these counts (private)."""
        numbers = np.asarray(counts, dtype=np.float64)
        return np.maximum(self.threshold - self.decay, numbers - depth * self.decay)

    def chosen(self, counts: ArrayLike, depth: int, rng: np.random.Generator) -> Bools:
        """Decide which cells of one depth to divide."""
        return is_above(self.biased(counts, depth), self.scale, self.threshold, rng)

    def probabilities(self, counts: ArrayLike, depth: int) -> Floats:
        """Return the probability that each cell of one depth is divided."""
        x = (self.biased(counts, depth) - self.threshold) / self.scale
        return np.where(x < 0, 0.5 * np.exp(np.minimum(x, 0)), 1 - 0.5 * np.exp(-np.maximum(x, 0)))


def path_constant(g: float, relation: str = NEIGHBOURS) -> float:
    """Return the cost of a record times the scale: 3 + sum over k >= 1 of 1/(2 e^(g k) - 1) if replaced.

    For a record left empty it is 1 less, since there is only one path.
    """
    terms = math.ceil(40 / g)  # the rest is below 2^-54
    return 1 + CHANGED[relation] + math.fsum(1 / (2 * math.exp(g * k) - 1) for k in range(1, terms + 1))


SCHEMES: dict[str, type[Scheme]] = {"shifted": ShiftedCubes, "cubes": Cubes}


@dataclasses.dataclass(frozen=True)
class PrivTree(PostProcesses, HistogramMechanism, on_step=True):
    """Release the cells of a tree that noisy decisions divide, and noisy counts of its leaves.

    This is the differentially private counterpart of the histogram at a random place.  The planes are the
    same, drawn without using the data.  A noisy count decides whether to divide a cell; it decays from level
    to level, so the cost does not grow with the depth (proof at `Cutting`).

    The rest of the budget pays for Lap(2/epsilon') on the counts of the leaves, which are a partition.
    For records left empty, decisions and counts need less noise.  All parts of a divided cell are released,
    also empty ones: leaving them out would reveal where no point is.

    Source: Zhang, Xiao, Xie 2016, sections 3 and 5, with less noise for the decisions than twice that of the
    paper; for the shifted cubes, Chawla, Dwork, McSherry, Talwar 2005, section 3.1.

    Examples
    --------
    Half of epsilon is for the counts, with noise of scale 4.  The counts add up to n.

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> simulated = PrivTree(share=0.5).run(data, Privacy(1.0), reproducible(1))
    >>> simulated.noise["scale"], round(simulated.histogram.counts.sum())
    (4.0, 1000)
    """

    name: ClassVar[str] = "privtree"
    label: ClassVar[str] = "PrivTree"
    summary: ClassVar[str] = "small cells where points are dense, by noisy decisions: differentially private"
    source: ClassVar[str] = "Zhang, Xiao, Xie 2016"
    exact_because: ClassVar[str] = COUNTED

    cells: str = parameter(
        default="shifted",
        choices=tuple(SCHEMES),
        label="Cells",
        help="shifted: cubes at a random place, where those at the faces are joined to their neighbors; "
        "cubes: plain cubes.",
    )
    share: float = parameter(
        default=0.5,
        label="Share for the shape",
        lower=0,
        upper=1,
        lower_open=True,
        upper_open=True,
        help="Share of epsilon for the decisions; the rest pays for the counts.",
        advanced=True,
    )
    threshold: float = parameter(
        default=0.0,
        label="Threshold",
        lower=0,
        upper=1e9,
        unit="points",
        help="A cell is divided if its noisy count, less a decay for each level, is above this.",
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
            f"it leaves epsilon = {short(shape)} for the shape and {short(counts)} for the counts; each "
            f"needs at least {short(EPSILONS[0])}: choose a share nearer to 0.5, or a larger epsilon"
        )
        return (Problem("share", message),)

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(
            uses_delta=False,
            zcdp=lambda privacy: compose(of_pure(part.epsilon) for part in self._budgets(privacy)),
        )

    def _budgets(self, privacy: Privacy) -> tuple[Privacy, Privacy]:
        """Return the budgets of the decisions and of the counts."""
        shape, counts = Privacy(privacy.epsilon).split((self.share, 1 - self.share))
        return shape, counts

    def _cutting(self, privacy: Privacy, dimension: int) -> Cutting:
        """Return the decisions (public)."""
        parts = float(SCHEMES[self.cells].ways) ** dimension
        return Cutting.of(self._budgets(privacy)[0].epsilon, parts, self.threshold, self.relation)

    def added(self, privacy: Privacy) -> AddedNoise:
        """Return the noise of the counts of leaves (public)."""
        return count_noise("laplace", self._budgets(privacy)[1], self.relation)

    def half_width(self, domain: Box, privacy: Privacy) -> float:
        return self.added(privacy).half_width

    def step(self, domain: Box, n: int, privacy: Privacy) -> float:
        return self.added(privacy).step

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
    """Points as integer multiples of the finest step, ready to be divided (private)."""

    mechanism: PrivTree
    box: Box
    fine: NDArray[np.int32]
    cutting: Cutting
    added: AddedNoise
    noise: Mapping[str, Any]

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> Tree:
        is_shifted = self.mechanism.cells == "shifted"
        scheme = ShiftedCubes.draw(self.box, rng) if is_shifted else Cubes(self.box)
        levels = grow_levels(scheme, self.fine, self.cutting, rng, progress=part(progress, 0.0, 0.7))
        leaves = np.concatenate([level.counts[~level.cut] for level in levels])
        noisy = self.added.added(leaves, rng, part(progress, 0.7, 0.75))
        progress(0.75, "creating cells")
        counts = finish_counts(noisy, len(self.fine), self.mechanism.post)
        made = with_counts(scheme, levels, counts, progress=part(progress, 0.8, 1.0))
        return dataclasses.replace(made, intervals=self.added.intervals(noisy, counts, len(self.fine)))


def grow_levels(
    scheme: Scheme,
    fine: NDArray[np.int32],
    cutting: Cutting,
    rng: np.random.Generator,
    *,
    progress: Progress = silent,
) -> list[Level]:
    """Divide cells by noisy decisions; return levels with their true counts (private).

    It ends at the resolution of the scheme, and before there are more cells than a release may have; both
    depend only on earlier decisions.
    """
    descent = PointDescent(scheme, fine)
    levels: list[Level] = []
    leaves, parts = 0, scheme.ways**scheme.dimension
    while True:
        depth = descent.level
        here = part(progress, depth / (DEEPEST + 1), (depth + 1) / (DEEPEST + 1))
        here(0.0, f"dividing cells of level {depth}")
        cut = cutting.chosen(descent.counts, depth, rng)
        if depth == DEEPEST or leaves + np.count_nonzero(cut) * parts > MAX_CELLS:
            cut[:] = False
        levels.append(Level(descent.index, descent.counts, descent.parent, cut))
        if not cut.any():
            return levels
        leaves += int(np.count_nonzero(~cut))
        descent.split(cut, empty=True, progress=here)


def with_counts(scheme: Scheme, levels: list[Level], leaves: Floats, *, progress: Progress = silent) -> Tree:
    """Return the tree with these counts of its leaves, and their sums in all other cells."""
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
    return Tree.from_levels(scheme, counted, progress=progress)
