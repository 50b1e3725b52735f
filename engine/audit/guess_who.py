"""The guessing game behind an audit: from which of two neighbours does an answer come?"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Bools, Floats, Ints
from engine.audit.bins import AuditBins
from engine.audit.events import Outcomes, Telling, exchanged
from engine.mechanisms.categories.mode import ModePrepared
from engine.mechanisms.global_noise import AdditivePrepared
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.prepared import Prepared
from engine.privacy import Privacy
from engine.randomness import SeedLike, as_generator
from engine.shown import ShownInALine

Density: TypeAlias = Callable[[Floats], Floats]
KNOWN = AdditivePrepared, PiecewisePrepared, ModePrepared
"""Prepared mechanisms with a formula for the density or the probability of an answer."""

LUCK = 0.995
"""Probability that the hit rate of a player at the bound stays below `GuessWho.luck`."""
TAIL = 1e-13
"""Probability of the noise beyond each end of the integrals."""
LEVELS, NODES = 400, 16
"""Quantiles in each half of the noise, and nodes of the quadrature between two points."""
MAX_POINTS = 200_000
"""Largest number of points for a quadrature; with more, the total variation counts as unknown."""


def hit_bound(privacy: Privacy, share: float = 1.0) -> float:
    """Return the largest share of hits among the bets of a player who bets in a share of the rounds.

    The database of each round is a fair coin.  If the release is (epsilon, delta)-private, the hits H and
    misses M of any rule satisfy H <= e^epsilon M + delta, so that with H + M = share

        H/(H + M) <= (e^epsilon + delta/share)/(1 + e^epsilon).

    Source: follows from Kairouz, Oh, Viswanath 2015, Theorem 2.1.
    """
    fall = np.exp(-privacy.epsilon)
    return float(min(1.0, (1 + fall * privacy.delta / max(share, 1e-300)) / (1 + fall)))


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class GuessWho(ShownInALine):
    """Rounds of the game, and the best guess in each (private if a database is); part of an `AuditRun`."""

    privacy: Privacy
    sides: Ints  # database of each round, 0 or its neighbour 1, shape (rounds,)
    answers: Floats  # a feature of the release of each round, shape (rounds,); inf for a refusal
    bets: Ints  # the best guess in each round; -1 for no bet, which waits for a more telling answer
    feature: str  # a name of `Features.names`
    bins: AuditBins  # other draws of this feature
    best: float | None = None  # the exact hit rate of the best guess, (1 + total variation)/2, if known

    @property
    def rounds(self) -> int:
        return len(self.sides)

    @property
    def share(self) -> float:
        """Share of the rounds in which the best guess bets."""
        return float(np.mean(self.bets >= 0))

    @property
    def bound(self) -> float:
        """The largest hit rate that the guarantee allows for this share of bets."""
        return hit_bound(self.privacy, self.share)

    @property
    def hit_rate(self) -> float:
        """Share of the bets of the best guess that are right."""
        return float(np.mean(self.hits(self.bets)))

    @property
    def best_rate(self) -> float:
        """The hit rate of the best guess: exact if known, else `hit_rate`."""
        return self.hit_rate if self.best is None else self.best

    def hits(self, bets: Ints) -> Bools:
        """Tell for each bet of the first rounds whether it is right, without the rounds that wait."""
        return np.asarray((bets == self.sides[: len(bets)])[bets >= 0])

    @cached_property
    def marks(self) -> Ints:
        """Numbers of bets, evenly spaced on a logarithmic axis."""
        return np.unique(np.geomspace(1, max(self.rounds, 2), 200).astype(np.int64))

    @cached_property
    def luck(self) -> Floats:
        """Hit rate that a player at the bound exceeds only by luck, after `marks` bets, shape (marks,)."""
        return lucky_share(self.marks, self.bound)

    def exchanged(self) -> GuessWho:
        """Return the same game with both databases exchanged."""
        bets, feature = np.where(self.bets < 0, -1, 1 - self.bets), exchanged(self.feature)
        return GuessWho(
            self.privacy, 1 - self.sides, self.answers, bets, feature, self.bins.exchanged(), self.best
        )


def lucky_share(bets: ArrayLike, rate: float) -> Floats:
    """Return the quantile `LUCK` of the share of hits, shape (m,).

    It is interpolated: less than one hit below the quantile.
    """
    from scipy.special import bdtrik

    counts = np.asarray(bets)
    return np.asarray(np.nan_to_num(bdtrik(LUCK, counts, rate), nan=np.inf).clip(0, counts) / counts)


def play(
    judged: tuple[Outcomes, Outcomes],
    telling: Telling,
    privacy: Privacy,
    known: tuple[tuple[Density, Density], float | None] | None,
    rng: SeedLike | None,
) -> GuessWho:
    """Return one round for each pair of judged draws, which `telling` does not know.

    `known`: as from `densities_of`.
    """
    densities, best = known or (None, None)
    rounds = len(judged[0])
    sides = as_generator(rng if rng is not None else 0).integers(2, size=rounds)
    learnt, features = telling.guess, telling.features
    rate = (1 + telling.variation) / 2
    if rate <= hit_bound(privacy) and telling.log_ratio > privacy.epsilon:
        learnt, densities, best = telling.event, None, None  # wait: only rare answers tell too much
    waits = learnt is not telling.guess
    if densities is not None:
        learnt = dataclasses.replace(learnt, feature=features.names[1])
    both = [features.of(outcomes, learnt.feature) for outcomes in judged]
    answers = np.where(sides == 0, *both)
    first, second = (features.of(side, learnt.feature) for side in (features.first, features.second))
    bins = AuditBins.of(first, second, learnt.threshold, trimmed=True)
    if densities is not None:
        raw = np.where(sides == 0, *(outcomes.values[:, 0] for outcomes in judged))
        first, second = (density(raw) for density in densities)
        bets = (second > first).astype(np.int64)
        certain = first * second == 0
        if best is None and certain.any():  # noise in doubles: bet where only one database has the answer
            bets[~certain] = -1
    elif bins.values.size and not waits:
        index = np.clip(np.searchsorted(bins.values, answers), 0, bins.values.size - 1)
        shares = np.where(np.isinf(answers), bins.refused[:, None], bins.shares[:, index])
        bets = np.argmax(shares, axis=0)
    else:
        happens = learnt.happens(answers)
        bets = np.where(happens, int(learnt.swapped), -1 if waits else int(not learnt.swapped))
    return GuessWho(privacy, sides, answers, bets, learnt.feature, bins, best)


def densities_of(ready: tuple[Prepared, Prepared]) -> tuple[tuple[Density, Density], float] | None:
    """Return the densities of both answers and the exact hit rate of the best guess; None if unknown."""
    first, second = ready
    if isinstance(first, ModePrepared) and isinstance(second, ModePrepared):
        laws = first.probabilities, second.probabilities
        variation = np.abs(laws[0] - laws[1]).sum() / 2
        return (_lookup(laws[0]), _lookup(laws[1])), (1 + float(variation)) / 2
    points = [_points(one) for one in ready]
    known = [one for one in points if one is not None]
    if len(known) < len(points):
        return None
    merged: Floats = np.unique(np.concatenate(known))
    if len(merged) > MAX_POINTS:
        return None
    both = first.density, second.density  # type: ignore[attr-defined]
    return both, (1 + _total_variation(both, merged)) / 2


def _lookup(probabilities: Floats) -> Density:
    return lambda answers: np.asarray(probabilities[answers.astype(np.int64)])


def _points(ready: Prepared) -> Floats | None:
    """Return points between which the density is smooth; None without a formula."""
    if isinstance(ready, PiecewisePrepared):
        return ready.edges
    if not isinstance(ready, AdditivePrepared) or not ready.scale > 0:
        return None
    lower = ready.family.quantile(np.geomspace(TAIL, 0.5, LEVELS))
    return np.asarray(float(ready.center) + ready.scale * np.concatenate([lower, -lower]))


def _total_variation(densities: tuple[Density, Density], points: Floats) -> float:
    """Return half of the integral of the difference of two densities, by Gauss-Legendre quadrature."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    half, middle = np.diff(points)[:, None] / 2, ((points[1:] + points[:-1]) / 2)[:, None]
    first, second = (density(middle + half * nodes) for density in densities)
    return min(1.0, float((half * weights * np.abs(first - second)).sum() / 2))
