"""The lessons: list them, check the file of one, or print one as a handout with pictures and questions.

Lessons of your own are files in the folder that the list names; their form is that of the bundled ones.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from app.commands.support.console import Bar, say
from app.commands.support.options import UsageError
from app.lessons.lesson import Lesson
from app.model.output_file import OutputFile
from engine.errors import UnknownName

FINE, FAULTY = 0, 2


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument(
        "--check", metavar="FILE", nargs="+", help="say what is wrong with files, one line for each fault"
    )
    doing.add_argument(
        "--handout",
        metavar="NAME",
        help="write a lesson for printing, as HTML or PDF: a name from the list, or a .toml file",
    )
    parser.add_argument("--out", metavar="FILE", help="where to save the handout, a .html or .pdf")


def run(options: argparse.Namespace) -> int:
    """Do what is asked for; without an option, list the lessons."""
    if (options.out is None) != (options.handout is None):
        raise UsageError("--handout NAME and --out FILE belong together")
    if options.check is not None:
        return _check([Path(file) for file in options.check])
    if options.handout is not None:
        return _write(_named(options.handout), OutputFile(options.out, (".html", ".pdf")))
    _list()
    return FINE


def _check(files: list[Path]) -> int:
    """Say what is wrong with each file."""
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
    """Name all lessons by topic, and the folder for more."""
    from app.lessons.reading import lessons, own_folder

    good, bad = lessons()
    for topic in dict.fromkeys(lesson.topic for lesson in good):
        say(topic)
        for lesson in good:
            if lesson.topic == topic:
                say(f"  {lesson.name:22} {lesson.title} ({len(lesson.steps)} steps, {lesson.minutes} min)")
        say()
    for error in bad:
        say(f"Not read: {error}")
    say(f"Lessons of your own: {own_folder()}")


def _named(name: str) -> Lesson:
    """Return the lesson of that name, or of that file."""
    from app.lessons.reading import lessons, read_lesson

    if name.endswith(".toml"):
        return read_lesson(Path(name))
    known = {lesson.name: lesson for lesson in lessons()[0]}
    if name not in known:
        raise UnknownName("lesson", name, known)
    return known[name]


def _write(lesson: Lesson, target: OutputFile) -> int:
    """Play the lesson in a window that is not seen, and write down what it shows."""
    from app.commands.support.lesson_pictures import pictures_of
    from app.export.handout import handout
    from app.export.report.html import to_html
    from app.export.report.pdf import to_pdf

    with Bar() as bar:
        report = handout(lesson, pictures_of(lesson, bar))
        target.write(to_pdf(report) if target.suffix == ".pdf" else to_html(report).encode())
    return FINE
