"""What would be released: theory, and simulated releases."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.analysis.sensitivity import prepare_scalar
from engine.array_types import Floats
from engine.findings import Finding
from engine.mechanisms.prepared import ScalarPrepared
from engine.mechanisms.scalar import ScalarMechanism
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.shown import ShownInALine
from engine.simulation import simulate_prepared

RUNS = 1000
"""Simulated releases, unless another number is asked for."""


@dataclasses.dataclass(frozen=True, repr=False)
class SimulatedReleases(ShownInALine):
    """Theory and simulation of one release (private), from `simulate_releases`.

    Attributes
    ----------
    prepared : ScalarPrepared
        The mechanism, prepared on the data: density and quantiles.
    simulated : ndarray, shape (m,)
        The first m simulated releases; NaN where the mechanism refused.
    runs : int
        How many there are once all have been shown; m goes to `runs` while they are played.
    true_value : float
        f(x).
    released : float or None
        A value that has really been released.
    """

    prepared: ScalarPrepared
    simulated: Floats
    runs: int
    true_value: float
    released: float | None = None

    @property
    def resolution(self) -> float | None:
        """The declared step of released values, of which bins then hold whole ones."""
        return self.prepared.grid.step if self.prepared.grid.declared else None

    @property
    def piles(self) -> tuple[float, float]:
        """The shares of the simulated values at either end to which they are clamped."""
        low, high = self.prepared.grid.ends
        many = max(self.answered.size, 1)
        return np.count_nonzero(self.answered <= low) / many, np.count_nonzero(self.answered >= high) / many

    @property
    def answered(self) -> Floats:
        """The simulated values that were not refused."""
        return self.simulated[~np.isnan(self.simulated)]

    def findings(self) -> Iterator[Finding]:
        """Yield some of the releases, their median error, and how many were refused."""
        yield Finding("first simulated releases", self.simulated[:5])
        yield Finding("median error of the runs", np.median(np.abs(self.answered - self.true_value)))
        yield Finding("runs without an answer", self.simulated.size - self.answered.size)


def simulate_releases(
    mechanism: ScalarMechanism,
    data: Any,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    runs: int = RUNS,
    released: float | None = None,
    progress: Progress = silent,
) -> SimulatedReleases:
    """Simulate what a mechanism would release of these data (private).

    Parameters
    ----------
    mechanism : ScalarMechanism
    data : Database
    privacy : PrivacyLike
    seed : int
        The same seed gives the same values.
    runs : int
        Simulated releases.
    released : float, optional
        A value that has really been released, to stand beside them.
    progress : Progress, optional

    Returns
    -------
    SimulatedReleases

    Raises
    ------
    ParameterError
        If the mechanism does not fit, or `runs` is below 1.

    Examples
    --------
    Half of the errors of Laplace noise of scale 10 are below 10 ln 2 = 6.9.

    >>> import numpy as np
    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, Sample
    >>> data = Sample([40.0] * 10, Interval(0, 100))
    >>> mechanism = LaplaceRelease(query=Mean(), clamp="none")
    >>> found = simulate_releases(mechanism, data, Privacy(1.0), runs=50_000)
    >>> found.true_value, round(float(np.median(abs(found.answered - 40.0))))
    (40.0, 7)
    """
    privacy = as_privacy(privacy)
    prepared = prepare_scalar(mechanism, data, privacy, progress=part(progress, 0.0, 0.5))
    result = simulate_prepared(
        mechanism, prepared, data, runs=runs, seed=seed, progress=part(progress, 0.5, 1.0)
    )
    return SimulatedReleases(
        prepared=prepared,
        simulated=result.values,
        runs=runs,
        true_value=result.true_value,
        released=released,
    )
