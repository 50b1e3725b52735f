"""The balls of a released value, and the records that they hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.mechanisms.one_cluster import Ball
from engine.mechanisms.one_cluster.balls import BallsPrepared

if TYPE_CHECKING:
    from app.releases.run import Run
    from engine.mechanisms.prepared import Prepared

Found = Mapping[str, Any]
"""A ball that was found: its center, its radius, and perhaps a mean."""


def balls_of(value: Any) -> list[Found | None]:
    """Return the balls of a released value one after the other; None where none was found."""
    return value if isinstance(value, list) else [value]


def found_of(value: Any) -> list[Found]:
    """Return the balls that were found."""
    return [ball for ball in balls_of(value) if ball is not None]


def records_on_grid(run: Run, prepared: Prepared) -> np.ndarray:
    """Return the points of the public grid that stand for the records (private)."""
    box = run.data.database.domain
    assert isinstance(prepared, BallsPrepared)
    records: np.ndarray = run.mechanism.search.domain(box).points_at(prepared.points)
    return records


def held_by(ball: Found, points: np.ndarray) -> int:
    """Return how many points a ball holds."""
    return int(Ball(tuple(ball["center"]), ball["radius"]).contains(points).sum())
