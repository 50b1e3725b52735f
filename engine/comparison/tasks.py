"""Simulated releases side by side: by processes here, or by the workers of a cluster."""

from __future__ import annotations

from typing import Any, Protocol, Self

from engine.comparison.processes import Processes
from engine.comparison.schedule import Schedule
from engine.progress import Progress
from engine.runners import runner


class Trials(Protocol):
    """What makes simulated releases elsewhere, as `engine.comparison.processes.Processes` does here."""

    data: Any

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: Any) -> None: ...

    def close(self) -> None:
        """Let the data be forgotten."""

    def run(self, schedule: Schedule, progress: Progress) -> None:
        """Do all pieces of a schedule, which takes what is found of each once it is whole."""


def side_by_side(data: Any, workers: int | None = None) -> Processes | Trials:
    """Return what simulates releases of the same data: the cluster that is in use, or processes here."""
    cluster = runner().cluster
    if cluster is None:
        return Processes(data, workers)
    trials: Trials = cluster.trials(data)
    return trials
