"""Parallel processes for simulated releases: `work` runs in each, `Processes` controls them.

A process receives the data once, then pieces of work.  It reports progress and intermediate results, and
stops on request, or when the connection closes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, Literal, Self

from engine.comparison.schedule import MESSAGE, Piece, Runs, Schedule
from engine.comparison.trial_runs import Samples
from engine.errors import ExecutionError, ParameterError
from engine.progress import Cancelled, Progress
from engine.runners import runner

REPORT_SECONDS = 0.05
"""Seconds between two progress reports."""

RESULT_SECONDS = 0.25
"""Seconds between two intermediate results."""


@dataclasses.dataclass(frozen=True)
class Reply:
    """A message of a process."""

    # waiting for data; working; finished with the piece, stopped or not; failed with an exception, of which
    # only the type is reported
    state: Literal["ready", "working", "done", "failed"]
    fraction: float = 0.0  # of the piece
    result: Any = None  # None without news
    kind: str = ""


def work(line: Connection) -> None:
    """Do the requested work until the connection closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl+C and tells this process
    try:
        line.send(Reply("ready"))
        data = line.recv()
        samples: dict[int, Samples] = {}
        while True:
            asked = line.recv()
            if isinstance(asked, Piece):
                # one seed at a time: records drawn for another seed are no longer needed
                samples = {asked.seed: samples.get(asked.seed) or Samples(data, asked.seed)}
                line.send(_do(asked, samples[asked.seed], line))
    except (EOFError, OSError):  # the connection is closed
        return


def _do(piece: Piece, samples: Samples, line: Connection) -> Reply:
    reporter, result = _Reporter(line), None
    try:
        for result in piece.results(samples, reporter):
            reporter.show(result)
    except Cancelled:
        pass
    except (EOFError, OSError):
        raise
    except Exception as error:
        return Reply("failed", kind=type(error).__name__)
    return Reply("done", 1.0, result)


class _Reporter:
    """Reports the progress of a piece, and checks for requests to stop."""

    def __init__(self, line: Connection) -> None:
        self._line = line
        self._reported = self._shown = time.monotonic()
        self._fraction = 0.0

    def __call__(self, fraction: float, message: str = "") -> None:
        self._fraction = fraction
        if time.monotonic() - self._reported < REPORT_SECONDS:
            return
        self._reported = time.monotonic()
        if self._line.poll() and self._line.recv() is None:
            raise Cancelled
        self._line.send(Reply("working", fraction))

    def show(self, result: Any) -> None:
        """Send an intermediate result, but not too often."""
        if time.monotonic() - self._shown >= RESULT_SECONDS:
            self._shown = time.monotonic()
            self._line.send(Reply("working", self._fraction, result))


CHECK_SECONDS = 0.05
"""Seconds between two checks for cancellation."""

STOP_SECONDS = 0.25
"""Seconds for a process to return its results when stopped; then it is terminated."""

# There is one process per processor: threads in each would only compete, which slows down the product of a
# long and a short matrix by a factor of forty.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

_starting = threading.Lock()


