"""Reads the lessons from their files; a mistake in one is named with file and line, and costs no other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from app.lessons.lesson import LAST, RUN, Lesson, LessonQuestion, LessonStep
from app.lessons.reading_scene import read_scene
from app.lessons.toml_table import Lines, TomlTable
from app.model.pages.registry import PAGE_KINDS
from engine.catalog import kinds
from engine.errors import DataError
from engine.resources import resource_folders
from engine.small_files import parse_toml, small_text

SUFFIX = ".toml"
MAX_MINUTES = 60
MAX_ANSWERS = 4
"""As many as keys stand beside each other, and as many as readers compare."""

T = TypeVar("T")


class Faults:
    """Reads part by part: a fault in one keeps no other from being read."""

    def __init__(self) -> None:
        self.errors: list[DataError] = []

    def attempt(self, read: Callable[[], T]) -> T | None:
        """Return what `read` does, or note its fault and return None."""
        try:
            return read()
        except DataError as error:
            self.errors.append(error)
            return None


def lessons(folder: Path | None = None) -> tuple[tuple[Lesson, ...], tuple[DataError, ...]]:
    """Return all lessons in their order, and what is wrong with the other files.

    `folder`: where they lie; by default the bundled ones, those of plug-ins and those in `own_folder`.
    """
    return lessons_in((*resource_folders("lessons"), own_folder()) if folder is None else (folder,))


@cache
def lessons_in(folders: tuple[Path, ...]) -> tuple[tuple[Lesson, ...], tuple[DataError, ...]]:
    """Return the lessons in folders; a later one cannot take the name of an earlier one."""
    good: dict[str, Lesson] = {}
    bad: list[DataError] = []
    for file in folders:
        for path in sorted(file.glob(f"*{SUFFIX}")):
            try:
                lesson = read_lesson(path)
                if lesson.name in good:
                    raise DataError("a bundled lesson has this name; rename the file", source=path.name)
                good[lesson.name] = lesson
            except DataError as error:
                bad.append(error)
    return tuple(sorted(good.values(), key=lambda lesson: (lesson.order, lesson.name))), tuple(bad)


def own_folder() -> Path:
    """Return where users keep lessons of their own; it may not be there."""
    from platformdirs import user_data_path

    return user_data_path("Sensiscope", appauthor=False) / "lessons"


def read_lesson(path: Path) -> Lesson:
    """Read one file.

    Raises `DataError` with file and line of the first mistake.
    """
    lesson, faults = _read(path)
    if lesson is None:
        raise faults[0]
    return lesson


def faults_of(path: Path) -> tuple[DataError, ...]:
    """Return what is wrong with a file, of each of its tables and each line of its head the first fault."""
    return tuple(_read(path)[1])


def _read(path: Path) -> tuple[Lesson | None, list[DataError]]:
    """Return the lesson, or None and its faults."""
    faults = Faults()
    section = faults.attempt(lambda: _table_of(path))
    if section is None:
        return None, faults.errors
    head: dict[str, Any] = {
        **{key: faults.attempt(partial(section.text, key)) for key in ("title", "topic", "summary", "needs")},
        "order": faults.attempt(lambda: section.whole("order", 0, LAST, LAST)),
        "minutes": faults.attempt(lambda: section.whole("minutes", 1, MAX_MINUTES)),
        "seed": faults.attempt(lambda: section.whole("seed", 0, 2**31 - 1, 1)),
        "controls": faults.attempt(lambda: read_controls(section)),
    }
    steps = [_step(step, faults) for step in faults.attempt(lambda: section.sections("step")) or ()]
    faults.attempt(section.end)
    if not steps and not faults.errors:
        faults.errors.append(section.wrong("there is no step; begin one with [[step]]"))
    if faults.errors:
        return None, faults.errors
    shown = tuple(step for step in steps if step is not None)
    return Lesson(name=path.stem, steps=shown, path=path.resolve(), **head), []


def _table_of(path: Path) -> TomlTable:
    """Return the table that a file is."""
    text = small_text(path)
    return TomlTable(path.name, Lines(text), (), parse_toml(text, path.name))


def _step(section: TomlTable, faults: Faults) -> LessonStep | None:
    """Read a step, its scene and its question, each of which may have a fault of its own."""

    known = len(faults.errors)
    texts = {
        "title": faults.attempt(partial(section.text, "title")),
        "text": faults.attempt(partial(section.text, "text")),
        "look": faults.attempt(partial(section.text, "look", "")),
        "attempt": faults.attempt(partial(section.text, "try", "")),
    }
    scene = faults.attempt(lambda: read_scene(_there(section, "scene")))
    question = faults.attempt(lambda: _question(_there(section, "question")))
    faults.attempt(section.end)
    step: dict[str, Any] = {**texts, "scene": scene, "question": question}
    return LessonStep(**step) if len(faults.errors) == known else None


def _there(section: TomlTable, name: str) -> TomlTable:
    match = section.section(name)
    if match is None:
        raise section.wrong(f"the step has no {name}; begin it with [step.{name}]")
    return match


def _question(section: TomlTable) -> LessonQuestion:
    answers = section.texts("answers")
    if not 2 <= len(answers) <= MAX_ANSWERS:
        raise section.wrong(f"a question has 2 to {MAX_ANSWERS} answers, not {len(answers)}", "answers")
    question = LessonQuestion(
        ask=section.text("ask"),
        answers=answers,
        right=section.whole("right", 1, len(answers)) - 1,
        because=section.text("because"),
    )
    section.end()
    return question


def control_names() -> frozenset[str]:
    """Return all names: of what is declared about data, of parts of mechanisms and of their parameters."""
    data = {one.name for page in PAGE_KINDS.values() for kind in page.forms for one in fields(kind.choice)}
    components = [one for family in kinds().values() for one in family.values()]
    parameters = {declared.name for one in components for declared in one.parameters()}
    return frozenset({"epsilon", "delta", RUN, *data, *kinds(), *parameters})


def read_controls(section: TomlTable) -> frozenset[str] | None:
    """Return what the head of a lesson names; None: all controls, where it names none."""
    if "controls" not in section:
        return None
    names = section.texts("controls")
    known = control_names() if names else ()
    return frozenset(section.check_known(name, "control", known, "controls") for name in names)
