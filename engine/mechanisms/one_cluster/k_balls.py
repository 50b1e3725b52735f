"""Several small balls, one after the other, each of what the ones before have left."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.balls import BallMechanism, BallsPrepared
from engine.mechanisms.one_cluster.search import Located, Share
from engine.parameters import parameter
from engine.primitives import Concentrated, best_share, compose
from engine.privacy import Privacy
from engine.progress import Progress
from engine.sampling.exactness import CHOSEN


@dataclasses.dataclass(frozen=True)
class KBalls(BallMechanism):
    """Find a ball, leave out the records in it, and go on.

    A released ball is public, so that leaving out what lies in it changes nothing about who is a
    neighbour: one person's record is in what is left, or is not.  How many are left is private.
    Each ball has an equal share of the budget, by basic or by advanced composition, whichever
    leaves more.

    Source: Nissim, Stemmer, Vadhan 2016, Observation 3.5.

    Examples
    --------
    500 points lie around (0.25, 0.25), and as many around (0.75, 0.75).

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> rng = np.random.default_rng(1)
    >>> heaps = [rng.normal(middle, 0.02, (500, 2)) for middle in (0.25, 0.75)]
    >>> data = Points(np.concatenate(heaps), Box.of([0, 0], [1, 1]))
    >>> balls = KBalls(t=400, k=2).run(data, Privacy(4.0, 1e-6), reproducible(1)).value
    >>> [np.round(ball["center"], 1).tolist() for ball in balls]
    [[0.2, 0.3], [0.7, 0.8]]
    """

    name: ClassVar[str] = "k-balls"
    label: ClassVar[str] = "k balls"
    summary: ClassVar[str] = "several small balls, each of the points that are left"
    source: ClassVar[str] = "Nissim, Stemmer, Vadhan 2016, Observation 3.5"
    exact_because: ClassVar[str] = CHOSEN

    k: int = parameter(default=2, lower=1, upper=32, label="Balls k", help="How many balls.")

    @property
    def question(self) -> Hashable:
        return self.name, self.t, self.k

    @property
    def how_many(self) -> int:
        return self.k

    @property
    def estimand(self) -> Hashable:
        return super().estimand, self.k

    def _budget_of_ball(self, privacy: Privacy) -> Privacy:
        return best_share(privacy, self.k)

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        return compose([self.search.zcdp_cost(self._budget_of_ball(privacy))] * int(self.k))

    def shares(self, box: Box, n: int, privacy: Privacy) -> tuple[Share, ...]:
        part = Privacy(privacy.epsilon / self.k, privacy.delta / self.k)
        return tuple(Share(f"ball {i + 1}", f"Ball {i + 1}", part) for i in range(self.k))

    def ready(
        self, located: tuple[Ints, Located], data: Points, privacy: Privacy, progress: Progress
    ) -> BallsPrepared:
        ready = super().ready(located, data, privacy, progress)
        return dataclasses.replace(ready, k=self.k, cost=self.k * (ready.cost + 100 * ready.points.size))

    def errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        from scipy.optimize import linear_sum_assignment
        from scipy.spatial.distance import cdist

        d = domain.dimension
        true = np.reshape(true_value, (-1, d + 1))[:, :d]
        largest = np.full(len(values), np.nan)
        for index, row in enumerate(np.reshape(values, (len(values), -1, d + 1))[:, :, :d]):
            if np.isfinite(row).all() and np.isfinite(true).all():
                table = cdist(row, true)
                largest[index] = table[linear_sum_assignment(table)].max()
        return largest

    def released(self, value: Floats, domain: Box) -> Any:
        balls = map(Ball.of, value.reshape(-1, domain.dimension + 1))
        return [None if ball is None else ball.facts() for ball in balls]
