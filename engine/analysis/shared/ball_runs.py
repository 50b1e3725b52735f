"""Simulated runs of mechanisms that find balls, and the balls that are true (private)."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from engine.analysis.memory import remembered
from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import true_value
from engine.analysis.shared.projections import Projection
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Interval
from engine.mechanisms import BallMechanism
from engine.mechanisms.one_cluster import Ball, Found
from engine.mechanisms.one_cluster.balls import BallRun, BallsPrepared
from engine.privacy import Privacy
from engine.progress import Progress, part, silent
from engine.randomness import reproducible
from engine.shown import ShownInALine

MOST_RUNS = 6
"""Runs that are remembered with all the boxes that they drew, which may be many."""

AROUND, CLOSEST = 2.0, 1e-4
"""How far a close-up reaches: in radii of the ball, and at least in shares of what there is."""

TINY = 0.04
"""Share of the smallest side below which one ball is looked at closely, unless something else is asked."""


@dataclasses.dataclass(frozen=True, repr=False)
class PlacedBalls(ShownInALine):
    """What is released, or could be: balls, where they were found, and perhaps the mean inside."""

    balls: tuple[Ball | None, ...] = ()
    mean: tuple[float, ...] | None = None

    @classmethod
    def of(cls, value: Any) -> PlacedBalls:
        """Read what a mechanism has released."""
        found = value if isinstance(value, list) else [value]
        balls = tuple(ball and Ball(tuple(ball["center"]), ball["radius"]) for ball in found)
        mean = value.get("mean") if isinstance(value, dict) else None
        return cls(balls, tuple(mean) if mean else None)

    @classmethod
    def of_run(cls, run: BallRun) -> PlacedBalls:
        """Return what a run would release."""
        balls = tuple(one.ball for one in run.searches)
        return cls(balls, None if run.mean is None else tuple(run.mean.tolist()))

    @property
    def found(self) -> tuple[Ball, ...]:
        """The balls that there are."""
        return tuple(ball for ball in self.balls if ball is not None)


def simulate_run(
    mechanism: BallMechanism, data: Points, privacy: Privacy, *, seed: int = 1, progress: Progress = silent
) -> BallRun:
    """Simulate one run, and tell how each ball was found (private)."""

    def work() -> BallRun:
        ready = prepare(mechanism, data, privacy, part(progress, 0.0, 0.8))
        assert isinstance(ready, BallsPrepared)
        return ready.run(reproducible(seed), part(progress, 0.8, 1.0))

    return remembered(data, ("ball run", mechanism, privacy, seed), work, MOST_RUNS)


def found_in_run(
    mechanism: BallMechanism,
    data: Points,
    privacy: Privacy,
    *,
    seed: int = 1,
    ball: int = 0,
    progress: Progress = silent,
) -> Found:
    """Simulate one run, and tell how one of its balls was found (private); `ball` counts from 0."""
    run = simulate_run(mechanism, data, privacy, seed=seed, progress=progress)
    return run.searches[min(ball, len(run.searches) - 1)]


def true_balls(
    mechanism: BallMechanism, data: Points, privacy: Privacy, *, progress: Progress = silent
) -> PlacedBalls:
    """Return the smallest balls around records that hold t, and perhaps the mean inside (private)."""
    row = true_value(mechanism, data, privacy, part(progress, 0.0, 1.0))
    return PlacedBalls.of(mechanism.released(row, data.domain))


def places_of(mechanism: BallMechanism, data: Points) -> Floats:
    """Return the records on the grid, where the mechanism sees them (private), shape (n, d)."""

    def work() -> Floats:
        return mechanism.search.domain(data.domain).rounded(data.values)

    return remembered(data, ("places", mechanism.grid), work)


def closeup(seen: Projection, shown: PlacedBalls, near: bool | None) -> Projection:
    """Return a projection with only what lies around balls in view, if that is asked for."""
    balls = shown.found
    sizes = np.array([side.width for side in seen.window])
    tiny = len(balls) == 1 and 2 * balls[0].radius < TINY * sizes.min()
    if not (tiny if near is None else near) or not balls:
        return seen
    centers = np.array([seen.points(ball.center) for ball in balls])
    reach = np.maximum(AROUND * max(ball.radius for ball in balls), CLOSEST * sizes)
    ends = zip(centers.min(axis=0) - reach, centers.max(axis=0) + reach, strict=True)
    return dataclasses.replace(seen, zoom=tuple(Interval(float(low), float(high)) for low, high in ends))
