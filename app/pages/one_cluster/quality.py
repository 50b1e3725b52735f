"""How good simulated balls are beside the true one, another method, and a mean of everything (private)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.model.selection import Selection
from app.model.wording.numbers import number, quantity, share
from app.pages.one_cluster.computations import BallComputations
from engine.data.points import Points
from engine.mechanisms import BallMechanism, KBalls, NoisyAverage, ScreenedMean
from engine.mechanisms.one_cluster import Guarantee, records_in, relative_radii
from engine.mechanisms.prepared import Prepared
from engine.progress import Progress, part
from engine.randomness import reproducible

if TYPE_CHECKING:
    from app.plots.one_cluster.quality import BallQualityView

RUNS, FEWEST = 200, 20
BATCHES = 20
"""So many times what a mechanism draws at once, of which none takes long."""
RIVAL = 0.25
"""So many runs, of those of the chosen method, for another one."""
CLEARLY, ENOUGH = 1.25, 0.5
"""Another method is worth a sentence if its balls are so much smaller, and hold such a share as many."""
AVERAGES = 300
ONE = "the ball"
PARTS = 4
"""How often the picture grows."""

Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class BallErrorEstimate:
    """What is to be said about a mechanism that finds balls, on these data.

    Attributes
    ----------
    quality : BallQualityView
        Of the runs so far.
    alternative : BallQualityView or None
        Of the method auto, where another one is chosen.
    mean_error, average_error : float or None
        How far the mean inside the ball typically falls from that of the true ball; and a noisy
        mean of all records.
    which : str
        Which of several balls.
    """

    quality: BallQualityView
    alternative: BallQualityView | None = None
    mean_error: float | None = None
    average_error: float | None = None
    which: str = ONE

    @property
    def private(self) -> bool:
        """True: runs on the data tell about them."""
        return True

    def expected(self, unit: str) -> str:
        """Say what a release is typically worth."""
        coverage, ratio = self.quality.typical
        if np.isnan(coverage):
            return "Typically no ball is found"
        words = f"Typically {share(coverage)} of t in {self.which},\nradius {number(ratio, 2)} × the smallest"
        error = self.mean_error
        return words if error is None else f"{words},\nmean ±\N{NO-BREAK SPACE}{quantity(error, unit)}"


def judged(
    setup: Selection,
    ready: Prepared,
    places: Floats,
    truth: Floats,
    seed: int,
    ball: int,
    progress: Progress,
) -> Iterator[BallErrorEstimate]:
    """Yield what is known of simulated runs after each part of them."""
    runs = how_many(ready)
    size = -(-runs // PARTS)
    rng, drawn = reproducible(seed), np.empty((0, truth.size))
    held = np.empty(0)
    while len(drawn) < runs:
        goal = min(runs, len(drawn) + size)
        while len(drawn) < goal:
            progress(len(drawn) / runs, "simulated balls")
            some = ready.draw(rng, min(ready.batch_size, goal - len(drawn)))
            drawn = np.concatenate([drawn, some])
            held = np.append(held, [records_in(_part(row, setup, ball), places) for row in some])
        yield _estimate(setup, drawn, held, truth, ball)


def compared(
    estimate: BallErrorEstimate,
    computations: BallComputations,
    setup: Selection,
    points: Points,
    ball: int,
    truth: Floats,
    progress: Progress,
) -> BallErrorEstimate:
    """Add what the method auto would give, and a mean of all records."""
    mechanism = setup.mechanism
    assert isinstance(mechanism, BallMechanism)
    box, places = points.domain, computations.places(mechanism, points)
    auto = dataclasses.replace(mechanism, method="auto")
    if auto.finder(box).name != mechanism.finder(box).name and not auto.problems(
        setup.privacy, box, points.n
    ):
        other = dataclasses.replace(setup, mechanism=auto)
        ready, rng = computations.ready(other, points, part(progress, 0.0, 0.5)), reproducible(0)
        rows = []
        runs = max(1, round(RIVAL * how_many(ready)))
        for run in range(runs):
            progress(0.5 + 0.5 * run / runs, "simulated balls of another method")
            rows.append(ready.draw(rng, 1)[0])
        held = np.array([records_in(_part(row, setup, ball), places) for row in rows])
        alternative = _estimate(other, np.array(rows), held, truth, ball).quality
        estimate = dataclasses.replace(estimate, alternative=alternative)
    if isinstance(mechanism, ScreenedMean):
        average = NoisyAverage().prepare(points, setup.privacy, progress)
        means = average.draw(reproducible(0), AVERAGES)
        errors = np.linalg.norm(means - truth[box.dimension + 1 :], axis=1)
        estimate = dataclasses.replace(estimate, average_error=float(np.median(errors)))
    return estimate


def advice(setup: Selection, estimate: BallErrorEstimate) -> str:
    """Say plainly what simulated runs were worth, and what would do better."""
    quality, alternative = estimate.quality, estimate.alternative
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
    if estimate.mean_error is not None and estimate.average_error is not None:
        inside, everywhere = (
            quantity(error, setup.unit) for error in (estimate.mean_error, estimate.average_error)
        )
        said.append(
            f"The mean inside is typically {inside} from that of the true ball; a noisy mean of all records, "
            f"for the same budget, {everywhere}."
        )
    return " ".join(said)


def better(one: BallQualityView, other: BallQualityView) -> bool:
    """Tell whether balls are clearly smaller and hold enough, or fail clearly less often."""
    fails = [quality.failed / max(1, len(quality.coverage)) for quality in (one, other)]
    if fails[1] > fails[0] + 0.1 or not len(other.found[0]):
        return len(one.found[0]) > 0
    (held, size), (as_much, as_large) = one.typical, other.typical
    return bool(size * CLEARLY < as_large and held > ENOUGH * min(1.0, as_much))


def how_many(ready: Prepared) -> int:
    """Return how many runs are simulated, fewer where each takes long."""
    return min(RUNS, max(FEWEST, BATCHES * ready.batch_size))


def _part(row: Floats, setup: Selection, ball: int) -> Floats:
    """Return center and radius of one ball of a row."""
    size = setup.source.domain.dimension + 1
    return row[ball * size : (ball + 1) * size]


def _estimate(setup: Selection, drawn: Floats, held: Floats, truth: Floats, ball: int) -> BallErrorEstimate:
    from app.plots.one_cluster.quality import BallQualityView

    mechanism = setup.mechanism
    assert isinstance(mechanism, BallMechanism)
    box, n = setup.source.domain, setup.source.n
    promise: Guarantee = mechanism.guarantee(box, n, setup.privacy)
    radii = np.array([_part(row, setup, ball)[-1] for row in drawn])
    true = _part(truth, setup, ball)[-1]
    quality = BallQualityView(
        coverage=held / mechanism.t,
        ratio=relative_radii(radii, true),
        promised_share=promise.promised / mechanism.t if ball == 0 else 0.0,
        failed=int(np.isnan(radii).sum()),
        t=mechanism.t,
    )
    if not isinstance(mechanism, ScreenedMean):
        several = isinstance(mechanism, KBalls) and mechanism.k > 1
        return BallErrorEstimate(quality, which=f"ball {ball + 1}" if several else ONE)
    errors = mechanism.errors(drawn, truth, box)
    typical = float(np.nanmedian(errors)) if np.isfinite(errors).any() else None
    return BallErrorEstimate(quality, mean_error=typical)
