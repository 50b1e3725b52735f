"""Loading the plug-ins when the program starts, and saying in one line which are left out."""

from __future__ import annotations

import sys
from importlib import import_module

from app.commands.support.console import remark
from engine.plugins import Plugin, is_any_installed, load_plugins

REGISTRIES = ("app.model.pages.registry", "app.releases.registry", "engine.data.formats.registry")
"""With all that they import: every registry there is."""


def start_plugins() -> tuple[Plugin, ...]:
    """Load all plug-ins, and say on standard error which are left out."""
    if is_any_installed(sys.path):
        for registry in REGISTRIES:  # complete before anything is added, which may be taken out again
            import_module(registry)
    found = load_plugins()
    for plugin in found:
        if plugin.problem:
            remark("warning", plugin.words)
    return found
