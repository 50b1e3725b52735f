"""``--cluster ADDRESS``: the workers of an existing Dask cluster do the work."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator

from app.commands.support.options import Option, UsageError, add_option


def configure(group: argparse._ActionsContainer) -> None:
    """Add the option that names a scheduler."""
    text = (
        "let the workers of this Dask scheduler, such as tcp://192.168.1.5:8786, read large files and run "
        "functions on blocks, comparisons and audits"
    )
    add_option(group, Option("cluster", text, metavar="ADDRESS"))


@contextlib.contextmanager
def running(options: argparse.Namespace) -> Iterator[None]:
    """Run the command on the workers of the named cluster, if one is named."""
    if getattr(options, "cluster", None) is None:
        yield
        return
    if getattr(options, "workers", None) is not None:
        raise UsageError("--workers: the workers of --cluster run the trials; leave one of them out")
    from engine import Cluster

    with Cluster(options.cluster):
        yield
