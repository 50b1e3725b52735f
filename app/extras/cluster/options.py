"""``--cluster ADDRESS``: an existing Dask cluster does the work."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator

from app.commands.support.options import Option, UsageError, add_option


def configure(group: argparse._ActionsContainer) -> None:
    """Add the option for the address of a scheduler."""
    text = (
        "use the workers of this Dask scheduler, such as tcp://192.168.1.5:8786, to read large files and to "
        "run functions on blocks, comparisons and audits"
    )
    add_option(group, Option("cluster", text, metavar="ADDRESS"))


@contextlib.contextmanager
def running(options: argparse.Namespace) -> Iterator[None]:
    """Run the command on the workers of the cluster, if the options name one."""
    if getattr(options, "cluster", None) is None:
        yield
        return
    if getattr(options, "workers", None) is not None:
        raise UsageError("--workers and --cluster exclude each other; leave one of them out")
    from engine import Cluster

    with Cluster(options.cluster):
        yield
