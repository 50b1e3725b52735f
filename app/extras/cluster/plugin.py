"""Registers an option of commands, and a controller of windows."""

from __future__ import annotations

from app.model.additions import add_controller, add_options


def register() -> None:
    """Register the option, and the controller, which each window creates."""
    add_options("app.extras.cluster.options")
    add_controller("cluster", "app.extras.cluster.controller:ClusterController")
