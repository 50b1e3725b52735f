"""What the command line answers: every verb, every kind of data, every mechanism, mistakes, help."""

import contextlib
import io
import json
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from golden_text import plain, rounded, structure

from app.commands.main import main
from engine import __version__

LINES = Path(__file__).parent / "golden_command_lines.txt"

PRICES = [3.25, 7.5, 1.0, 9.75, 4.5, 12.25, 6.0, 2.75, 8.5, 5.25, 11.0]
SIZES = ["small", "large", "middle", "small", "small", "large", "middle", "small", "large", "small", "middle"]
SHOPS = ["north", "south"] * 5 + ["north"]
DATA = {
    "prices.csv": "price,size,shop\n"
    + "".join(f"{price},{size},{shop}\n" for price, size, shop in zip(PRICES, SIZES, SHOPS, strict=True)),
    "shops.csv": "shop\n" + "".join(f"{shop}\n" for shop in SHOPS),
    "points.csv": "x,y\n" + "".join(f"{i % 7 / 10 + i / 1000},{i % 11 / 20 + 0.3}\n" for i in range(300)),
    "graph.csv": "source,target,weight\na,b,1.5\nb,c,2.03125\na,c,4\nb,d,3\nc,d,7\n",
    "missing.csv": "price\n1\n\n3\n4.5\n",
    "broken.csv": "price\n1\ntwo\n3\n",
    "empty.csv": "",
    "function.py": "def middle(records):\n    return records.mean(axis=0)\n",
}
"""The files that the commands read."""

TIMES = ("seconds", "seconds_per_run", "when", "prepare_seconds", "draw_seconds")
"""What JSON tells of running times: never the same twice."""
UNSEEDED = ("value", "name")
"""What is another one each time, as there is no seed for what spends a budget."""
MASK = "<…>"
PASSED = re.compile(r" *(?<![\w.,])\d[\d.,]*(?:e[-+]\d+)? ?(?:s|ms|µs|seconds|min)\b")
"""A running time in a text for users, with the room in front of it that it decides."""


def dump(folder: Path) -> Iterator[tuple[str, str]]:
    """Return name and text of each file; data and what the program writes go to `folder`."""
    for name, text in DATA.items():
        (folder / name).write_text(text)
    before = Path.cwd()
    os.chdir(folder)
    os.environ["COLUMNS"] = "80"
    try:
        for group, lines in _lines().items():
            yield f"commands-{group}.txt", "\n".join(_answer(line, folder) for line in lines)
    finally:
        os.chdir(before)


def _lines() -> dict[str, list[str]]:
    """Return the command lines by the name of the group that they are in."""
    groups: dict[str, list[str]] = {}
    for line in LINES.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            lines = groups.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return groups


def _answer(line: str, folder: Path) -> str:
    """Return a command line and what the program answers.

    A line that begins with "?" has no seed: only what does not depend on one is kept.  "cat" shows a
    file that was written before.
    """
    unseeded, words = line.startswith("?"), shlex.split(line.lstrip("? "))
    if words[0] == "cat":
        return "\n".join([f"$ {line}", *_written(folder / words[1])]) + "\n"
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    said = [f"$ {line}", f"exit status {status}"]
    if "--json" in words and status == 0:
        said += structure(_masked(json.loads(out.getvalue()), TIMES + UNSEEDED * unseeded))
    else:
        said += _text(out.getvalue(), folder, words, unseeded)
    said += [f"err: {text}" for text in _text(err.getvalue(), folder, words, unseeded)]
    return "\n".join(said) + "\n"


def _written(path: Path) -> list[str]:
    """Return what is in a file."""
    text = path.read_text(encoding="utf-8")
    return (
        structure(_masked(json.loads(text), TIMES)) if path.suffix == ".json" else rounded(text).splitlines()
    )


def _text(text: str, folder: Path, words: list[str], unseeded: bool) -> list[str]:
    for hidden, shown in ((str(folder), "<folder>"), (__version__, "<version>")):
        text = text.replace(hidden, shown)
    if words[0] in ("compare", "audit", "budget") and "--help" not in words:
        text = PASSED.sub(f" {MASK}", text)
    if unseeded:
        text = re.sub(" +", " ", re.sub(r"\d[\d.,]*(?:e[-+]\d+)?", MASK, text))
    return rounded(text).splitlines()


def _masked(value: Any, names: tuple[str, ...]) -> Any:
    """Return JSON without what is never the same twice."""
    value = plain(value)
    if isinstance(value, list):
        return [_masked(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    hidden = (*names, "version")
    return {name: MASK if name in hidden else _masked(item, names) for name, item in value.items()}
