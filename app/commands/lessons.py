"""List the lessons and the folder for your own, check lesson files, plan a course, or export a lesson."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands.support.console import Bar, say
from app.commands.support.options import UsageError, VerbHelp, count

if TYPE_CHECKING:
    from app.export.lesson_pages import StepPictures
    from app.lessons.lesson import Lesson
    from app.plots.figure_panel import FigurePanel
    from app.window.main_window import MainWindow

FINE, FAULTY = 0, 2
WINDOW = (1280, 800)

HELP = VerbHelp(
    usage="[--check FILE… | --plan MINUTES | --slides NAME | --exercises NAME] [--out FILE]",
    example="lessons --slides local-noise-leaks --out slides.html",
)


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_mutually_exclusive_group()
    actions.add_argument(
        "--check", metavar="FILE", nargs="+", help="report every mistake in these lesson files"
    )
    actions.add_argument(
        "--plan", metavar="MINUTES", type=count, help="list the lessons that fit in this time"
    )
    actions.add_argument("--slides", metavar="NAME", help="export a lesson as slides with notes (HTML)")
    actions.add_argument(
        "--exercises", metavar="NAME", help="export a lesson as an exercise sheet with an answer key (HTML)"
    )
    parser.add_argument("--out", metavar="FILE", help="file of the slides or exercises, an .html")


def run(options: argparse.Namespace) -> int:
    exported = options.slides or options.exercises
    if (exported is None) != (options.out is None):
        raise UsageError("--out: it belongs to --slides or --exercises, and they need it")
    if options.check is not None:
        return _check([Path(file) for file in options.check])
    if options.plan is not None:
        _plan(options.plan)
    elif exported is not None:
        _export(exported, options.out, as_slides=options.slides is not None)
    else:
        _list()
    return FINE


def _check(files: list[Path]) -> int:
    """Print the mistakes in each file."""
    from app.lessons.reading import faults_of

    status = FINE
    for file in files:
        faults = faults_of(file)
        for fault in faults:
            say(str(fault))
        if faults:
            status = FAULTY
        else:
            say(f"{file.name}: no faults")
    return status


def _list() -> None:
    """List all lessons by topic, and the folder for more."""
    from app.lessons.reading import lessons, own_folder

    good, bad = lessons()
    for topic in dict.fromkeys(lesson.topic for lesson in good):
        say(topic)
        for lesson in good:
            if lesson.topic == topic:
                say(f"  {_line(lesson)}")
        say()
    for error in bad:
        say(f"Not read: {error}")
    say(f"Lessons of your own: {own_folder()}")


def _line(lesson: Lesson) -> str:
    return f"{lesson.name:22} {lesson.title} ({len(lesson.steps)} steps, {lesson.minutes} min)"


def _plan(minutes: int) -> None:
    """List the lessons that fit in some minutes, in their order; lectures apart."""
    from app.lessons.reading import lessons

    used = 0
    for lesson in lessons()[0]:
        if not lesson.is_lecture and used + lesson.minutes <= minutes:
            say(f"{used:3} min  {_line(lesson)}")
            used += lesson.minutes
    say(f"{used:3} min  end; {minutes - used} min for questions")
    for lesson in lessons()[0]:
        if lesson.is_lecture and lesson.minutes <= minutes:
            say(f"Or one lecture: {_line(lesson)}")


def _export(name: str, out: str, *, as_slides: bool) -> None:
    """Play a lesson in a hidden window, and write its pictures and texts as one page of HTML."""
    from app.lessons.reading import lessons
    from app.model.output_file import OutputFile
    from engine.errors import SensiscopeError, UnknownName
    from engine.optional_packages import not_installed

    known = {lesson.name: lesson for lesson in lessons()[0]}
    if name not in known:
        raise UnknownName("lesson", name, known)
    if missing := not_installed("PySide6", "an exported lesson"):
        raise SensiscopeError(missing)
    target = OutputFile(out, (".html",))
    lesson = known[name]
    pictures = _pictures(lesson)
    from app.export.lesson_pages import exercise_sheet, slides

    write = slides if as_slides else exercise_sheet
    target.write(write(lesson, pictures).encode())
    say(f"Saved {target.path}")


def _pictures(lesson: Lesson) -> list[StepPictures]:
    """Play a lesson, and return the pictures of each step."""
    from app.commands.support.screenshot_window import collect_failures, hidden_window, wait
    from app.export.lesson_pages import StepPictures

    results = []
    with hidden_window("lessons", None) as window, collect_failures(window) as failures, Bar() as bar:
        player = window.controllers.lessons.player
        player.failed.connect(lambda failure: failures.append(failure.error))
        window.setFixedSize(*WINDOW)
        window.show()
        wait(window)
        for index, step in enumerate(lesson.steps):
            bar(index / len(lesson.steps), step.title)
            player.start(lesson, index)
            wait(window)
            asked = panels(window)
            if step.question.prediction is not None:
                player.answer(step.question.prediction.answer)
                wait(window)
            if failures:
                raise failures[0]
            results.append(StepPictures(panels(window), asked))
    return results


def panels(window: MainWindow) -> tuple[FigurePanel, ...]:
    """Return the pictures of the step that the window plays."""
    page, step = window.page, window.controllers.lessons.player.step
    assert step is not None
    open_picture, _, *data = page.canvases
    shown = data if step.scene.shows != "picture" else []
    shown += [open_picture] if step.scene.shows != "data" else []
    return tuple(canvas.drawn for canvas in shown if canvas is not None and canvas.has_result)
