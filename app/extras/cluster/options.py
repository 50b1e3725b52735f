"""``--cluster ADDRESS``: work is done by the workers of a Dask cluster that is there already."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator


def add_cluster_option(group: argparse._ActionsContainer) -> None:
    """Add the option that names a scheduler."""
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="of a Dask scheduler, such as tcp://192.168.1.5:8786: its workers read columns that stay in "
        "their files, and run functions on blocks, comparisons and audits",
    )


@contextlib.contextmanager
def on_cluster(options: argparse.Namespace) -> Iterator[None]:
    """Connect to the cluster that is named, if one is; it stands in `options` from then on."""
    if getattr(options, "cluster", None) is None:
        yield
        return
    from engine import Cluster

    with Cluster(options.cluster) as options.cluster:
        yield
