"""The 1-cluster aggregator: the center of a small ball that holds most of the outputs."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats
from engine.domain import Box
from engine.mechanisms.aggregators.base import Aggregator, VectorPrepared
from engine.mechanisms.one_cluster.best import CELLS_UP_TO
from engine.mechanisms.one_cluster.capped_counts import smallest_ball
from engine.mechanisms.one_cluster.grid import STEPS, DomainGrid
from engine.mechanisms.one_cluster.overlapping_cells import CenterOnly
from engine.mechanisms.one_cluster.search import Finder, Located, Task
from engine.mechanisms.one_cluster.tight_boxes import TightBoxes
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.numerals import grouped
from engine.parameters import parameter
from engine.primitives import Concentrated, worst
from engine.privacy import Privacy
from engine.progress import Progress, each, part, silent
from engine.sampling.exactness import CHOSEN

BETA = 0.1
"""Failure probability of the theoretical guarantee."""


MANY_POINTS = 10_000
"""Assumed number of blocks; requirements grow only with its logarithm."""


@dataclasses.dataclass(frozen=True)
class OneClusterAggregator(Aggregator):
    """The center of a small ball that holds a share of the outputs (algorithm SA).

    The other outputs may lie anywhere.  Each coordinate is measured as a share of its range.  Outputs of up
    to six numbers use overlapping cells and the mean of the fullest.  Longer outputs use tight boxes,
    which need disjoint blocks.  A set of k centers is a vector of their coordinates, in the
    order that each block gives them.

    Source: Nissim, Stemmer, Vadhan 2016, Section 6 (algorithm SA), but with disjoint blocks.  One person
    changes one output, and no record is left out.  The paper draws a ninth of the records with replacement
    and pays for it by its Lemma 6.4.

    Examples
    --------
    It needs delta above 0 and many blocks.

    >>> import numpy as np
    >>> from engine import Box, MeanFunction, Partition, Points, Privacy, SampleAggregate, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.3, 0.1, (20_000, 1)), Box.of([0], [1]))
    >>> mechanism = SampleAggregate(
    ...     sampling=Partition(blocks=1000),
    ...     aggregator=OneClusterAggregator(),
    ...     block_function=MeanFunction(),
    ... )
    >>> simulated = mechanism.run(data, Privacy(1.0, 1e-6), reproducible(1))
    >>> round(simulated.value, 1)
    0.3
    """

    name: ClassVar[str] = "one-cluster"
    label: ClassVar[str] = "1-cluster"
    summary: ClassVar[str] = "the center of a small ball around most outputs"
    source: ClassVar[str] = "Nissim, Stemmer, Vadhan 2016, Section 6 (SA)"
    exact_because: ClassVar[str] = CHOSEN
    hides: ClassVar[str] = "Gaussian, of the mean"

    held: float = parameter(
        default=0.8,
        lower=0.0,
        upper=1.0,
        lower_open=True,
        label="Outputs held",
        help="Share of the outputs that the ball should hold; the others may lie anywhere.",
    )

    def problems(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> tuple[Problem, ...]:
        impossible = problems_of(check_bounds, privacy, space.dimension)
        if impossible:
            return impossible
        for problem in _finder(space).problems(self._task(space, m, s, privacy)):
            if problem.field != "t":
                field = {"method": "aggregator"}.get(problem.field, problem.field)
                return (dataclasses.replace(problem, field=field),)
        fewest = self.fewest(space, s, privacy)
        if m < fewest:
            return (
                Problem(
                    "blocks",
                    f"{grouped(m)} outputs are too few for a 1-cluster with this budget, which needs "
                    f"at least {grouped(fewest)}; use more blocks or a larger epsilon",
                ),
            )
        return ()

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the larger cost of the two finders."""
        return worst(one.zcdp_cost(privacy) for one in (CenterOnly(), TightBoxes()))

    def fewest(self, space: OutputSpace, s: int, privacy: Privacy) -> int:
        needed = _finder(space).guarantee(self._task(space, MANY_POINTS, s, privacy)).needed
        return math.ceil(needed / self.held)

    def steps(self, space: OutputSpace) -> list[float]:
        return [side.width * _grid(space).step for side in space.box.sides]

    def prepare(
        self, outputs: Floats, space: OutputSpace, s: int, privacy: Privacy, progress: Progress = silent
    ) -> OneClusterOutputs:
        task = self._task(space, len(outputs), s, privacy)
        points = task.grid.index_points((outputs - space.box.lower) / space.box.width)
        located = _finder(space).prepare(task, points, part(progress, 0.0, 0.5))
        center = outputs.mean(axis=0)
        smallest = smallest_ball(points, task.t, progress=part(progress, 0.5, 1.0))
        if smallest is not None:
            near = np.square(points - smallest[0]).sum(axis=1) <= smallest[1]
            center = outputs[near].mean(axis=0)
        return OneClusterOutputs(
            center=center,
            box=space.box,
            noise={"family": "gaussian"},
            error=None,
            diagnostics=Private({"center": center}),
            located=located,
        )

    def _task(self, space: OutputSpace, m: int, s: int, privacy: Privacy) -> Task:
        t = max(1, math.ceil(self.held * m))
        return Task(_grid(space), m, t, privacy, BETA, changes=s)


def _grid(space: OutputSpace) -> DomainGrid:
    # each coordinate is measured as a share of its public range, since units may differ
    return DomainGrid(Box.of([0.0] * space.dimension, [1.0] * space.dimension), STEPS)


def _finder(space: OutputSpace) -> Finder:
    return CenterOnly() if space.dimension <= CELLS_UP_TO else TightBoxes()


@dataclasses.dataclass(frozen=True, repr=False)
class OneClusterOutputs(VectorPrepared):
    """Outputs, with the prepared search for their ball (private)."""

    located: Located

    @property
    def batch_size(self) -> int:
        return max(1, 10**7 // (100_000 + self.located.cost))

    def _draw(self, rng: np.random.Generator, size: int, progress: Progress) -> Floats:
        balls = [self.located.run(rng, here).ball for here in each(size, progress)]
        nothing = np.full(self.center.size, np.nan)
        centers = np.array([nothing if ball is None else np.array(ball.center) for ball in balls])
        moved: Floats = self.box.lower + centers * self.box.width
        return moved
