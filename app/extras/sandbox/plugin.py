"""What is registered: its controller."""

from __future__ import annotations

from app.model.additions import add_controller


def register() -> None:
    """Register the controller, which is made with each window."""
    add_controller("trusted_code", "app.extras.sandbox.controller:TrustedCodeController")
