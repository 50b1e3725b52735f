"""A cluster of Dask, where the optional package `distributed` is installed: work is done on its machines."""

from __future__ import annotations

import contextlib
import importlib.metadata
import logging
import socket
import warnings
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from types import TracebackType
from typing import Any

from engine.comparison.schedule import MESSAGE, Piece, Schedule
from engine.comparison.trial_runs import Samples
from engine.errors import ExecutionError, SensiscopeError
from engine.progress import Cancelled, Progress, silent
from engine.runners import PATIENCE, Runner, running_on

WAIT = 5.0
"""Seconds to wait for a scheduler."""

LEAVE = 2.0
"""Seconds to wait for a scheduler that is left."""

RETRIES = 3
"""So often a task is tried again whose worker has died."""

PORT = 8786
"""Of a scheduler whose address names none."""

PROJECT = "sensiscope"


class Cluster:
    """The scheduler of a cluster that is there already, and its workers.

    Within ``with``, passes over columns that stay in their files, functions on blocks, and trials that are
    compared are done by its workers: each takes a piece, and hands back what it has found.  A worker that
    dies is survived: others do its tasks.  Files must be at the same place on all machines.  Numbers are
    the same as without it.

    Parameters
    ----------
    address : str
        Of the scheduler, such as ``tcp://192.168.1.5:8786``.
    wait : float, optional
        Seconds until a scheduler that does not answer is taken for one that is not there.

    Attributes
    ----------
    address : str
    workers : int
        How many there were at the beginning.
    runner : Runner

    Raises
    ------
    ExecutionError
        If `distributed` is not installed, no scheduler answers, there are no workers, or one of them has
        another version of this program, or none.

    Examples
    --------
    >>> from engine import ExecutionError
    >>> try:
    ...     Cluster("tcp://127.0.0.1:9", wait=0.2)
    ... except ExecutionError as error:
    ...     print(str(error).split(";")[0])
    no scheduler answers at tcp://127.0.0.1:9
    """

    def __init__(self, address: str, wait: float | None = None) -> None:
        wait = WAIT if wait is None else wait
        self.address = address
        try:
            import distributed
        except ImportError:
            raise ExecutionError(
                "Dask is needed for a cluster; install it with: pip install 'sensiscope[cluster]'"
            ) from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what is wrong is said in one line
        # what its workers have of other packages is no fault; what they need is asked below
        warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)
        try:
            _knock(address, wait)  # a client that finds no scheduler leaves a thread behind
            self.client: Any = distributed.Client(address, timeout=wait)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, TypeError):
            raise ExecutionError(
                f"no scheduler answers at {address}; start one there with: dask scheduler"
            ) from None
        try:
            threads = self._threads(wait)
        except BaseException:
            self.close()
            raise
        self.runner = Runner(self._opened, 2 * threads, self)
        self._running = contextlib.ExitStack()

    def _threads(self, wait: float) -> int:
        """Return how many tasks are run at once; `ExecutionError` if none are, or not by this program."""
        with contextlib.suppress(Exception):
            self.client.wait_for_workers(1, timeout=wait)
        outcome = self.client.nthreads()
        self.workers, threads = len(outcome), sum(outcome.values())
        if not threads:
            raise ExecutionError(
                f"the cluster at {self.address} has no workers; start one with: dask worker {self.address}"
            )
        here = importlib.metadata.version(PROJECT)
        there = self.client.run(importlib.metadata.version, PROJECT, on_error="return")
        for worker, version in there.items():
            if version != here:
                outcome = "no Sensiscope" if isinstance(version, Exception) else f"Sensiscope {version}"
                raise ExecutionError(
                    f"the worker {worker} has {outcome}, and {here} is needed; install it there with: "
                    "pip install 'sensiscope[cluster]'"
                )
        return int(threads)

    def __enter__(self) -> Cluster:
        self._running.enter_context(running_on(self.runner))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.rest()
        self.close()

    def trials(self, data: Any) -> ClusterTrials:
        """Return what makes simulated releases of the same data there."""
        return ClusterTrials(data, self)

    def rest(self) -> None:
        """Let work be done here again; what is under way there may end."""
        self._running.close()

    def close(self) -> None:
        """Leave the cluster; it goes on running."""
        with contextlib.suppress(Exception):
            self.client.close(timeout=LEAVE)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Executor]:
        with broken_in_one_line(self.address):
            yield self.client.get_executor(pure=False, retries=RETRIES)


def _knock(address: str, wait: float) -> None:
    """Raise `OSError` or `ValueError` unless something listens at an address."""
    from distributed.comm.addressing import parse_address, parse_host_port

    index = parse_host_port(parse_address(address)[1], default_port=PORT)
    socket.create_connection(index, timeout=wait).close()


@contextlib.contextmanager
def broken_in_one_line(address: str) -> Iterator[None]:
    """Say in one line what breaks down on a cluster."""
    try:
        yield
    except (SensiscopeError, Cancelled, MemoryError):
        raise
    except Exception as error:
        raise ExecutionError(
            f"the cluster at {address} has broken down ({type(error).__name__}); see whether its scheduler "
            "and workers are alive and have memory enough, and run again"
        ) from None


class ClusterTrials:
    """Does the pieces of a schedule on a cluster, as `engine.comparison.processes.Processes` does here."""

    def __init__(self, data: Any, cluster: Cluster) -> None:
        self.data = data
        self._cluster = cluster
        self._sent = cluster.client.scatter([data], broadcast=True)[0]

    def __enter__(self) -> ClusterTrials:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the workers forget the data."""
        self._sent = None

    def run(self, schedule: Schedule, progress: Progress) -> None:
        """Do all pieces of a schedule, which takes what is found of each once it is whole."""
        running: dict[Future[Any], Piece] = {}
        with self._cluster.runner.opened() as pool:
            try:
                while True:
                    while len(running) < self._cluster.runner.width and (piece := schedule.next()):
                        running[pool.submit(_done, piece, self._sent)] = piece
                    if not running:
                        return
                    for task in wait(running, PATIENCE, FIRST_COMPLETED).done:
                        piece = running.pop(task)
                        schedule.put(piece, task.result())
                        schedule.end(piece)
                    progress(schedule.fraction({}), MESSAGE)
            finally:
                for task in running:
                    task.cancel()


def _done(piece: Piece, data: Any) -> Any:
    """Return all that is found of a piece (on a worker)."""
    (result,) = deque(piece.results(Samples(data, piece.seed), silent), maxlen=1)
    return result
