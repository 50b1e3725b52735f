"""Simulated releases as tasks of a cluster, seen from outside."""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, wait
from types import TracebackType
from typing import Any

from engine.comparison.processes import Processes
from engine.comparison.schedule import MESSAGE, Piece, Schedule
from engine.comparison.trial_runs import Samples
from engine.extras.stored.cluster import Cluster
from engine.progress import Progress, silent
from engine.runners import PATIENCE, runner


class Tasks:
    """Does the pieces of a schedule on a cluster, as `engine.comparison.processes.Processes` does here."""

    def __init__(self, data: Any, cluster: Cluster) -> None:
        self.data = data
        self._cluster = cluster
        self._sent = cluster.client.scatter([data], broadcast=True)[0]

    def __enter__(self) -> Tasks:
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
                        running[pool.submit(_do, piece, self._sent)] = piece
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


def side_by_side(data: Any, workers: int | None = None) -> Processes | Tasks:
    """Return what simulates releases of the same data: the cluster that is in use, or processes here."""
    cluster = runner().cluster
    return Processes(data, workers) if cluster is None else Tasks(data, cluster)


def _do(piece: Piece, data: Any) -> Any:
    (result,) = deque(piece.results(Samples(data, piece.seed), silent), maxlen=1)
    return result
