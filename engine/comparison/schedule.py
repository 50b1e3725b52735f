"""Pieces of work, done in sequence by this thread, or in parallel by processes."""

from __future__ import annotations

import abc
import dataclasses
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, Self

from engine.comparison.results import Outcome, Trial
from engine.comparison.trial_runs import Samples, outcomes
from engine.progress import Progress

MESSAGE = "simulated releases"

RESULT_SECONDS = 0.1
"""Seconds between two intermediate results of a piece."""


class Piece(abc.ABC):
    """Work for one process; it can be sent there."""

    seed: int  # of all draws

    @abc.abstractmethod
    def results(self, samples: Samples, progress: Progress) -> Iterator[Any]:
        """Yield growing results; each replaces the one before."""


class Schedule(abc.ABC):
    """Distributes pieces of work, and receives the results."""

    width: int  # largest number of simultaneous pieces

    @abc.abstractmethod
    def next(self) -> Piece | None:
        """Return the next piece to begin; None if there is none at present."""

    @abc.abstractmethod
    def put(self, piece: Piece, result: Any) -> None:
        """Store the result of a piece so far."""

    @abc.abstractmethod
    def end(self, piece: Piece) -> None:
        """Finish a piece: no more results will come."""

    @abc.abstractmethod
    def fraction(self, begun: Mapping[Piece, float]) -> float:
        """Return the finished share of the whole, given the share of each piece that has begun."""


class Runs(Protocol):
    """Does all pieces of a schedule on the same data: local processes, or the workers of a cluster."""

    @property
    def data(self) -> Any: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_: Any) -> None: ...
    def close(self) -> None: ...
    def run(self, schedule: Schedule, progress: Progress) -> None: ...


class FixedSchedule(Schedule):
    """Known pieces of about equal length; `put` receives the number of each, and its result."""

    def __init__(self, pieces: Sequence[Piece], put: Callable[[int, Any], None]) -> None:
        self._positions = {piece: position for position, piece in enumerate(pieces)}
        self._waiting = iter(pieces)
        self._put = put
        self._ended = 0
        self.width = len(pieces)

    def next(self) -> Piece | None:
        return next(self._waiting, None)

    def put(self, piece: Piece, result: Any) -> None:
        self._put(self._positions[piece], result)

    def end(self, piece: Piece) -> None:
        self._ended += 1

    def fraction(self, begun: Mapping[Piece, float]) -> float:
        return (self._ended + sum(begun.values())) / len(self._positions)


def in_turn(data: Any, schedule: Schedule, progress: Progress) -> None:
    """Do the pieces in sequence, in this thread, and pass on intermediate results."""
    samples: dict[int, Samples] = {}
    shown = time.monotonic()
    while (piece := schedule.next()) is not None:

        def here(fraction: float, message: str = MESSAGE, piece: Piece = piece) -> None:
            progress(schedule.fraction({piece: fraction}), message or MESSAGE)

        here(0.0)
        result = put = None
        try:
            for result in piece.results(samples.setdefault(piece.seed, Samples(data, piece.seed)), here):
                # not after every batch: passing on may copy all earlier results
                if time.monotonic() - shown >= RESULT_SECONDS:
                    schedule.put(piece, put := result)
                    shown = time.monotonic()
        finally:
            if result is not put:
                schedule.put(piece, result)
        schedule.end(piece)


FIRST_SHARE, MIN_FIRST, MAX_FIRST = 0.1, 10, 1000
"""First round of a trial: this share of its runs, within these limits."""


@dataclasses.dataclass(frozen=True)
class Go(Piece):
    trial: Trial
    runs: int  # of the trial in the end
    start: int  # the first run
    enough: int  # smallest number of runs at its end
    seed: int

    def results(self, samples: Samples, progress: Progress) -> Iterator[Outcome]:
        return outcomes(
            self.trial, samples, runs=self.runs, progress=progress, start=self.start, enough=self.enough
        )


class Rounds(Schedule):
    """A short round of each of `many` trials, then the rest of each; `put` receives the outcome so far."""

    def __init__(
        self,
        trials: Iterable[Trial],
        many: int,
        runs: Sequence[int],  # of each mechanism at each value
        total: int,  # of all trials
        seed: int,
        put: Callable[[Outcome], None],
    ) -> None:
        first = [min(some, max(MIN_FIRST, min(MAX_FIRST, round(FIRST_SHARE * some)))) for some in runs]
        self._first = (Go(trial, runs[trial.contender], 0, first[trial.contender], seed) for trial in trials)
        self._waiting = deque[Go]()
        self._all = total
        self._outcomes: dict[Trial, Outcome] = {}
        self._before: dict[Trial, Outcome] = {}
        self._put = put
        self._done = 0
        self.width = many

    def next(self) -> Go | None:
        go = next(self._first, None)
        return self._waiting.popleft() if go is None and self._waiting else go

    def put(self, piece: Piece, result: Outcome) -> None:
        assert isinstance(piece, Go)
        before = self._before.get(piece.trial)
        so_far = result if before is None else before.followed_by(result)
        self._outcomes[piece.trial] = so_far
        self._put(so_far)

    def end(self, piece: Piece) -> None:
        assert isinstance(piece, Go)
        so_far = self._outcomes.get(piece.trial)
        if so_far is None or so_far.complete:
            self._done += piece.runs - piece.start
            return
        self._done += so_far.runs - piece.start
        self._before[piece.trial] = so_far
        self._waiting.append(Go(piece.trial, piece.runs, so_far.runs, piece.runs, piece.seed))

    def fraction(self, begun: Mapping[Piece, float]) -> float:
        made = sum(
            share * (piece.enough - piece.start) for piece, share in begun.items() if isinstance(piece, Go)
        )
        return (self._done + made) / self._all
