"""Files of lessons: what is right is read; each mistake is named with its line and costs no other file."""

import argparse
import re

import pytest
from tiny_lesson import HEAD, STEP

from app.commands.screenshot import check_lesson_options, chosen_step
from app.commands.support.options import UsageError
from app.lessons.lesson import AuditScene
from app.lessons.player import load_scene
from app.lessons.reading import faults_of, lessons, read_lesson
from app.lessons.toml_table import Lines
from engine.errors import DataError, UnknownName

GOOD = '''\
title = "A lesson"
topic = "Tests"
minutes = 3
summary = "What a file holds."
needs = "nothing"

[[step]]
title = "First"
text = """
Some words, one line of which looks like a key:
page = "nowhere"
"""
[step.scene]
page = "median"
example = "salaries"
tab = "k"
epsilon = 0.5
parameters = { "query/median" = { even = "lower" }, "noise/lcp" = { g = 4.0 } }
edits = { 3 = 120000 }
[step.question]
ask = "Is this right?"
answers = ["Yes", "No"]
right = 1
because = "It is."

[[step]]
title = "Second"
text = "More words."
try = "This."
[step.scene]
page = "median"
values = [0, 0, 10]
lower = 0
upper = 10
tab = "audit"
audit = { bug = "local-noise", runs = 2000 }
[step.question]
ask = "And this?"
answers = ["Yes", "No"]
right = 2
because = "It is not."
'''


def line_of(text, nth=1):
    """Return the number of the nth line that holds `text`."""
    found = [number for number, line in enumerate(GOOD.splitlines(), 1) if text in line]
    return found[nth - 1]


@pytest.fixture
def read(tmp_path):
    """Return a reader of a file that differs from the good one in a piece of text."""

    def reading(old="", new="", nth=1):
        parts = GOOD.split(old) if old else [GOOD]
        text = GOOD
        if old:
            assert len(parts) > nth
            text = old.join(parts[:nth]) + new + old.join(parts[nth:])
        path = tmp_path / "bad.toml"
        path.write_text(text, "utf-8")
        return read_lesson(path)

    return reading


def test_a_good_file_says_everything(read):
    lesson = read()
    first, second = lesson.steps
    assert (lesson.title, lesson.minutes, lesson.seed) == ("A lesson", 3, 1)
    assert not lesson.is_lecture
    assert first.text.endswith('page = "nowhere"')
    assert first.scene.shared["parameters"]["noise/lcp"] == {"g": 4.0}
    assert first.scene.edits == {3: 120000.0}
    assert (first.question.right, second.question.right) == (0, 1)
    assert second.attempt == "This."
    assert second.scene.values == (0.0, 0.0, 10.0)
    assert second.scene.audit == AuditScene(bug="local-noise", runs=2000)


