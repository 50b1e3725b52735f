"""Cached steps of mechanisms on points, shared by plots (private)."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from engine.aggregation.center_of_attention import Radii
from engine.analysis.memory import remembered
from engine.analysis.preparing import prepare
from engine.array_types import Floats
from engine.data.points import Points
from engine.free_memory import MemoryNeeded
from engine.mechanisms import BlockMechanism, PointsMechanism
from engine.numerals import grouped
from engine.privacy import Privacy
from engine.progress import Progress, part, silent
from engine.randomness import reproducible
from engine.simulation import batches


def truth_key(mechanism: PointsMechanism) -> Hashable:
    """Return the cache key of `true_value`."""
    return "truth", mechanism.estimand


def true_value(
    mechanism: PointsMechanism, data: Points, privacy: Privacy, *, progress: Progress = silent
) -> Floats:
    """Return a mechanism's estimand, shape (D,), cached for all mechanisms with the same one."""

    def work() -> Floats:
        ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.5))
        return np.ravel(ready.true_value(part(progress, 0.5, 1.0)))

    return remembered(data, truth_key(mechanism), work)


def simulated_values(
    mechanism: PointsMechanism,
    data: Points,
    privacy: Privacy,
    *,
    runs: int,
    seed: int,
    progress: Progress = silent,
) -> Floats:
    """Return simulated releases, shape (runs, D), or fewer if each takes long (`Prepared.most_runs`).

    A row is NaN where the mechanism refused to answer.
    """

    def work() -> Floats:
        ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.5))
        most, rng = ready.most_runs(runs), reproducible(seed)
        sizes = [min(ready.batch_size, most - start) for start in range(0, most, ready.batch_size)]
        return np.concatenate(list(batches(ready, sizes, lambda _: rng, progress=part(progress, 0.5, 1.0))))

    shared = mechanism.shared_work(data.domain)
    key = ("simulated", mechanism, shared and shared.key, privacy, runs, seed)
    return remembered(data, key, work)


def radii_of_outputs(
    mechanism: BlockMechanism, data: Points, privacy: Privacy, *, progress: Progress = silent
) -> Radii:
    """Return the balls around the outputs of all blocks; O(m^2 log m)."""
    (s, _), space = mechanism.sampling.overlap(data.n), mechanism.vectors.space(data.domain)

    def work() -> Radii:
        ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.5))
        outputs = ready.diagnostics["outputs"]
        MemoryNeeded(24.0 * len(outputs) ** 2, "use fewer blocks").ask(
            f"Radii of {grouped(len(outputs))} outputs"
        )
        return Radii.of(space.distances(outputs, outputs, part(progress, 0.5, 1.0)), space.diameter, s)

    return remembered(data, ("radii", mechanism.shared_work(data.domain).key), work)
