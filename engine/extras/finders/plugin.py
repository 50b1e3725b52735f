"""Registers finders of a ball, after those for practical use."""

from __future__ import annotations

from engine.components import register_later

HERE = "engine.extras.finders"


def register() -> None:
    """Register the finders."""
    register_later("finder", "balls", f"{HERE}.baselines:AllBalls", after="tight-boxes")
    register_later("finder", "thresholds", f"{HERE}.baselines:Thresholds", after="balls")
    register_later("finder", "published", f"{HERE}.published:Published", after="thresholds")
