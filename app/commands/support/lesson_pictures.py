"""The pictures of a lesson, step by step, from a window that is not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.commands.support.hidden_window import hidden_window, wait
from engine.errors import SensiscopeError

if TYPE_CHECKING:
    from app.lessons.lesson import Lesson
    from app.plots.figure_panel import FigurePanel
    from engine.progress import Progress

SIZE = (1280, 800)


def pictures_of(lesson: Lesson, progress: Progress) -> list[FigurePanel | None]:
    """Play a lesson to its end; return what is drawn in each step, None where there is a table."""
    pictures: list[FigurePanel | None] = []
    failures: list[str] = []
    with hidden_window("handout") as window:
        player = window.controllers.lessons.player
        player.failed.connect(lambda failure: failures.append(failure.message))
        window.setFixedSize(*SIZE)
        window.show()
        wait(window)
        for index, step in enumerate(lesson.steps):
            progress(index / len(lesson.steps), step.title)
            player.start(lesson, index)
            wait(window)
            if failures:
                raise SensiscopeError(failures[0])
            canvas = window.page.canvas
            pictures.append(canvas.drawn if canvas is not None and canvas.has_result else None)
    return pictures
