"""In which order the runs of a comparison are made: a few of every trial first, then all others.

So you see the whole sweep early, and after a cancel there is something at every value.  Since
each batch has a seed of its own, runs can be made in as many goes as one likes.  Nothing is kept from
one go to the next: what was prepared is prepared again, which costs little beside the runs of the
first go (see `engine.comparison.trial_runs.WORTH`).
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from engine.comparison.results import Outcome, Trial
from engine.comparison.schedule import Piece, Schedule
from engine.comparison.trial_runs import Samples, outcomes
from engine.progress import Progress

SHARE, FEWEST, MOST = 0.1, 10, 1000
"""The first go of a trial: this share of its runs, but not fewer and not more than these."""


@dataclasses.dataclass(frozen=True)
class Go(Piece):
    """Runs of one trial.

    Attributes
    ----------
    trial : Trial
    runs : int
        As many as the trial has in the end.
    start, enough : int
        The first run, and how many there are at least when it ends.
    seed : int
    """

    trial: Trial
    runs: int
    start: int
    enough: int
    seed: int

    def results(self, samples: Samples, progress: Progress) -> Iterator[Outcome]:
        return outcomes(self.trial, samples, self.runs, progress, start=self.start, enough=self.enough)


class Rounds(Schedule):
    """A short go of each trial, then the rest of each.

    Parameters
    ----------
    trials : iterable of Trial
        In the order in which they are made; each is asked for when its turn comes.
    many : int
        How many they are.
    runs, seed : int
    put : callable
        Is given all that was found of a trial so far.
    """

    def __init__(
        self, trials: Iterable[Trial], many: int, runs: int, seed: int, put: Callable[[Outcome], None]
    ) -> None:
        first = min(runs, max(FEWEST, min(MOST, round(SHARE * runs))))
        self._first = (Go(trial, runs, 0, first, seed) for trial in trials)
        self._waiting = deque[Go]()
        self._all = runs * many
        self._found: dict[Trial, Outcome] = {}
        self._before: dict[Trial, Outcome] = {}
        self._put = put
        self._done = 0
        self.width = many

    def next(self) -> Go | None:
        go = next(self._first, None)
        return self._waiting.popleft() if go is None and self._waiting else go

    def put(self, piece: Piece, found: Outcome) -> None:
        assert isinstance(piece, Go)
        before = self._before.get(piece.trial)
        so_far = found if before is None else before.followed_by(found)
        self._found[piece.trial] = so_far
        self._put(so_far)

    def end(self, piece: Piece) -> None:
        assert isinstance(piece, Go)
        so_far = self._found.get(piece.trial)
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
