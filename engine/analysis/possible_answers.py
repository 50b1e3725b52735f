"""Possible answers of a mechanism on the same data, and how their error depends on epsilon (private)."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from engine.analysis.memory import remembered
from engine.array_types import Floats
from engine.mechanisms.base import Mechanism
from engine.mechanisms.release import Release
from engine.privacy import Privacy
from engine.progress import Progress, each, part, silent
from engine.randomness import reproducible
from engine.sampling.noise import GAUSSIAN, LAPLACE
from engine.shown import ShownInALine

ANSWERS, SEED = 20, 1
"""Number of possible answers in a picture, and their seed."""

RUNS, RUNS_OF_MANY = 1_000, 40
"""Simulated releases behind an error, of one number and of many; the former also behind quantiles."""

STEPS = 13
"""Values of epsilon at which a curve is computed."""

FAMILIES = {LAPLACE: np.random.Generator.laplace, GAUSSIAN: np.random.Generator.normal}
"""Functions that draw noise with a public scale."""

DIGITS = 2
"""Digits of an epsilon that is read off a curve."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ErrorCurve(ShownInALine):
    """The typical error of a mechanism for each epsilon, from `error_curve` (private)."""

    epsilons: Floats  # (m,), increasing; m is 0 if the mechanism fits no epsilon
    errors: Floats  # (m,), median errors: positive and decreasing

    def error(self, epsilon: float) -> float:
        """Return the error at an epsilon; beyond the ends, the error at the nearest end."""
        logs = np.interp(np.log(epsilon), np.log(self.epsilons), np.log(self.errors))
        return float(np.exp(logs))

    def epsilon(self, error: float) -> float:
        """Return the epsilon with this error, rounded to `DIGITS`; beyond the ends, the nearest end."""
        logs = np.interp(np.log(error), np.log(self.errors[::-1]), np.log(self.epsilons[::-1]))
        low, high = self.epsilons[[0, -1]].tolist()
        return float(min(max(_rounded(float(np.exp(logs))), low), high))


def error_curve(
    mechanism: Mechanism[Any],
    data: Any,
    privacy: Privacy,
    *,
    lowest: float,
    highest: float,
    seed: int,
    progress: Progress = silent,
) -> ErrorCurve:
    """Return the median error at `STEPS` values of epsilon from `lowest` to `highest`.

    Values that the mechanism refuses are left out, and so are those with the same error as a smaller epsilon.
    """
    known: dict[float, float] = {}
    epsilons = map(_rounded, np.geomspace(lowest, highest, STEPS).tolist())
    for epsilon, here in zip(epsilons, each(STEPS, progress), strict=True):
        budget = dataclasses.replace(privacy, epsilon=epsilon)
        if not mechanism.problems(budget, data.domain, data.n):
            error = _median_error(mechanism, data, budget, seed, here)
            if 0 < error < min(known.values(), default=np.inf):
                known[epsilon] = error
    return ErrorCurve(np.array(list(known)), np.array(list(known.values())))


def _rounded(epsilon: float) -> float:
    return float(f"{epsilon:.{DIGITS}g}")


def _median_error(
    mechanism: Mechanism[Any], data: Any, privacy: Privacy, seed: int, progress: Progress
) -> float:
    """Return the median distance from the true value; NaN if every run refused to answer."""

    def work() -> float:
        from engine.analysis.preparing import prepare
        from engine.simulation import simulate_prepared

        prepared = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.5))
        runs = prepared.most_runs(RUNS_OF_MANY if np.ndim(prepared.true_value()) else RUNS)
        rest = part(progress, 0.5, 1.0)
        made = simulate_prepared(mechanism, prepared, data, runs=runs, seed=seed, progress=rest)
        return float(np.median(made.errors)) if made.errors.size else np.nan

    return remembered(data, ("median error", mechanism, privacy, seed), work)


def simulated_releases(
    mechanism: Mechanism[Any], data: Any, privacy: Privacy, *, seed: int, progress: Progress = silent
) -> list[Release]:
    """Return `ANSWERS` simulated releases with an answer, or fewer if the mechanism refuses."""
    from engine.analysis.preparing import prepare

    prepared, rng = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.5)), reproducible(seed)
    steps = each(ANSWERS, part(progress, 0.5, 1.0))
    made = [mechanism.release(prepared, data, privacy, rng, here) for here in steps]
    return [release for release in made if release.value is not None]


def quantile_releases(
    mechanism: Mechanism[Any], data: Any, privacy: Privacy, *, seed: int, progress: Progress = silent
) -> list[Release]:
    """Return `ANSWERS` quantiles of simulated numbers, in random order: a quantile dot plot.

    Each stands for the same probability; the list is empty if the mechanism refuses in every run.
    """
    from engine.analysis.preparing import prepare
    from engine.simulation import simulate_prepared

    prepared, rng = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.5)), reproducible(seed)
    runs, rest = prepared.most_runs(RUNS), part(progress, 0.5, 1.0)
    values = simulate_prepared(mechanism, prepared, data, runs=runs, seed=seed, progress=rest).values
    answered = values[~np.isnan(values)]
    if not answered.size:
        return []
    shares = (rng.permutation(ANSWERS) + 0.5) / ANSWERS
    first = mechanism.release(prepared, data, privacy, rng)
    drawn = np.quantile(answered, shares, method="inverted_cdf").tolist()
    return [dataclasses.replace(first, value=value) for value in drawn]


def answers_around(release: Release, *, seed: int) -> list[Release]:
    """Return where the truth may lie around a release of numbers with public noise; else none (public)."""
    draw, scale = FAMILIES.get(release.noise.get("family", "")), release.noise.get("scale")
    if draw is None or release.error is None or not isinstance(release.value, int | float | list):
        return []
    value, scales = np.asarray(release.value, dtype=np.float64), np.asarray(scale, dtype=np.float64)
    if scales.size not in (1, value.size):
        return []
    scales = np.broadcast_to(scales.reshape(value.shape if scales.size > 1 else ()), value.shape)
    moved = value + draw(reproducible(seed), 0.0, scales, (ANSWERS, *value.shape))
    return [dataclasses.replace(release, value=one.tolist()) for one in moved]
