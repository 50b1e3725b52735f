"""How one moving record changes local and smooth sensitivity, and what noise at either scale reveals."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.findings import Finding
from engine.mechanisms.smooth import SmoothRelease, smooth_bound
from engine.noise import Laplace, LaplacePareto
from engine.noise.base import Noise
from engine.privacy import Privacy
from engine.queries import Median

DOMAIN = Interval(0.0, 100.0)
SMOOTH_NOISE = LaplacePareto()
"""The noise at smooth sensitivity: the same family at every epsilon."""
LEFT = 10.0 + 0.08 * np.arange(11)
RIGHT = 89.36 + 0.08 * np.arange(9)
HOME = 10.88
"""Two groups of records, and the start of the moving record: the end of the left group."""

STEPS = 61
STEPS_NEAR_HOME = np.geomspace(0.05, 6.0, 12)
"""Distances from the start where local sensitivity grows fast, in addition to `STEPS` over the domain."""
ANSWERS = np.linspace(-60.0, 140.0, 601)


@dataclasses.dataclass(frozen=True)
class LeapWatcher:
    """An observer of one answer, who guesses whether the record is at its start or was moved.

    `leap_scene` has two of them.
    """

    family: Noise
    center: tuple[float, float]  # of the answer if the record is at its start, and if it was moved
    scale: tuple[float, float]

    def density(self, answers: ArrayLike) -> Floats:
        """Return the densities of answers in both cases, shape (2, m)."""
        where = np.asarray(answers, dtype=np.float64)
        result: Floats = np.exp([self._log_density(where, case) for case in (0, 1)])
        return result

    def belief(self, answers: ArrayLike) -> Floats:
        """Return the posterior probability that the record is at its start, after even odds."""
        where = np.asarray(answers, dtype=np.float64)
        with np.errstate(over="ignore"):
            odds = np.exp(self._log_density(where, 1) - self._log_density(where, 0))
        result: Floats = 1 / (1 + odds)
        return result

    @property
    def belief_at_home(self) -> float:
        """The belief after the likeliest answer for a record at its start."""
        return float(self.belief(self.center[0]))

    def _log_density(self, answers: Floats, case: int) -> Floats:
        z = (answers - self.center[case]) / self.scale[case]
        result: Floats = self.family.log_density(z) - np.log(self.scale[case])
        return result


@dataclasses.dataclass(frozen=True)
class Leap:
    """One record that moves across a gap in synthetic data, as `leap_scene` returns it."""

    records: Floats  # all other records
    position: float  # present position of the record
    epsilon: float
    positions: Floats  # local sensitivity and S* of the median for each position of the record
    local: Floats
    smooth: Floats
    now: tuple[float, float]  # both at the present position
    at_local: LeapWatcher  # observers of noise at the scale of the local sensitivity, and of S*
    at_smooth: LeapWatcher

    @property
    def most(self) -> float:
        """The largest belief that epsilon allows, starting at one half: odds of e^epsilon."""
        return float(1 / (1 + np.exp(-self.epsilon)))

    def findings(self) -> Iterator[Finding]:
        """Yield both sensitivities and both beliefs."""
        yield Finding("local sensitivity", self.now[0], public=False)
        yield Finding("smooth sensitivity", self.now[1], public=False)
        yield Finding("belief under noise at local sensitivity", self.at_local.belief_at_home, public=False)
        yield Finding("belief under noise at S*", self.at_smooth.belief_at_home, public=False)


def leap_scene(position: float, epsilon: float) -> Leap:
    """Return the scene of one record that moves across a gap.

    Noise at the local sensitivity is Laplace noise with scale LS/epsilon, which is not private; noise at S*
    is that of `SmoothRelease`.
    """
    privacy, mechanism = Privacy(epsilon), SmoothRelease(query=Median(), noise=SMOOTH_NOISE)
    home, moved = _sample(HOME), _sample(position)
    prepared = [mechanism.prepare(data, privacy) for data in (home, moved)]
    results = [(float(one.diagnostics["local"]), float(one.diagnostics["smooth"])) for one in prepared]
    center = (float(prepared[0].diagnostics["true_value"]), float(prepared[1].diagnostics["true_value"]))
    positions, local, smooth = _curves(epsilon)
    return Leap(
        records=np.concatenate([LEFT, RIGHT]),
        position=position,
        epsilon=epsilon,
        positions=positions,
        local=local,
        smooth=smooth,
        now=results[1],
        at_local=LeapWatcher(Laplace(), center, (results[0][0] / epsilon, results[1][0] / epsilon)),
        at_smooth=LeapWatcher(SMOOTH_NOISE, center, (prepared[0].scale, prepared[1].scale)),
    )


def _sample(position: float) -> Sample:
    return Sample(np.concatenate([LEFT, RIGHT, [position]]), DOMAIN)


@functools.lru_cache(maxsize=32)
def _curves(epsilon: float) -> tuple[Floats, Floats, Floats]:
    """Return positions of the record, and both sensitivities at each."""
    mechanism = SmoothRelease(query=Median(), noise=SMOOTH_NOISE)
    beta = SMOOTH_NOISE.admissible(Privacy(epsilon)).beta
    evenly = np.linspace(DOMAIN.lower, DOMAIN.upper, STEPS)
    positions = np.sort(np.concatenate([evenly, [HOME], HOME + STEPS_NEAR_HOME]))
    samples = [_sample(float(one)) for one in positions]
    local = [mechanism.query.local_sensitivity(one) for one in samples]
    smooth = [smooth_bound(mechanism, one, beta).value for one in samples]
    return positions, np.array(local), np.array(smooth)
