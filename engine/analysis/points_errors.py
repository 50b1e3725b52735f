"""Errors of mechanisms on points, and their best alternatives."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.analysis.expected_error import ErrorEstimate, ExpectedError
from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import simulated_values, true_value
from engine.analysis.shared.projections import Space
from engine.arguments import as_data
from engine.array_types import Floats
from engine.data.points import Points
from engine.findings import Finding
from engine.mechanisms import BlockMechanism, Mechanism, PointsMechanism
from engine.mechanisms.aggregators import AGGREGATORS
from engine.mechanisms.points import PointsMechanismLike, checked_points_mechanism
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.shown import ShownInALine
from engine.signatures import explained


def alternatives_of(mechanism: PointsMechanism, space: Space, privacy: Privacy) -> dict[str, PointsMechanism]:
    """Return a mechanism and others for its task, by label (public).

    With blocks: the mechanism with other aggregators, and `baselines`.  Without: all others for the same
    query.
    """
    if not isinstance(mechanism, BlockMechanism):
        others = _for_the_same_task(mechanism, space, privacy)
        return {one.label: one for one in others if isinstance(one, PointsMechanism)}
    aggregator = mechanism.aggregator
    results: dict[str, PointsMechanism] = {aggregator.label: mechanism}
    for other in AGGREGATORS.values():
        if other is not type(aggregator) and not other.on_a_line:
            same = {name: getattr(aggregator, name) for name in ("noise",) if _share(other, aggregator, name)}
            results[other.label] = dataclasses.replace(mechanism, aggregator=other(**same))
    return results | {one.label: one for one in baselines(mechanism, space, privacy)}


def baselines(mechanism: PointsMechanism, space: Space, privacy: Privacy) -> tuple[PointsMechanism, ...]:
    """Return the mechanisms without blocks for the same query (public)."""
    same = _for_the_same_task(mechanism, space, privacy)[1:]
    plain = (one for one in same if not isinstance(one, BlockMechanism))
    return tuple(one for one in plain if isinstance(one, PointsMechanism))


def _for_the_same_task(
    mechanism: PointsMechanism, space: Space, privacy: Privacy
) -> tuple[Mechanism[Any], ...]:
    """Return the mechanism and all others for the same query."""
    # imported late: pages that only name an analysis open sooner
    from engine.comparison.contenders import alternatives

    return alternatives(mechanism, privacy, space.domain, space.n)


def _share(other: type, aggregator: object, name: str) -> bool:
    declared = {parameter.name for parameter in other.parameters()}  # type: ignore[attr-defined]
    return name in declared and hasattr(aggregator, name)


RUNS = 400
"""Number of simulated releases for a typical error."""


@explained
def estimate_points_error(
    mechanism: PointsMechanismLike,
    data: Any,
    privacy: PrivacyLike,
    *,
    runs: int = RUNS,
    seed: int = 1,
    progress: Progress = silent,
) -> ErrorEstimate:
    """Simulate releases of a mechanism on points, and return their errors (private).

    Parameters
    ----------
    mechanism : PointsMechanism
    data : Points
    privacy : PrivacyLike
    runs : int
        Number of runs; fewer if each takes long.
    seed : int
        The same seed gives the same errors.
    progress : Progress, optional

    Returns
    -------
    ErrorEstimate
        Errors of the answered releases, in the metric of outputs and at most ``width``; ``width`` if none is
        answered.

    Raises
    ------
    ParameterError
        If the mechanism does not fit.

    See Also
    --------
    best_alternative, plan_blocks

    Examples
    --------
    Laplace noise of scale 2/(1000 epsilon) in each of two columns:

    >>> import numpy as np
    >>> from engine import Box, NoisyAverage, Points, Privacy
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> found = estimate_points_error(NoisyAverage(), data, Privacy(1.0)).errors
    >>> 0.001 < found.typical < found.most < 0.02
    True
    """
    privacy, mechanism = as_privacy(privacy), checked_points_mechanism(mechanism)
    data = as_data(data, mechanism)
    truth = true_value(mechanism, data, privacy, progress=part(progress, 0.0, 0.4))
    share = part(progress, 0.4, 1.0)
    values = simulated_values(mechanism, data, privacy, runs=runs, seed=seed, progress=share)
    errors = mechanism.output.errors(values, truth, data.domain)
    answered = errors[~np.isnan(errors)]
    ready, space = prepare(mechanism, data, privacy), mechanism.vectors.space(data.domain)
    diameter = space.diameter
    typical, most = np.quantile(answered if answered.size else diameter, [0.5, 0.95])
    return ErrorEstimate(
        errors=ExpectedError(float(typical), float(most), private=True),
        smooth=ready.diagnostics.get("smooth"),
        global_=diameter,
        width=diameter,
        neighbours=mechanism.relation,
        answers=answered.size / errors.size,
        exact=float(np.mean(answered == 0)) if answered.size else None,
        noise=ready.noise,
        measure=space.measure,
        fell_back=ready.diagnostics.get("fell_back", 0),
    )


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ErrorSample(ShownInALine):
    """Simulated errors of one mechanism (private), from `compare_errors`."""

    label: str  # of the mechanism, or of its aggregator
    errors: Floats  # shape (runs,); distances from the truth; NaN where it refused to answer
    chosen: bool = False  # whether this is the mechanism to compare with
    problem: str = ""  # why there are no errors, if there are none
    baseline: bool = False  # whether other plots show it as the baseline, in that color
    why: str = ""  # why it may be closer to the truth than others; "" without a reason

    @property
    def answered(self) -> Floats:
        """The errors of the runs with an answer, increasing."""
        return np.sort(self.errors[~np.isnan(self.errors)])

    @property
    def typical(self) -> float:
        """The median error; NaN without answers."""
        return float(np.median(self.answered)) if self.answered.size else float("nan")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ErrorComparison(ShownInALine):
    """Errors of several mechanisms for the same task and budget (private), from `compare_errors`."""

    samples: tuple[ErrorSample, ...]
    diameter: float  # Λ: the largest possible error (public)

    @property
    def ranked(self) -> tuple[ErrorSample, ...]:
        """Samples with errors, the smallest typical error first."""
        return tuple(sorted((s for s in self.samples if s.answered.size), key=lambda s: s.typical))

    def findings(self) -> Iterator[Finding]:
        """Yield the typical error of each mechanism, or why it has none."""
        for sample in self.samples:
            if sample.problem:
                yield Finding(sample.label, sample.problem, public=True)
            else:
                yield Finding(f"median error, {sample.label.lower()}", sample.typical)


def compare_errors(
    mechanism: PointsMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    runs: int = RUNS,
    seed: int = 1,
    publish: Publish[ErrorComparison] = unpublished,
    progress: Progress = silent,
) -> ErrorComparison:
    """Simulate a mechanism and its alternatives, and return their errors (private)."""
    privacy = as_privacy(privacy)
    truth = true_value(mechanism, data, privacy, progress=part(progress, 0.0, 0.2))
    diameter = mechanism.vectors.space(data.domain).diameter
    others = alternatives_of(mechanism, data, privacy)
    known = ErrorComparison((), diameter)
    for step, (label, other) in enumerate(others.items()):
        share = part(progress, 0.2 + 0.8 * step / len(others), 0.2 + 0.8 * (step + 1) / len(others))
        problems, errors = other.problems(privacy, data.domain, data.n), np.empty(0)
        if not problems:
            values = simulated_values(other, data, privacy, runs=runs, seed=seed, progress=share)
            errors = mechanism.output.errors(values, truth, data.domain)
        text = problems[0].message if problems else ""
        sample = ErrorSample(label, errors, other == mechanism, text, why=other.facts.why)
        known = ErrorComparison((*known.samples, sample), diameter)
        publish(known)
    return known


ALTERNATIVE_RUNS = 20
"""Simulated releases of each alternative: enough to recognise one that is clearly worse."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PointsAlternative(ShownInALine):
    """The best alternative mechanism for the same task and budget (private), from `best_alternative`."""

    label: str  # of the mechanism, or of its aggregator
    mechanism: PointsMechanism
    typical: float  # its median error
    # median error of the original mechanism divided by this one
    better: float

    def findings(self) -> Iterator[Finding]:
        """Yield its label and its median error."""
        yield Finding("best alternative", self.label)
        yield Finding(f"median error, {self.label.lower()}", self.typical)


