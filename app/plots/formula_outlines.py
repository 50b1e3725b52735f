"""Formulas as outlines: drawn in any colour and at any size, on the screen and in reports.

They have their own parser and lock: the window's thread uses matplotlib's shared parser.
"""

from __future__ import annotations

import dataclasses
import threading
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.texts.plain import readable
from engine.array_types import Floats, Ints

if TYPE_CHECKING:
    from matplotlib.textpath import TextToPath


FAMILY = "stix"

MOVE, LINE, QUADRATIC, CUBIC, CLOSE = 1, 2, 3, 4, 79  # what matplotlib calls the parts of an outline
POINTS = {MOVE: 1, LINE: 1, QUADRATIC: 2, CUBIC: 3, CLOSE: 1}  # how many points belong to each part
IN_LINE, DISPLAYED = 17.0, 19.0  # sizes of formulas in words of 16 pixels, and on lines of their own
_LETTERS = {MOVE: "M", LINE: "L", QUADRATIC: "Q", CUBIC: "C"}
_READING = threading.Lock()


class FormulaError(ValueError):
    """A formula that cannot be drawn; one line says where it goes wrong."""


@dataclasses.dataclass(frozen=True, eq=False)
class Outline:
    """The outline of a formula set at size 1, with the baseline at y = 0 and y upwards."""

    tex: str  # the formula, without dollars
    # width, ascent, descent: in multiples of the size of type
    width: float
    ascent: float
    descent: float
    points: Floats  # shape (n, 2), in multiples of the size of type
    # shape (n,), what belongs to which part: MOVE, LINE, QUADRATIC, CUBIC or CLOSE for each of its points
    codes: Ints

    def parts(self) -> list[tuple[int, Floats]]:
        """Return each part with its points."""
        results, index = [], 0
        while index < len(self.codes):
            code = int(self.codes[index])
            results.append((code, self.points[index : index + POINTS[code]]))
            index += POINTS[code]
        return results


@cache
def outline(tex: str) -> Outline:
    """Return the outline of a formula; safe in every thread.

    Raises FormulaError if matplotlib cannot read it.
    """
    from matplotlib.font_manager import FontProperties

    properties = FontProperties(size=1, math_fontfamily=FAMILY)
    with _READING:
        reader = _reader()
        try:
            width, height, descent = reader.get_text_width_height_descent(f"${tex}$", properties, True)
            points, codes = reader.get_text_path(properties, f"${tex}$", True)
        except ValueError as error:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            raise FormulaError(f"${tex}$: {lines[-1] if lines else 'cannot be read'}") from None
    at_size_1 = np.asarray(points, dtype=float).reshape(-1, 2) / reader.FONT_SCALE
    return Outline(tex, width, height - descent, descent, at_size_1, np.asarray(codes, dtype=int))


@cache
def _reader() -> TextToPath:
    """Return a reader of formulas that nothing else uses."""
    from matplotlib.mathtext import MathTextParser
    from matplotlib.textpath import TextToPath

    # generic in the stubs alone
    class Own(MathTextParser):  # type: ignore[type-arg]
        """Makes a grammar of its own instead of the shared one."""

        _parser: Any = None

    reader = TextToPath()
    reader.mathtext_parser = Own("path")
    return reader


def formula_svg(tex: str, colour: str = "#000000", size: float = 16.0) -> str:
    """Return a formula as SVG, which says in its label how to read it.

    `tex`: without dollars. `colour`: as ``#RRGGBB``. `size`: of type, in pixels. Raises FormulaError if it
    cannot be drawn.
    """
    drawn = outline(tex)
    down = np.array([1.0, -1.0])
    parts = []
    for code, points in drawn.parts():
        numbers = " ".join(f"{value:.5g}" for value in (points * down * size).ravel() + 0.0)
        parts.append("Z" if code == CLOSE else f"{_LETTERS[code]}{numbers}")
    width, height = drawn.width * size, (drawn.ascent + drawn.descent) * size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(readable(tex))}" '
        f'width="{width:.2f}" height="{height:.2f}" '
        f'viewBox="0 {-drawn.ascent * size:.2f} {width:.2f} {height:.2f}" '
        f'style="vertical-align:{-drawn.descent * size:.2f}px">'
        f'<path fill="{escape(colour)}" d="{"".join(parts)}"/></svg>'
    )


def formula_html(tex: str, displayed: bool) -> str:
    """Return a formula in the colour of the words around it; in letters where it cannot be drawn."""
    try:
        return formula_svg(tex, "currentColor", DISPLAYED if displayed else IN_LINE)
    except FormulaError:
        return escape(readable(tex))
