"""What is registered: pictures of a choice among candidates, where the page of small balls has them."""

from __future__ import annotations

from engine.plugins import after_import


def register() -> None:
    """Register pictures once there are pages."""
    after_import("app.model.pages.registry", "app.extras.frontier.pictures:add_pictures")
