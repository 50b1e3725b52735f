"""What pictures of balls are made of; nothing is computed twice (private)."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.selection import Selection
from app.pages.base.cache import Cache
from app.pages.one_cluster.views import ShownBalls
from engine.data.points import Points
from engine.mechanisms import BallMechanism, KBalls, ScreenedMean
from engine.mechanisms.one_cluster import Found
from engine.privacy import Privacy
from engine.progress import Progress
from engine.randomness import reproducible

Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class BallRun:
    """One simulated run: how each ball was found, and what would be released."""

    found: tuple[Found, ...]
    shown: ShownBalls


def with_budget(counted: Any, mechanism: BallMechanism, points: Points, privacy: Privacy) -> Any:
    """Return what was counted, ready to be drawn from with another budget."""
    task = mechanism.search(points.domain, points.n, privacy)
    if isinstance(mechanism, KBalls):
        return dataclasses.replace(counted, task=task, first=dataclasses.replace(counted.first, task=task))
    changed: dict[str, Any] = {"located": dataclasses.replace(counted.located, task=task)}
    if isinstance(mechanism, ScreenedMean):
        changed["budget"] = mechanism.shares(points.domain, points.n, privacy)[-1].privacy
    return dataclasses.replace(counted, **changed)


def true_key(mechanism: BallMechanism, points: Points) -> Hashable:
    """Return what the true balls depend on: not on the budget."""
    return "truth", points, mechanism.name, mechanism.t, mechanism.grid, getattr(mechanism, "k", 1)


class BallComputations:
    """The steps of mechanisms that find balls; what was counted is not counted again.

    Parameters
    ----------
    cache, runs : Cache
        What is kept, and the runs, which may be large.
    """

    def __init__(self, cache: Cache, runs: Cache) -> None:
        self._cache = cache
        self._runs = runs

    def ready(self, setup: Selection, points: Points, progress: Progress) -> Any:
        """Count what the mechanism counts; another budget needs no other counts."""
        mechanism, privacy = setup.mechanism, setup.privacy
        if not isinstance(mechanism, BallMechanism):
            return self._cache.get(
                ("ready", points, mechanism, privacy), lambda: mechanism.prepare(points, privacy, progress)
            )
        mechanism.refuse(privacy, points.domain, points.n)
        finder = mechanism.finder(points.domain).name
        # the cells of all sizes are the same for every t, L(r, S) is not
        t = None if finder == "b" else mechanism.t
        key = ("counted", points, mechanism.name, finder, mechanism.grid, getattr(mechanism, "k", 1), t)
        counted = self._cache.get(key, lambda: mechanism.prepare(points, privacy, progress))
        return with_budget(counted, mechanism, points, privacy)

    def places(self, mechanism: BallMechanism, points: Points) -> Floats:
        """Return the records on the grid, where the mechanism sees them."""
        found: Floats = self._cache.get(("places", points, mechanism.grid), lambda: mechanism.places(points))
        return found

    def truth(self, setup: Selection, points: Points, progress: Progress) -> Floats:
        """Return the true balls as numbers, as they are released."""
        mechanism = setup.mechanism
        assert isinstance(mechanism, BallMechanism)
        found: Floats = self._cache.get(
            true_key(mechanism, points), lambda: mechanism.truth(points, progress)
        )
        return found

    def run(self, setup: Selection, seed: int, points: Points, progress: Progress) -> BallRun:
        """Simulate one run."""
        mechanism = setup.mechanism
        ready = self.ready(setup, points, progress)

        def work() -> BallRun:
            rng = reproducible(seed)
            if isinstance(mechanism, KBalls):
                balls = ready.runs(rng)
                return BallRun(balls, ShownBalls(tuple(found.ball for found in balls)))
            if isinstance(mechanism, ScreenedMean):
                found, mean = ready.run(rng)
                return BallRun(
                    (found,), ShownBalls((found.ball,), None if mean is None else tuple(mean.tolist()))
                )
            found = ready.run(rng)
            return BallRun((found,), ShownBalls((found.ball,)))

        made: BallRun = self._runs.get(("run", points, mechanism, setup.privacy, seed), work)
        return made
