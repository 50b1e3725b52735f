"""Which other mechanism would fall nearest to the truth on these data (simulated)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.analysis.points_errors import RUNS
from engine.analysis.shared.alternatives import alternatives_of, baselines
from engine.analysis.shared.point_steps import simulated_values, true_value
from engine.array_types import Floats
from engine.data.points import Points
from engine.findings import Finding
from engine.mechanisms import BlockMechanism, PointsMechanism
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.shown import ShownInALine

FEW = 20
"""Simulated releases of each alternative: enough to tell it from one that is clearly worse."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PointsAlternative(ShownInALine):
    """The best of the other mechanisms for the same task and budget (private), from `best_alternative`.

    Attributes
    ----------
    label : str
        That of the mechanism, or of its aggregator.
    mechanism : PointsMechanism
    typical : float
        Its median error.
    better : float
        How many times smaller that is than the median error of the mechanism that was asked about.
    """

    label: str
    mechanism: PointsMechanism
    typical: float
    better: float

    def findings(self) -> Iterator[Finding]:
        """Yield which it is, and its median error."""
        yield Finding("best alternative", self.label)
        yield Finding(f"median error, {self.label.lower()}", self.typical)


def best_alternative(
    mechanism: PointsMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    runs: int = FEW,
    seed: int = 1,
    progress: Progress = silent,
) -> PointsAlternative | None:
    """Simulate what could take the place of a mechanism, and return the best of it (private).

    Of a mechanism without blocks, only others without blocks: to run a function on many blocks takes long.

    Parameters
    ----------
    mechanism : PointsMechanism
    data : Points
    privacy : PrivacyLike
        The budget of each.
    runs, seed : int
        So many simulated releases of each alternative, or fewer where each takes long.
    progress : Progress

    Returns
    -------
    PointsAlternative or None
        None where nothing else is possible; it may be worse than the mechanism itself.

    Examples
    --------
    Where the bounds are close, CoinPress is no better than the noisy mean:

    >>> import numpy as np
    >>> from engine import Box, NoisyAverage, Points, Privacy
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> found = best_alternative(NoisyAverage(), data, Privacy(1.0))
    >>> found.label, bool(found.better < 1)
    ('CoinPress', True)
    """
    privacy = as_privacy(privacy)
    others = _others(mechanism, data, privacy)
    possible = {label: one for label, one in others.items() if not one.problems(privacy, data.domain, data.n)}
    if not possible:
        return None
    truth = true_value(mechanism, data, privacy, part(progress, 0.0, 0.1))

    def typical(one: PointsMechanism, most: int, share: Progress) -> float:
        values: Floats = simulated_values(one, data, privacy, runs=most, seed=seed, progress=share)
        errors = mechanism.errors(values, truth, data.domain)
        return float(np.median(errors[~np.isnan(errors)])) if not np.isnan(errors).all() else np.inf

    own = typical(mechanism, RUNS, part(progress, 0.1, 0.2))
    found = []
    for step, (label, other) in enumerate(possible.items()):
        share = part(progress, 0.2 + 0.8 * step / len(possible), 0.2 + 0.8 * (step + 1) / len(possible))
        error = typical(other, runs, share)
        found.append(PointsAlternative(label, other, error, own / error if error else np.inf))
    return min(found, key=lambda one: one.typical)


def _others(mechanism: PointsMechanism, data: Points, privacy: Privacy) -> dict[str, PointsMechanism]:
    if isinstance(mechanism, BlockMechanism):
        found = alternatives_of(mechanism, data, privacy)
    else:
        found = {one.label: one for one in baselines(mechanism, data, privacy)}
    return {label: one for label, one in found.items() if one != mechanism}
