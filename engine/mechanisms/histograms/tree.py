"""Noisy counts of all levels of a public tree, made to add up."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.cubes import Cubes, blocks
from engine.histograms.grid import MAX_CELLS, max_bins
from engine.histograms.tree import Level, Tree
from engine.mechanisms.guarantee import AddsNoise
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramSanitizer
from engine.mechanisms.histograms.noisy import PostProcesses, grid_post_parameter, noise_parameter
from engine.mechanisms.problem import Problem, problems_of
from engine.numerals import grouped
from engine.parameters import parameter
from engine.primitives.counts import AddedNoise, check_delta, nested_noise
from engine.primitives.simplex import top_down
from engine.primitives.trees import consistent_tree
from engine.privacy import Privacy
from engine.progress import Progress, each, part, silent
from engine.sampling.exactness import COUNTED


@dataclasses.dataclass(frozen=True)
class HierarchicalHistogram(PostProcesses, AddsNoise, HistogramMechanism):
    """Release noisy counts of the cubes of all levels down to a public depth.

    Every level is a partition; replacing a record changes two of its counts by one each.  The levels share
    the budget.  The count of the whole box is n, which is public, so it needs no noise and costs nothing.
    Weighted least squares then combines, for each count, the information of all levels.

    The border of a large range meets about 2^(l (d - 1)) cubes of level l, whose counts are added up.  The
    level budgets minimize the sum of their variances.  Laplace noise gets epsilon_l proportional to
    2^(l (d - 1)/3): equal for one column, growing by 2^(1/3) per level for two.

    **Interval.**  The interval of a cell is its noisy count on the deepest level, plus and minus 95 % of the
    noise of that level, extended to the released count.  It holds the true count with probability 95 %,
    whatever least squares do: they do not change the noisy count.  Around the released count, an interval
    would be 10 to 20 % narrower, but for Laplace noise its width has no closed form.

    Source: Hay, Rastogi, Miklau, Suciu 2010, sections 4 and 5; level budgets for two columns:
    Cormode, Procopiuc, Srivastava, Shen, Yu 2012, section 4.2; for other numbers derived here.

    Examples
    --------
    Two levels of squares, halved twice along each axis: 16 cells, whose counts add up to n.

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> simulated = HierarchicalHistogram(depth=2).run(data, Privacy(1.0), reproducible(1))
    >>> simulated.histogram.size, round(simulated.histogram.counts.sum())
    (16, 1000)
    """

    name: ClassVar[str] = "histogram-tree"
    label: ClassVar[str] = "Noisy tree of cubes"
    summary: ClassVar[str] = (
        "noisy counts of a public tree, made to add up on all levels: differentially private"
    )
    source: ClassVar[str] = "Hay, Rastogi, Miklau, Suciu 2010"
    exact_because: ClassVar[str] = COUNTED

    depth: int = parameter(
        default=4,
        label="Depth",
        lower=1,
        upper=20,
        help=f"How often to halve every cell along all axes; at most {MAX_CELLS:,} cells are allowed.",
    )
    noise: str = noise_parameter()
    post: str = grid_post_parameter()

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        if wrong := super().problems(privacy, domain, n) or problems_of(check_delta, self.noise, privacy):
            return wrong
        most = max_bins(domain.dimension).bit_length() - 1
        if self.depth <= most:
            return ()
        message = (
            f"a depth of {self.depth} makes {grouped(2 ** (int(self.depth) * domain.dimension))} cells "
            f"of {domain.dimension} columns, more than {grouped(MAX_CELLS)}; choose at most {most}"
        )
        return (Problem("depth", message),)

    def levels(self, privacy: Privacy, dimension: int) -> tuple[AddedNoise, ...]:
        """Return the noise of the counts of levels 1, 2, ... (public)."""
        growth = [2.0 ** (level * (dimension - 1)) for level in range(1, int(self.depth) + 1)]
        return nested_noise(self.noise, privacy, growth)

    def half_width(self, domain: Box, privacy: Privacy) -> float:
        return self.levels(privacy, domain.dimension)[-1].half_width

    def step(self, domain: Box, n: int, privacy: Privacy) -> float:
        """Return the spacing of the finest grid; the noisy counts of all levels are on it."""
        return min(level.step for level in self.levels(privacy, domain.dimension))

    def _sanitizer(self, data: Points, privacy: Privacy, progress: Progress = silent) -> NoisyTree:
        cubes, depth = Cubes(data.domain), int(self.depth)
        deepest = sum(
            data.found_in_parts(partial(_count_cubes, cubes, depth), progress, "counting points"),
            np.zeros(1 << depth * cubes.dimension, np.int64),
        )
        counts, levels = _sums(deepest, depth, cubes.dimension), self.levels(privacy, cubes.dimension)
        noise = {"family": levels[0].family, "scale": [level.scale for level in levels]}
        return NoisyTree(cubes, counts, levels, self.post, noise)


@dataclasses.dataclass(repr=False)
class NoisyTree(HistogramSanitizer):
    """Counts of all levels, to which noise is added (private)."""

    scheme: Cubes
    counts: list[Ints]  # counts of the cubes of each level in C order, starting with the whole box
    levels: tuple[AddedNoise, ...]  # noise on the counts of each level after the first
    post: str
    noise: Mapping[str, Any]

    def histogram(self, rng: np.random.Generator, progress: Progress = silent) -> Tree:
        noisy = [self.counts[0].astype(np.float64)]
        steps = each(len(self.levels), part(progress, 0.0, 0.3), "adding noise")
        noisy += [
            noise.added(counts, rng, here)
            for noise, counts, here in zip(self.levels, self.counts[1:], steps, strict=True)
        ]
        progress(0.3, "making counts add up")
        variances = [np.zeros(1)] + [
            np.full(len(counts), noise.variance)
            for noise, counts in zip(self.levels, self.counts[1:], strict=True)
        ]
        starts = np.cumsum([0, *(len(counts) for counts in self.counts)])
        parents = [np.array([-1])] + [
            starts[level - 1] + _parents(level, self.scheme.dimension) for level in range(1, len(noisy))
        ]
        fitted = consistent_tree(
            np.concatenate(noisy),
            np.concatenate(variances),
            np.concatenate(parents),
            progress=part(progress, 0.3, 0.6),
        )
        leaves = fitted[starts[-2] :]
        if self.post == "top-down":
            shape = (1 << len(self.levels),) * self.scheme.dimension
            total = float(self.counts[0][0])
            here = part(progress, 0.6, 0.8)
            leaves = top_down(leaves.reshape(shape), total, whole=True, progress=here).reshape(-1)
        made = _tree(self.scheme, leaves, len(self.levels), part(progress, 0.8, 1.0))
        intervals = self.levels[-1].intervals(noisy[-1], made.counts, float(self.counts[0][0]))
        return dataclasses.replace(made, intervals=intervals)


def _count_cubes(scheme: Cubes, depth: int, points: Floats) -> Ints:
    """Count points in the cubes of a level (private)."""
    d = scheme.dimension
    codes = np.zeros(len(points), dtype=np.int64)
    for some in blocks(len(points)):
        fine = scheme.fine(points[some])
        for axis in range(d):
            codes[some] <<= depth
            codes[some] += scheme.index(fine[:, axis], depth, axis)
    return np.bincount(codes, minlength=1 << depth * d)


def _sums(counts: NDArray[Any], depth: int, d: int) -> list[NDArray[Any]]:
    """Return the counts of all levels from those of the deepest level."""
    levels = [counts]
    for level in range(depth - 1, -1, -1):
        halves = levels[0].reshape((1 << level, 2) * d)
        levels.insert(0, halves.sum(axis=tuple(range(1, 2 * d, 2))).reshape(-1))
    return levels


def _parents(level: int, d: int) -> Ints:
    """Return for each cube its parent, the cube of the level before that contains it; in C order."""
    half, parts = np.arange(1 << level) >> 1, 1 << (level - 1)
    numbers = np.zeros((1,) * d, dtype=np.int64)
    for axis in range(d):
        numbers = numbers * parts + half.reshape((-1,) + (1,) * (d - 1 - axis))
    return numbers.reshape(-1)


def _tree(scheme: Cubes, counts: Floats, depth: int, progress: Progress) -> Tree:
    """Return the histogram of the cubes of the deepest level, with the sums on all levels above."""

    d, levels = scheme.dimension, []
    for level, sums in enumerate(_sums(counts, depth, d)):
        progress(0.5 * level / (depth + 1), "making cells")
        index = np.indices((1 << level,) * d).reshape(d, -1).T
        parent = _parents(level, d) if level else np.zeros(1, dtype=np.int64)
        levels.append(Level(index, sums, parent, np.full(len(sums), level < depth)))
    return Tree.from_levels(scheme, levels, progress=part(progress, 0.5, 1.0))
