"""What pictures of mechanisms on points are made of; nothing is computed twice (private)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.pages.base.cache import Cache
from engine.aggregation.center_of_attention import Radii
from engine.aggregation.running import Outputs
from engine.data.points import Points
from engine.mechanisms import BlockMechanism, Lloyd, PointsMechanism
from engine.mechanisms.prepared import Prepared
from engine.privacy import Privacy
from engine.progress import Progress, part
from engine.randomness import reproducible

COSTLY = 10_000_000
"""Records times releases that a mechanism may look at which reads all data for each release."""

Floats = NDArray[np.float64]


class PointsComputations:
    """The steps of mechanisms on points; the outputs of blocks are not worked out twice.

    They depend on data, function, sampling and pattern, and not on the budget.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def outputs(self, mechanism: BlockMechanism, points: Points, progress: Progress) -> Outputs:
        """Run the function on all blocks, or return what was found before."""
        key = ("outputs", points, mechanism.function, mechanism.sampling, mechanism.pattern)
        found: Outputs = self._cache.get(key, lambda: mechanism.block_outputs(points, progress))
        return found

    def ready(
        self, mechanism: PointsMechanism, points: Points, privacy: Privacy, progress: Progress
    ) -> Prepared:
        """Prepare a mechanism, with outputs that are known already."""

        def work() -> Prepared:
            if not isinstance(mechanism, BlockMechanism):
                return mechanism.prepare(points, privacy, progress)
            mechanism.refuse(privacy, points.domain, points.n)
            found = self.outputs(mechanism, points, part(progress, 0.0, 0.8))
            return mechanism.aggregated(found, points, privacy, part(progress, 0.8, 1.0))

        prepared: Prepared = self._cache.get(("ready", points, mechanism, privacy), work)
        return prepared

    def truth(
        self, mechanism: PointsMechanism, points: Points, privacy: Privacy, progress: Progress
    ) -> Floats:
        """Return what the mechanism estimates, shape (D,)."""

        def work() -> Floats:
            prepared = self.ready(mechanism, points, privacy, part(progress, 0.0, 0.5))
            return np.ravel(mechanism.true_value(prepared, points, part(progress, 0.5, 1.0)))

        found: Floats = self._cache.get(("truth", points, mechanism.estimand), work)
        return found

    def drawn(
        self,
        mechanism: PointsMechanism,
        points: Points,
        privacy: Privacy,
        runs: int,
        seed: int,
        progress: Progress,
    ) -> Floats:
        """Return simulated releases, shape (runs, D); fewer where each looks at all records."""
        ready = self.ready(mechanism, points, privacy, part(progress, 0.0, 0.5))
        if not isinstance(mechanism, Lloyd):
            return ready.draw(reproducible(seed), runs)
        runs = min(runs, max(5, COSTLY // (points.n * mechanism.k)))

        def work() -> Floats:
            rng, found = reproducible(seed), []
            for run in range(runs):
                progress(0.5 + 0.5 * run / runs, "noisy Lloyd")
                found.append(ready.draw(rng, 1))
            return np.concatenate(found)

        values: Floats = self._cache.get(("drawn", points, mechanism, privacy, runs, seed), work)
        return values

    def radii(self, mechanism: BlockMechanism, points: Points, progress: Progress) -> Radii:
        """Return the balls around all outputs."""
        found = self.outputs(mechanism, points, progress)
        space, (s, _) = mechanism.space(points.domain), mechanism.sampling.overlap(points.n)
        radii: Radii = self._cache.get(
            ("radii", found, s),
            lambda: Radii.of(space.distances(found.values, found.values, progress), space.diameter, s),
        )
        return radii
