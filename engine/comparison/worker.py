"""What runs in each of the processes that simulate releases.

A process is given the data once, and then one piece of work after the other.  While it does one it
says how far it has come, and what it has found so far; and it stops when it is told to, or when
the other end of the line is gone.
"""

from __future__ import annotations

import dataclasses
import signal
import time
from multiprocessing.connection import Connection
from typing import Any, Literal

from engine.comparison.schedule import Piece
from engine.comparison.trial_runs import Samples
from engine.progress import Cancelled

EVERY = 0.05
"""Seconds between two reports."""

OFTEN = 0.25
"""Seconds between two results that are not whole yet."""


@dataclasses.dataclass(frozen=True)
class Given:
    """What a process works on.

    Attributes
    ----------
    data : Sample, Points, Categories or a graph
    """

    data: Any


@dataclasses.dataclass(frozen=True)
class Stop:
    """Enough of the piece at hand."""


@dataclasses.dataclass(frozen=True)
class Reply:
    """What a process says.

    Attributes
    ----------
    state : {"ready", "working", "done", "failed"}
        "ready" for the data; at work; done with the piece, stopped or not; failed for a reason
        that is no fault of the user, of which the kind of exception is told and no more.
    fraction : float
        Of the piece.
    found : object
        What is found; None where there is nothing new.
    """

    state: Literal["ready", "working", "done", "failed"]
    fraction: float = 0.0
    found: Any = None
    kind: str = ""


def work(line: Connection) -> None:
    """Do what is asked for until the other end of the line is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for whoever asks, who tells us
    try:
        line.send(Reply("ready"))
        given: Given = line.recv()
        samples: dict[int, Samples] = {}
        while True:
            asked = line.recv()
            if isinstance(asked, Piece):
                # one seed at a time: the records drawn for another are not needed any more
                samples = {asked.seed: samples.get(asked.seed) or Samples(given.data, asked.seed)}
                line.send(_done(asked, samples[asked.seed], line))
    except (EOFError, OSError):  # the other end is gone
        return


def _done(piece: Piece, samples: Samples, line: Connection) -> Reply:
    reporter, found = _Reporter(line), None
    try:
        for found in piece.results(samples, reporter):
            reporter.found(found)
    except Cancelled:
        pass
    except (EOFError, OSError):
        raise
    except Exception as error:
        return Reply("failed", kind=type(error).__name__)
    return Reply("done", 1.0, found)


class _Reporter:
    """Tells how far a piece has come, and listens whether to stop."""

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
        self._line.send(Reply("working", fraction))

    def found(self, found: Any) -> None:
        """Show what there is of the piece, not too often."""
        if time.monotonic() - self._shown >= OFTEN:
            self._shown = time.monotonic()
            self._line.send(Reply("working", self._fraction, found))
