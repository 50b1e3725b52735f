"""The start of a sandboxed process, and the protections that this system lacks."""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path

from engine.extras.sandbox.confinement import POSSIBLE_ACTIONS

PACKAGE = __name__.rpartition(".")[0]
FOLDERS = {
    PACKAGE.rsplit(".", level)[0]: str(Path(__file__).parents[level])
    for level in range(1, PACKAGE.count(".") + 1)
}
START = f"""
import sys, types
for name, folder in {FOLDERS!r}.items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
from {PACKAGE}.processes import enter
namespaces = enter()
"""
"""The first lines of a program.  They load only the needed modules, since processes start often."""

TRY = f"""{START}
import os
from {PACKAGE}.confinement import prepare
confinement = prepare(namespaces, {{}})
size = confinement.open_size()
if hasattr(os, "fork"):
    child, _ = confinement.fork()
    if child:
        os.waitpid(child, 0)
        os._exit(0)
print(*confinement.shut_in(None if size is None else 1 << 34))
"""
TIMEOUT_SECONDS = 10.0
"""Seconds after which a system counts as offering no protection."""


@functools.cache
def protections() -> frozenset[str]:
    """Return the names of the `POSSIBLE_ACTIONS` that this system prevents."""
    try:
        tried = subprocess.run(
            [sys.executable, "-P", "-c", TRY],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return frozenset()
    return frozenset(tried.stdout.split())


def left_open() -> str:
    """Return one line on what a function from a file could still do here, "" if nothing."""
    *most, last = ("", *(action for name, action in POSSIBLE_ACTIONS.items() if name not in protections()))
    if not last:
        return ""
    listed = f"{', '.join(most[1:])}, or {last}" if most[1:] else last
    return f"This system lacks some protections: the function could {listed}."
