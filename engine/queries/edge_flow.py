"""Edge-disjoint paths between two vertices, one more at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


class EdgeFlow:
    """A unit-capacity flow from `source` to `sink` in an undirected graph.

    `near` has for each vertex its edges by increasing rank: (rank, vertex at the other end).
    Only edges of a rank below a limit are used; the limit may grow from call to call, and
    the flow found so far stays.
    """

    def __init__(self, near: Mapping[int, Sequence[tuple[int, int]]], source: int, sink: int) -> None:
        self._near = near
        self._source, self._sink = source, sink
        self._tail: dict[int, int] = {}
        self.value = 0

    def push(self, path: Iterable[tuple[int, int]]) -> None:
        """Send one unit along a path: for each edge its rank and the vertex where it leaves."""
        for rank, tail in path:
            if self._tail.get(rank, tail) != tail:
                del self._tail[rank]  # it takes back what flowed the other way
            else:
                self._tail[rank] = tail
        self.value += 1

    def augment(self, limit: int) -> list[int] | None:
        """Send one more unit through edges of a rank below `limit`.

        Returns
        -------
        None or list of int
            None when it was sent.  Else the vertices on one side of a smallest cut among
            those edges, which all carry flow.

        Notes
        -----
        Searches the residual graph from both ends, the smaller frontier first, so that a cut
        around few vertices is found as quickly as a short path.
        """
        near, tail = self._near, self._tail
        reached: dict[int, tuple[int, int]] = {self._source: (-1, -1)}
        reaching: dict[int, tuple[int, int]] = {self._sink: (-1, -1)}
        front, back = [self._source], [self._sink]
        while front and back:
            grown = []
            if len(front) <= len(back):
                for vertex in front:
                    for rank, other in near[vertex]:
                        if rank >= limit:
                            break
                        if other in reached or tail.get(rank) == vertex:
                            continue
                        reached[other] = (rank, vertex)
                        if other in reaching:
                            self._send(reached, reaching, other)
                            return None
                        grown.append(other)
                front = grown
            else:
                for vertex in back:
                    for rank, other in near[vertex]:
                        if rank >= limit:
                            break
                        if other in reaching or tail.get(rank) == other:
                            continue
                        reaching[other] = (rank, vertex)
                        if other in reached:
                            self._send(reached, reaching, other)
                            return None
                        grown.append(other)
                back = grown
        return list(reaching) if front else list(reached)

    def _send(
        self, reached: dict[int, tuple[int, int]], reaching: dict[int, tuple[int, int]], meeting: int
    ) -> None:
        path = []
        vertex = meeting
        while vertex != self._source:
            rank, vertex = reached[vertex]
            path.append((rank, vertex))
        vertex = meeting
        while vertex != self._sink:
            rank, following = reaching[vertex]
            path.append((rank, vertex))
            vertex = following
        self.push(path)
