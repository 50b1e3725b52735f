"""Exported slides and exercise sheets: complete, without requests, and sound in a real browser."""

import io
import re
import unicodedata
from html.parser import HTMLParser

import pytest
from browser import CHROMIUM, Browser
from pypdf import PdfReader

from app.commands.lessons import _pictures
from app.commands.main import main
from app.export.lesson_pages import _inline, exercise_sheet, slides
from app.lessons.reading import lessons

NAME = "local-noise-leaks"
(LESSON,) = (lesson for lesson in lessons()[0] if lesson.name == NAME)
PAPERS = {"A4": (8.27, 11.69), "Letter": (8.5, 11.0)}


@pytest.fixture(scope="module")
def exported(qapp, one_process, tmp_path_factory):
    """Return the paths of the slides and of the exercise sheet of a lesson."""
    folder = tmp_path_factory.mktemp("exported")
    for kind in ("slides", "exercises"):
        assert main(["lessons", f"--{kind}", NAME, "--out", str(folder / f"{kind}.html")]) == 0
    return {kind: folder / f"{kind}.html" for kind in ("slides", "exercises")}


class Outline(HTMLParser):
    """Collects headings, identifiers and addresses."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.addresses, self.figures = [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.ids += [found["id"]] if "id" in found else []
        self.addresses += [found[name] for name in ("src", "href", "xlink:href") if name in found]
        self.figures += tag == "figure"


def test_pages_are_complete_and_request_nothing(exported):
    for kind, path in exported.items():
        text = unseparated(path.read_text("utf-8"))
        outline = Outline(text)
        assert len(set(outline.ids)) == len(outline.ids), kind
        assert all(address.startswith("#") for address in outline.addresses), kind
        assert "Confidential" not in text, kind
        for step in LESSON.steps:
            assert escaped(step.question.ask) in text, kind
            assert escaped(step.question.because) in text, kind
        assert outline.figures >= len(LESSON.steps), kind


def test_slides_hide_the_answer_of_a_prediction_and_the_sheet_has_a_key(exported):
    slides = unseparated(exported["slides"].read_text("utf-8")).split('<section class="slide ')
    assert len(slides) == 2 + 2 * len(LESSON.steps)  # the head, the title, and two for each step
    asked, shown = slides[4], slides[5]
    assert escaped(LESSON.steps[1].question.ask) in asked
    assert escaped(LESSON.steps[1].question.because) not in asked
    assert len(shown) > len(asked)  # with the curve
    sheet, key = unseparated(exported["exercises"].read_text("utf-8")).split('<section class="key">')
    for step in LESSON.steps:
        assert escaped(step.question.because) not in sheet
        assert escaped(step.question.because) in key


def test_a_plan_fits(capsys):
    assert main(["lessons", "--plan", "90"]) == 0
    said = capsys.readouterr().out
    minutes = [int(found) for found in re.findall(r"(\d+) min\)", said.partition("end;")[0])]
    assert minutes
    assert sum(minutes) <= 90
    assert f"{sum(minutes)} min  end" in said
    course, _, lectures = said.partition("end;")
    assert "dp-in-45-minutes" not in course
    assert "Or one lecture: dp-in-45-minutes" in lectures


def test_an_export_needs_a_file(capsys):
    assert main(["lessons", "--slides", NAME]) == 2
    assert "--out" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: apt-get install chromium")
@pytest.mark.parametrize("lesson", lessons()[0], ids=lambda lesson: lesson.name)
def test_in_a_browser_nothing_fails_and_paper_has_all_pages(one_process, tmp_path, axe, lesson):
    pages = dict(zip(("slides", "exercises"), (slides, exercise_sheet), strict=True))
    pictures = _pictures(lesson)
    for kind, write in pages.items():
        (tmp_path / f"{kind}.html").write_text(write(lesson, pictures), "utf-8")
    with Browser() as browser:
        for kind in pages:
            browser.open(tmp_path / f"{kind}.html")
            assert browser.axe(axe) == [], kind
            assert_printed(browser, lesson, kind)
            assert [one for one in browser.requests if not one.startswith(("file:", "data:"))] == []
            assert browser.faults == []
        browser.open(tmp_path / "slides.html")
        assert_played(browser, lesson)
        assert browser.axe(axe) == []  # on the last slide
        assert browser.faults == []


def assert_printed(browser, lesson, kind):
    """Check that every page on paper has text, and that each slide is one page."""
    for paper, size in PAPERS.items():
        printed = [
            page.extract_text().strip() for page in PdfReader(io.BytesIO(browser.printed(*size))).pages
        ]
        assert bare(lesson.title) in bare("".join(printed)), paper
        assert all(len(text) > 15 for text in printed), paper
        if kind == "slides":
            assert len(printed) == 1 + 2 * len(lesson.steps), paper


def assert_played(browser, lesson):
    """Check by keyboard what each slide says, and that none needs to be scrolled."""
    visible = "document.querySelector('.slide:not([hidden])').innerText"
    for step in lesson.steps:
        texts = [step.sentence, step.question.ask]
        for key, text in zip(
            ("ArrowRight", "PageDown"), texts[:: -1 if step.question.prediction else 1], strict=True
        ):
            browser.evaluate(f"document.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}'}}));0")
            assert bare(text) in bare(browser.evaluate(visible)), step.title
            assert browser.evaluate("document.documentElement.scrollHeight <= innerHeight"), step.title
            assert browser.evaluate("document.querySelectorAll('.slide:not([hidden]) h1').length") == 1


def bare(text):
    """Return a text without marks, spaces, separators of thousands and ligatures."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", text))


def escaped(text):
    """Return a text as it stands in the page, without separators of thousands."""
    return unseparated(_inline(text))


def unseparated(text):
    """Return a text without separators of thousands, which follow the settings."""
    return re.sub(r"(?<=\d)[,\u202f](?=\d)", "", text)
