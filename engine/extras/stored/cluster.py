"""A Dask cluster, with the optional package `distributed`."""

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
from engine.optional_packages import install_command
from engine.progress import Cancelled, Progress, silent
from engine.runners import CHECK_SECONDS, Runner, running_on

WAIT = 5.0
"""Seconds to wait for a scheduler."""

LEAVE = 2.0
"""Seconds to wait when disconnecting from a scheduler."""

RETRIES = 3
"""Number of new attempts for a task whose worker has died."""

PORT = 8786
"""Port of a scheduler whose address names none."""

PROJECT = "sensiscope"


class Cluster:
    """A running cluster: its scheduler and its workers.

    Within ``with``, its workers do three kinds of work: passes over columns that stay in their source,
    functions on blocks, and simulations for comparisons.  If a worker dies, others take over its tasks.
    Files need the same path on all machines.  Results are the same numbers as without a cluster.

    Parameters
    ----------
    address : str
        Address of the scheduler, such as ``tcp://192.168.1.5:8786``.
    wait : float, optional
        Time limit for the scheduler's first answer, in seconds.

    Attributes
    ----------
    address : str
    workers : int
        The number of workers when the connection was made.
    runner : Runner

    Raises
    ------
    ExecutionError
        If `distributed` is not installed, the scheduler does not answer, there are no workers, or a worker
        lacks this version of the program.

    See Also
    --------
    Processes, SampleAggregate

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
                f"a cluster needs Dask; install it with: {install_command('cluster')}"
            ) from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we report errors in one line
        # other versions of other packages are no error; `_threads` checks the one that matters
        warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)
        try:
            _check_listening(
                address, wait
            )  # otherwise a client without a scheduler would leave a thread behind
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
        """Return how many tasks run at once; `ExecutionError` if none do, or versions differ."""
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
                    f"the worker {worker} has {outcome} and needs Sensiscope {here}; install it there with: "
                    + install_command("cluster")
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
        """Return an object that simulates releases of the same data on the cluster."""
        return ClusterTrials(data, self)

    def rest(self) -> None:
        """Let this computer do new work; running tasks of the cluster may end."""
        self._running.close()

    def close(self) -> None:
        """Disconnect from the cluster, which keeps running."""
        with contextlib.suppress(Exception):
            self.client.close(timeout=LEAVE)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Executor]:
        with raising_execution_errors(self.address):
            yield self.client.get_executor(pure=False, retries=RETRIES)


def _check_listening(address: str, wait: float) -> None:
    """Raise `OSError` or `ValueError` if nothing listens at an address."""
    from distributed.comm.addressing import parse_address, parse_host_port

    index = parse_host_port(parse_address(address)[1], default_port=PORT)
    socket.create_connection(index, timeout=wait).close()


@contextlib.contextmanager
def raising_execution_errors(address: str) -> Iterator[None]:
    """Convert unexpected errors of a cluster to `ExecutionError` with one line."""
    try:
        yield
    except (SensiscopeError, Cancelled, MemoryError):
        raise
    except Exception as error:
        raise ExecutionError(
            f"the cluster at {address} failed ({type(error).__name__}); check that its scheduler and workers "
            "run and have enough memory, then try again"
        ) from None


class ClusterTrials:
    """Runs the pieces of a schedule on a cluster; `engine.comparison.processes.Processes` runs them here."""

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
        """Let the workers delete the data."""
        self._sent = None

    def run(self, schedule: Schedule, progress: Progress) -> None:
        """Run all pieces of a schedule, and pass it the results of each complete piece."""
        running: dict[Future[Any], Piece] = {}
        with self._cluster.runner.opened() as pool:
            try:
                while True:
                    while len(running) < self._cluster.runner.width and (piece := schedule.next()):
                        running[pool.submit(_done, piece, self._sent)] = piece
                    if not running:
                        return
                    for task in wait(running, CHECK_SECONDS, FIRST_COMPLETED).done:
                        piece = running.pop(task)
                        schedule.put(piece, task.result())
                        schedule.end(piece)
                    progress(schedule.fraction({}), MESSAGE)
            finally:
                for task in running:
                    task.cancel()


def _done(piece: Piece, data: Any) -> Any:
    """Return the results of a piece (on a worker)."""
    (result,) = deque(piece.results(Samples(data, piece.seed), silent), maxlen=1)
    return result
