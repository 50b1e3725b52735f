"""Texts about neighbouring databases: one person's record, and how it may change."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from app.model.wording.numbers import short
from engine.privacy import EDGE_WEIGHT, NO_PROMISE, PERSON, PERSON_SAME_GROUP, SAME_GROUP

if TYPE_CHECKING:
    from engine.ledger import Cost
    from engine.mechanisms.base import Mechanism
    from engine.privacy import Privacy


@dataclasses.dataclass(frozen=True)
class NeighbourWords:
    """Texts about one neighbouring relation."""

    # record, records: noun for one person's data, singular and plural
    record: str
    records: str
    change: str  # change of it between two neighbours
    public: str  # public facts that both share
    database: str  # noun for all records together
    dropped: str  # effect of leaving out rows without a value on the guarantee
    narrower: str = ""  # advice for less noise besides a larger epsilon; "" for none

    @property
    def difference(self) -> str:
        """The difference between two neighbours."""
        return f"one {self.record} {self.change}, {self.public}"

    @property
    def between(self) -> str:
        """The neighbours for which every epsilon is stated."""
        return f"between {self.database}s with {self.difference}"

    @property
    def sensitivity(self) -> str:
        """Axis label for local, smooth and global sensitivity."""
        return f"sensitivity: how far one {self.record} can move the answer"

    @property
    def distance(self) -> str:
        """Axis label for k."""
        return f"k, the number of other {self.records} that may change first"

    @property
    def steps(self) -> str:
        """Axis label for the steps of a path."""
        return f"{self.records} {self.change} on the way to the other {self.database}"


_REPLACED = NeighbourWords(
    record="record",
    records="records",
    change="replaced",
    public="n public",
    database="database",
    dropped="records without a value are left out, and n, the number of all others, is taken as "
    "public: nothing is promised between databases in which it differs",
    narrower="narrow the bounds if that can be known without the data",
)

_PERSON = dataclasses.replace(
    _REPLACED,
    record="person",
    records="persons",
    change="given other rows",
    public="the set of persons public",
)

_EDGE = NeighbourWords(
    record="edge",
    records="edges",
    change="added or removed",
    public="vertices public",
    database="graph",
    dropped="rows without a value are left out, as if there were no such edge",
)

WORDS = {
    "replace-one": _REPLACED,
    "zero-out": dataclasses.replace(_REPLACED, change="left empty", narrower=""),
    "edge-weight": NeighbourWords(
        record="edge weight",
        records="edge weights",
        change="changed",
        public="edges public",
        database="graph",
        dropped="rows without a value are left out, and the edges of all others are taken as public: "
        "nothing is promised between graphs in which they differ",
        narrower="lower Λ if that can be known without the weights",
    ),
    "same-group": dataclasses.replace(
        _REPLACED, change="replaced by another of its group", public="n and the group of each record public"
    ),
    "person": _PERSON,
    "person-same-group": dataclasses.replace(
        _PERSON,
        change="given other rows of the same group",
        public="all persons and their groups public",
    ),
    "edge": _EDGE,
    "node": dataclasses.replace(_EDGE, record="vertex", records="vertices", change="given other edges"),
}
"""Every neighbouring relation by its name in queries and releases."""


NOT_HIDDEN = {
    EDGE_WEIGHT: "releases for edge weights hide the weight in a row, but not which vertices it joins",
    SAME_GROUP: "releases for public groups hide the values in a row, but not its group",
    PERSON: "releases about persons hide all rows of a person, but not who is in the data",
    PERSON_SAME_GROUP: "releases about persons of public groups hide all rows of a person, but not who is in "
    "the data or in which group",
}
"""The part of a row, or of the data, that releases for these neighbours do not hide."""


def ends_words(neighbours: Iterable[str]) -> str:
    """Return which part of a row some releases do not hide; "" if they hide all of it."""
    made = set(neighbours)
    return "; ".join(text for relation, text in NOT_HIDDEN.items() if relation in made)


def widest_relation(relations: Iterable[str]) -> str:
    """Return the relation that states all public facts of several releases about one table."""
    known = list(relations)
    return next((name for name in (PERSON_SAME_GROUP, SAME_GROUP) if name in known), known[0])


def counted_words(
    mechanism: Mechanism[Any], privacy: Privacy, symbols: tuple[str, str], rows: int = 0
) -> str:
    """Return the cost in the budget where it differs from the stated privacy; "" elsewhere.

    `rows` is the most records of a person, if records are those of persons.
    """
    from engine.ledger.cost import Cost

    cost = Cost.of(mechanism, privacy, None, rows)
    if cost.row.privacy == cost.privacy:
        return ""
    return f"the budget counts {_counted(cost.row.privacy, symbols)}, for one row of the file"


def counts_words(cost: Cost, *symbols: str) -> str:
    """Return the cost in the budget beside the stated privacy; "" where both are the same."""
    if cost.row.privacy == cost.privacy:
        return ""
    return f"counts {_counted(cost.row.privacy, symbols)}"


def _counted(privacy: Privacy, symbols: Sequence[str]) -> str:
    if privacy == NO_PROMISE:
        return "as a release without a promise"
    epsilon, delta = symbols
    more = f", {delta} = {short(privacy.delta, 3)}" if privacy.delta else ""
    return f"{epsilon} = {short(privacy.epsilon)}{more}"


def group_words(privacy: Privacy, text: NeighbourWords, sizes: Iterable[int] = (2, 3, 5, 10)) -> str:
    """Return the guarantee for several records together, such as those of a family, by group size."""
    lines = [f"Guarantee for several {text.records} together, such as those of a family:"]
    for size in sizes:
        promise = privacy.for_group(size)
        if promise == NO_PROMISE:
            lines.append(f"{size}: nothing, δ would reach 1")
            break
        delta = f", δ = {short(promise.delta, 3)}" if promise.delta else ""
        lines.append(f"{size}: ε = {short(promise.epsilon)}{delta}")
    return "\n".join(lines)
