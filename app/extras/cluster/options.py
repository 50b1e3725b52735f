"""``--cluster ADDRESS``: work is done by the workers of a Dask cluster that is there already."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator

from app.commands.support.options import UsageError


def configure(group: argparse._ActionsContainer) -> None:
    """Add the option that names a scheduler."""
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="of a Dask scheduler, such as tcp://192.168.1.5:8786: its workers read columns that stay in "
        "their files, and run functions on blocks, comparisons and audits",
    )


@contextlib.contextmanager
def running(options: argparse.Namespace) -> Iterator[None]:
    """Let the workers of the cluster that is named, if one is, do what the command does."""
    if getattr(options, "cluster", None) is None:
        yield
        return
    if getattr(options, "workers", None) is not None:
        raise UsageError("--workers: with --cluster its own workers do the trials; leave one of them out")
    from engine import Cluster

    with Cluster(options.cluster):
        yield
