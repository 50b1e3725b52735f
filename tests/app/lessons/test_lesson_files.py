"""Every bundled lesson can be read: for who writes one, `-k NAME` checks that file alone."""

import re

import pytest

from app.lessons.reading import faults_of, read_lesson
from engine.resources import resource
from engine.small_files import parse_toml

FILES = sorted(resource("lessons").glob("*.toml"))
MAX_WORDS, MAX_WALL_WORDS = 90, 45
GUIDE = resource("guides", "lessons.md")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_lesson_can_be_read(path):
    lesson = read_lesson(path)
    assert lesson.name == path.stem
    assert path.with_suffix(".png").is_file(), "packaging/screenshots.py --thumbnails resources/lessons"
    for step in lesson.steps:
        words = len(step.text.split())
        assert 20 <= words <= MAX_WORDS, f"{step.title}: {words} words"
        asked = " ".join((step.question.ask, *step.question.answers))
        for shown in (step.sentence, asked):  # in presentation mode
            assert len(shown.split()) <= MAX_WALL_WORDS, step.title


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_step_can_be_read_at_the_desk(path):
    for step in parse_toml(path.read_text("utf-8"), path.name)["step"]:  # a field is one word
        words = sum(len(step.get(key, "").split()) for key in ("text", "look", "try"))
        assert words <= MAX_WORDS, f"{step['title']}: {words} words; move some to its notes"


def test_there_are_lessons_and_their_titles_differ():
    titles = [read_lesson(path).title for path in FILES]
    assert titles
    assert len(set(titles)) == len(titles)


def test_the_lesson_in_the_guide_is_one(tmp_path):
    (written,) = re.findall(r"```toml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "example.toml"
    path.write_text(written, encoding="utf-8")
    assert len(read_lesson(path).steps) == 1


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_its_pictures_have_the_layers_that_it_names(path):
    assert faults_of(path) == ()
