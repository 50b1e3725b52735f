"""The subject of pictures of an audit: outcomes on two neighbours, and the event that tells them apart."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from app.model.theme import Palette
from app.model.wording.guarantees import AuditVerdict, audit_verdict
from app.model.wording.numbers import number, quantity, share
from app.model.wording.releases import sentence
from app.plots.compare.contender_style import ContenderStyle, contender_style
from engine.array_types import Ints
from engine.audit import AuditRun, NeighbourAudit, Pair
from engine.audit.events import COORDINATE, DISTANCES, POSITION, REFUSES
from engine.audit.guess_who import GuessWho
from engine.histograms.ranges import Ranges
from engine.mechanisms import PLANTED

PUBLIC_NAMES = "first database", "second database"
"""Names of a database and its neighbour that follow from public facts."""
_SPOKEN = {name: name for name in ("the data", "their neighbor")}
_SPOKEN |= {name: f"the {name}" for name in PUBLIC_NAMES}
"""Names that stand in a sentence without quotation marks."""


def caption_of(verdict: AuditVerdict, planted: str) -> str:
    faulty = f"Faulty variant (planted bug), Not DP: {planted}. " if planted else ""
    return f"{faulty}{verdict.sentence}"


def planted_label(bug: str) -> str:
    return PLANTED[bug].label if bug else ""


def _is_reversed(game: GuessWho) -> bool:
    """Tell whether the second database has the smaller answers, by more than three standard errors."""
    shares = np.column_stack([game.bins.shares, game.bins.refused])
    below = np.cumsum(shares, axis=1) - shares / 2  # of equal answers, half
    return bool(shares[0] @ below[1] - shares[1] @ below[0] > np.sqrt(6 / game.rounds))


@dataclasses.dataclass(frozen=True, eq=False)
class AuditView:
    """An audit, and what its sides are called (private)."""

    run: AuditRun
    names: tuple[str, str] = ("the data", "their neighbor")  # the database and its neighbour, in a few words
    planted: str = ""  # which bug was planted, in words; "" for a mechanism as it should be
    prior: float = 0.5  # how likely an attacker holds the likelier database of the event to be
    pair: Pair | None = None  # both databases
    better_pair: str = ""  # label of a pair that shows the planted bug, where this one does not
    mechanism: str = ""  # its label, as the source of the answers
    bets: Ints | None = None  # of the rounds played so far; None: the best guess in every round
    fall_progress: float = 1.0  # share of its way that the newest answer has fallen
    teams: bool = False  # whether two teams bet by turns
    people: tuple[str, str] = ("", "")  # whose record differs; "" for any record
    plain: bool = False  # whether the words of the field are left out
    counts: Ranges | None = None  # the ranges whose records a release counts, if it does
    coordinates: tuple[str, ...] = ()  # names of those of a released center, if the answers are centers

    @classmethod
    def of(cls, result: NeighbourAudit, prior: float = 0.5, **texts: Any) -> AuditView:
        """Return the view of an audit; of numbers and counts, the database of smaller ones is first, left.

        `texts`: further fields, in the order of the pair.
        """
        run, pair = result.run, result.pair
        counts = Ranges.within(pair.data.domain) if result.counts_ranges else None
        view = cls(run, planted=planted_label(result.bug), prior=prior, pair=pair, counts=counts, **texts)
        feature = run.game.feature
        is_count = counts is not None and view.range_of(feature) is not None
        if (is_count or feature == "the value") and _is_reversed(run.game):
            pair = dataclasses.replace(pair, data=pair.neighbour, neighbour=pair.data)
            names, people = view.names[::-1], view.people[::-1]
            view = dataclasses.replace(view, run=run.exchanged(), pair=pair, names=names, people=people)
        return dataclasses.replace(view, names=PUBLIC_NAMES) if pair.public else view

    @property
    def origin(self) -> str:
        """Say where both databases come from."""
        made = "" if self.pair is None else self.pair.why
        return sentence(f"Worst case, not your data: {made}" if self.pair and self.pair.public else made)

    @property
    def verdict(self) -> AuditVerdict:
        return audit_verdict(self.run)

    def spoken(self, side: int) -> str:
        name = self.names[side]
        return _SPOKEN.get(name, f"“{name}”")

    def event_sentence(self, unit: str = "") -> str:
        """Say what the event is."""
        event, own = self.run.event, "" if self.counts else unit
        if event.feature == REFUSES:
            return f"Event: {event.describe()}."
        if event.feature not in DISTANCES:
            limit = f"{'above' if event.above else 'at most'} {quantity(event.threshold, own, 5)}"
            return f"Event: {self.name_of(event.feature, unit)} is {limit}."
        away = f"{'more than' if event.above else 'at most'} {quantity(event.threshold, own)} away"
        return f"Event: a release is {away} from the middle release of {self._center}."

    @property
    def bound_sentence(self) -> str:
        """Say how the measured bound follows from how often the event happens; "" if it is 0."""
        audit, low, high = self.run.audit, share(self.run.p_low), share(self.run.q_high)
        common = f"({low} − δ)" if audit.privacy.delta else low
        bound = f"So ε ≥ ln({common} / {high}) = {number(audit.epsilon_lower_bound)}."
        return bound if audit.epsilon_lower_bound else ""

    def name_of(self, feature: str, unit: str = "", box: str = "") -> str:
        """Name a feature; a count by its range, in the unit of the data, or by a name for its `box`."""
        if feature == POSITION:
            return "position between both usual answers (0: halfway)"
        index = self.range_of(feature)
        if index is None or (self.counts is None and not self.coordinates):
            return feature
        if self.counts is None:
            center, column = divmod(index, len(self.coordinates))
            return f"{self.coordinates[column]} of center {center + 1}"
        low, high = self.counts.lower[index], self.counts.upper[index]
        ends = f"values from {number(low[0])} to {quantity(high[0], unit)}"
        return f"count released for {ends if len(low) == 1 else box or f'random box {index + 1}'}"

    def range_of(self, feature: str) -> int | None:
        """Return the index of a coordinate, or of the range that it counts; None for another feature."""
        return int(feature.removeprefix(COORDINATE)) - 1 if feature.startswith(COORDINATE) else None

    def feature_words(self, unit: str = "") -> str:
        """Say what the event looks at."""
        feature = self.run.event.feature
        if feature not in DISTANCES:
            return self.name_of(feature, unit)
        return f"distance from the middle release of {self._center}"

    @property
    def _center(self) -> str:
        return self.spoken(DISTANCES.index(self.run.event.feature))

    @property
    def caption(self) -> str:
        """The caption of a saved picture."""
        return caption_of(self.verdict, self.planted)


_LOOKS = (1, 3)  # far apart, and neither in the colour of what a promise allows


def side_style(side: int, palette: Palette) -> ContenderStyle:
    return contender_style(_LOOKS[side], palette)
