"""Registers the picture of cells, for the page of clusters."""

from __future__ import annotations

from engine.plugins import after_import


def register() -> None:
    """Register the picture once pages are imported."""
    after_import("app.model.pages.registry", "app.extras.points.pictures:add_pictures")
