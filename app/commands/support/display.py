"""Detection of a display, before Qt ends the process where it finds none."""

from __future__ import annotations

import os
import re
import sys

NEED_NONE = ("offscreen", "minimal", "minimalegl", "vnc", "linuxfb", "eglfs", "vkkhrdisplay")
"""The platforms on which Qt draws without a display server."""


def display_problem() -> str:
    """Return why no window can open, with the variables that name no display; "" if one can."""
    if not sys.platform.startswith("linux"):
        return ""
    if _usable_platforms():
        return ""
    shown = [f"{name}={os.environ[name]}" for name in _NAMED if os.environ.get(name)]
    return "there is no display for the window" + (f": {', '.join(shown)} leads to none" if shown else "")


def library_problem() -> str:
    """Name the library that Qt needs for X11 and this system lacks, and how to install it; "" for none.

    Qt would end the program instead of raising an error.
    """
    if not sys.platform.startswith("linux") or _usable_platforms() != ["xcb"]:
        return ""
    try:
        _load_plugin()
    except OSError as error:
        library, cannot_open, _ = str(error).partition(": cannot open shared object file")
        if not cannot_open or library.startswith("/"):  # Qt knows better where its plugins are
            return ""
        name, _, version = library.lower().partition(".so.")
        package = f"{name}-{version}" if name[-1].isdigit() else f"{name}{version}"
        return (
            f"the window needs {library}, which this system lacks: install it "
            f"(on Debian and Ubuntu: sudo apt install {package})"
        )
    return ""


def _load_plugin() -> None:
    """Load Qt's plugin for X11 with its libraries."""
    import ctypes

    from PySide6.QtCore import QLibraryInfo

    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)
    ctypes.CDLL(os.path.join(folder, "platforms", "libqxcb.so"))


def _usable_platforms() -> list[str]:
    """Return the Qt platforms that find a display, the first choice first."""
    asked = os.environ.get("QT_QPA_PLATFORM", "")
    names = [part.partition(":")[0] for part in asked.split(";")] if asked else ["wayland", "xcb"]
    return [name for name in names if _can_draw_on(name)]


_NAMED = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")


def _can_draw_on(platform: str) -> bool:
    if platform == "xcb":
        display = os.environ.get("DISPLAY")
        return bool(display) and _x_answers(display or "")
    if platform.startswith("wayland"):
        return _wayland_answers()
    return platform in NEED_NONE


def _x_answers(display: str) -> bool:
    """Tell whether an X server of this machine answers; assume it of one elsewhere."""
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", display)
    if local is None:
        return True
    path = f"/tmp/.X11-unix/X{local[1]}"
    return _listens(path) or _listens(f"\0{path}")


def _wayland_answers() -> bool:
    """Tell whether the Wayland compositor that the environment names answers."""
    name = os.environ.get("WAYLAND_DISPLAY")
    if not name and os.environ.get("XDG_SESSION_TYPE") != "wayland":
        return False
    return _listens(os.path.join(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent"), name or "wayland-0"))


def _listens(path: str) -> bool:
    import socket

    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(2)
        try:
            probe.connect(path)
        except OSError:
            return False
        return True