class Processes:
    """Worker processes for simulated releases of the same data.

    They start when first needed, receive the data once, and stay until `close`, so that a second comparison
    begins at once.  Each process imports the main script: it must guard its code by ``if __name__ ==
    "__main__":``.

    Parameters
    ----------
    data : Sample, Points, Categories or a graph
    workers : int, optional
        Number of processes; by default one per processor.

    Raises
    ------
    ParameterError
        If `workers` < 1.

    See Also
    --------
    compare, Cluster

    Examples
    --------
    They start only when needed:

    >>> from engine import Interval, Sample
    >>> with Processes(Sample([1.0, 2.0], Interval(0, 10)), workers=2) as processes:
    ...     processes.data.n
    2
    """

    def __init__(self, data: Any, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise ParameterError("workers", f"{workers} is not possible; it must be at least 1")
        self._given = data
        self._most = workers or processors()
        self._workers: list[_Worker] = []

    @property
    def data(self) -> Any:
        """The data of the processes."""
        return self._given

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        for worker in self._workers:
            worker.dismiss()
        for worker in self._workers:
            worker.end()
        self._workers = []

    def run(self, schedule: Schedule, progress: Progress) -> None:
        """Do all pieces of a schedule, which receives growing results of each.

        Raises
        ------
        Cancelled
            By `progress`, after the results so far have been stored.
        ExecutionError
            If a process has ended or failed.
        """
        for _ in range(min(self._most, schedule.width) - len(self._workers)):
            self._workers.append(_Worker())
        waiting = schedule.next()
        try:
            while waiting or self._busy():
                for worker in self._workers:
                    if waiting and worker.idle:
                        worker.ask(waiting)
                        waiting = schedule.next()
                self._hear(schedule, CHECK_SECONDS)
                waiting = waiting or schedule.next()
                progress(schedule.fraction({w.piece: w.fraction for w in self._busy() if w.piece}), MESSAGE)
        except Cancelled:
            self._stop(schedule)
            raise
        except BaseException:
            self.close()
            raise

    def _busy(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.piece]

    def _hear(self, schedule: Schedule, seconds: float) -> None:
        """Receive messages of the processes for this many seconds."""
        lines = {worker.line: worker for worker in self._workers}
        for line in wait(list(lines), seconds):
            worker = lines[line]  # type: ignore[index]
            piece, reply = worker.piece, worker.hear()
            if reply.state == "ready":
                worker.give(self._given)
            if piece and reply.result is not None:
                schedule.put(piece, reply.result)
            if piece and reply.state == "done":
                schedule.end(piece)

    def _stop(self, schedule: Schedule) -> None:
        """Stop all processes and receive their results; terminate those that do not answer."""
        for worker in self._busy():
            worker.send(None)
        until = time.monotonic() + STOP_SECONDS
        while self._busy() and time.monotonic() < until:
            self._hear(schedule, CHECK_SECONDS)
        for worker in self._busy():
            self._workers.remove(worker)
            worker.end()


class _Worker:
    def __init__(self) -> None:
        spawning = multiprocessing.get_context("spawn")
        self.line, theirs = spawning.Pipe()
        self._process = spawning.Process(target=work, args=(theirs,), name="simulations", daemon=True)
        self.idle = False  # it is idle; not while it starts
        self.piece: Piece | None = None
        self.fraction = 0.0
        try:
            with _environment(ONE_THREAD):
                self._process.start()
        except OSError as error:
            raise ExecutionError(
                f"no process can be started for the comparison ({error.strerror}); close other programs"
            ) from None
        finally:
            theirs.close()

    def send(self, message: Any) -> None:
        """Send a message: the data, a piece of work, or None to stop."""
        try:
            self.line.send(message)
        except OSError:
            raise _ended() from None
        except Exception as error:
            raise ExecutionError(
                "the data or mechanisms cannot be sent to another process "
                f"({type(error).__name__}); compare without processes"
            ) from None

    def give(self, data: Any) -> None:
        self.send(data)
        self.idle = True

    def ask(self, piece: Piece) -> None:
        self.send(piece)
        self.idle, self.piece, self.fraction = False, piece, 0.0

    def hear(self) -> Reply:
        try:
            reply: Reply = self.line.recv()
        except (EOFError, OSError):
            raise _ended() from None
        if reply.state == "failed":
            raise ExecutionError(f"a simulated release has failed ({reply.kind}); please report this")
        self.fraction = reply.fraction
        if reply.state == "done":
            self.idle, self.piece = True, None
        return reply

    def dismiss(self) -> None:
        """Let it end, and ignore its messages."""
        self.line.close()
        if not self.idle:
            self._process.kill()

    def end(self) -> None:
        """Wait until it has ended."""
        self.dismiss()
        self._process.join(STOP_SECONDS)
        self._process.kill()
        self._process.join()
        self._process.close()


def side_by_side(data: Any, workers: int | None = None) -> Runs:
    """Return a runner of simulated releases: the cluster in use, or local processes."""
    cluster = runner().cluster
    runs: Runs = Processes(data, workers) if cluster is None else cluster.trials(data)
    return runs


@contextlib.contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Set environment variables for processes started within the context; existing values stay."""
    with _starting:
        added = {name: value for name, value in variables.items() if name not in os.environ}
        os.environ.update(added)
        try:
            yield
        finally:
            for name in added:
                del os.environ[name]


def processors() -> int:
    """Return the number of processors available to this program."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _ended() -> ExecutionError:
    return ExecutionError(
        "a process that simulates releases has ended unexpectedly; free some memory or use fewer "
        "processes, and in a script compare under: if __name__ == '__main__'"
    )
