"""One small ball that holds many points."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.one_cluster.ball import Ball
from engine.mechanisms.one_cluster.balls import BallMechanism
from engine.mechanisms.one_cluster.finders import AUTO, FINDERS
from engine.mechanisms.one_cluster.search import Share
from engine.mechanisms.release import Release
from engine.primitives import Concentrated
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.sampling.exactness import CHOSEN
from engine.sampling.public_grid import FREE, PublicGrid


@dataclasses.dataclass(frozen=True)
class OneCluster(BallMechanism):
    """Release center and radius of a small ball that holds many of the points.

    Source: Nissim, Stemmer, Vadhan 2016; what each method does is said by its finder.

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
    def uses_delta(self) -> bool:
        return self.method == AUTO or FINDERS[self.method].uses_delta

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        return self.search.zcdp_cost(privacy)

    def number_grid(self, data: Points, privacy: Privacy) -> PublicGrid:
        """Return the grid of centers; a radius is one of the distances of points."""
        return PublicGrid.joined(self.search.domain(data.domain).points, FREE)

    def shares(self, box: Box, n: int, privacy: Privacy) -> tuple[Share, ...]:
        return self.search.finder(box).shares(self.task(box, n, privacy))

    def errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        d = domain.dimension
        distances: Floats = np.linalg.norm(values[:, :d] - np.asarray(true_value)[:d], axis=1)
        return distances

    def released(self, value: Floats, domain: Box) -> Any:
        ball = Ball.of(value)
        return None if ball is None else ball.facts()


def one_cluster(
    points: ArrayLike,
    box: Box,
    t: int,
    privacy: PrivacyLike,
    method: str = "auto",
    rng: np.random.Generator | None = None,
) -> Release:
    """Release a small ball that holds about t of the points.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One record in each row; moved into the box.
    box : Box
        Public bounds.
    t : int
        How many points the ball is to hold (public).
    privacy : PrivacyLike
        What the release costs; delta above 0.
    method : {"auto", "overlapping-cells", "wide-boxes", "tight-boxes", "balls", "thresholds", "published"}
    rng : Generator, optional
        A seeded one makes it a simulation.

    Returns
    -------
    Release
        ``value`` is ``{"center": [...], "radius": r}``, or None where no ball was found;
        ``parameters`` state ``promised_share``, the part of t that theory promises.

    Raises
    ------
    DataError, ParameterError
        For points or parameters that make no sense, such as a t below what the method needs.

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
    return OneCluster(t=t, method=method).run(Points(points, box), privacy, rng)
