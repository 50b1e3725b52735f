"""Quality of simulated balls, and the theoretical guarantees for them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from engine.analysis.ball_scenes import places_of
from engine.analysis.memory import remembered
from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import simulated_values, true_value
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.findings import Finding
from engine.mechanisms import BallMechanism, NoisyAverage, ScreenedMean
from engine.mechanisms.one_cluster import BallGuarantee, Share, records_in, relative_radii, typical_quality
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.randomness import reproducible
from engine.shown import ShownInALine
from engine.simulation import batches


@dataclasses.dataclass(frozen=True)
class BallPromise:
    """Theoretical guarantees for a ball (public).

    Returned by `promise_ball`.
    """

    guarantee: BallGuarantee  # with probability 1 - beta
    shares: tuple[Share, ...]  # budget of each step; together they are the whole budget

    def findings(self) -> Iterator[Finding]:
        """Yield the guarantees, and the budget of each step."""
        yield Finding("points that are guaranteed to be in the ball", self.guarantee.promised, public=True)
        yield Finding("smallest t with a guarantee", self.guarantee.needed, public=True)
        yield Finding("largest radius, in multiples of the smallest", self.guarantee.factor, public=True)
        for share in self.shares:
            yield Finding(f"{share.label}: epsilon", share.privacy.epsilon, public=True)


def promise_ball(mechanism: BallMechanism, domain: Box, n: int, privacy: PrivacyLike) -> BallPromise:
    """Return the theoretical guarantees for a ball (public)."""
    privacy = as_privacy(privacy)
    return BallPromise(mechanism.search.promise(domain, n, privacy), mechanism.shares(domain, n, privacy))


RUNS, ALTERNATIVE_RUNS_SHARE = 200, 0.25
"""Number of runs, and the share of runs for the alternative."""
MEAN_RUNS = 300
"""Number of simulated means of all records."""
PUBLISHED_PARTS = 4
"""Number of intermediate results to publish."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BallSample(ShownInALine):
    """Points in simulated balls, and their radii (private), from `judge_balls`."""

    coverage: Floats  # shape (r,); records in each ball, divided by t; NaN without a ball
    # shape (r,); radius of each ball, divided by that of the smallest ball around a record that holds t
    ratio: Floats
    promised_share: float  # guaranteed share of t (public), 0 without a guarantee
    failed: int  # number of runs without a ball
    t: int  # number of points that the ball should hold (public)
    beta: float  # probability with which the guarantee may fail (public)

    @property
    def comparable(self) -> tuple[Floats, Floats]:
        """Coverage and ratio of the runs that found a ball with finite ratio."""
        known = np.isfinite(self.coverage) & np.isfinite(self.ratio)
        return self.coverage[known], self.ratio[known]

    @property
    def typical(self) -> tuple[float, float]:
        """Median coverage and median ratio; NaN if no run has found a ball."""
        return typical_quality(self.coverage, self.ratio)

    def findings(self) -> Iterator[Finding]:
        """Yield the quality of a typical ball."""
        coverage, ratio = self.typical
        yield Finding("typical share of t in the ball", coverage)
        yield Finding("typical radius, in multiples of the smallest", ratio)
        yield Finding("runs without a ball", self.failed)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BallWorth(ShownInALine):
    """Quality of released balls on these data, with alternatives (private).

    Returned by `judge_balls`.
    """

    sample: BallSample  # the runs so far
    ball: int | None = None  # index of the ball, from 0; None for a single ball
    alternative: BallSample | None = None  # results of the method auto, if it chooses another one
    # median error of the mean inside the ball, compared with the true ball; and of a noisy mean of all
    # records
    mean_error: float | None = None
    average_error: float | None = None

    def findings(self) -> Iterator[Finding]:
        """Yield the quality of a typical ball, and of alternatives."""
        yield from self.sample.findings()
        if self.mean_error is not None:
            yield Finding("typical error of the mean inside", self.mean_error)
            yield Finding("typical error of a noisy mean of all records", self.average_error)
        if self.alternative is not None:
            coverage, ratio = self.alternative.typical
            yield Finding("typical share of t with the method auto", coverage)
            yield Finding("typical radius with the method auto", ratio)


def judge_balls(
    mechanism: BallMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    runs: int = RUNS,
    seed: int = 1,
    ball: int = 0,
    publish: Publish[BallWorth] = unpublished,
    progress: Progress = silent,
) -> BallWorth:
    """Simulate balls; return their coverage and radii, and those of alternatives (private)."""
    privacy = as_privacy(privacy)
    ball = min(ball, mechanism.search.k - 1)
    key = ("ball quality", mechanism, privacy, runs, seed, ball)

    def work() -> BallWorth:
        judge = _Judge(mechanism, data, privacy, ball, part(progress, 0.0, 0.3))
        quality = judge.simulated(runs, seed, publish, part(progress, 0.3, 0.8))
        return judge.compared(quality, runs, part(progress, 0.8, 1.0))

    return remembered(data, key, work)


