"""A lower bound on epsilon from draws on either side."""

from __future__ import annotations

import dataclasses
import functools
import math

from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.audit.bins import AuditBins
from engine.audit.choices import MIN_RUNS
from engine.audit.events import Event, Outcomes, telling_events
from engine.audit.guess_who import Density, GuessWho, play
from engine.errors import ParameterError
from engine.numerals import grouped, short
from engine.privacy import Privacy
from engine.randomness import SeedLike


@dataclasses.dataclass(frozen=True)
class Audit:
    """The result of an audit, from `audit_run`."""

    privacy: Privacy
    # epsilon is at least this, with the stated confidence; 0 if no event distinguishes the databases
    epsilon_lower_bound: float
    confidence: float
    runs: int  # draws on each side
    event: str

    @property
    def violated(self) -> bool:
        """Whether the guarantee is refuted."""
        return self.epsilon_lower_bound > self.privacy.epsilon

    @property
    def verdict(self) -> str:
        """Return "violated" or "consistent"."""
        return "violated" if self.violated else "consistent"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class AuditRun:
    """An audit with its event and draws (private if a database is), from `audit_run`."""

    audit: Audit
    event: Event  # chosen from the first halves of the draws
    # feature of the event in the second halves of the draws, shape (judged,); inf for a refusal
    first: Floats
    second: Floats
    inside: tuple[int, int]  # number of them in the event
    # bounds of the event's probability, with the stated confidence: a lower one where it is more likely (the
    # second side if ``event.swapped``), an upper one on the other
    p_low: float
    q_high: float
    game: GuessWho  # rounds with the judged draws, and the best guess in each

    @property
    def judged(self) -> int:
        """Number of draws of each side that bound the probabilities."""
        return len(self.first)

    @functools.cached_property
    def bins(self) -> AuditBins:
        """Histograms of the feature on either side."""
        return AuditBins.of(self.first, self.second, self.event.threshold)

    @functools.cached_property
    def largest_bound(self) -> float:
        """The largest possible bound with this number of draws: for an event that always and only happens on
        one side.
        """
        always, never = clopper_pearson(self.judged, 0, self.judged, 1 - self.audit.confidence)
        return epsilon_bound(always, never, self.audit.privacy.delta)

    @property
    def could_refute(self) -> bool:
        """Whether this number of draws could refute the guarantee at all."""
        return self.largest_bound > self.audit.privacy.epsilon

    @property
    def shares(self) -> tuple[float, float]:
        first, second = self.inside
        return first / self.judged, second / self.judged

    @property
    def often(self) -> int:
        """The side on which the event is more likely: 0 or 1."""
        return int(self.event.swapped)

    def exchanged(self) -> AuditRun:
        """Return the same audit with both databases exchanged; the guarantee is symmetric."""
        event, game, inside = self.event.exchanged(), self.game.exchanged(), self.inside[::-1]
        audit = dataclasses.replace(self.audit, event=event.describe())
        return AuditRun(audit, event, self.second, self.first, inside, self.p_low, self.q_high, game)


def audit_draws(
    drawn: ArrayLike,
    neighbour: ArrayLike,
    privacy: Privacy,
    confidence: float = 0.999,
    *,
    densities: tuple[tuple[Density, Density], float | None] | None = None,
    rng: SeedLike | None = None,
) -> AuditRun:
    """Return the result of `audit` with the event, its counts, and the game; raise the errors of `audit`.

    `densities`: of both answers, with the exact hit rate of the best guess, as from `densities_of`.
    `rng`: chooses the database of each round of the game; default: a fixed seed.
    """
    if not 0 < confidence < 1:
        raise ParameterError(
            "confidence",
            f"{short(confidence)} is not possible; it must be above 0 and below 1, for example 0.999",
        )
    first, second = Outcomes(drawn), Outcomes(neighbour)
    if len(first) != len(second) or len(first) < MIN_RUNS:
        raise ParameterError(
            "runs",
            f"{grouped(len(first))} and {grouped(len(second))} draws are not possible; give the "
            f"same number on both sides, at least {grouped(MIN_RUNS)}",
        )
    (learnt, judged), (learnt_too, judged_too) = first.halves(), second.halves()
    telling = telling_events(learnt, learnt_too, privacy.delta)
    event, features = telling.event, telling.features
    sides = features.of(judged, event.feature), features.of(judged_too, event.feature)
    inside = int(event.happens(sides[0]).sum()), int(event.happens(sides[1]).sum())
    rarely, often = inside if event.swapped else inside[::-1]
    p_low, q_high = clopper_pearson(often, rarely, len(judged), 1 - confidence)
    return AuditRun(
        audit=Audit(
            privacy, epsilon_bound(p_low, q_high, privacy.delta), confidence, len(first), event.describe()
        ),
        event=event,
        first=sides[0],
        second=sides[1],
        inside=inside,
        p_low=p_low,
        q_high=q_high,
        game=play((judged, judged_too), telling, privacy, densities, rng),
    )


def audit(drawn: ArrayLike, neighbour: ArrayLike, privacy: Privacy, confidence: float = 0.999) -> Audit:
    """Return a lower bound on epsilon from independent draws on two neighbours, shape (runs,) or (runs, D).

    The first half of the draws chooses an event and a direction.  The second half bounds its two
    probabilities: p from below and q from above (Clopper and Pearson 1934).  So with probability 1 - eta

        epsilon >= ln((p - delta)/q).

    A bound above the promised epsilon is a violation; one below proves nothing.

    NaN marks a refusal.  Raises `ParameterError` for fewer than `MIN_RUNS` draws, different numbers on the
    two sides, or a confidence that is not between 0 and 1.
    """
    return audit_draws(drawn, neighbour, privacy, confidence).audit


def clopper_pearson(often: int, rarely: int, runs: int, eta: float) -> tuple[float, float]:
    """Return a lower bound of p and an upper one of q, each wrong with probability at most eta/2."""
    from scipy.special import betaincinv

    low = 0.0 if often == 0 else float(betaincinv(often, runs - often + 1, eta / 2))
    high = 1.0 if rarely == runs else float(betaincinv(rarely + 1, runs - rarely, 1 - eta / 2))
    return low, high


def epsilon_bound(p_low: float, q_high: float, delta: float) -> float:
    """Return ln((p - delta)/q), but at least 0."""
    return max(0.0, math.log((p_low - delta) / q_high)) if p_low > delta else 0.0
