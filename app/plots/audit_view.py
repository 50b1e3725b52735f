"""What the pictures of an audit show: what came out on two neighbours, and which event tells them apart."""

from __future__ import annotations

import dataclasses
from typing import Protocol

from app.plots.base import Floats
from app.plots.numbers import number, share
from engine.audit import Audit


class AuditedEvent(Protocol):
    """A set of outcomes: a feature above or at most a threshold; `engine.audit` chooses it."""

    @property
    def feature(self) -> str:
        """What is looked at, in words."""

    @property
    def threshold(self) -> float:
        """Where the event begins or ends."""

    @property
    def above(self) -> bool:
        """Whether it is what lies above the threshold."""

    @property
    def swapped(self) -> bool:
        """Whether it happens more often on the neighbour."""


class Audited(Protocol):
    """An audit with the draws that it judged; `engine.audit` makes it."""

    @property
    def audit(self) -> Audit:
        """What was found."""

    @property
    def event(self) -> AuditedEvent:
        """The event that tells the two databases apart best."""

    @property
    def first(self) -> Floats:
        """The feature on the database, one for each run that was judged; inf for refusals."""

    @property
    def second(self) -> Floats:
        """The feature on its neighbour."""

    @property
    def inside(self) -> tuple[int, int]:
        """In how many of these runs the event happened, on either."""

    @property
    def p_low(self) -> float:
        """The likelier probability of the event, from below."""

    @property
    def q_high(self) -> float:
        """The less likely one, from above."""


@dataclasses.dataclass(frozen=True, eq=False)
class AuditView:
    """An audit, and what people call its sides (private).

    Attributes
    ----------
    run : Audited
    names : tuple of str
        The database and its neighbour, in a word or two.
    planted : str
        Which bug was planted, in words; "" for a mechanism as it should be.
    prior : float
        How likely somebody holds the first database to be before the release.
    """

    run: Audited
    names: tuple[str, str] = ("the data", "its neighbour")
    planted: str = ""
    prior: float = 0.5

    @property
    def shares(self) -> tuple[float, float]:
        """How often the event happened on the database and on its neighbour."""
        first, second = self.run.inside
        return first / max(1, self.run.first.size), second / max(1, self.run.second.size)

    @property
    def often(self) -> int:
        """On which of the two the event happens more often: 0 or 1."""
        return int(self.run.event.swapped)

    def sentence(self) -> str:
        """Say what the audit proves."""
        found = self.run.audit
        bound, promised = found.epsilon_lower_bound, found.privacy.epsilon
        sure = f"With {share(found.confidence)} confidence"
        words = f"{sure} ε is at least {number(bound)}, and {number(promised)} was promised: {found.verdict}."
        return words if found.violated else f"{words} That proves nothing, but no event found refutes it."

    def event_words(self) -> str:
        """Say what the event is."""
        event = self.run.event
        return f"{event.feature} is {'above' if event.above else 'at most'} {number(event.threshold, 4)}"

    @property
    def note(self) -> str:
        """What must be known of a saved picture."""
        return f"Planted on purpose, not private: {self.planted}" if self.planted else ""
