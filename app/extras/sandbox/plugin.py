"""Registers the controller."""

from __future__ import annotations

from app.model.additions import add_controller


def register() -> None:
    """Register the controller, which each window creates."""
    add_controller("trusted_code", "app.extras.sandbox.controller:TrustedCodeController")
