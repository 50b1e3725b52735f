"""What is to be done one piece after the other, by this thread or by processes."""

from __future__ import annotations

import abc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from engine.comparison.trial_runs import Samples
from engine.progress import Progress

MESSAGE = "simulated releases"

OFTEN = 0.1
"""Seconds between two findings about a piece that is not whole yet."""


class Piece(abc.ABC):
    """Work that one process does in one go; it can be handed over.

    Attributes
    ----------
    seed : int
        What it draws from.
    """

    seed: int

    @abc.abstractmethod
    def results(self, samples: Samples, progress: Progress) -> Iterator[Any]:
        """Yield what is found, more and more of it; each in place of what was yielded before."""


class Schedule(abc.ABC):
    """Gives out pieces of work, and takes what is found.

    Attributes
    ----------
    width : int
        How many pieces there are side by side at most.
    """

    width: int

    @abc.abstractmethod
    def next(self) -> Piece | None:
        """Return what is to be begun next; None while there is nothing."""

    @abc.abstractmethod
    def put(self, piece: Piece, found: Any) -> None:
        """Take what was found of a piece so far."""

    @abc.abstractmethod
    def end(self, piece: Piece) -> None:
        """Take note that nothing more will be found of a piece."""

    @abc.abstractmethod
    def fraction(self, begun: Mapping[Piece, float]) -> float:
        """Return how much of all is done, given how much is of each piece that has begun."""


class Runs(Protocol):
    """What does all pieces of a schedule: processes here, or the workers of a cluster."""

    def run(self, schedule: Schedule, progress: Progress) -> None:
        """Do them; the schedule takes what is found."""


class FixedSchedule(Schedule):
    """Pieces that are known from the start, and take about as long as each other.

    Parameters
    ----------
    pieces : sequence of Piece
    put : callable
        Is given the place of a piece and what was found.
    """

    def __init__(self, pieces: Sequence[Piece], put: Callable[[int, Any], None]) -> None:
        self._places = {piece: place for place, piece in enumerate(pieces)}
        self._waiting = iter(pieces)
        self._put = put
        self._ended = 0
        self.width = len(pieces)

    def next(self) -> Piece | None:
        return next(self._waiting, None)

    def put(self, piece: Piece, found: Any) -> None:
        self._put(self._places[piece], found)

    def end(self, piece: Piece) -> None:
        self._ended += 1

    def fraction(self, begun: Mapping[Piece, float]) -> float:
        return (self._ended + sum(begun.values())) / len(self._places)


def in_turn(data: Any, schedule: Schedule, progress: Progress) -> None:
    """Do one piece after the other, in this thread; what there is of it is handed on now and then."""
    samples: dict[int, Samples] = {}
    shown = time.monotonic()
    while (piece := schedule.next()) is not None:

        def here(fraction: float, message: str = MESSAGE, piece: Piece = piece) -> None:
            progress(schedule.fraction({piece: fraction}), message or MESSAGE)

        here(0.0)
        found = put = None
        try:
            for found in piece.results(samples.setdefault(piece.seed, Samples(data, piece.seed)), here):
                # not every batch: handing on may copy all that was found before
                if time.monotonic() - shown >= OFTEN:
                    schedule.put(piece, put := found)
                    shown = time.monotonic()
        finally:
            if found is not put:
                schedule.put(piece, found)
        schedule.end(piece)
