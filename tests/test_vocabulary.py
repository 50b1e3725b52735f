"""Plain words: names say what things are, and no text uses phrases that have to be read twice.

Lists of names and phrases only grow; `MAX_COUNTS` only falls.
"""

import ast
import inspect
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CODE = ("app", "engine")
VAGUE = {"found", "place", "words", "told"}
LIMITS = re.compile(r"(^|_)(MOST|FEW|FEWEST|ENOUGH|LEAST)(_|$)")
UNFINISHED: set[str] = set()
"""Where such names still stand; this list only shrinks."""

REPLACED = (
    "another β, and so multiples",
    "are all that may be asked",
    "be told apart by",
    "changes hands",
    "for good",
    "in such numbers that",
    "it does not pay",
    "it finds private numbers",
    "kept, all of them together",
    "next to nothing",
    "nothing is called",
    "nothing spent on this dataset yet",
    "refuse to go on",
    "shelf",
    "such as have",
    "surely at least",
    "the settings have changed since",
    "times as near as",
    "veil",
    "wardrobe",
    "what stands between",
    "with δ = 0 these do not fit",
    "write down what was released",
)
"""Phrases that no text has any more."""

GIVEN_UP = {
    r"not private|isn't private|non-private": "Confidential (raw data), or Not DP (no guarantee)",
    r"(leaves?|left) the room": "can be shared, is released",
    r"known in advance": "public",
    r"contenders?(?!\w|\s*[=,\[])": "mechanisms compared",
    r"the bounds alone|trivial baseline": "guess without the data",
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
"""Words that nothing on the screen uses, whatever their case, and the word in their place."""
ANY_GIVEN_UP = re.compile(rf"\b(?:{'|'.join(GIVEN_UP)})", re.IGNORECASE)

BRITISH = re.compile(
    r"(?<![-{/=._\w])\w*(?:colour|neighbour|centre|favour|behaviour|licence|catalogue|labelled\b|\bgrey)"
    r"|\b(?:recogn|maxim|minim|optim|standard|random|organ|normal|general)is(?:e|ing)",
    re.IGNORECASE,
)
"""Spellings that no text has: all are American, except for names in code and options of commands."""

MAX_WORDS = 28
WORD = re.compile(r"[^\W\d_]{2,}")
"""Single letters are symbols of formulas."""
COUNTED = {
    "told": re.compile(r"\b(?:is|are|was|were|be|been|being) (?:told|said|asked|looked)\b"),
    "of which": re.compile(r"\bof which\b"),
    "as far as": re.compile(r"\bas far as\b"),
    "in the place of": re.compile(r"\bin the place of\b"),
}
MAX_COUNTS: dict[str, dict[str, int]] = {"app strings": {"long": 2}, "examples": {"long": 2}}
"""How often such phrases may still stand in a kind of text; where nothing is written, never."""

LINK = re.compile(r"\]\([^)]*\)")
FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+\$|``?[^`]+``?", re.DOTALL)
FIELD = re.compile(r"^[*\w][\w*, .]* : |^-{3,}$")
"""In a docstring, the line of a parameter or below a heading."""


# --- what is read


def modules():
    """Yield each file of app and engine, and the first folder in these that holds it, or its own path."""
    for path in sorted(path for room in CODE for path in (ROOT / room).rglob("*.py")):
        yield path, "/".join(path.relative_to(ROOT).parts[:2])


@cache
def tree_of(path):
    return ast.parse(path.read_text("utf-8"))


def identifiers(tree):
    """Yield the names that a module gives or uses, each with its line."""
    for node in ast.walk(tree):
        given = [getattr(node, field, None) for field in ("id", "attr", "arg", "name", "asname")]
        for name in given:
            if isinstance(name, str):
                yield name, node.lineno


def strings(tree):
    """Yield (text, line, whether it is a docstring) of all strings of a module."""
    docstrings = set()
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            docstrings |= {id(statement.value) for statement in body if isinstance(statement, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, node.lineno, id(node) in docstrings


def strings_of(content):
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


def prose_files():
    """Yield (kind, path) of all files that are read as they are."""
    for path in sorted((ROOT / "resources").rglob("*.md")):
        yield path.relative_to(ROOT).parts[1], path
    for path in sorted((ROOT / "resources").rglob("*.toml")):
        yield path.relative_to(ROOT).parts[1], path
    for path in (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / ".github").glob("*.md"))):
        yield "README", path
    for room in CODE:
        yield "README", ROOT / room / "README.md"
    for path in sorted((ROOT / "packaging" / "site").rglob("*.md")):
        yield "guides", path


@cache
def texts():
    """Return (kind, where, text) of everything that a person reads."""
    results = []
    for path, _ in modules():
        room = path.relative_to(ROOT).parts[0]
        for text, line, documents in strings(tree_of(path)):
            if " " in text:
                kind = f"{room} {'docstrings' if documents else 'strings'}"
                results.append((kind, f"{path}:{line}", inspect.cleandoc(text)))
    for kind, path in prose_files():
        raw = path.read_text("utf-8")
        if path.suffix == ".toml":
            results += [(kind, str(path), text) for text in strings_of(tomllib.loads(raw))]
        else:
            results.append((kind, str(path), LINK.sub("]", raw)))
    return results


def sentences(text):
    """Yield the sentences of a text: neither code, nor tables, nor headings; a formula is one word."""
    text = re.sub(r"```.+?```", "", text, flags=re.DOTALL)
    paragraph: list[str] = []
    paragraphs = [paragraph]
    skips = False
    for line in text.splitlines():
        stripped = line.strip()
        skips = stripped.startswith((">>>", "...")) or (skips and bool(stripped))
        starts = not stripped or stripped.startswith(("- ", "* ", "|", "#")) or re.match(r"\d+\. ", stripped)
        if starts or skips or FIELD.match(stripped):
            paragraph = []
            paragraphs.append(paragraph)
        if FIELD.match(stripped):
            paragraphs.append(paragraph := [])
        elif stripped.startswith("|"):
            paragraphs += [[cell] for cell in stripped.split("|")]
        elif not skips:
            paragraph.append(stripped)
        if stripped.startswith(("|", "#")):
            paragraphs.append(paragraph := [])
    for lines in paragraphs:
        whole = FORMULA.sub("x", " ".join(lines))
        yield from (part for part in re.split(r"(?<=[.!?:])\s+", whole.strip()) if part)


def faults(text):
    """Yield (kind of fault, sentence)."""
    for sentence in sentences(text):
        if len(WORD.findall(sentence)) > MAX_WORDS:
            yield "long", sentence
        if sentence.startswith("What ") and not sentence.endswith("?"):
            yield "What", sentence
        for name, pattern in COUNTED.items():
            if pattern.search(sentence):
                yield name, sentence


# --- names


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
        for path, folder in modules()
        if folder not in UNFINISHED
        for name, line in identifiers(tree_of(path))
        if vague(name)
    ]
    assert left == []


# --- phrases


def test_replaced_phrases_stay_away():
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, REPLACED))})\b")
    back = [
        f"{where}: {match[0]}"
        for _, where, text in texts()
        if (match := pattern.search(" ".join(text.split()).lower()))
    ]
    assert back == []


def given_up(text):
    """Yield the words that nothing on the screen uses any more."""
    plain = text.replace("&", "")
    if ANY_GIVEN_UP.search(plain):
        for pattern, instead in GIVEN_UP.items():
            if re.search(rf"\b(?:{pattern})", plain, re.IGNORECASE):
                yield f"“{plain}”: say {instead}"


def test_no_text_on_the_screen_uses_a_word_that_was_given_up():
    wrong = [
        f"{path}: {fault}"
        for path, _ in modules()
        if path.stem not in ("__init__", "former_names")
        for text, _, documents in strings(tree_of(path))
        if not documents and (" " in text or text.istitle())
        for fault in given_up(text)
    ]
    wrong += [
        f"{where}: {fault}"
        for kind, where, text in texts()
        if kind in ("help", "lessons", "guides", "examples") or where == str(ROOT / "README.md")
        for fault in given_up(text)
    ]
    assert wrong == []


def test_words_that_were_given_up_are_found():
    assert list(given_up("&Contenders 1")) == ["“Contenders 1”: say mechanisms compared"]
    code = '"""Nobody reads a docstring on the screen."""\nNAME = "contenders"\n'
    assert [documents for _, _, documents in strings(ast.parse(code))] == [True, False]


def test_texts_have_one_spelling():
    wrong = [
        f"{where}: {match[0]}: {sentence}"
        for kind, where, text in texts()
        if not kind.endswith("docstrings") and "former_names" not in where
        for sentence in sentences(text)
        if (match := BRITISH.search(sentence.replace("&", "")))
    ]
    assert wrong == []


# --- sentences


def test_faults_of_sentences_are_found():
    text = "What of it belongs to others. It is told twice, as far as I know.\n\n    >>> What is this?\n"
    assert [fault for fault, _ in faults(text)] == ["What", "told", "as far as"]
    assert [fault for fault, _ in faults("word " * 29 + ".\n\nWhat is it?")] == ["long"]
    assert not list(
        faults("Parameters\n----------\nx : int\n" + "word " * 15 + ".\ny : int\n" + "word " * 15)
    )
    assert [fault for fault, _ in faults(f"| {'word ' * 20} | {'word ' * 20} | {'word ' * 29} |")] == ["long"]


@pytest.mark.parametrize("kind", sorted({kind for kind, _, _ in texts()}))
def test_sentences_are_short_and_direct(kind):
    left = [
        (fault, where, sentence)
        for one, where, text in texts()
        if one == kind
        for fault, sentence in faults(text)
    ]
    counts, allowed = Counter(fault for fault, _, _ in left), MAX_COUNTS.get(kind, {})
    above = {fault for fault, count in counts.items() if count > allowed.get(fault, 0)}
    assert [one for one in left if one[0] in above] == []
