"""Neighbouring databases in words: what one person's record is, and what may happen to it.

Releases and sensitivities say by name between which databases they are meant; the command
line, the window and the axes of pictures put that into words from here.
"""

from __future__ import annotations

import dataclasses


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


WORDS = {
    "replace-one": NeighbourWords(
        record="record",
        records="records",
        change="replaced",
        public="n public",
        database="database",
        dropped="records without a value are left out, and n, the number of all others, is taken as "
        "public: nothing is promised between databases in which it differs",
        narrower="narrow the bounds if that can be known without the data",
    ),
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
    "edge": NeighbourWords(
        record="edge",
        records="edges",
        change="added or removed",
        public="vertices public",
        database="graph",
        dropped="rows without a value are left out, as if there were no such edge",
    ),
}
"""Every neighbouring relation by the name that queries and releases give it."""
