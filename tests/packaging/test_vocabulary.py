"""One word for one thing: words that were given up come back nowhere a user reads them."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

GIVEN_UP = {
    r"not private|isn't private|non-private": "Confidential (raw data), or Not DP (no guarantee)",
    r"(leaves?|left) the room": "can be shared, is released",
    r"known in advance": "public",
    r"contenders?(?!\w|\s*[=,\[])": "mechanisms compared",
    r"the bounds alone": "trivial baseline",
    r"zeros and tops": "half at each bound",
    r"cheapest (spanning )?tree": "minimum spanning tree",
    r"attempt [12]": "why not …?",
    r"share for sliding": "sliding share of ε",
    r"tail g\b": "tail exponent",
    r"as planned": "auto",
    r"next draw|“next seed”": "new seed",
    r"put everything back": "reset manual changes",
    r"keep to this": "lock",
    r"spend it all": "release anyway",
    r"forget what was spent": "start a new ledger",
    r"certified: ": "Verified: ",
    r"fine tuning": "advanced",
    r"like the system": "system default",
    r"large type": "font size in presentation mode",
    r"fault of the program": "internal error",
    r"save numbers|table of numbers": "export data, show data",
    r"some(body|one)|nobody|anybody|everybody": "you, users, an attacker, or a passive",
}
"""What is searched for, whatever its case, and what is said in its place."""
ANY = re.compile(rf"\b(?:{'|'.join(GIVEN_UP)})", re.IGNORECASE)

TARGET = re.compile(r"\]\([^)]*\)")
"""Where a link of a page leads: the names of files are no words."""


def test_no_text_of_the_program_uses_a_word_that_was_given_up():
    modules = [
        path
        for room in ("app", "engine")
        for path in ROOT.glob(f"{room}/**/*.py")
        if path.stem not in ("__init__", "former_names")
    ]
    assert not {
        str(path): wrong
        for path in modules
        if (wrong := list(found(texts_in(path.read_text(encoding="utf-8")))))
    }


def test_neither_does_a_page_a_lesson_or_an_example():
    pages = [*ROOT.glob("resources/**/*.md"), *ROOT.glob("resources/**/*.toml"), ROOT / "README.md"]
    assert not {str(path): wrong for path in pages if (wrong := list(found(lines_of(path))))}


def test_a_word_that_was_given_up_is_found():
    source = (
        '"""Nobody reads a docstring on the screen."""\nLABEL = f"&Contenders {1}"\nNAME = "contenders"\n'
    )
    assert list(found(texts_in(source))) == ["“Contenders ”: say mechanisms compared"]


def lines_of(path: Path) -> Iterator[str]:
    """Yield what is read of a file of words."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        yield from strings_of(tomllib.loads(text))
    else:
        yield from TARGET.sub("]", text).splitlines()


def found(texts: Iterator[str] | list[str]) -> Iterator[str]:
    """Yield what is wrong with texts."""
    for text in texts:
        plain = text.replace("&", "")
        if not ANY.search(plain):
            continue
        for pattern, instead in GIVEN_UP.items():
            if re.search(rf"\b(?:{pattern})", plain, re.IGNORECASE):
                yield f"“{plain}”: say {instead}"


def texts_in(source: str) -> Iterator[str]:
    """Yield what may be shown of a module: its strings but docstrings, and names of code in one word."""
    strings, silent = [], set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant):
            strings.append(node)
        elif isinstance(body := getattr(node, "body", None), list):
            silent |= {id(statement.value) for statement in body if isinstance(statement, ast.Expr)}
    for node in strings:
        if not isinstance(node.value, str) or id(node) in silent:
            continue
        if " " in node.value or node.value.istitle():
            yield node.value


def strings_of(content: object) -> Iterator[str]:
    """Yield all strings of a TOML document, its keys, too."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for key, value in content.items():
            yield from () if key.isidentifier() and key.islower() else [key]
            yield from strings_of(value)
    elif isinstance(content, list):
        for value in content:
            yield from strings_of(value)
