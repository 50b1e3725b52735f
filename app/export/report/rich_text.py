"""Words and formulas in lines on paper: broken at blanks, all on one baseline."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPdfWriter

from app.export.report.pagination import PageBlock, stays
from app.export.report.typesetting import BODY, CODE, Type
from app.model.texts.readable import readable
from app.model.theme import LIGHT
from app.model.wording.markup import MarkupBlock, Runs
from app.plots.formula_outlines import FormulaError, Outline, outline
from app.widgets.formula_paths import path_of

LOW = 0.45
"""Height of a small letter in formulas, in multiples of their size."""

LARGER = 1.12
"""How much larger formulas on lines of their own are."""

INDENT = 18.0
AIR = 1.5
"""Room above and below a formula that is higher than its line."""


@dataclasses.dataclass(frozen=True)
class Atom:
    """A word or a formula; `blank` is the room before it, at which a line may break if it is not 0."""

    width: float
    ascent: float
    descent: float
    blank: float
    drawn: str | Outline
    kind: Type
    size: float = 0.0

    def draw(self, painter: QPainter, x: float, baseline: float) -> None:
        """Draw at a place on the baseline."""
        if isinstance(self.drawn, str):
            self.kind.write(painter, x, baseline, self.drawn)
            return
        painter.save()
        painter.translate(QPointF(x, baseline))
        painter.scale(self.size, -self.size)
        painter.fillPath(path_of(self.drawn), QColor(LIGHT.ink))
        painter.restore()


class RichTextSetter:
    """Sets paragraphs, items and formulas in a width (points)."""

    def __init__(self, writer: QPdfWriter, width: float) -> None:
        self._width = width
        self._types = {
            (bold, italic): Type(writer, BODY, bold=bold, italic=italic)
            for bold in (False, True)
            for italic in (False, True)
        }
        self._code = Type(writer, BODY - 1, families=CODE)
        self._plain = self._types[False, False]

    def blocks(self, blocks: Sequence[MarkupBlock]) -> Iterator[PageBlock]:
        """Yield the lines of blocks; a formula stays with the line that leads to it."""
        for index, block in enumerate(blocks):
            leads = index + 1 < len(blocks) and blocks[index + 1].kind == "formula"
            if block.kind == "formula":
                yield self._displayed(block.runs[0].text)
            else:
                yield from self._paragraph(block, leads)

    def _displayed(self, tex: str) -> PageBlock:
        room = self._width - INDENT
        atom = self._formula(tex, LARGER, 0.0)
        if atom.width > room:
            atom = self._formula(tex, LARGER * room / atom.width, 0.0)

        def draw(painter: QPainter, x: float, y: float) -> None:
            atom.draw(painter, x + INDENT, y + atom.ascent)

        return PageBlock(atom.ascent + atom.descent + 5, draw, before=5)

    def _paragraph(self, block: MarkupBlock, leads: bool) -> Iterator[PageBlock]:
        item = block.kind in ("bullet", "number")
        lines = list(self._lines(list(self._atoms(block.runs)), self._width - INDENT * item))
        for index, line in enumerate(lines):
            first, last = index == 0, index == len(lines) - 1
            keeps = leads if last else stays(index, len(lines))
            yield self._line(line, INDENT * item, "•" * (item and first), keeps, 4.0 * first)

    def _line(self, atoms: list[Atom], indent: float, mark: str, keeps: bool, before: float) -> PageBlock:
        plain = self._plain
        above = max([plain.baseline, *(one.ascent + AIR for one in atoms if one.size)])
        below = max([plain.leading - plain.baseline, *(one.descent + AIR for one in atoms if one.size)])

        def draw(painter: QPainter, x: float, y: float) -> None:
            baseline = y + above
            if mark:
                plain.write(painter, x + INDENT / 3, baseline, mark)
            x += indent
            for index, atom in enumerate(atoms):
                x += atom.blank if index else 0.0
                atom.draw(painter, x, baseline)
                x += atom.width

        return PageBlock(above + below, draw, before, keeps=keeps)

    def _lines(self, atoms: list[Atom], room: float) -> Iterator[list[Atom]]:
        """Break between what is not glued together."""
        line: list[Atom] = []
        length = 0.0
        for glued in _glued(atoms):
            width = sum(atom.width for atom in glued)
            if line and length + glued[0].blank + width > room:
                yield line
                line, length = [], 0.0
            length += (glued[0].blank if line else 0.0) + width
            line += glued
        if line:
            yield line

    def _atoms(self, runs: Runs) -> Iterator[Atom]:
        blank = 0.0
        for run in runs:
            kind = self._code if run.kind == "code" else self._types[run.bold, run.italic]
            if run.kind == "formula":
                yield self._formula(run.text, 1.0, blank)
                blank = 0.0
                continue
            for part in re.split(r"(\s+)", run.text):
                if part.isspace():
                    blank = self._plain.width(" ")
                elif part:
                    yield Atom(kind.width(part), 0.0, 0.0, blank, part, kind)
                    blank = 0.0

    def _formula(self, tex: str, larger: float, blank: float) -> Atom:
        try:
            drawn = outline(tex)
        except FormulaError:
            text = readable(tex)
            return Atom(self._plain.width(text), 0.0, 0.0, blank, text, self._plain)
        size = self._plain.low / LOW * larger
        return Atom(
            drawn.width * size, drawn.ascent * size, drawn.descent * size, blank, drawn, self._plain, size
        )


def _glued(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """Yield what no blank stands between."""
    some: list[Atom] = []
    for atom in atoms:
        if atom.blank and some:
            yield some
            some = []
        some.append(atom)
    if some:
        yield some
