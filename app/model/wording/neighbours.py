"""Neighbouring databases in words: what one person's record is, and what may happen to it.

Releases and sensitivities say by name between which databases they are meant; the command
line, the window and the axes of pictures put that into words from here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from app.model.wording.numbers import short
from engine.privacy import EDGE_WEIGHT, NO_PROMISE, ROW_STEPS

if TYPE_CHECKING:
    from engine.ledger import Cost
    from engine.mechanisms.base import Mechanism
    from engine.privacy import Privacy


@dataclasses.dataclass(frozen=True)
class NeighbourWords:
    """One neighbouring relation in words.

    Attributes
    ----------
    record, records : str
        What belongs to one person, and several of them.
    change : str
        What happens to it between two neighbours.
    public : str
        What is the same in both and public.
    database : str
        What the records make up.
    dropped : str
        What leaving out rows without a value does to the promise.
    narrower : str
        What, besides a larger epsilon, would make the noise smaller; "" if nothing would.
    """

    record: str
    records: str
    change: str
    public: str
    database: str
    dropped: str
    narrower: str = ""

    @property
    def difference(self) -> str:
        """In what two neighbours differ."""
        return f"one {self.record} {self.change}, {self.public}"

    @property
    def between(self) -> str:
        """What every epsilon means."""
        return f"between {self.database}s with {self.difference}"

    @property
    def sensitivity(self) -> str:
        """The axis of local, smooth and global sensitivity."""
        return f"sensitivity: how far one {self.record} can move the answer"

    @property
    def distance(self) -> str:
        """The axis of k."""
        return f"k, the number of other {self.records} that may change first"

    @property
    def steps(self) -> str:
        """The axis of a path."""
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
    "edge": _EDGE,
    "node": dataclasses.replace(_EDGE, record="vertex", records="vertices", change="given other edges"),
}
"""Every neighbouring relation by the name that queries and releases give it."""


ENDS_PUBLIC = "releases for edge weights hide the weight in a row, but not which vertices it joins"


def ends_words(neighbours: Iterable[str]) -> str:
    """Say what of a row some releases hide, if they are stated between these neighbours; "" if all of it."""
    return ENDS_PUBLIC if EDGE_WEIGHT in neighbours else ""


def counted_words(mechanism: Mechanism[Any], privacy: Privacy, symbols: tuple[str, str]) -> str:
    """Say what the budget counts of a release where that is not what it states; "" for all others."""
    if ROW_STEPS.get(mechanism.relation) == 1:
        return ""
    from engine.mechanisms.base import ledger_cost

    cost, _ = ledger_cost(mechanism, privacy)
    return f"the budget counts {_counted(cost, symbols)}, for one row of the file"


def counts_words(cost: Cost, *symbols: str) -> str:
    """Say beside what a release states what it counts in the budget; "" where that is the same."""
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
    """Say what is promised to several records together, as of one family, in a line for each size."""
    lines = [f"What that promises to several {text.records} together, as of one family:"]
    for size in sizes:
        promise = privacy.for_group(size)
        if promise == NO_PROMISE:
            lines.append(f"{size}: nothing, δ would reach 1")
            break
        delta = f", δ = {short(promise.delta, 3)}" if promise.delta else ""
        lines.append(f"{size}: ε = {short(promise.epsilon)}{delta}")
    return "\n".join(lines)
