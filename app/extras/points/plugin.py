"""What is registered: the picture of cells, where the page of clusters has it."""

from __future__ import annotations

from engine.plugins import after_import


def register() -> None:
    """Register the picture once there are pages."""
    after_import("app.model.pages.registry", "app.extras.points.pictures:add_pictures")
