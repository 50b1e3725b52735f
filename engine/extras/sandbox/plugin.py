"""Registers the function from a file, last of all functions on blocks."""

from __future__ import annotations

from engine.components import register_later


def register() -> None:
    """Register the function from a file."""
    register_later("function", "black-box", "engine.extras.sandbox.black_box:BlackBox", after="regression")
