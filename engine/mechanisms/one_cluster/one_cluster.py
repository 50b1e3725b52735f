"""Mechanisms that release a ball holding many points, or k balls one after the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from engine.arguments import SeedLike
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box, BoxLike
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.balls import BallMechanism, BallSearch, BallsPrepared
from engine.mechanisms.one_cluster.finders import AUTO, FINDERS
from engine.mechanisms.one_cluster.search import Located, Share
from engine.mechanisms.release import Release
from engine.parameters import parameter
from engine.primitives import best_share, compose
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress
from engine.sampling.exactness import CHOSEN
from engine.sampling.public_grid import FREE, PublicGrid
from engine.signatures import explained


class OneCluster(BallMechanism):
    """Release center and radius of a small ball that holds many of the points.

    Source: Nissim, Stemmer, Vadhan 2016; the docstring of each finder describes its method.

    Examples
    --------
    1,000 points lie around (0.25, 0.25).

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> ball = OneCluster(t=400).run(data, Privacy(2.0, 1e-6), reproducible(1)).value
    >>> np.round(ball["center"], 2), ball["radius"] < 0.1
    (array([0.25, 0.25]), True)
    """

    name: ClassVar[str] = "one-cluster"
    label: ClassVar[str] = "1-cluster"
    summary: ClassVar[str] = "a small ball that holds many points"
    exact_because: ClassVar[str] = CHOSEN

    @property
    def guarantee(self) -> Guarantee:
        uses_delta = self.method == AUTO or FINDERS[self.method].uses_delta
        return Guarantee(uses_delta, zcdp=self.search.zcdp_cost)

    def _number_grid(self, data: Points, privacy: Privacy) -> PublicGrid:
        """Return the grid of centers; a radius is a distance and has no grid."""
        return PublicGrid.joined(self.search.domain(data.domain).points, FREE)

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        d = domain.dimension
        distances: Floats = np.linalg.norm(values[:, :d] - np.asarray(true_value)[:d], axis=1)
        return distances

    def _released(self, value: Floats, domain: Box) -> Any:
        ball = Ball.of(value)
        return None if ball is None else ball.facts()


@explained
def one_cluster(
    points: ArrayLike | Points,
    box: BoxLike,
    t: int,
    privacy: PrivacyLike,
    method: str = "auto",
    seed: SeedLike | None = None,
    *,
    rng: SeedLike | None = None,
) -> Release:
    """Release a small ball that holds about t of the points.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One record per row; clamped to the box.
    box : Box
        Public bounds.
    t : int
        Target number of points in the ball (public).
    privacy : PrivacyLike
        Budget of the release; delta must be above 0.
    method : {"auto", "overlapping-cells", "wide-boxes", "tight-boxes", "balls", "thresholds", "published"}
    seed, rng : int or Generator, optional
        Default: the operating system's entropy.  A seed makes a simulation.

    Returns
    -------
    Release
        ``value`` is ``{"center": [...], "radius": r}``, or None if no ball was found;
        ``parameters`` include ``promised_share``, the guaranteed share of t.

    Raises
    ------
    DataError, ParameterError
        For invalid points or parameters, such as a t that is too small for the method.

    See Also
    --------
    OneCluster, screen_points, Ball

    Examples
    --------
    >>> import numpy as np
    >>> from engine import Box, Privacy
    >>> points = np.random.default_rng(1).uniform(0, 1, (3000, 2))
    >>> points[:1000] = 0.3 + 0.01 * np.random.default_rng(2).standard_normal((1000, 2))
    >>> release = one_cluster(points, Box.of([0, 0], [1, 1]), t=900, privacy=Privacy(1.0, 1e-6))
    >>> bool(np.linalg.norm(np.subtract(release.value["center"], 0.3)) < 0.1)
    True
    """
    privacy = as_privacy(privacy)
    data = points if isinstance(points, Points) else Points(points, box)
    return OneCluster(t=t, method=method).run(data, privacy, seed, rng=rng)


@dataclasses.dataclass(frozen=True)
class KBalls(BallMechanism):
    """Find a ball, leave out the records in it, and repeat.

    A released ball is public, so leaving out the records in it keeps neighbours: a person's record remains or
    it does not.  The number of remaining records is private.  Each ball gets an equal share of the budget, by
    basic or advanced composition, whichever gives more.

    Source: Nissim, Stemmer, Vadhan 2016, Observation 3.5.

    Examples
    --------
    500 points lie around (0.25, 0.25), and 500 around (0.75, 0.75).

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
    summary: ClassVar[str] = "several small balls, one after the other, each for the remaining points"
    source: ClassVar[str] = "Nissim, Stemmer, Vadhan 2016, Observation 3.5"
    exact_because: ClassVar[str] = CHOSEN

    k: int = parameter(default=2, lower=1, upper=32, label="Balls k", help="Number of balls.")

    @property
    def question(self) -> Hashable:
        return self.name, self.t, self.k

    @property
    def search(self) -> BallSearch:
        return dataclasses.replace(super().search, k=int(self.k))

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(zcdp=lambda privacy: compose([self.search.zcdp_cost(privacy)] * int(self.k)))

    @property
    def estimand(self) -> Hashable:
        return super().estimand, self.k

    def _budget_of_ball(self, privacy: Privacy) -> Privacy:
        return best_share(privacy, self.k)

    def shares(self, box: Box, n: int, privacy: Privacy) -> tuple[Share, ...]:
        part = Privacy(privacy.epsilon / self.k, privacy.delta / self.k)
        return tuple(Share(f"ball {i + 1}", f"Ball {i + 1}", part) for i in range(self.k))

    def _ready(
        self, located: tuple[Ints, Located], data: Points, privacy: Privacy, progress: Progress
    ) -> BallsPrepared:
        ready = super()._ready(located, data, privacy, progress)
        return dataclasses.replace(ready, k=self.k, cost=self.k * (ready.cost + 100 * ready.points.size))

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
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

    def _released(self, value: Floats, domain: Box) -> Any:
        balls = map(Ball.of, value.reshape(-1, domain.dimension + 1))
        return [None if ball is None else ball.facts() for ball in balls]
