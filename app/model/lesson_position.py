"""Where readers are in a lesson."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class LessonPosition:
    """One step of a lesson.

    Attributes
    ----------
    lesson : str
        The name of its file, without the ending.
    step : int
        Counted from 0.
    seed : int
        Everything that is drawn while it is played follows from it.
    """

    lesson: str
    step: int
    seed: int
