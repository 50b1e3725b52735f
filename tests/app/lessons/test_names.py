"""Names of the program in the texts of lessons are fields, so that none can drift."""

import re

import pytest

from app.lessons.reading import read_lesson
from app.model.texts.pages import FIELD, fill_fields, labels_of
from engine.resources import resource
from engine.small_files import parse_toml

FILES = sorted(resource("lessons").glob("*.toml"))
TEXTS = {"title", "text", "look", "try", "wall", "notes", "ask", "because", "answers", "summary", "needs"}
SAID = {
    *("Admitted", "admitted", "yes", "Were you admitted?", "member", "not a member", "neighbors"),
    *("ε = 1 for each **device**.", "ε = 1 for each **message**."),
    "Our app has ε = 1 for each user and **day**.",
}
"""Quotes of what people say, or of a word that the lesson explains."""
PICTURED = {
    *("local", "Local", "global", "the answer f(x)", "after the event", "at ε = 1"),
    *("Confidential", "Consistent", "consistent", "Releases", "runs each", "out of view"),
}
"""Words in pictures and on badges; `test_all_lessons` looks for those of hints in the window."""
LABELS = {kind: labels_of(kind).values() for kind in ("tabs", "pages", "buttons", "controls")}
OPENED = r"(?:[Pp]ress|[Cc]lick|[Oo]pen|[Tt]ick|[Cc]hoose|button|tab|page|picture) (?:the )?[“*]*"
"""What stands before the name of a part of the window."""


def texts_of(table):
    """Yield the texts of a lesson, of its steps and of its questions."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from texts_of(value)
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, dict):
                yield from texts_of(part)
            elif isinstance(part, str) and key in TEXTS:
                yield part


def typed_names(text):
    """Return the names of the program that stand in a text as they are, and not as fields."""
    quoted = [found for found in re.findall("“([^”]*)”", text) if not FIELD.search(found)]
    typed = [found for found in quoted if found not in SAID | PICTURED]
    plain = FIELD.sub("", text)
    for labels in LABELS.values():
        for name in labels:
            before = "" if len(name.split()) > 1 else OPENED
            if name[:1].isupper() and re.search(rf"{before}(?<!\w){re.escape(name)}(?!\w)", plain):
                typed.append(name)
    return typed


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_names_are_fields(path):
    faults = {text: typed_names(text) for text in texts_of(parse_toml(path.read_text("utf-8"), path.name))}
    assert {text: names for text, names in faults.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "Press “Audit” again.",
        "Open the tab Noise.",
        "Turn to the page *Data*.",
        "Compare the lines of By distance k.",
        "Press New seed twice.",
        "Tick “Something that is no part of the window”.",
        "Lower “Points t”.",
    ],
)
def test_a_typed_name_is_noticed(text):
    assert typed_names(text)


def test_names_are_filled_from_the_program():
    text = "{buttons/new-seed}, {tabs/noise}, {pages/data}, {controls/t}, {planted/naive-doubles}"
    assert typed_names(text) == []
    assert fill_fields(text, {}) == "New seed, Noise, Data, Points t, Noise in double precision"
    assert fill_fields("{pages/median}", {}) == "Median & quantiles"


def test_lessons_have_no_field_left():
    for path in FILES:
        for step in read_lesson(path).steps:
            for text in (step.title, step.text, step.look, step.attempt, step.wall, step.notes):
                assert not re.search(r"(?<![\\$\w^_]){[a-z]\w*(/[\w-]+)?}", text), text
