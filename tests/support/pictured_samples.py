"""Samples of numbers, and what pictures of one number's sensitivity and noise show of them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from app.plots.sensitivity.dot_strip import StripView
from engine.analysis.distribution import SimulatedReleases
from engine.analysis.noise import NoiseCurve, NoiseCurves
from engine.analysis.sensitivity import EpsilonSweep
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import MECHANISMS
from engine.noise import NOISES
from engine.privacy import Privacy
from engine.queries import Median
from engine.queries.profile import sensitivity_path, sensitivity_profile, sensitivity_sweep
from engine.simulation import simulate

BETA = 0.1
MEDIAN = Median()


@dataclasses.dataclass(frozen=True)
class Case:
    """Data with their bounds and unit."""

    values: np.ndarray
    domain: Interval
    unit: str = ""

    @property
    def sample(self) -> Sample:
        return Sample(self.values, self.domain)


def salaries(n: int) -> np.ndarray:
    return np.random.default_rng(1).lognormal(np.log(40_000), 0.5, n)


CASES = {
    "salaries": Case(salaries(2001), Interval(0, 200_000), "$"),
    "all equal": Case(np.full(101, 40_000.0), Interval(0, 200_000), "$"),
    "one record": Case(np.array([-3.0]), Interval(-5, 5), "°C"),
    "two records": Case(np.array([0.0, 1000.0]), Interval(0, 1000)),
    "outside": Case(np.array([-30.0, -20, 40, 50, 60]), Interval(-5, 5), "°C"),
    "smooth is global": Case(np.repeat([0.0, 1000.0], [5, 6]), Interval(0, 1000)),
    "huge": Case(salaries(301) * 2e7, Interval(0, 1e13), "$"),
    "tiny": Case(salaries(301) * 1e-14, Interval(-1e-9, 3e-9), "mol"),
    "negative": Case(np.linspace(-50, -10, 51), Interval(-60, -5), "dB"),
    "two dollars": Case(salaries(11), Interval(0, 200_000), "$/$"),
}


def profile(case: Case, beta: float = BETA, k_max: int | None = None) -> Any:
    return sensitivity_profile(MEDIAN, case.sample, beta, k_max)


def sweep(case: Case, current: float = 1.0) -> EpsilonSweep:
    epsilons = np.union1d(np.geomspace(0.01, 10, 31), current)
    return EpsilonSweep(epsilons, sensitivity_sweep(MEDIAN, case.sample, epsilons / 8), current)


def path(case: Case) -> Any:
    end = np.full(case.values.size, case.domain.upper)
    return sensitivity_path(MEDIAN, case.sample, Sample(end, case.domain), BETA, steps=41)


def curves(case: Case) -> NoiseCurves:
    privacy = Privacy(1.0, 1e-6)
    made = []
    for name, family in NOISES.items():
        noise = family()
        pair = noise.admissible(privacy)
        scale = MEDIAN.smooth_sensitivity(case.sample, pair.beta).value / pair.alpha
        made.append(NoiseCurve(noise, scale, name == "lcp"))
    return NoiseCurves(tuple(made), public=False)


def release(case: Case, method: str = "smooth", runs: int = 200, **parameters: Any) -> SimulatedReleases:
    mechanism = MECHANISMS[method](query=MEDIAN, **parameters)
    delta = 1e-6 if method == "propose-test-release" else 0.0
    simulation = simulate(mechanism, case.sample, Privacy(1.0, delta), runs=runs, seed=3)
    return SimulatedReleases(
        simulation.prepared,
        simulation.values,
        runs,
        simulation.true_value,
        float(np.nanmax(simulation.values)),
    )


def strip(case: Case) -> StripView:
    return StripView.of(case.values, case.domain, MEDIAN.value(case.sample), "median", dragged=0)
