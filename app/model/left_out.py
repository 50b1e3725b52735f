"""Names what the program left out when it started, since it could not be read or failed."""

from __future__ import annotations

from collections.abc import Iterator

from engine.plugins import load_plugins
from engine.resources import resource_folders


def left_out() -> Iterator[str]:
    """Yield a line for each plug-in, and each example of one, that is left out."""
    for plugin in load_plugins():
        if plugin.problem:
            yield plugin.text
    if len(resource_folders("examples")) > 1:  # the bundled cards need not be read yet
        from engine.data.examples import EXAMPLES

        for fault in EXAMPLES.faults:
            yield f"an example is left out: {fault}"
