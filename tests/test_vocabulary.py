"""Names say what things are, and constants what they limit; phrases that were replaced stay away."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
VAGUE = {"found", "place", "words", "told"}
LIMITS = re.compile(r"(^|_)(MOST|FEW|FEWEST|ENOUGH|LEAST)(_|$)")
UNFINISHED = {"app/model"}
"""Where such names still stand; this list only shrinks."""

REPLACED = (
    "changes hands",
    "for good",
    "nothing is called",
    "refuse to go on",
    "shelf",
    "such as have",
    "surely at least",
    "veil",
    "wardrobe",
)
"""Phrases that no text of the engine has any more; this list only grows."""


def files():
    """Yield each file of app and engine, and the first folder in these that holds it, or its own path."""
    for path in sorted([*(ROOT / "app").rglob("*.py"), *(ROOT / "engine").rglob("*.py")]):
        yield path, "/".join(path.relative_to(ROOT).parts[:2])


def identifiers(tree):
    """Yield the names that a module gives or uses, each with its line."""
    for node in ast.walk(tree):
        given = [getattr(node, field, None) for field in ("id", "attr", "arg", "name", "asname")]
        for name in given:
            if isinstance(name, str):
                yield name, node.lineno


def texts(tree):
    """Yield all strings of a module, docstrings among them, each with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield " ".join(node.value.split()).lower(), node.lineno


def test_names_are_found_wherever_they_stand():
    code = "import a.b as found\ndef f(place, *, x=told): self.words = f(MOST_RUNS=1)\nfew = AT_LEAST"
    names = {name for name, _ in identifiers(ast.parse(code))}
    assert names >= {"found", "place", "told", "words", "MOST_RUNS", "AT_LEAST"}
    assert all(map(LIMITS.search, ("MOST", "MOST_RUNS", "_FEW", "AT_LEAST")))
    assert not any(map(LIMITS.search, ("ALMOST", "FEWER", "LEASTWISE", "MAX_RUNS")))


@pytest.mark.parametrize("vague", [VAGUE.__contains__, LIMITS.search], ids=["things", "limits"])
def test_names_say_what_things_are(vague):
    left = [
        f"{path}:{line}: {name}"
        for path, folder in files()
        if folder not in UNFINISHED
        for name, line in identifiers(ast.parse(path.read_text("utf-8")))
        if vague(name)
    ]
    assert left == []


def test_replaced_phrases_stay_away():
    back = [
        f"{path}:{line}: {phrase}"
        for path, folder in files()
        if folder.startswith("engine/")
        for text, line in texts(ast.parse(path.read_text("utf-8")))
        for phrase in REPLACED
        if re.search(rf"\b{phrase}\b", text)
    ]
    assert back == []
