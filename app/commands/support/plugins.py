"""Loading the plug-ins when the program starts, and saying in one line which are left out."""

from __future__ import annotations

from app.commands.support.console import remark
from app.model.left_out import left_out
from engine.plugins import Plugin, load_plugins

REGISTRIES = ("app.model.pages.registry", "app.releases.registry", "engine.data.formats.registry")
"""With all that they import: every registry there is."""


def start_plugins() -> tuple[Plugin, ...]:
    """Load all plug-ins, and say on standard error what is left out."""
    plugins = load_plugins(REGISTRIES)
    for line in left_out():
        remark("warning", line)
    return plugins
