"""The distribution of a release: theory and simulation."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.analysis.sensitivity import prepare_scalar
from engine.arguments import as_data
from engine.array_types import Floats
from engine.data.order_statistics import Sample
from engine.findings import Finding
from engine.mechanisms.prepared import ScalarPrepared
from engine.mechanisms.scalar import ScalarMechanism, ScalarMechanismLike, checked_scalar
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.shown import ShownInALine
from engine.signatures import explained
from engine.simulation import simulate_prepared

RUNS = 1000
"""Default number of simulated releases."""


@dataclasses.dataclass(frozen=True, repr=False)
class SimulatedReleases(ShownInALine):
    """Theory and simulation of one release (private), from `simulate_releases`.

    Attributes
    ----------
    prepared : ScalarPrepared
        The mechanism, prepared on the data: density and quantiles.
    simulated : ndarray, shape (m,)
        The simulated releases; NaN where the mechanism refused to answer.
    runs : int
        Number of runs, m.
    true_value : float
        f(x).
    released : float or None
        A value that has actually been released.
    unclamped : float or None
        f of the values before clamping, if clamping changes it.

    See Also
    --------
    simulate_releases
    """

    prepared: ScalarPrepared
    simulated: Floats
    runs: int
    true_value: float
    released: float | None = None
    unclamped: float | None = None

    @property
    def resolution(self) -> float | None:
        """The declared step of released values; histogram bins contain whole steps."""
        return self.prepared.grid.step if self.prepared.grid.declared else None

    @property
    def piles(self) -> tuple[float, float]:
        """Shares of the simulated values that are clamped to either end."""
        low, high = self.prepared.grid.ends
        many = max(self.answered.size, 1)
        return np.count_nonzero(self.answered <= low) / many, np.count_nonzero(self.answered >= high) / many

    @property
    def answered(self) -> Floats:
        """Simulated values of the runs with an answer."""
        return self.simulated[~np.isnan(self.simulated)]

    def plot(self, axes: Any = None) -> Any:
        """Draw the simulated releases on axes of matplotlib, or on new ones; return the axes."""
        from engine.plots import plot_simulated

        return plot_simulated(self, axes)

    def findings(self) -> Iterator[Finding]:
        """Yield some releases, their median error, and the number of refusals."""
        yield Finding("first simulated releases", self.simulated[:5])
        yield Finding("median error of the runs", np.median(np.abs(self.answered - self.true_value)))
        yield Finding("runs without an answer", self.simulated.size - self.answered.size)


@explained
def simulate_releases(
    mechanism: ScalarMechanismLike,
    data: Any,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    runs: int = RUNS,
    released: float | None = None,
    progress: Progress = silent,
) -> SimulatedReleases:
    """Simulate releases of a mechanism on these data (private).

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
        An actual release, to compare with them.
    progress : Progress, optional

    Returns
    -------
    SimulatedReleases

    Raises
    ------
    ParameterError
        If the mechanism does not fit, or `runs` is below 1.

    See Also
    --------
    simulate, compare

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
    privacy, mechanism = as_privacy(privacy), checked_scalar(mechanism)
    data = as_data(data, mechanism)
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
        unclamped=_unclamped(mechanism, data, result.true_value),
    )


def _unclamped(mechanism: ScalarMechanism, data: Any, clamped: float) -> float | None:
    """Return f of a sample before clamping (private); None if that is f of the clamped values."""
    if not isinstance(data, Sample) or not data.outside:
        return None
    value = float(mechanism.query.value(data.unclamped))
    return None if value == clamped else value
