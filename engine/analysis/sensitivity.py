"""Sensitivities of one dataset, along k and epsilon, and the records that determine them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.analysis.memory import remembered
from engine.analysis.preparing import prepare
from engine.arguments import as_data
from engine.array_types import Floats
from engine.findings import Finding
from engine.mechanisms.prepared import ScalarPrepared
from engine.mechanisms.scalar import ScalarMechanism, ScalarMechanismLike, checked_scalar
from engine.mechanisms.smooth import Calibration, SmoothRelease
from engine.noise import Admissible, Noise, default_pair
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.queries.profile import (
    LEAP_NEIGHBOURS,
    SensitivityPath,
    SensitivityProfile,
    SensitivitySweep,
    around_leap,
    sensitivity_path,
    sensitivity_profile,
    sensitivity_sweep,
)
from engine.shown import ShownInALine
from engine.signatures import explained


def prepare_scalar(
    mechanism: ScalarMechanism, data: Any, privacy: Privacy, *, progress: Progress
) -> ScalarPrepared:
    """Prepare a mechanism on these data, cached (private)."""
    prepared = prepare(mechanism, data, privacy, progress=progress)
    assert isinstance(prepared, ScalarPrepared)
    return prepared


SWEEP = (-2, 1)
"""Default range of epsilon, in powers of ten; wider if the chosen epsilon is outside."""
PER_DECADE = 16
LAST_K = (14, 5000)
"""Smallest and largest end of a profile: the curve must continue visibly even if k = 0 determines S*, and
would never end on constant data.
"""
STEPS, FEWER_STEPS = 2 * LEAP_NEIGHBOURS + 1, 41
"""Number of databases along a path; fewer if each takes long."""


@dataclasses.dataclass(frozen=True, repr=False)
class EpsilonSweep(ShownInALine):
    """A sweep over beta, with the epsilons that determine it (private).

    Returned by `sensitivity_against_epsilon`.
    """

    epsilons: Floats  # shape (m,); increasing; includes the chosen one
    sweep: SensitivitySweep  # sensitivities at the corresponding betas
    current_epsilon: float  # the chosen one

    @property
    def current_smooth(self) -> float:
        """S* at the chosen epsilon (NaN if no noise satisfies it)."""
        index = int(np.searchsorted(self.epsilons, self.current_epsilon))
        return float(self.sweep.smooth[index])

    def plot(self, axes: Any = None) -> Any:
        """Draw the sensitivities against epsilon on axes of matplotlib, or on new ones; return the axes."""
        from engine.plots import plot_sweep

        return plot_sweep(self.epsilons, self.sweep, "epsilon", axes)

    def findings(self) -> Iterator[Finding]:
        """Yield S* at each epsilon."""
        for epsilon, smooth in zip(self.epsilons.tolist(), self.sweep.smooth.tolist(), strict=True):
            at = f"at epsilon = {epsilon:.4g}"
            yield Finding(f"S {at} <=" if self.sweep.bound else f"S* {at}", smooth)


def noise_of(mechanism: ScalarMechanism, privacy: PrivacyLike) -> Noise:
    """Return the noise family of a mechanism; the default of smooth sensitivity without one."""
    privacy = as_privacy(privacy)
    return calibration_of(mechanism, privacy).noise


def pair_of(mechanism: ScalarMechanism, privacy: PrivacyLike) -> Admissible:
    """Return (alpha, beta) of the noise of a mechanism; those of the default without one."""
    privacy = as_privacy(privacy)
    used = calibration_of(mechanism, privacy)
    return default_pair(used.noise, used.privacy, constants=used.constants, split=used.split)


def calibration_of(mechanism: ScalarMechanism, privacy: Privacy) -> Calibration:
    """Return the calibration of noise to smooth sensitivity; the default one if a mechanism has none."""
    scaled = mechanism if isinstance(mechanism, SmoothRelease) else SmoothRelease(query=mechanism.query)
    return scaled.calibrate(privacy)


@explained
def sensitivity_against_k(
    mechanism: ScalarMechanismLike, data: Any, privacy: PrivacyLike, *, progress: Progress = silent
) -> SensitivityProfile:
    """Return A^(0), A^(1), … until S* is determined, and LS, S* and GS (private).

    Parameters
    ----------
    mechanism : ScalarMechanism
        Its query, and the beta of its noise.
    data : Database
    privacy : PrivacyLike
    progress : Progress, optional

    Returns
    -------
    SensitivityProfile

    See Also
    --------
    sensitivity_profile, sensitivity_against_epsilon

    Examples
    --------
    >>> from engine import Interval, Sample, SmoothRelease
    >>> data = Sample([2.0, 3.0, 5.0, 7.0, 11.0], Interval(0, 20))
    >>> found = sensitivity_against_k(SmoothRelease(), data, Privacy(1.0))
    >>> found.value, found.local, found.global_
    (5.0, 2.0, 20.0)
    """
    privacy, mechanism = as_privacy(privacy), checked_scalar(mechanism)
    data = as_data(data, mechanism)
    query, beta = mechanism.query, pair_of(mechanism, privacy).beta
    return remembered(
        data,
        ("against k", query, beta),
        lambda: sensitivity_profile(query, data, beta, progress=progress, k_within=LAST_K),
    )


@explained
def sensitivity_against_epsilon(
    mechanism: ScalarMechanismLike, data: Any, privacy: PrivacyLike, *, progress: Progress = silent
) -> EpsilonSweep:
    """Return S* over a sweep of epsilon: 16 values per power of ten, and the chosen one (private).

    Parameters
    ----------
    mechanism : ScalarMechanism
        Its query, and the noise that determines beta.
    data : Database
    privacy : PrivacyLike
        The sweep includes its epsilon and uses its delta.
    progress : Progress, optional

    Returns
    -------
    EpsilonSweep

    See Also
    --------
    sensitivity_sweep, sensitivity_against_k

    Examples
    --------
    A larger epsilon gives a larger beta, and so a smaller S*, but never below LS = 1.

    >>> from engine import Interval, Privacy, Sample, SmoothRelease
    >>> data = Sample(range(1, 11), Interval(0, 1000))
    >>> found = sensitivity_against_epsilon(SmoothRelease(), data, Privacy(1.0))
    >>> bool(found.sweep.smooth[0] > found.current_smooth > found.sweep.smooth[-1] >= 1)
    True
    """
    privacy, mechanism = as_privacy(privacy), checked_scalar(mechanism)
    data = as_data(data, mechanism)
    grid = _epsilons_around(privacy.epsilon)
    noise = getattr(mechanism, "noise", None)
    shares = tuple(getattr(mechanism, name, None) for name in ("constants", "split", "error_share"))
    key = (mechanism.query, noise, shares, privacy.delta)

    def sweep_of(epsilons: Floats, progress: Progress) -> SensitivitySweep:
        betas = []
        for step, epsilon in enumerate(epsilons):
            progress(0.5 * step / len(epsilons), "noise for each epsilon")
            betas.append(pair_of(mechanism, Privacy(float(epsilon), privacy.delta)).beta)
        return sensitivity_sweep(mechanism.query, data, np.array(betas), progress=part(progress, 0.5, 1.0))

    def work() -> SensitivitySweep:
        return sweep_of(grid, part(progress, 0.0, 0.9))

    result = remembered(data, ("against epsilon", *key, grid[0], grid[-1]), work)
    if privacy.epsilon in grid:
        return EpsilonSweep(grid, result, privacy.epsilon)
    here = np.array([privacy.epsilon])
    chosen = remembered(
        data,
        ("at epsilon", *key, privacy.epsilon),
        lambda: sweep_of(here, part(progress, 0.9, 1.0)),
    )
    index = int(np.searchsorted(grid, privacy.epsilon))
    joined = dataclasses.replace(
        result,
        betas=np.insert(result.betas, index, chosen.betas),
        smooth=np.insert(result.smooth, index, chosen.smooth),
    )
    return EpsilonSweep(np.insert(grid, index, here), joined, privacy.epsilon)


@explained
def sensitivity_along_path(
    mechanism: ScalarMechanismLike,
    data: Any,
    privacy: PrivacyLike,
    *,
    target: str = "",
    progress: Progress = silent,
) -> SensitivityPath:
    """Return value, LS and S* while the records of the data are replaced one by one (private).

    Parameters
    ----------
    mechanism : ScalarMechanism
    data : Walkable
    privacy : PrivacyLike
    target : str
        The end of the path: one of `far_ends` of the data, by default the first.
    progress : Progress, optional

    Returns
    -------
    SensitivityPath
        For a long path, at the databases within 60 steps of the largest jump of LS; at 41 databases if each
        takes long.

    Raises
    ------
    ParameterError
        If the data have no path with that name.

    See Also
    --------
    sensitivity_path, sensitivity_against_k

    Examples
    --------
    All records move to a bound, and GS stays the same:

    >>> from engine import Interval, Privacy, Sample, SmoothRelease
    >>> data = Sample(range(1, 11), Interval(0, 1000))
    >>> found = sensitivity_along_path(SmoothRelease(), data, Privacy(1.0))
    >>> found.changed[[0, -1]].tolist(), found.global_
    ([0, 10], 1000.0)
    """
    privacy, mechanism = as_privacy(privacy), checked_scalar(mechanism)
    data = as_data(data, mechanism)
    query, beta = mechanism.query, pair_of(mechanism, privacy).beta
    chosen = target or data.far_ends[0]

    def work() -> SensitivityPath:
        end = remembered(data, ("far end", chosen), lambda: data.far_end(chosen), most=1)
        steps = STEPS if data.records <= query.many else FEWER_STEPS
        within = around_leap(query, data, end, steps, progress=part(progress, 0.0, 0.3))
        return sensitivity_path(
            query, data, end, beta, steps, within=within, progress=part(progress, 0.3, 1.0)
        )

    return remembered(data, ("path", chosen, query, beta), work)


def _epsilons_around(epsilon: float) -> Floats:
    """Return the epsilons of a sweep of whole decades that includes `epsilon`."""
    power = math.log10(epsilon)
    first, last = min(SWEEP[0], math.floor(power)), max(SWEEP[1], math.ceil(power))
    result: Floats = np.logspace(first, last, PER_DECADE * (last - first) + 1)
    return result


@dataclasses.dataclass(frozen=True, repr=False)
class PivotalRecords(ShownInALine):
    """The records that determine A^(k) in a graph (private), from `pivotal_records`."""

    k: int
    what: str  # kind of records
    records: Any  # edges by index, or a pair of vertices

    def findings(self) -> Iterator[Finding]:
        """Yield the records."""
        yield Finding(f"{self.what} that determine A^({self.k})", self.records)


def pivotal_records(
    mechanism: ScalarMechanism, data: Any, *, k: int = 0, progress: Progress = silent
) -> PivotalRecords:
    """Return the records that determine A^(k) of a mechanism's query (private).

    Parameters
    ----------
    mechanism : ScalarMechanism
        With a query on a graph.
    data : WeightedGraph or SimpleGraph
    k : int
        Distance.
    progress : Progress, optional

    Returns
    -------
    PivotalRecords

    See Also
    --------
    sensitivity_against_k, sensitivity_path

    Examples
    --------
    In a triangle, two edges join one vertex to the others:

    >>> from engine import Interval, MstCost, SmoothRelease, WeightedGraph
    >>> graph = WeightedGraph([(0, 1), (1, 2), (0, 2)], weights=[3, 1, 2], domain=Interval(0, 5))
    >>> found = pivotal_records(SmoothRelease(query=MstCost()), graph, k=0)
    >>> found.what, sorted(found.records)
    ('edges across the cut', [0, 2])
    """
    what, records = mechanism.query.deciding(data, k, progress)  # type: ignore[attr-defined]  # of graphs
    return PivotalRecords(k, what, records)
