"""What is registered: ways of finding a ball, after those that are used."""

from __future__ import annotations

from engine.components import register_later

HERE = "engine.extras.finders"


def register() -> None:
    """Register ways of finding a ball."""
    register_later("finder", "balls", f"{HERE}.baselines:AllBalls", after="tight-boxes")
    register_later("finder", "thresholds", f"{HERE}.baselines:Thresholds", after="balls")
    register_later("finder", "published", f"{HERE}.published:Published", after="thresholds")
