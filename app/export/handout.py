"""A lesson on paper: its text, a picture of each step, its questions, and the answers at the end."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from app.lessons.lesson import Lesson, LessonStep
from app.model.report_document import Block, Paragraph, Report, ReportFigure, ReportSection, RichText
from app.model.texts.marks import read_blocks
from app.model.wording.number_format import in_prose
from app.plots.elements.artists import figure_of
from app.plots.figure_panel import FigurePanel

SIMULATED = (
    "All data in this lesson are bundled or invented, and all random numbers follow from its seed. "
    "Nothing here is confidential."
)


def handout(lesson: Lesson, pictures: Sequence[FigurePanel | None]) -> Report:
    """Return the handout; `pictures` has one for each step, or None where there is none."""
    sections = [
        ReportSection(f"{index}. {in_prose(step.title)}", tuple(_blocks(step, drawn)))
        for index, (step, drawn) in enumerate(zip(lesson.steps, pictures, strict=True), 1)
    ]
    return Report(
        title=lesson.title,
        about=(
            ("Topic", lesson.topic),
            ("Time", f"{lesson.minutes} minutes"),
            ("In short", lesson.summary),
            ("You need to know", lesson.needs),
        ),
        view=SIMULATED,
        sections=(*sections, ReportSection("Answers", tuple(_answers(lesson)))),
        private=False,
    )


def _blocks(step: LessonStep, drawn: FigurePanel | None) -> Iterator[Block]:
    """Yield the text, the picture, and what to do with it."""
    yield _prose(step.text)
    if drawn is not None:
        yield _figure(dataclasses.replace(drawn, private=False))
    for word, text in (("Look", step.look), ("Try", step.attempt)):
        if text:
            yield _prose(f"**{word}:** {text}")
    answers = (f"☐ {letter}. {answer}" for letter, answer in _lettered(step))
    yield _prose(f"**Question:** {step.question.ask}")
    yield Paragraph("\n".join(answers))


def _figure(drawn: FigurePanel) -> ReportFigure:
    picture = drawn.draw()
    figure = figure_of(picture.axes)
    return ReportFigure(drawn.title, picture.alt_text() or drawn.title, lambda: figure)


def _answers(lesson: Lesson) -> Iterator[Block]:
    for index, step in enumerate(lesson.steps, 1):
        letter, answer = list(_lettered(step))[step.question.right]
        yield Paragraph(f"{index}. {letter}: {answer}\n{in_prose(step.question.because)}")


def _lettered(step: LessonStep) -> Iterator[tuple[str, str]]:
    return zip("ABCD", map(in_prose, step.question.answers), strict=False)


def _prose(text: str) -> RichText:
    """Return the words of a lesson with their marks; a dollar sign is money there, and no formula."""
    return RichText(read_blocks(list(enumerate(text.replace("$", r"\$").splitlines(), 1))))
