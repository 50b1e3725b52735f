"""A lesson on the command line: which one, and which of its steps."""

from __future__ import annotations

import argparse

from app.commands.support.options import UsageError
from app.lessons.lesson import Lesson
from app.lessons.reading import lessons
from engine.errors import UnknownName

ROOM = "lessons"
ELSEWHERE = ("query", "tab", "k", "data", "example")
"""Options that say what a page shows; in a lesson, its file does."""


def check_lesson_options(options: argparse.Namespace) -> None:
    """Refuse options of pages in a lesson, and those of lessons on a page."""
    wrong = ELSEWHERE if options.page == ROOM else ("lesson", "step")
    given = next((name for name in wrong if getattr(options, name) is not None), None)
    if given is not None:
        owner = "pages; a lesson has its own data and pictures" if options.page == ROOM else f"'{ROOM}'"
        raise UsageError(f"--{given}: belongs to {owner}")


def chosen_step(options: argparse.Namespace) -> tuple[Lesson, int] | None:
    """Return the lesson that is named and its step, counted from 0; None for the list of all.

    Raises
    ------
    DataError
        If the file of the lesson has a mistake.
    UnknownName, UsageError
        If there is no such lesson, or no such step.
    """
    if options.lesson is None:
        if options.step is not None:
            raise UsageError("--step: belongs to --lesson, which is not given")
        return None
    good, bad = lessons()
    known = {lesson.name: lesson for lesson in good}
    for error in bad:
        if str(error.source).startswith(f"{options.lesson}.toml"):
            raise error
    if options.lesson not in known:
        raise UnknownName("lesson", options.lesson, known)
    lesson, step = known[options.lesson], options.step or 1
    if not 1 <= step <= len(lesson.steps):
        raise UsageError(f"--step: {lesson.name} has steps 1 to {len(lesson.steps)}, not {step}")
    return lesson, step - 1