MISTAKES = [
    # what stands there, what is written instead, where it is found, what is said of it
    ('title = "A lesson"', 'title = "A lesson', "title", "not valid TOML"),
    ('title = "A lesson"', "", "title", "'title' is missing"),
    ('summary = "What a file holds."', 'summary = " "', "summary", "'summary' is empty"),
    ("minutes = 3", "minutes = 300", "minutes", "from 1 to 60"),
    ("minutes = 3", "minutes = true", "minutes", "must be a whole number"),
    ("minutes = 3", 'minutes = 3\nlecture = "yes"', ("minutes", 1), "'lecture' must be true or false"),
    ('needs = "nothing"', 'needs = "nothing"\nneed = "x"', ("needs", 1), "no key 'need'; try needs"),
    ('page = "median"', 'page = "medan"', 'page = "median"', "no page 'medan'; try median"),
    ('tab = "k"', 'tab = "cells"', 'tab = "k"', "no picture of that page 'cells'"),
    ('tab = "k"', 'query = "mst"\ntab = "k"', 'tab = "k"', "no query of that page 'mst'"),
    ('tab = "k"', 'method = "smoth"\ntab = "k"', 'tab = "k"', "no method 'smoth'; try smooth"),
    ('tab = "k"', 'noise = "white"\ntab = "k"', 'tab = "k"', "no noise 'white'"),
    ('example = "salaries"', 'example = "salary"', "example", "no example 'salary'; try salaries"),
    ('example = "salaries"', 'example = "karate"', "example", "median reads a column of numbers; try"),
    ('example = "salaries"', 'example = "salaries"\ncolumn = "wage"', ("example", 1), "no column 'wage'"),
    ("epsilon = 0.5", "epsilon = -1", "epsilon", "epsilon"),
    ("epsilon = 0.5", "epsilon = inf", "epsilon", "finite"),
    ("epsilon = 0.5", "delta = 2.0", "epsilon", "delta"),
    ('"noise/lcp" = { g = 4.0 }', '"noise/lcp" = { g = -4.0 }', "parameters", "g: -4.0 is not possible"),
    ('"noise/lcp" = { g = 4.0 }', '"noise/lcp" = { h = 4.0 }', "parameters", "no parameter of lcp 'h'"),
    ('"noise/lcp"', '"nose/lcp"', "parameters", "'nose'; try noise"),
    ("{ 3 = 120000 }", "{ 20000 = 1 }", "edits", "from 0 to 10,000"),
    ("right = 1", "right = 3", "right = 1", "'right' is 3; it must be a whole number from 1 to 2"),
    ('answers = ["Yes", "No"]', 'answers = ["Yes"]', "answers", "2 to 4 answers"),
    ('answers = ["Yes", "No"]', 'answers = ["Yes", ""]', "answers", "none of them empty"),
    ("[step.question]", "[step.questions]", ("[[step]]", 0), "no question"),
    ("values = [0, 0, 10]", "values = [0, nan, 10]", "values", "finite"),
    ("upper = 10", "upper = -10", "upper", "the lower bound must be the smaller one"),
    ('tab = "audit"', 'tab = "k"', "audit = {", "'audit' belongs to the picture"),
    ('"local-noise"', '"global-noise"', "audit = {", "no faulty variant 'global-noise'; try local-noise"),
    ("runs = 2000", "runs = 5", "audit = {", "from 1,000 to 1,000,000"),
    ("values = [0, 0, 10]", "", ("[step.scene]", 0, 2), "either an example or"),
    ("upper = 10", "upper = 10\nk = 2", ("upper", 1), "marks the cut of a graph"),
    ("upper = 10", 'upper = 10\npath = "upper"', ("upper", 1), 'tab = "path"'),
    ("upper = 10", "upper = 10\ncompare = { runs = 5 }", ("upper", 1), 'page = "compare"'),
    (
        "upper = 10",
        "upper = 10\ncompare = { steps = 9, runs = 5000 }",
        ("upper", 1),
        "at most 20,000 are run",
    ),
    ("runs = 2000", 'verdict = "private"', "audit = {", "no verdict of an audit 'private'; try"),
]


@pytest.mark.parametrize(("old", "new", "where", "words"), MISTAKES)
def test_a_mistake_is_named_with_file_and_line(read, old, new, where, words):
    text, further, nth = (*where, 1)[:3] if isinstance(where, tuple) else (where, 0, 1)
    with pytest.raises(DataError) as caught:
        read(old, new)
    message = str(caught.value)
    assert words in message
    assert "\n" not in message
    # what the whole file lacks is said of its beginning
    expected = 1 if words == "'title' is missing" else line_of(text, nth) + further
    assert message.startswith(f"bad.toml, line {expected}: "), message


def test_a_lesson_says_that_it_repeats_others(read):
    assert read("minutes = 3", "minutes = 3\nlecture = true").is_lecture


def test_a_mistake_in_a_later_step_is_found_there(read):
    with pytest.raises(DataError, match=f"line {line_of('because', 2)}: 'because' is empty"):
        read('because = "It is not."', 'because = ""')


@pytest.mark.parametrize(
    "content", [b"", b"title = 3", b"\xff\xfe", b"step = 3", b"[[step]]\n[[step.scene]]"]
)
def test_files_that_are_no_lessons_are_refused_in_a_line(tmp_path, content):
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"^bad\.toml, line 1: "):
        read_lesson(path)


