"""A lower bound on epsilon from what was drawn on either side."""

from __future__ import annotations

import dataclasses
import functools
import math

from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.audit.bins import AuditBins
from engine.audit.events import Event, Outcomes, telling_event
from engine.errors import ParameterError
from engine.numerals import grouped, short
from engine.privacy import Privacy

MIN_RUNS = 1000
"""Draws on each side below which no bound is worth its name."""

DEFAULT_RUNS = 20_000
"""Draws on each side, unless others are asked for."""


@dataclasses.dataclass(frozen=True)
class Audit:
    """The result of an audit, from `audit_run`."""

    privacy: Privacy
    # epsilon is at least this, with the stated confidence; 0 where no event tells the databases apart
    epsilon_lower_bound: float
    confidence: float
    runs: int  # draws on each side
    event: str

    @property
    def violated(self) -> bool:
        """Whether the promise is refuted."""
        return self.epsilon_lower_bound > self.privacy.epsilon

    @property
    def verdict(self) -> str:
        """Return "violated" or "consistent"."""
        return "violated" if self.violated else "consistent"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class AuditRun:
    """An audit with what it looked at (private where a database is), from `audit_run`."""

    audit: Audit
    event: Event  # chosen from the first halves of the draws
    # the feature of the event in the second halves of the draws, shape (judged,); inf for a refusal
    first: Floats
    second: Floats
    inside: tuple[int, int]  # how many of them are in the event
    # bounds of the probability of the event, with the stated confidence: from below where it is likelier
    # (on the second side if ``event.swapped``), from above on the other
    p_low: float
    q_high: float

    @property
    def judged(self) -> int:
        """How many draws of each side bound the probabilities."""
        return len(self.first)

    @functools.cached_property
    def bins(self) -> AuditBins:
        """How often the feature had which value on either side."""
        return AuditBins.of(self.first, self.second, self.event.threshold)

    @functools.cached_property
    def largest_bound(self) -> float:
        """The bound that as many draws give at most: with an event that always happens on one side alone."""
        always, never = clopper_pearson(self.judged, 0, self.judged, 1 - self.audit.confidence)
        return epsilon_bound(always, never, self.audit.privacy.delta)

    @property
    def could_refute(self) -> bool:
        """Whether as many draws could refute the promise at all."""
        return self.largest_bound > self.audit.privacy.epsilon

    @property
    def shares(self) -> tuple[float, float]:
        first, second = self.inside
        return first / self.judged, second / self.judged

    @property
    def often(self) -> int:
        """On which of the two the event happens more often: 0 or 1."""
        return int(self.event.swapped)


def audit_draws(
    drawn: ArrayLike, neighbour: ArrayLike, privacy: Privacy, confidence: float = 0.999
) -> AuditRun:
    """Return what `audit` finds together with the event and its numbers; raise what `audit` raises."""
    _check_confidence(confidence)
    first, second = Outcomes(drawn), Outcomes(neighbour)
    if len(first) != len(second) or len(first) < MIN_RUNS:
        raise ParameterError(
            "runs",
            f"{grouped(len(first))} and {grouped(len(second))} draws are not possible; give as many "
            "on both sides, "
            f"at least {grouped(MIN_RUNS)}",
        )
    (learnt, judged), (learnt_too, judged_too) = first.halves(), second.halves()
    event, features = telling_event(learnt, learnt_too, privacy.delta)
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
    )


def audit(drawn: ArrayLike, neighbour: ArrayLike, privacy: Privacy, confidence: float = 0.999) -> Audit:
    """Return a lower bound on epsilon from independent draws on two neighbours, shape (runs,) or (runs, D).

    NaN stands where the mechanism refused.  Raises `ParameterError` for fewer than `MIN_RUNS` draws, not as
    many on either side, or a confidence that is not between 0 and 1.
    """
    return audit_draws(drawn, neighbour, privacy, confidence).audit


def clopper_pearson(often: int, rarely: int, runs: int, eta: float) -> tuple[float, float]:
    """Return p from below and q from above, each wrong with probability eta/2 at most."""
    from scipy.special import betaincinv

    low = 0.0 if often == 0 else float(betaincinv(often, runs - often + 1, eta / 2))
    high = 1.0 if rarely == runs else float(betaincinv(rarely + 1, runs - rarely, 1 - eta / 2))
    return low, high


def epsilon_bound(p_low: float, q_high: float, delta: float) -> float:
    """Return ln((p - delta)/q), or 0 if that is less."""
    return max(0.0, math.log((p_low - delta) / q_high)) if p_low > delta else 0.0


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ParameterError(
            "confidence", f"{short(confidence)} is not possible; it must be above 0 and below 1, say 0.999"
        )
