"""What holds for every help page, and how mistakes in one are told.

Writers of pages run this file alone: each page is a test of its own.
"""

import functools
import re
from pathlib import Path
from typing import Any

import pytest

from app.model.texts.pages import KINDS, SECTIONS, TOPICS, page, plain_text, read_page, titles
from engine.errors import DataError, UnknownName
from engine.resources import resource

PIECES = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
OPENING, CLOSING = {"{", "[", r"\left"}, {"}", "]", r"\right"}
WAITING = re.compile(r"(\\[A-Za-z]+|[\^_])\s*$")
"""The end of a part that may ask for what follows, as a fraction does."""

THERE = sorted(path for kind in KINDS for path in resource("help", kind).glob("*.md"))


@pytest.fixture(scope="module")
def width_of() -> Any:
    """Return what draws a part of a formula, each of them once: most stand in several formulas."""
    from matplotlib.mathtext import MathTextParser

    parser = MathTextParser("path")
    return functools.cache(lambda part: parser.parse(f"${part}$").width)


def parts(formula: str) -> list[str]:
    """Divide a formula where each part can be drawn without the others.

    That is at spaces outside of all brackets, if no command waits there for what follows, nor does what
    follows hang on what comes before.
    """
    found, depth = [""], 0
    for piece in PIECES.findall(formula):
        depth += (piece in OPENING) - (piece in CLOSING)
        if piece == " " and depth == 0 and not WAITING.search(found[-1]):
            found.append("")
        elif found[-1] == "" and piece[0] in "^_'":
            found[-2:] = [f"{found[-2]} {piece}"]
        else:
            found[-1] += piece
    return [part for part in found if part.strip()]


@pytest.mark.parametrize("path", THERE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_page_can_be_read_and_its_formulas_drawn(path: Path, width_of: Any) -> None:
    found = read_page(path)
    for formula in found.formulas:
        try:
            width = sum(map(width_of, parts(formula)))
        except ValueError as error:
            pytest.fail(f"{found.source}: ${formula}$ cannot be drawn: {error}")
        assert width > 0
    assert not any(len(plain_text(block.runs)) > 1500 for block in found.blocks), (
        "a paragraph longer than a screen"
    )
    if found.kind != TOPICS:
        assert found.name in titles(found.kind), "there is no such name in the catalog"


GOOD = """# Mean

The average.

## When to use it

| n | error |
| --- | --- |
| $|x|$ | 2 |

## Formula

$$\\frac{1}{n} \\sum x_i$$

## Guarantee

None by itself.

## Errors in the literature

None known.

## Source

Derived here.
"""


@pytest.fixture
def written(tmp_path: Path) -> Any:
    """Return a maker of pages about a query, that reads them."""

    def read(text: str | bytes) -> Any:
        path = tmp_path / "queries" / "mean.md"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_page(path)

    return read


def test_page_is_read_into_plain_data(written: Any) -> None:
    found = written(GOOD)
    assert (found.key, found.title, plain_text(found.summary[0].runs)) == (
        "queries/mean",
        "Mean",
        "The average.",
    )
    assert [section.title for section in found.sections] == list(SECTIONS)
    assert [section.title for section in found.sections if section.is_errata] == ["Errors in the literature"]
    assert found.formulas == ("|x|", r"\dfrac{1}{n} \sum x_i")  # as large as on a line of its own
    assert [[plain_text(cell) for cell in row] for row in found.section("When to use it").blocks[0].rows] == [
        ["n", "error"],
        ["|x|", "2"],
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("# Mean", "Mean"), "line 1: the first line is '# ' and the title"),
        (("The average.", ""), "line 1: a description must follow the title"),
        (("None by itself.", ""), "line 15: the section 'Guarantee' is empty"),
        (("## Guarantee", "## Privacy"), "line 23: the section '## Guarantee' is missing"),
        (
            ("None by itself.", "of \\$5 and $6"),
            "line 17: a $ without its partner; where none is meant, write \\$",
        ),
        (("None by itself.", "**bold"), "line 17: a ** without its partner; where none is meant, write \\**"),
        (("x_i$$", "x_i"), "line 13: a formula that does not end; close it with $$"),
        (
            ("$$\\frac{1}{n} \\sum x_i$$", "The sum."),
            "line 11: there is no formula; write one between $ and $",
        ),
        (("Derived here.", "Somebody."), "line 23: no paper with its year, nor 'derived here'"),
        (("| $|x|$ | 2 |", "| 2 |"), "line 9: 1 cells below a header of 2"),
        (("| --- | --- |", "| a | b |"), "line 8: below the header of a table stands a line of | --- |"),
        (("None by itself.", "```\ncode"), "line 17: code that does not end; close it with ```"),
        (("None by itself.", "### More"), "line 17: a heading that is neither '# …' nor '## …'"),
        (
            ("None by itself.", "[a](help:queries/medain)"),
            "line 17: there is no page 'queries/medain'; try queries/median",
        ),
        (
            ("None by itself.", "[a](median.md)"),
            "line 17: 'median.md' is no link; write help:<kind>/<name> or",
        ),
    ],
)
def test_mistake_is_named_with_its_line(written: Any, change: tuple[str, str], message: str) -> None:
    with pytest.raises(DataError) as caught:
        written(GOOD.replace(*change))
    assert str(caught.value).startswith(f"queries/mean.md, {message}")
    assert "\n" not in str(caught.value)


def test_order_encoding_and_absence_are_told(written: Any, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the sections stand in this order"):
        written(
            GOOD.replace("## Formula", "## X")
            .replace("## Guarantee", "## Formula")
            .replace("## X", "## Guarantee")
        )
    with pytest.raises(DataError, match=r"line 3: is not UTF-8"):
        written(b"# Mean\n\n\xff")
    with pytest.raises(DataError, match=r"queries/none\.md: cannot be read"):
        read_page(tmp_path / "queries" / "none.md")
    with pytest.raises(UnknownName, match="there is no help page 'queries/medain'"):
        page("queries", "medain")
