"""The help: a short one, one for each topic, and all of it."""

import re

import pytest

from app.commands.main import COMMANDS, main, verb_parser
from app.commands.support.mechanism_options import PARTS
from app.commands.support.options import FIRST
from engine.catalog import sanitizers

MANY = [name for name in COMMANDS if name not in ("catalog", "lessons")]


@pytest.fixture
def printed(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words):
        capsys.readouterr()
        assert main(list(words)) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return captured.out

    return call


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_first_help_is_short_and_begins_with_usage_and_example(printed, verb):
    lines = printed(verb, "--help").splitlines()
    assert len(lines) <= 55
    assert lines[0].startswith(f"usage: sensiscope {verb} ")
    assert f"  sensiscope {verb} " in "\n".join(lines[:8])
    assert printed(verb, "-h").splitlines() == lines


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_option_is_in_the_whole_help_and_in_a_topic_or_the_first(printed, verb):
    parser = verb_parser(verb)
    options = {
        name
        for action in parser._actions
        for name in action.option_strings
        if not name.startswith(("-h", "--help"))
    }
    everything = printed(verb, "--help-all")
    topics = [name for action in parser._actions for name in action.option_strings if "--help-" in name]
    assert bool(topics[:-1]) == (verb in MANY)
    assert len(set(topics)) == len(topics)
    parts = "\n".join(printed(verb, topic) for topic in ["--help", *topics[:-1]])
    for name in options:
        shown = re.compile(rf"^  (?:-h, )?{name}\b(?!-)", re.MULTILINE)
        assert shown.search(everything), name
        assert shown.search(parts), name


def test_the_examples_of_the_help_are_understood():
    for verb in COMMANDS:
        parser = verb_parser(verb)
        first, *words = parser.texts.example.split()
        assert first == verb
        parser.parse(words)


def test_the_default_is_said_once(printed):
    for verb in COMMANDS:
        assert "(default" not in re.sub(r"\(default[^)]*\)", "", printed(verb, "--help"))
    assert "simulated releases of each mechanism (default 1,000)" in printed("compare", "--help")


@pytest.mark.parametrize("verb", MANY)
def test_the_first_help_needs_no_component(capsys, verb):
    whole, brief = verb_parser(verb), verb_parser(verb, brief=True)
    whole.print_topic(FIRST)
    expected = capsys.readouterr().out
    brief.print_topic(FIRST)
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize("kind", PARTS)
def test_parts_of_mechanisms_have_the_default_that_their_help_names(kind):
    declared = [one for cls in sanitizers().values() for one in cls.parameters() if one.is_component]
    first = next(one for one in declared if one.kind == kind)
    assert f"(default {first.default.name})" in PARTS[kind]
