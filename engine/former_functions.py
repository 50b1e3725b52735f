"""Functions with former signatures, kept for old scripts and not listed."""

from __future__ import annotations

from typing import Any

from engine.privacy import NO_PROMISE


def place_released(mechanism: Any, source: Any, released: Any, **axes: int) -> Any:
    """Return `release_scene` without records."""
    return _scene("release_scene", mechanism, source, released, **axes)


def place_released_ball(mechanism: Any, source: Any, released: Any, **options: Any) -> Any:
    """Return `ball_scene` without records."""
    return _scene("ball_scene", mechanism, source, released, **options)


def place_released_choice(mechanism: Any, source: Any, released: Any, **axes: int) -> Any:
    """Return `choice_scene` without records."""
    return _scene("choice_scene", mechanism, source, released, **axes)


def place_released_number(source: Any, released: float) -> Any:
    """Return `number_scene` without records."""
    return _scene("number_scene", None, source, released)


def _scene(name: str, mechanism: Any, source: Any, released: Any, **options: Any) -> Any:
    from engine import analysis

    scene = getattr(analysis, name)
    return scene(mechanism, source, NO_PROMISE, released=released, records=False, **options)
