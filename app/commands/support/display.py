"""Whether there is a screen."""

from __future__ import annotations

import os
import re
import socket
import sys


def has_display() -> bool:
    """Tell whether a window can be shown (or Qt was told to do without a screen).

    Qt ends the process where it finds none, so it must be known before.
    """
    if not sys.platform.startswith("linux"):
        return True
    if any(os.environ.get(name) for name in ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        return True
    display = os.environ.get("DISPLAY")
    return bool(display) and _answers(display or "")


def _answers(display: str) -> bool:
    """Tell whether an X server of this machine answers; one elsewhere is taken at its word."""
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", display)
    if local is None:
        return True
    path = f"/tmp/.X11-unix/X{local[1]}"
    for address in (path, f"\0{path}"):
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(2)
            try:
                probe.connect(address)
            except OSError:
                continue
            return True
    return False