def simulate_balls(
    mechanism: BallMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    ball: int = 0,
    publish: Publish[BallSample] = unpublished,
    progress: Progress = silent,
) -> BallSample:
    """Simulate balls; return their coverage and radii (private)."""
    privacy = as_privacy(privacy)
    worth = judge_balls(
        mechanism,
        data,
        privacy,
        seed=seed,
        ball=ball,
        publish=lambda known: publish(known.sample),
        progress=progress,
    )
    return worth.sample


class _Judge:
    """Compares simulated runs of a mechanism with the truth."""

    def __init__(
        self, mechanism: BallMechanism, data: Points, privacy: Privacy, ball: int, progress: Progress
    ) -> None:
        self._mechanism, self._data, self._privacy, self._ball = mechanism, data, privacy, ball
        self._truth = true_value(mechanism, data, privacy, progress=progress)
        self._places = places_of(mechanism, data)

    def simulated(self, runs: int, seed: int, publish: Publish[BallWorth], progress: Progress) -> BallWorth:
        """Simulate runs and return their quality; publish it after each part."""
        ready = prepare(self._mechanism, self._data, self._privacy, progress=progress)
        runs = ready.most_runs(runs)
        size = -(-runs // PUBLISHED_PARTS)
        rng, drawn, held = reproducible(seed), np.empty((0, self._truth.size)), np.empty(0)
        while True:
            goal, done = min(runs, len(drawn) + size), len(drawn)
            sizes = [min(ready.batch_size, goal - start) for start in range(done, goal, ready.batch_size)]
            share = part(progress, done / runs, goal / runs)
            some = np.concatenate(list(batches(ready, sizes, lambda _: rng, progress=share)))
            drawn, held = np.concatenate([drawn, some]), np.append(held, self._held(some))
            quality = BallWorth(
                self._sample(self._mechanism, drawn, held),
                self._ball if self._mechanism.search.k > 1 else None,
                mean_error=self._mean_error(drawn),
            )
            if goal == runs:
                return quality
            publish(quality)

    def compared(self, quality: BallWorth, runs: int, progress: Progress) -> BallWorth:
        """Add the results of the method auto, and of a mean of all records."""
        mechanism, data, privacy = self._mechanism, self._data, self._privacy
        box = data.domain
        auto = dataclasses.replace(mechanism, method="auto")
        other_way = auto.search.finder(box).name != mechanism.search.finder(box).name
        if other_way and not auto.problems(privacy, box, data.n):
            most = prepare(auto, data, privacy, progress=part(progress, 0.0, 0.5)).most_runs(runs)
            fewer, share = max(1, round(ALTERNATIVE_RUNS_SHARE * most)), part(progress, 0.5, 0.9)
            drawn = simulated_values(auto, data, privacy, runs=fewer, seed=0, progress=share)
            alternative = self._sample(auto, drawn, self._held(drawn))
            quality = dataclasses.replace(quality, alternative=alternative)
        if isinstance(mechanism, ScreenedMean):
            share = part(progress, 0.9, 1.0)
            means = simulated_values(NoisyAverage(), data, privacy, runs=MEAN_RUNS, seed=0, progress=share)
            errors = np.linalg.norm(means - self._truth[box.dimension + 1 :], axis=1)
            quality = dataclasses.replace(quality, average_error=float(np.median(errors)))
        return quality

    def _sample(self, mechanism: BallMechanism, drawn: Floats, held: ArrayLike) -> BallSample:
        promise = mechanism.search.promise(self._data.domain, self._data.n, self._privacy)
        radii = np.array([self._part(row)[-1] for row in drawn])
        return BallSample(
            coverage=np.asarray(held) / mechanism.t,
            ratio=relative_radii(radii, self._part(self._truth)[-1]),
            promised_share=promise.promised / mechanism.t if self._ball == 0 else 0.0,
            failed=int(np.isnan(radii).sum()),
            t=mechanism.t,
            beta=mechanism.beta,
        )

    def _mean_error(self, drawn: Floats) -> float | None:
        if not isinstance(self._mechanism, ScreenedMean):
            return None
        errors = self._mechanism.output.errors(drawn, self._truth, self._data.domain)
        return float(np.nanmedian(errors)) if np.isfinite(errors).any() else None

    def _held(self, rows: Floats) -> list[float]:
        return [records_in(self._part(row), self._places) for row in rows]

    def _part(self, row: Floats) -> Floats:
        """Return center and radius of the examined ball in a row."""
        size = self._data.domain.dimension + 1
        return row[self._ball * size : (self._ball + 1) * size]
