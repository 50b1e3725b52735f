"""A lesson as slides or as an exercise sheet: one page of HTML that requests nothing."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.export.report.html import HEAD, inline_svg, markup
from app.lessons.lesson import Lesson, LessonQuestion, LessonStep
from app.model.figure_style import FigureStyle
from app.model.wording.numbers import in_prose, quantity
from app.plots.elements.labels import figure_of
from engine.resources import resource

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel

STYLE = FigureStyle(text_around="none", stamp="never")
"""Figures of bundled data and of data that a lesson states itself."""
END = "</body>\n</html>\n"
KEYS = "Keys: → and ← go on and back, N shows the notes, A the answer. Print to save as PDF."


@dataclasses.dataclass(frozen=True)
class StepPictures:
    """The pictures of a step; `asked`: without the layer that a prediction asks for."""

    shown: tuple[FigurePanel, ...]
    asked: tuple[FigurePanel, ...]


def slides(lesson: Lesson, pictures: Sequence[StepPictures]) -> str:
    """Return a lesson as slides with presenter's notes."""
    plates = _Plates()
    parts = [_title_slide(lesson)]
    for step, drawn in zip(lesson.steps, pictures, strict=True):
        question = step.question
        if question.prediction is None:
            parts.append(_slide(step.sentence, plates.figures(drawn.shown), _notes(step)))
            parts.append(_slide(question.ask, _choices(question) + _answer(question), "", "question"))
        else:
            parts.append(_slide(question.ask, plates.figures(drawn.asked) + _scale(question), _notes(step)))
            parts.append(_slide(step.sentence, plates.figures(drawn.shown) + _answer(question), ""))
    script = resource("styles", "slides.js").read_text(encoding="utf-8")
    return (
        _head(lesson, "slides.css")
        + f'<main>\n{"".join(parts)}</main>\n<nav aria-label="Slides"><button id="back">Back</button>'
        + '<span id="count" role="status"></span><button id="next">Next</button></nav>\n'
        + f"<script>\n{script}</script>\n{END}"
    )


def exercise_sheet(lesson: Lesson, pictures: Sequence[StepPictures]) -> str:
    """Return the questions of a lesson with their pictures, and the answer key on a page of its own."""
    plates = _Plates()
    exercises, key = [], []
    for index, (step, drawn) in enumerate(zip(lesson.steps, pictures, strict=True), 1):
        question = step.question
        exercises.append(
            f"<section>\n<h2>{index}. {_inline(step.title)}</h2>\n{_paragraphs(step.text)}"
            f'{plates.figures(drawn.asked)}<p class="ask">{_inline(question.ask)}</p>\n'
            f"{_choices(question)}{_scale(question)}</section>\n"
        )
        line = question.prediction is not None and question.prediction.layer
        solved = plates.figures(drawn.shown) if line else ""
        key.append(f"<li>{_answer_text(question)}\n{solved}</li>\n")
    about = f"<p>{_inline(lesson.summary)} Time: {lesson.minutes} minutes.</p>\n"
    name = '<p class="name">Name: <span></span></p>\n'
    return (
        _head(lesson, "exercise_sheet.css")
        + f"<main>\n<h1>{_inline(lesson.title)}</h1>\n{about}{name}{''.join(exercises)}"
        + f'<section class="key">\n<h2>Answer key</h2>\n<ol>\n{"".join(key)}</ol>\n</section>\n</main>\n{END}'
    )


class _Plates:
    """Draws figures, each with a name of its own."""

    def __init__(self) -> None:
        self._count = 0

    def figures(self, panels: Sequence[FigurePanel]) -> str:
        """Return figures side by side."""
        return f'<div class="plates">\n{"".join(map(self._plate, panels))}</div>\n' if panels else ""

    def _plate(self, panel: FigurePanel) -> str:
        self._count += 1
        picture = panel.draw(style=STYLE)
        figure = figure_of(picture.axes)
        drawing = inline_svg(figure, f"figure-{self._count}", panel.title, picture.alt_text())
        return f"<figure>{''.join(drawing)}</figure>\n"


def _head(lesson: Lesson, style: str) -> str:
    rules = resource("styles", style).read_text(encoding="utf-8")
    head = HEAD.replace("style-src", "script-src 'unsafe-inline'; style-src")
    return head.format(title=markup(lesson.title), style=rules)


def _title_slide(lesson: Lesson) -> str:
    about = f"{len(lesson.steps)} steps, {lesson.minutes} minutes. You need to know {lesson.needs}."
    return (
        f'<section class="slide title">\n<h1>{_inline(lesson.title)}</h1>\n<p>{_inline(lesson.summary)}</p>\n'
        f'<p class="about">{_inline(about)}</p>\n<p class="about">{KEYS}</p>\n</section>\n'
    )


def _slide(heading: str, content: str, notes: str, kind: str = "") -> str:
    aside = f'<aside class="notes" aria-label="Notes">\n{notes}</aside>\n' if notes else ""
    return f'<section class="slide {kind}">\n<h1>{_inline(heading)}</h1>\n{content}{aside}</section>\n'


def _notes(step: LessonStep) -> str:
    hints = "".join(
        f"<p><strong>{name}:</strong> {_inline(text)}</p>\n"
        for name, text in (("Look", step.look), ("Try", step.attempt))
        if text
    )
    title = f"<p><strong>{_inline(step.title)}</strong></p>\n"
    return title + _paragraphs(step.text) + hints + _paragraphs(step.notes)


def _choices(question: LessonQuestion) -> str:
    items = "".join(f"<li>{_inline(answer)}</li>\n" for answer in question.answers)
    return f'<ol class="choices">\n{items}</ol>\n' if items else ""


def _scale(question: LessonQuestion) -> str:
    """Return the scale of a prediction to mark by hand, or what to draw."""
    prediction = question.prediction
    if prediction is None:
        return ""
    if prediction.layer:
        return '<p class="draw">Draw the line in the picture.</p>\n'
    return '<p class="scale"><span>{}</span><span>{}</span></p>\n'.format(*map(markup, prediction.scale))


def _answer(question: LessonQuestion) -> str:
    """Return the answer, which a reader opens."""
    return f"<details>\n<summary>Answer</summary>\n<p>{_answer_text(question)}</p>\n</details>\n"


def _answer_text(question: LessonQuestion) -> str:
    prediction = question.prediction
    if prediction is None:
        right = f"{question.right + 1}: {question.answers[question.right]}"
    elif prediction.layer:
        right = ""
    elif prediction.ends:
        right = prediction.ends[prediction.answer > 50]
    else:
        right = quantity(prediction.answer, prediction.unit)
    said = f"<strong>{_inline(right)}</strong> " if right else ""
    return said + _inline(question.because)


_MARKS = re.compile(r"\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*")


def _inline(text: str) -> str:
    """Return a line of Markdown with its strong and emphasized words."""

    def tagged(match: re.Match[str]) -> str:
        tag = "strong" if match["strong"] else "em"
        return f"<{tag}>{match[tag]}</{tag}>"

    return _MARKS.sub(tagged, markup(in_prose(text)))


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_inline(part.strip())}</p>\n" for part in text.split("\n\n") if part.strip())