def test_one_bad_file_keeps_no_other_from_being_read(tmp_path):
    for order, name in enumerate(("zebra", "antelope", "lion")):
        ordered = GOOD.replace("minutes = 3", f"minutes = 3\norder = {order}")
        (tmp_path / f"{name}.toml").write_text(ordered if order < 2 else GOOD, "utf-8")
    (tmp_path / "bad.toml").write_text(GOOD.replace("right = 1", "right = 9"), "utf-8")
    good, bad = lessons(tmp_path)
    assert [lesson.name for lesson in good] == ["zebra", "antelope", "lion"]
    assert [str(error).split(":")[0] for error in bad] == [f"bad.toml, line {line_of('right = 1')}"]


def test_lines_inside_of_long_texts_are_no_keys():
    lines = Lines('a = """\nb = 1\n"""\nb = 2\n[[c]]\n[c.d]\n"e/f" = 1\n[[c]]\nd.e = 2\n')
    assert lines.of(("b",)) == 4
    assert lines.of(("c", 0, "d", "e/f")) == 7
    assert lines.of(("c", 0, "d", "missing")) == 6
    assert lines.of(("c", 1, "d", "e")) == 9
    assert lines.of(("z",)) == 1


def options(**given):
    names = ("query", "tab", "k", "data", "example", "lesson", "step")
    return argparse.Namespace(**{"page": "lessons", **dict.fromkeys(names), **given})


def test_the_command_line_names_a_lesson_and_a_step():
    good, _ = lessons()
    first = good[0]
    assert chosen_step(options()) is None
    assert chosen_step(options(lesson=first.name)) == (first, 0)
    assert chosen_step(options(lesson=first.name, step=2)) == (first, 1)
    with pytest.raises(UsageError, match="steps 1 to"):
        chosen_step(options(lesson=first.name, step=99))
    with pytest.raises(UnknownName, match=first.name):
        chosen_step(options(lesson=first.name[:-2]))
    with pytest.raises(UsageError, match="--step"):
        chosen_step(options(step=1))
    with pytest.raises(UsageError, match="--tab"):
        check_lesson_options(options(tab="k"))
    with pytest.raises(UsageError, match="--lesson"):
        check_lesson_options(options(page="median", lesson=first.name))


def test_a_layer_that_the_picture_does_not_have_is_named_with_those_that_it_has(read):
    lesson = read('tab = "audit"', 'tab = "audit"\nlayers = ["truth"]')
    (fault,) = faults_of(lesson.path)
    assert re.search(r"layer of that picture .truth.; try event, outcomes", str(fault))


def test_fields_of_texts_are_numbers_of_the_scene_or_of_the_lesson(tmp_path):
    path = tmp_path / "fields.toml"
    text = GOOD.replace("Some words,", "At ε = {epsilon}, {error:,.1f} $ with {methods/smooth},")
    path.write_text(text.replace("\n[[step]]", "\n[numbers]\nerror = 1234.56\n\n[[step]]", 1), "utf-8")
    assert read_lesson(path).steps[0].text.startswith("At ε = 0.5, 1,234.6 $ with Smooth sensitivity,")
    path.write_text(text, "utf-8")
    with pytest.raises(DataError, match=r"fields.toml, line 9: there is no number 'error'"):
        read_lesson(path)


@pytest.mark.parametrize(
    ("group", "problem"),
    [
        ('by = "species", name = "Gentoos"', "Gentoos"),
        ('by = "weight", name = "Gentoo"', "column of categories"),
        ('by = "species", nam = "Gentoo"', "'name' is missing"),
    ],
)
def test_a_group_of_an_example_is_read_and_a_wrong_one_named(tmp_path, group, problem):
    scene = 'example = "penguins"\ntab = "k"\ngroup = {{ {} }}'.format
    path = tmp_path / "own.toml"
    step = STEP.format(title="One", page="median", scene=scene('by = "species", name = "Gentoo"'))
    path.write_text(HEAD + step, "utf-8")
    assert read_lesson(path).steps[0].scene.group == ("species", "Gentoo")
    path.write_text(HEAD + STEP.format(title="One", page="median", scene=scene(group)), "utf-8")
    with pytest.raises(DataError, match=problem):
        read_lesson(path)


def test_a_scene_of_a_group_has_its_records_only():
    (lesson,) = (one for one in lessons()[0] if one.name == "dp-in-45-minutes")
    (scene,) = (step.scene for step in lesson.steps if step.scene.group)
    data = load_scene(scene, lambda *_: None).data
    assert len(data["rows"]) == data["numbers"].values.size == 123  # Gentoo penguins with a weight
