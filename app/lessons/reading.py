"""Reads the lessons from their files; a mistake in one is named with file and line, and costs no other."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from app.lessons.lesson import Lesson, LessonQuestion, LessonStep
from app.lessons.lines import Lines
from app.lessons.reading_scene import read_scene
from app.lessons.section import TomlTable
from engine.errors import DataError
from engine.resources import resource

MOST_MINUTES = 60
MOST_ANSWERS = 4
"""As many as keys stand beside each other, and as many as readers compare."""


@cache
def lessons(folder: Path | None = None) -> tuple[tuple[Lesson, ...], tuple[DataError, ...]]:
    """Return all lessons in the order of their files, and what is wrong with the other files.

    Parameters
    ----------
    folder : Path, optional
        Where they lie; by default where the bundled ones do.
    """
    good: list[Lesson] = []
    bad: list[DataError] = []
    for path in sorted((folder or resource("lessons")).glob("*.toml")):
        try:
            good.append(read_lesson(path))
        except DataError as error:
            bad.append(error)
    return tuple(good), tuple(bad)


def read_lesson(path: Path) -> Lesson:
    """Read one file.

    Raises
    ------
    DataError
        With file and line of the first mistake.
    """
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", source=path.name) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise DataError("is not UTF-8; save it as UTF-8", source=f"{path.name}, line {line}") from None
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _no_toml(path.name, text, str(error)) from None
    section = TomlTable(path.name, Lines(text), (), table)
    lesson = Lesson(
        name=path.stem,
        title=section.text("title"),
        topic=section.text("topic"),
        minutes=section.whole("minutes", 1, MOST_MINUTES),
        summary=section.text("summary"),
        needs=section.text("needs"),
        seed=section.whole("seed", 0, 2**31 - 1, 1),
        steps=tuple(_step(step) for step in section.sections("step")),
    )
    section.end()
    if not lesson.steps:
        raise section.wrong("there is no step; begin one with [[step]]")
    return lesson


def _no_toml(source: str, text: str, message: str) -> DataError:
    """Return the error for a file that is no TOML; the reader's message ends with the place."""
    place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    line = place[1] if place and place[1] else len(text.splitlines()) or 1
    words = message[: place.start()] if place else message
    return DataError(f"is no TOML: {words[:1].lower()}{words[1:]}", source=f"{source}, line {line}")


def _step(section: TomlTable) -> LessonStep:
    scene, question = section.section("scene"), section.section("question")
    step = LessonStep(
        title=section.text("title"),
        text=section.text("text"),
        look=section.text("look", ""),
        attempt=section.text("try", ""),
        scene=read_scene(_there(section, scene, "scene")),
        question=_question(_there(section, question, "question")),
    )
    section.end()
    return step


def _there(section: TomlTable, found: TomlTable | None, name: str) -> TomlTable:
    if found is None:
        raise section.wrong(f"the step has no {name}; begin it with [step.{name}]")
    return found


def _question(section: TomlTable) -> LessonQuestion:
    answers = section.texts("answers")
    if not 2 <= len(answers) <= MOST_ANSWERS:
        raise section.wrong(f"a question has 2 to {MOST_ANSWERS} answers, not {len(answers)}", "answers")
    question = LessonQuestion(
        ask=section.text("ask"),
        answers=answers,
        right=section.whole("right", 1, len(answers)) - 1,
        because=section.text("because"),
    )
    section.end()
    return question
