"""How far releases fall from the truth, mechanism beside mechanism for the same task (simulated)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.analysis.shared.alternatives import alternatives_of
from engine.analysis.shared.point_steps import simulated_values, true_value
from engine.array_types import Floats
from engine.data.points import Points
from engine.findings import Finding
from engine.mechanisms import PointsMechanism
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.shown import ShownInALine

RUNS = 400
"""Simulated releases of each mechanism."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ErrorSample(ShownInALine):
    """Simulated errors of one mechanism (private), from `compare_errors`.

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
    why : str
        Why it is nearer to the truth than others where it is; "" for nothing to say.
    """

    label: str
    errors: Floats
    chosen: bool = False
    problem: str = ""
    baseline: bool = False
    why: str = ""

    @property
    def answered(self) -> Floats:
        """The errors of the runs that answered, increasing."""
        return np.sort(self.errors[~np.isnan(self.errors)])

    @property
    def typical(self) -> float:
        """The median error; NaN if no run answered."""
        return float(np.median(self.answered)) if self.answered.size else float("nan")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ErrorComparison(ShownInALine):
    """Errors of several mechanisms for the same task and the same budget (private), from `compare_errors`.

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
    """Simulate a mechanism and its alternatives, and return how far each falls from the truth (private)."""
    privacy = as_privacy(privacy)
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
        sample = ErrorSample(label, errors, other == mechanism, words, why=other.why)
        known = ErrorComparison((*known.samples, sample), diameter)
        publish(known)
    return known
