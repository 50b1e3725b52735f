"""Packages that an extra of the distribution installs, and how to get them."""

from __future__ import annotations

from importlib.util import find_spec

PACKAGES = {
    "PySide6": ("PySide6", "window"),
    "matplotlib": ("matplotlib", "plots"),
    "sklearn": ("scikit-learn", "scikit-learn"),
}
"""The distribution of each module, and the extra that installs it."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra of the distribution.

    >>> install_command("plots")
    "pip install 'sensiscope[plots]'"
    """
    return f"pip install 'sensiscope[{extra}]'"


def not_installed(module: str, user: str) -> str:
    """Return how to install the package that `user` needs, or "" if it is installed.  This imports nothing.

    >>> not_installed("matplotlib", "a figure") in (
    ...     "", "a figure needs matplotlib; install it with: pip install 'sensiscope[plots]'"
    ... )
    True
    """
    if find_spec(module) is not None:
        return ""
    package, extra = PACKAGES[module]
    return f"{user} needs {package}; install it with: {install_command(extra)}"
