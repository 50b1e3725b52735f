"""Numbers in lessons and help pages come from fields, and fields hold what the program computes today.

Numbers in guides, and in formulas, are constants with a reason.
"""

import tomllib

import pytest
from text_numbers import computations, constants, literal_numbers
from text_numbers._lesson_data import salaries

from app.lessons.reading import lessons
from app.model.figure_style import DPI
from app.model.texts.pages import FIELD, FieldError, fill_fields, pages, text_numbers
from engine.data.large_files import LARGE
from engine.resources import resource

LESSONS = sorted(resource("lessons").glob("*.toml"))
PAGES = sorted(resource("help").rglob("*.md"))
GUIDES = sorted(resource("guides").glob("*.md"))
ANY_NUMBER = "*"
"""In the constants of a text: every number of it has this reason."""


def name_of(path):
    return path.stem if path.suffix == ".toml" else f"{path.parent.name}/{path.stem}"


def prose_of(path):
    """Yield the raw texts of a lesson or a help page, each with the numbers that its scene states."""
    raw = path.read_text("utf-8")
    if path.suffix == ".md":
        yield raw.split("\n## Source")[0], ()
        return
    table = tomllib.loads(raw)
    yield from ((table[key], ()) for key in ("title", "summary", "needs"))
    for step in table["step"]:
        question = step["question"]
        texts = [step.get(key, "") for key in ("title", "text", "look", "try", "notes")]
        texts += [question["ask"], question["because"], *question.get("answers", [])]
        yield "\n".join(texts), tuple(stated(step["scene"]))


def stated(value):
    """Yield all numbers in a scene."""
    if isinstance(value, dict):
        value = [*value.values(), *(float(key) for key in value if key.isdecimal())]
    if isinstance(value, list):
        for one in value:
            yield from stated(one)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


@pytest.mark.parametrize("path", [*LESSONS, *PAGES, *GUIDES], ids=name_of)
def test_every_number_is_a_field_or_a_constant(path):
    known = constants().get(name_of(path), set())
    if ANY_NUMBER in known:
        return
    left = [
        number
        for text, scene in prose_of(path)
        for number in literal_numbers(text)
        if number not in known and float(number.replace(",", "").replace(" ", "")) not in scene
    ]
    assert left == [], "write a field {name}, or list the number with its source in constants/*.toml"


def test_constants_that_no_text_has_are_not_listed():
    paths = [*LESSONS, *PAGES, *GUIDES]
    there = {name_of(path): "\n".join(text for text, _ in prose_of(path)) for path in paths}
    unused = [
        (name, number)
        for name, numbers in constants().items()
        for number in numbers
        if number != ANY_NUMBER and number not in list(literal_numbers(there.get(name, "")))
    ]
    assert unused == []


def test_numbers_of_guides_are_those_of_the_program():
    text = {path.stem: path.read_text("utf-8") for path in GUIDES}
    assert f"more than {LARGE // 10**6} million records" in text["cluster"]
    assert f"{len(salaries()):,} synthetic salaries" in text["tour"]
    assert f"a PNG has {DPI} dpi" in text["command-line"]


@pytest.mark.parametrize(
    "computation",
    [
        pytest.param(one, marks=pytest.mark.slow if one.slow else (), id=f"{one.kind}/{one.text}")
        for one in computations()
    ],
)
def test_a_number_is_as_it_is_computed_today(computation):
    written = text_numbers(computation.kind)[computation.text]
    assert dict(written) == {
        name: pytest.approx(value, rel=computation.tolerance(name))
        for name, value in computation.values().items()
    }
    path = resource(computation.kind, computation.text).with_suffix(
        ".toml" if computation.kind == "lessons" else ".md"
    )
    prose = "\n".join(text for text, _ in prose_of(path))
    used = {match["name"] for match in FIELD.finditer(prose)}
    assert set(written) <= used, "numbers that no field shows"


def test_all_numbers_are_computed():
    texts = {(one.kind, one.text) for one in computations()}
    assert len(texts) == len(computations())
    assert {(kind, text) for kind in ("help", "lessons") for text in text_numbers(kind)} == texts


def test_all_lessons_and_pages_can_be_filled():
    assert lessons(resource("lessons"))[1] == ()
    assert pages()[1] == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("half within {eror} dollars", "no number 'eror'; known: error"),
        ("{methods/smoth}", "no choice 'methods/smoth'"),
        ("{error:.2q}", "'.2q' is no format"),
    ],
)
def test_a_field_that_cannot_be_filled_is_named(text, problem):
    with pytest.raises(FieldError, match=problem) as caught:
        fill_fields(text, {"error": 35.4})
    assert caught.value.position == text.index("{")
