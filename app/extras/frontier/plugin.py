"""Registers pictures of a choice among candidates, for the page of small balls."""

from __future__ import annotations

from engine.plugins import after_import


def register() -> None:
    """Register the pictures once pages are imported."""
    after_import("app.model.pages.registry", "app.extras.frontier.pictures:add_pictures")
