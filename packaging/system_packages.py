"""The Debian packages that the PySide6 wheels need. Standard library only.

Only Debian and its family are handled, as they are the systems whose minimal images lack these
libraries and whose package names are known; everywhere else there is nothing to do.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

# Qt itself, whatever it draws on.
OFFSCREEN = (
    "libdbus-1-3",
    "libegl1",
    "libfontconfig1",
    "libgl1",
    "libglib2.0-0",
    "libxkbcommon0",
)
# Its plugin for X servers (also the way onto most Wayland desktops).
X11 = (
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-keysyms1",
    "libxcb-shape0",
    "libxkbcommon-x11-0",
)


def has_display(environment: Mapping[str, str]) -> bool:
    """Return whether a window can be opened (or the person has said what Qt shall draw on)."""
    if not sys.platform.startswith("linux"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def needed(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the packages that Qt needs for what it will draw on in this environment."""
    platform = environment.get("QT_QPA_PLATFORM", "")
    windowed = platform.startswith(("xcb", "wayland")) if platform else has_display(environment)
    return OFFSCREEN + X11 if windowed else OFFSCREEN


def is_debian() -> bool:
    """Return whether this system keeps its packages with dpkg."""
    return sys.platform.startswith("linux") and Path("/usr/bin/dpkg-query").is_file()


def installed(listing: str) -> set[str]:
    """Return the names installed or provided, from ``status TAB package TAB provides`` lines.

    Newer releases have renamed some libraries (``libglib2.0-0t64``) and *provide* the old name.
    """
    names: set[str] = set()
    for line in listing.splitlines():
        status, package, provides = line.split("\t")
        if status == "installed":
            names.add(package)
            names.update(name.split("(")[0].strip() for name in provides.split(",") if name.strip())
    return names


def missing(packages: Iterable[str]) -> list[str]:
    """Return those of the packages that are not installed here; none where there is no dpkg."""
    if not is_debian():
        return []
    query = ["dpkg-query", "--show", "--showformat", "${db:Status-Status}\t${Package}\t${Provides}\n"]
    listing = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    present = installed(listing)
    return [package for package in packages if package not in present]


def install_line(packages: Iterable[str]) -> str:
    """Return the one line with which a person who may install packages does so."""
    sudo = "" if os.geteuid() == 0 else "sudo "
    return f"{sudo}apt-get install --yes --no-install-recommends {' '.join(packages)}"


def install(packages: list[str]) -> str | None:
    """Install packages as root; return None when that worked, else what apt said in one line."""
    command = ["apt-get", "-o", "DPkg::Lock::Timeout=120", "install", "--yes", "--no-install-recommends"]
    update = ["apt-get", "-o", "DPkg::Lock::Timeout=120", "update"]
    said = ""
    # A fresh system has no package lists, and old lists name files that are gone.
    for step in ([*command, *packages], update, [*command, *packages]):
        done = subprocess.run(
            step,
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode == 0 and step is not update:
            return None
        said = next((line for line in reversed(done.stdout.splitlines()) if line.startswith("E:")), said)
    return said or "apt-get failed"
