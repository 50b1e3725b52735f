"""What was answered in lessons, as a table: kept only where the user asks for it."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path

from app.lessons.lesson import Lesson

HEADER = ("time", "name", "lesson", "step", "question", "answer", "right")


class AnswerLog:
    """Adds a row to a CSV file for each answer.

    Parameters
    ----------
    path : Path
        A file that is there already is continued.
    name : str
        Of who answers; it may be empty.
    """

    def __init__(self, path: Path, name: str = "") -> None:
        self.path = path
        self.name = name

    def record(self, lesson: Lesson, index: int, answer: int) -> None:
        """Add an answer to the question of a step, both counted from 0.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        question = lesson.steps[index].question
        when = datetime.now().astimezone().isoformat(timespec="seconds")
        right = "yes" if answer == question.right else "no"
        row = (when, self.name, lesson.name, index + 1, question.ask, question.answers[answer], right)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8", newline="") as stream:
            rows = csv.writer(stream)
            if stream.tell() == 0:
                rows.writerow(HEADER)
            rows.writerow(row)
