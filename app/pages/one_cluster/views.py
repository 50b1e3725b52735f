"""Balls, boxes and radii as pictures show them, made in a worker."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.model.selection import Selection
from app.model.wording.numbers import number, quantity
from app.pages.base.projections import Axes, Projection, among_data
from app.plots.clustering.cloud_view import CloudView, Records
from app.plots.one_cluster.view import BallView, Boxes, Disc
from engine.mechanisms import BallMechanism
from engine.mechanisms.one_cluster import Ball, BoxPartition, Crossing, Found

if TYPE_CHECKING:
    from app.plots.one_cluster.radius_choice import RadiusChoiceView

MOST_BOXES = 2_000
"""Boxes that go to the picture: the fullest."""

Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class ShownBalls:
    """What is released, or could be: balls, where they were found, and perhaps the mean inside."""

    balls: tuple[Ball | None, ...] = ()
    mean: tuple[float, ...] | None = None

    @classmethod
    def of(cls, value: Any) -> ShownBalls:
        """Read what a mechanism has released."""
        found = value if isinstance(value, list) else [value]
        balls = tuple(ball and Ball(tuple(ball["center"]), ball["radius"]) for ball in found)
        mean = value.get("mean") if isinstance(value, dict) else None
        return cls(balls, tuple(mean) if mean else None)

    @property
    def found(self) -> tuple[Ball, ...]:
        """The balls that there are."""
        return tuple(ball for ball in self.balls if ball is not None)


class BallViews:
    """Makes the views of one setup along its directions.

    Parameters
    ----------
    places : ndarray, shape (n, d), or None
        The records on the grid, for how many each ball holds (private).
    """

    def __init__(self, setup: Selection, seen: Projection, places: Floats | None = None) -> None:
        self._setup = setup
        self._seen = seen
        self._places = places

    def view(self, shown: ShownBalls, *, truth: ShownBalls | None = None, **known: Any) -> BallView:
        """Show balls, and with `truth` the true ones beside them."""
        true = truth or ShownBalls()
        return BallView(
            directions=self._seen.directions,
            window=self._seen.window,
            balls=self._discs(shown),
            mean=self._mean(shown),
            truth=self._discs(true),
            true_mean=self._mean(true),
            n=self._setup.source.n,
            target=getattr(self._setup.mechanism, "t", 0),
            **known,
        )

    def _discs(self, shown: ShownBalls) -> tuple[Disc, ...]:
        return tuple(
            Disc(self._seen.points(ball.center), ball.radius, held(ball, self._places))
            for ball in shown.found
        )

    def _mean(self, shown: ShownBalls) -> Floats | None:
        return None if shown.mean is None else self._seen.points(shown.mean)


def held(ball: Ball, places: Floats | None) -> int | None:
    """Return how many records a ball holds (private); None without records."""
    return None if places is None else int(np.count_nonzero(ball.contains(places)))


def boxes(
    setup: Selection, partition: BoxPartition, axes: Axes, name: str
) -> tuple[Projection, Boxes] | None:
    """Return boxes along coordinates; None for those that were drawn in a projection."""
    if partition.cells.corners.shape[1] != partition.grid.dimension:
        return None
    corners, counts = partition.cells.corners, partition.cells.counts
    fullest = np.argsort(-counts, kind="stable")[:MOST_BOXES]
    corners, counts, chosen = corners[fullest], counts[fullest], None
    if partition.chosen is not None:
        same = np.flatnonzero((corners == partition.chosen).all(axis=1))
        if not len(same):  # few points are in it, or none
            here = (partition.cells.corners == partition.chosen).all(axis=1)
            corners = np.concatenate([corners, partition.chosen[None]])
            counts = np.append(counts, partition.cells.counts[here].sum())
            same = np.array([len(counts) - 1])
        chosen = int(same[0])
    lower, upper = partition.bounds(corners)
    seen = among_data(setup.source, axes)
    side = quantity(partition.width * partition.grid.step, setup.unit)
    words = f"{name}{number(len(partition.cells.counts))} boxes of side {side} that hold records"
    return seen, Boxes(seen.points(lower), seen.points(upper), counts, chosen, words)


def first_step(setup: Selection, found: Found, truth: float | None) -> RadiusChoiceView:
    """Show how the first step has chosen a radius."""
    mechanism = setup.mechanism
    assert isinstance(mechanism, BallMechanism)
    in_cells = mechanism.finder(setup.source.domain).name == "b"
    return _choice(setup, found.scale, "points in the fullest cell" if in_cells else "L(r, S)", truth)


def last_step(setup: Selection, crossing: Crossing, truth: float | None) -> RadiusChoiceView:
    """Show how the last step has chosen how far around the center the ball reaches."""
    return _choice(setup, crossing, "points around the center", truth)


def _choice(setup: Selection, crossing: Crossing, name: str, truth: float | None) -> RadiusChoiceView:
    from app.plots.one_cluster.radius_choice import RadiusChoiceView

    t = setup.mechanism.t
    return RadiusChoiceView(
        radii=crossing.radii,
        counts=crossing.counts,
        target=crossing.target,
        t=t,
        chosen=crossing.chosen,
        name=name,
        unit=setup.unit,
        slack=t - crossing.target,
        truth=truth,
    )


def number_view(seen: Projection, released: float, records: Records | None, truth: float | None) -> CloudView:
    """Show a number among the records; without them, as it was released."""
    return CloudView(
        seen.directions,
        noun="median",  # of the records; what is released is any number among them
        records=records,
        released=np.array([[released]]),
        truth=None if truth is None else np.array([[truth]]),
        simulated=False,
    )
