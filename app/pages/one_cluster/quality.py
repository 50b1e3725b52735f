"""The quality of simulated balls in words, against the true ball, another method and an overall mean."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.model.wording.numbers import number, quantity, share, times
from app.model.wording.releases import ExpectedWords, expected_words, give_or_take
from engine.analysis.ball_quality import BallSample, BallWorth, judge_balls
from engine.analysis.expected_error import ErrorEstimate
from engine.analysis.points_errors import estimate_points_error
from engine.data.points import Points
from engine.privacy import Privacy
from engine.progress import Progress, silent

CLEARLY, SIMILAR_SHARE = 1.25, 0.5
"""Factors from which another method is mentioned: smaller radius, and share of points held."""
JUDGED = 200
"""Number of simulated interior points for the typical error."""


def estimate_balls(
    mechanism: Any,
    data: Points,
    privacy: Privacy,
    *,
    seed: int = 1,
    ball: int = 0,
    progress: Progress = silent,
) -> BallWorth | ErrorEstimate:
    """Return the quality of balls, or the typical error of numbers (private)."""
    if mechanism.facts.shape == "balls":
        return judge_balls(mechanism, data, privacy, seed=seed, ball=ball, progress=progress)
    return estimate_points_error(mechanism, data, privacy, runs=JUDGED, seed=0, progress=progress)


def which(worth: BallWorth) -> str:
    return "ball" if worth.ball is None else f"ball {worth.ball + 1}"


def expect_balls(worth: BallWorth | ErrorEstimate, unit: str) -> ExpectedWords:
    """Return the typical quality of a release as text."""
    if not isinstance(worth, BallWorth):
        return expected_words(worth, unit)
    coverage, _ = worth.sample.typical
    if np.isnan(coverage):
        return ExpectedWords("Typically no ball is found")
    t, held = worth.sample.t, number(coverage * worth.sample.t)
    least, chance = math.ceil(worth.sample.promised_share * t), share(1 - worth.sample.beta)
    promised = f"at least {number(least)} with probability {chance}" if least > 0 else "none promised"
    wanted = f"of {number(t)} wanted; {promised}"
    if worth.mean_error is not None:
        wanted += f", mean {give_or_take(worth.mean_error, unit)}"
    return ExpectedWords(f"A typical {which(worth)} holds {held} records\n{wanted}")


def advise_on_balls(estimate: BallWorth | ErrorEstimate, unit: str) -> str:
    """Say how often no ball is found, and which method is better."""
    if not isinstance(estimate, BallWorth):
        return ""
    quality, alternative = estimate.sample, estimate.alternative
    runs = len(quality.coverage)
    said = []
    if quality.failed:
        said.append(f"No {which(estimate)} was found in {share(quality.failed / runs)} of the runs.")
    if alternative is not None and better(alternative, quality):
        held, size = alternative.typical
        said.append(
            f"The method auto is better here: {number(held * alternative.t)} records in a ball "
            f"of {times(size, 'the true radius', digits=2)}."
        )
    errors = estimate.mean_error, estimate.average_error
    if None not in errors:
        inside, everywhere = (quantity(error, unit) for error in errors if error is not None)
        said.append(
            f"Typical distance from the mean of the true ball: {inside} for the mean inside, {everywhere} "
            f"for a noisy mean of all records at the same budget."
        )
    return " ".join(said)


def better(one: BallSample, other: BallSample) -> bool:
    """Tell whether balls are clearly smaller and hold enough, or fail clearly less often."""
    fails = [quality.failed / max(1, len(quality.coverage)) for quality in (one, other)]
    if fails[1] > fails[0] + 0.1 or not len(other.comparable[0]):
        return len(one.comparable[0]) > 0
    (held, size), (as_much, as_large) = one.typical, other.typical
    return bool(size * CLEARLY < as_large and held > SIMILAR_SHARE * min(1.0, as_much))
