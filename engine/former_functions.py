"""Functions that `engine` offered once with other arguments; old scripts find them, nothing lists them."""

from __future__ import annotations

from typing import Any

from engine.privacy import NO_PROMISE


def place_released(mechanism: Any, source: Any, released: Any, **axes: int) -> Any:
    """Return what `release_scene` does without records."""
    return _scene("release_scene", mechanism, source, released, **axes)


def place_released_ball(mechanism: Any, source: Any, released: Any, **options: Any) -> Any:
    """Return what `ball_scene` does without records."""
    return _scene("ball_scene", mechanism, source, released, **options)


def place_released_choice(mechanism: Any, source: Any, released: Any, **axes: int) -> Any:
    """Return what `choice_scene` does without records."""
    return _scene("choice_scene", mechanism, source, released, **axes)


def place_released_number(source: Any, released: float) -> Any:
    """Return what `number_scene` does without records."""
    return _scene("number_scene", None, source, released)


def _scene(name: str, mechanism: Any, source: Any, released: Any, **options: Any) -> Any:
    from engine import analysis

    scene = getattr(analysis, name)
    return scene(mechanism, source, NO_PROMISE, released=released, records=False, **options)