@explained
def best_alternative(
    mechanism: PointsMechanismLike,
    data: Any,
    privacy: PrivacyLike,
    *,
    runs: int = ALTERNATIVE_RUNS,
    seed: int = 1,
    progress: Progress = silent,
) -> PointsAlternative | None:
    """Simulate alternatives to a mechanism, and return the best one (private).

    Without blocks only others without blocks are tried, since functions on many blocks take long.

    Parameters
    ----------
    mechanism : PointsMechanism
    data : Points
    privacy : PrivacyLike
        The budget of each.
    runs, seed : int
        Number of simulated releases of each alternative; fewer if each takes long.
    progress : Progress

    Returns
    -------
    PointsAlternative or None
        None without alternatives; the result may be worse than the mechanism itself.

    See Also
    --------
    estimate_points_error, compare

    Examples
    --------
    With tight bounds, CoinPress is no better than the noisy mean:

    >>> import numpy as np
    >>> from engine import Box, NoisyAverage, Points, Privacy
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> found = best_alternative(NoisyAverage(), data, Privacy(1.0))
    >>> found.label, bool(found.better < 1)
    ('CoinPress', True)
    """
    privacy, mechanism = as_privacy(privacy), checked_points_mechanism(mechanism)
    data = as_data(data, mechanism)
    others = _others(mechanism, data, privacy)
    possible = {label: one for label, one in others.items() if not one.problems(privacy, data.domain, data.n)}
    if not possible:
        return None
    truth = true_value(mechanism, data, privacy, progress=part(progress, 0.0, 0.1))

    def typical(one: PointsMechanism, most: int, share: Progress) -> float:
        values: Floats = simulated_values(one, data, privacy, runs=most, seed=seed, progress=share)
        errors = mechanism.output.errors(values, truth, data.domain)
        return float(np.median(errors[~np.isnan(errors)])) if not np.isnan(errors).all() else np.inf

    own = typical(mechanism, RUNS, part(progress, 0.1, 0.2))
    results = []
    for step, (label, other) in enumerate(possible.items()):
        share = part(progress, 0.2 + 0.8 * step / len(possible), 0.2 + 0.8 * (step + 1) / len(possible))
        error = typical(other, runs, share)
        results.append(PointsAlternative(label, other, error, own / error if error else np.inf))
    return min(results, key=lambda one: one.typical)


def _others(mechanism: PointsMechanism, data: Points, privacy: Privacy) -> dict[str, PointsMechanism]:
    if isinstance(mechanism, BlockMechanism):
        results = alternatives_of(mechanism, data, privacy)
    else:
        results = {one.label: one for one in baselines(mechanism, data, privacy)}
    return {label: one for label, one in results.items() if one != mechanism}
