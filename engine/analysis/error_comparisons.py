"""How far releases fall from the truth, mechanism beside mechanism for the same task (simulated)."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from engine.analysis.point_steps import simulated_values, true_value
from engine.analysis.projections import Space
from engine.comparison.contenders import alternatives
from engine.data.points import Points
from engine.mechanisms import BlockMechanism, PointsMechanism
from engine.mechanisms.aggregators import AGGREGATORS
from engine.privacy import Privacy
from engine.progress import Progress, Publish, part, silent, unheard

RUNS = 400
"""Simulated releases of each mechanism."""

_Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class ErrorSample:
    """Simulated errors of one mechanism (private).

    Attributes
    ----------
    label : str
        That of the mechanism, or of its aggregator.
    errors : ndarray, shape (runs,)
        Distances from the truth; NaN where it refused to answer.
    chosen : bool
        Whether the others are compared with this one.
    problem : str
        Why there are no errors, if there are none.
    baseline : bool
        Whether other pictures show it beside that, in the colour of a baseline.
    """

    label: str
    errors: _Floats
    chosen: bool = False
    problem: str = ""
    baseline: bool = False

    @property
    def answered(self) -> _Floats:
        """The errors of the runs that answered, increasing."""
        return np.sort(self.errors[~np.isnan(self.errors)])

    @property
    def typical(self) -> float:
        """The median error; NaN if no run answered."""
        return float(np.median(self.answered)) if self.answered.size else float("nan")


@dataclasses.dataclass(frozen=True, eq=False)
class ErrorComparison:
    """Errors of several mechanisms for the same task and the same budget (private).

    Attributes
    ----------
    samples : tuple of ErrorSample
    diameter : float
        Λ: the largest error that is possible (public).
    """

    samples: tuple[ErrorSample, ...]
    diameter: float

    @property
    def ranked(self) -> tuple[ErrorSample, ...]:
        """Those with errors, the smallest typical error first."""
        return tuple(sorted((s for s in self.samples if s.answered.size), key=lambda s: s.typical))


def compare_errors(
    mechanism: PointsMechanism,
    data: Points,
    privacy: Privacy,
    *,
    runs: int = RUNS,
    seed: int = 1,
    publish: Publish[ErrorComparison] = unheard,
    progress: Progress = silent,
) -> ErrorComparison:
    """Simulate a mechanism and its alternatives, and return how far each falls from the truth (private).

    Parameters
    ----------
    mechanism : PointsMechanism
    data : Points
    privacy : Privacy
        The budget of each.
    runs, seed : int
        So many simulated releases of each, or fewer where each takes long; all from the same seed.
    publish : callable
        Is given what is known after each mechanism.
    progress : Progress

    Returns
    -------
    ErrorComparison
        The mechanism itself first.
    """
    truth = true_value(mechanism, data, privacy, part(progress, 0.0, 0.2))
    diameter = mechanism.space(data.domain).diameter
    others = alternatives_of(mechanism, data, privacy)
    known = ErrorComparison((), diameter)
    for step, (label, other) in enumerate(others.items()):
        share = part(progress, 0.2 + 0.8 * step / len(others), 0.2 + 0.8 * (step + 1) / len(others))
        problems, errors = other.problems(privacy, data.domain, data.n), np.empty(0)
        if not problems:
            values = simulated_values(other, data, privacy, runs=runs, seed=seed, progress=share)
            errors = mechanism.errors(values, truth, data.domain)
        words = problems[0].message if problems else ""
        sample = ErrorSample(label, errors, other == mechanism, words)
        known = ErrorComparison((*known.samples, sample), diameter)
        publish(known)
    return known


def alternatives_of(mechanism: PointsMechanism, space: Space, privacy: Privacy) -> dict[str, PointsMechanism]:
    """Return a mechanism, itself with other aggregators, and `baselines`, by their labels (public)."""
    if not isinstance(mechanism, BlockMechanism):
        return {mechanism.label: mechanism}
    aggregator = mechanism.aggregator
    found: dict[str, PointsMechanism] = {aggregator.label: mechanism}
    for other in AGGREGATORS.values():
        if other is not type(aggregator) and not other.on_a_line:
            same = {name: getattr(aggregator, name) for name in ("noise",) if _share(other, aggregator, name)}
            found[other.label] = dataclasses.replace(mechanism, aggregator=other(**same))
    return found | {one.label: one for one in baselines(mechanism, space, privacy)}


def baselines(mechanism: PointsMechanism, space: Space, privacy: Privacy) -> tuple[PointsMechanism, ...]:
    """Return the mechanisms that answer the same question without blocks (public)."""
    same = alternatives(mechanism, privacy, space.domain, space.n)[1:]
    plain = (one for one in same if not isinstance(one, BlockMechanism))
    return tuple(one for one in plain if isinstance(one, PointsMechanism))


def _share(other: type, aggregator: object, name: str) -> bool:
    declared = {parameter.name for parameter in other.parameters()}  # type: ignore[attr-defined]
    return name in declared and hasattr(aggregator, name)
