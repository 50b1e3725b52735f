"""What runs in each of the processes that make trials.

A process is given the data once, and then trial after trial.  While it makes one it says how far
it has come, and what it has found so far; and it stops when it is told to, or when nobody listens
any more.
"""

from __future__ import annotations

import dataclasses
import signal
import time
from multiprocessing.connection import Connection
from typing import Any, Literal

from engine.comparison.results import Outcome, Trial
from engine.comparison.trying import Samples, outcomes
from engine.mechanisms import sample_aggregate
from engine.progress import Cancelled

EVERY = 0.05
"""Seconds between two reports."""

OFTEN = 0.25
"""Seconds between two outcomes that are not whole yet."""


@dataclasses.dataclass(frozen=True)
class Given:
    """What a process works on.

    Attributes
    ----------
    data : Sample, Points, Categories or a graph
    coins : int
        `engine.mechanisms.sample_aggregate.COINS` of the process that asks: blocks must be the
        same whoever draws them.
    """

    data: Any
    coins: int


@dataclasses.dataclass(frozen=True)
class Asked:
    """A trial that is to be made."""

    trial: Trial
    runs: int
    seed: int


@dataclasses.dataclass(frozen=True)
class Stop:
    """Enough of the trial at hand."""


@dataclasses.dataclass(frozen=True)
class Told:
    """What a process says.

    Attributes
    ----------
    state : {"ready", "working", "done", "failed"}
        "ready" for the data; at work; done with the trial, stopped or not; failed for a reason
        that is no fault of the user, of which the kind of exception is told and no more.
    fraction : float
        Of the trial.
    outcome : Outcome or None
        What is found, where there is anything new.
    """

    state: Literal["ready", "working", "done", "failed"]
    fraction: float = 0.0
    outcome: Outcome | None = None
    kind: str = ""


def work(line: Connection) -> None:
    """Make trials until nobody asks for any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for whoever asks, who tells us
    try:
        line.send(Told("ready"))
        given: Given = line.recv()
        sample_aggregate.COINS = given.coins
        samples: dict[int, Samples] = {}
        while True:
            asked = line.recv()
            if isinstance(asked, Asked):
                # one seed at a time: the records drawn for another are not needed any more
                samples = {asked.seed: samples.get(asked.seed) or Samples(given.data, asked.seed)}
                line.send(_made(asked, samples[asked.seed], line))
    except (EOFError, OSError):  # nobody listens
        return


def _made(asked: Asked, samples: Samples, line: Connection) -> Told:
    reporter, outcome = _Reporter(line), None
    try:
        for outcome in outcomes(asked.trial, samples, asked.runs, reporter):
            reporter.found(outcome)
    except Cancelled:
        pass
    except (EOFError, OSError):
        raise
    except Exception as error:
        return Told("failed", kind=type(error).__name__)
    return Told("done", 1.0, outcome)


class _Reporter:
    """Tells how far a trial has come, and listens whether to stop."""

    def __init__(self, line: Connection) -> None:
        self._line = line
        self._reported = self._shown = time.monotonic()
        self._fraction = 0.0

    def __call__(self, fraction: float, message: str = "") -> None:
        self._fraction = fraction
        if time.monotonic() - self._reported < EVERY:
            return
        self._reported = time.monotonic()
        if self._line.poll() and isinstance(self._line.recv(), Stop):
            raise Cancelled
        self._line.send(Told("working", fraction))

    def found(self, outcome: Outcome) -> None:
        """Show what there is of the trial, not too often."""
        if time.monotonic() - self._shown >= OFTEN:
            self._shown = time.monotonic()
            self._line.send(Told("working", self._fraction, outcome))
