"""The records of a graph that decide how far one of them could move a value (private)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from engine.findings import Finding
from engine.mechanisms.scalar import ScalarMechanism
from engine.progress import Progress, silent
from engine.shown import ShownInALine


@dataclasses.dataclass(frozen=True, repr=False)
class PivotalRecords(ShownInALine):
    """The records that decide A^(k) in a graph (private), from `pivotal_records`.

    Attributes
    ----------
    k : int
    what : str
        What they are, in a word.
    records : object
        Edges by number, or a pair of vertices.
    """

    k: int
    what: str
    records: Any

    def findings(self) -> Iterator[Finding]:
        """Yield them."""
        yield Finding(f"{self.what} that decide A^({self.k})", self.records)


def pivotal_records(
    mechanism: ScalarMechanism, data: Any, *, k: int = 0, progress: Progress = silent
) -> PivotalRecords:
    """Return what decides A^(k) of the query of a mechanism (private).

    Parameters
    ----------
    mechanism : ScalarMechanism
        With a query of a graph.
    data : WeightedGraph or SimpleGraph
    k : int
        Distance.
    progress : Progress, optional

    Returns
    -------
    PivotalRecords

    Examples
    --------
    In a triangle, two edges join one vertex to the others:

    >>> from engine import Interval, MstCost, SmoothRelease, WeightedGraph
    >>> graph = WeightedGraph([(0, 1), (1, 2), (0, 2)], weights=[3, 1, 2], domain=Interval(0, 5))
    >>> found = pivotal_records(SmoothRelease(query=MstCost()), graph, k=0)
    >>> found.what, sorted(found.records)
    ('edges across the cut', [0, 2])
    """
    what, records = mechanism.query.deciding(data, k, progress)  # type: ignore[attr-defined]  # of graphs
    return PivotalRecords(k, what, records)
