"""What simulated balls are worth beside the true one, another method, and a mean of everything, in words."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.model.selection import Selection
from app.model.wording.numbers import number, quantity, share
from engine.analysis.ball_quality import BallSample, BallWorth

CLEARLY, ENOUGH = 1.25, 0.5
"""Another method is worth a sentence if its balls are so much smaller, and hold such a share as many."""
ONE = "the ball"


@dataclasses.dataclass(frozen=True)
class BallErrorEstimate:
    """What is to be said about a mechanism that finds balls, on these data."""

    quality: BallWorth

    @property
    def private(self) -> bool:
        """True: runs on the data tell about them."""
        return True

    @property
    def which(self) -> str:
        """Which of several balls."""
        return ONE if self.quality.ball is None else f"ball {self.quality.ball + 1}"

    def expected(self, unit: str) -> str:
        """Say what a release is typically worth."""
        coverage, ratio = self.quality.sample.typical
        if np.isnan(coverage):
            return "Typically no ball is found"
        words = f"Typically {share(coverage)} of t in {self.which},\nradius {number(ratio, 2)} × the smallest"
        error = self.quality.mean_error
        return words if error is None else f"{words},\nmean ±\N{NO-BREAK SPACE}{quantity(error, unit)}"


def advice(setup: Selection, estimate: BallErrorEstimate) -> str:
    """Say plainly what simulated runs were worth, and what would do better."""
    quality, alternative = estimate.quality.sample, estimate.quality.alternative
    runs = len(quality.coverage)
    coverage, ratio = quality.typical
    said = []
    if np.isfinite(coverage):
        radius = (
            "whose own radius is 0" if not np.isfinite(ratio) else f"radius {number(ratio, 2)} times that of"
        )
        said.append(
            f"In {runs} simulated runs {estimate.which} typically held {number(coverage * quality.t)} of "
            f"t = {number(quality.t)} points, {radius} the smallest ball with t."
        )
    if quality.failed:
        none = "No ball" if estimate.which == ONE else f"No {estimate.which}"
        said.append(f"{none} was found in {share(quality.failed / runs)} of the runs.")
    if alternative is not None and better(alternative, quality):
        held, size = alternative.typical
        said.append(
            f"The method auto would do better here: {number(held * alternative.t)} points in a ball "
            f"of radius {number(size, 2)} times the smallest."
        )
    errors = estimate.quality.mean_error, estimate.quality.average_error
    if None not in errors:
        inside, everywhere = (quantity(error, setup.unit) for error in errors if error is not None)
        said.append(
            f"The mean inside is typically {inside} from that of the true ball; a noisy mean of all records, "
            f"for the same budget, {everywhere}."
        )
    return " ".join(said)


def better(one: BallSample, other: BallSample) -> bool:
    """Tell whether balls are clearly smaller and hold enough, or fail clearly less often."""
    fails = [quality.failed / max(1, len(quality.coverage)) for quality in (one, other)]
    if fails[1] > fails[0] + 0.1 or not len(other.found[0]):
        return len(one.found[0]) > 0
    (held, size), (as_much, as_large) = one.typical, other.typical
    return bool(size * CLEARLY < as_large and held > ENOUGH * min(1.0, as_much))
