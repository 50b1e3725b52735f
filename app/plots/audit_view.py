"""What the pictures of an audit show: what came out on two neighbours, and which event tells them apart."""

from __future__ import annotations

import dataclasses

from app.plots.numbers import number, quantity, share
from engine.audit import AuditRun
from engine.audit.features import REFUSES


@dataclasses.dataclass(frozen=True, eq=False)
class AuditView:
    """An audit, and what people call its sides (private).

    Attributes
    ----------
    run : AuditRun
    names : tuple of str
        The database and its neighbour, in a word or two.
    planted : str
        Which bug was planted, in words; "" for a mechanism as it should be.
    prior : float
        How likely somebody holds the first database to be before the release.
    """

    run: AuditRun
    names: tuple[str, str] = ("the data", "its neighbour")
    planted: str = ""
    prior: float = 0.5

    @property
    def shares(self) -> tuple[float, float]:
        """How often the event happened on the database and on its neighbour."""
        first, second = self.run.inside
        return first / self.run.judged, second / self.run.judged

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
        return (
            words if found.violated else f"{words} That proves nothing; no event was found that refutes it."
        )

    def event_sentence(self, unit: str = "") -> str:
        """Say what the event is, and how often it happened on either side."""
        event, often = self.run.event, self.often
        limit = quantity(event.threshold, unit, 5)
        words = f"{event.feature} is {'above' if event.above else 'at most'} {limit}"
        first, second = (f"{share(self.shares[side])} on “{self.names[side]}”" for side in (often, 1 - often))
        return f"Event: {event.words() if event.feature == REFUSES else words}, in {first} and {second}."

    @property
    def note(self) -> str:
        """What must be known of a saved picture."""
        return f"Planted on purpose, not private: {self.planted}" if self.planted else ""
