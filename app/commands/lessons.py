"""List the lessons and the folder for your own, or check lesson files."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.commands.support.console import say
from app.commands.support.options import VerbHelp

FINE, FAULTY = 0, 2


HELP = VerbHelp(usage="[--check FILE…]", example="lessons --check my-lesson.toml")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--check", metavar="FILE", nargs="+", help="report every mistake in these lesson files"
    )


def run(options: argparse.Namespace) -> int:
    if options.check is not None:
        return _check([Path(file) for file in options.check])
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
                say(f"  {lesson.name:22} {lesson.title} ({len(lesson.steps)} steps, {lesson.minutes} min)")
        say()
    for error in bad:
        say(f"Not read: {error}")
    say(f"Lessons of your own: {own_folder()}")
