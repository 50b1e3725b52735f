"""What is registered: its controller."""

from __future__ import annotations

from app.window.extra_controllers import register_controller


def register() -> None:
    """Register the controller, which is made with each window."""
    register_controller("cluster", "app.extras.cluster.controller:ClusterController")
