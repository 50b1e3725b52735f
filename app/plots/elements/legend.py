"""A legend below or beside a picture, for which the layout leaves room."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox, IdentityTransform

from app.model.theme import Palette
from app.model.wording.numbers import plain
from app.plots.elements.labels import AxesArtist, figure_of
from app.plots.elements.scales import TICK_SIZE

_APART = 5.0  # of a sample and its text
_SAMPLE, _POINT = 22.0, 11.0  # widths of samples


@dataclasses.dataclass(frozen=True)
class LegendEntry:
    """One entry of a key: samples side by side, and what they mean."""

    # properties of lines; one with a marker alone is drawn as a point
    samples: tuple[dict[str, Any], ...]
    text: str  # what stands behind the samples.  An entry without samples goes on with the one before it

    @property
    def goes_on(self) -> bool:
        """Whether it is a second line of the entry before it."""
        return not self.samples

    def width(self, sample: dict[str, Any]) -> float:
        """Return the width of one of the samples, in points."""
        return _POINT if _is_point(sample) else _SAMPLE / (2 if len(self.samples) > 1 else 1)


def _is_point(sample: dict[str, Any]) -> bool:
    return "marker" in sample and sample.get("linestyle", "none") == "none"


def in_lines(samples: tuple[dict[str, Any], ...], lines: Sequence[str]) -> list[LegendEntry]:
    """Return an entry in as many lines as there are."""
    return [LegendEntry(samples, lines[0]), *(LegendEntry((), line) for line in lines[1:])]


SIZE = TICK_SIZE + 0.5  # of a text
LINE = 1.45 * SIZE  # height of a line
GAP = 6.0  # from the axes
MARGIN = 9.0  # from the edges of the figure
BETWEEN = 12.0  # from one entry of a legend to the next
_TICKS, _NAME = 20.0, 16.0  # heights of tick labels, and of the name of an axis, in points
_WIDE, _TALLEST = 1.3, 0.8  # width of a figure, and height of a legend, in heights of the figure
_CENTRED = 1.8  # width of a figure, in its heights, that a map and its key leave blank at both sides
_ASIDE, _ABOVE = 42.0, 34.0  # width of tick labels, and height of the y label, with what is around


class Legend(AxesArtist):
    """A key beside the axes, one entry in a row, while the figure is wide; else in rows below it.

    Beside or below an axes that is drawn to scale, it stands where it leaves the axes larger. With a `least`
    below 1, it stands beside an axes that is so many times as large. `below`: always below it.
    """

    least = 1.0

    def __init__(self, axes: Axes, palette: Palette, *, below: bool = False) -> None:
        super().__init__(axes, 6)
        self._palette = palette
        self.below = below
        self._entries: tuple[LegendEntry, ...] = ()
        self._texts: list[Text] = []
        self._frozen: dict[Text, float] = {}  # widths in points
        self._reserved, self._column = 1, 0.0
        self._beside: bool | None = None  # chosen with the layout, so that nothing jumps between two of them
        self._arranged: tuple[object, ...] = ()
        self._parts: list[Artist] = []
        self.set_clip_on(False)

    def set_entries(self, entries: Sequence[LegendEntry], *, escaped: bool = False) -> None:
        """Show entries; `escaped` texts may hold formulas."""
        if self._entries == tuple(entries):
            return
        self._entries = tuple(entries)
        self._arranged = ()
        while len(self._texts) < len(self._entries):
            self._texts.append(self._small_text(self._palette.muted, SIZE))
        for entry, text in zip(self._entries, self._texts, strict=False):
            text.set_text(entry.text if escaped else plain(entry.text))

    def freeze(self) -> None:
        """Keep the widths that texts have now: each format measures them otherwise."""
        self._frozen = {text: self._width(text) / self._pixels(1) for text in self._texts}
        self._arranged = ()

    def texts(self) -> list[str]:
        return [entry.text for entry in self._entries]

    def cramped(self) -> bool:
        if not self._stands_beside():
            return len(self._rows()) > self._reserved
        return bool(max(self._widths(), default=0.0) > self._column + 0.5)

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        # from the room that the axes has, not from what it takes of it to draw to scale
        figure = self.home.get_figure(root=False)
        assert figure is not None
        box = self.home.get_position(original=True).transformed(figure.transSubfigure)
        self._beside = self._choose(renderer)
        if self.home.get_aspect() != "auto":
            centred = self._beside and figure.bbox.width > _CENTRED * figure.bbox.height
            self.home.set_anchor("N" if centred else "NW")
        if self._beside:
            self._column = max(self._widths(renderer), default=0.0)
            return Bbox.from_bounds(box.x1, box.y0, self._column + self._pixels(BETWEEN), box.height)
        self._reserved = max(1, len(self._rows(renderer)))
        height = self._pixels(self._reserved * LINE + GAP) + self._pixels(self._drop)
        return Bbox.from_bounds(box.x0, box.y0 - height, box.width, height)

    @property
    def foot(self) -> float | None:
        """The lower end of the key beside the axes, in pixels; None if it stands below."""
        beside = self._stands_beside()
        return self.home.bbox.y1 - self._pixels(LINE * len(self._entries)) if beside else None

    def _stands_beside(self) -> bool:
        if self._beside is None:
            self._beside = self._choose()
        return self._beside

    def _choose(self, renderer: RendererBase | None = None) -> bool:
        """Tell whether the key belongs beside the axes."""
        box = figure_of(self.home).bbox
        if self.below or self._pixels(LINE * len(self._entries)) > _TALLEST * box.height:
            return False
        if self.home.get_aspect() == "auto":
            return bool(box.width > _WIDE * box.height)
        # from the figure alone: what the axes has now follows from the choice that was made before
        space = np.array(box.size) - [
            self._pixels(part + 2 * MARGIN) for part in (_ASIDE, _ABOVE + self._drop)
        ]
        spans = [abs(end - start) for start, end in (self.home.get_xlim(), self.home.get_ylim())]
        larger = []
        for self._beside in (True, False):
            taken = np.zeros(2)
            if self._beside:
                taken[0] = max(self._widths(renderer), default=0.0) + self._pixels(BETWEEN)
            else:
                taken[1] = self._pixels(len(self._rows(renderer)) * LINE + GAP)
            larger.append(float(((space - taken) / spans).min()))
        return larger[0] >= self.least * larger[1]

    @property
    def _drop(self) -> float:
        """Return the height of what belongs to the horizontal axis, in points."""
        if self.home.child_axes:
            return _TICKS + _NAME
        return (_TICKS + _NAME * bool(self.home.get_xlabel())) * self.home.axison

    def draw(self, renderer: RendererBase) -> None:
        # arranging them takes longer than drawing them
        position = (renderer, self.home.bbox.bounds, figure_of(self.home).dpi)
        if self._arranged != position:
            self._arranged = position
            self._parts = self._arrange(renderer)
        for part in self._parts:
            part.draw(renderer)
        self.stale = False

    def _arrange(self, renderer: RendererBase) -> list[Artist]:
        start, top = self._corner()
        parts: list[Artist] = []
        for number, row in enumerate(self._rows(renderer)):
            y = top - self._pixels((number + 0.5) * LINE)
            left, before = start, self._entries[: row[0]]
            if self._entries[row[0]].goes_on and not self._stands_beside():  # below the text before it
                left += next((self._indent(entry) for entry in reversed(before) if entry.samples), 0.0)
            for index in row:
                if index != row[0] and not self._entries[index].goes_on:
                    left += self._pixels(BETWEEN)
                left = self._arrange_entry(renderer, parts, index, left, y)
        return parts

    def _arrange_entry(
        self, renderer: RendererBase, parts: list[Artist], index: int, left: float, y: float
    ) -> float:
        """Give one entry its place, and return where it ends."""
        entry, text = self._entries[index], self._texts[index]
        indent = self._indent(entry)
        start = left + indent + self._pixels(_APART)
        text.set_position((start, y))
        left += (indent - self._samples(entry)) / 2
        for properties in entry.samples:
            width = self._pixels(entry.width(properties))
            x = [left + width / 2] if _is_point(properties) else [left, left + width / 2, left + width]
            line = Line2D(x, [y] * len(x), transform=IdentityTransform(), **properties)
            line.set_markevery([len(x) // 2])
            self._take(line)
            parts.append(line)
            left += width
        parts.append(text)
        return start + self._width(text, renderer)

    def _corner(self) -> tuple[float, float]:
        """Return where the first row begins: its left and upper edge, in pixels."""
        box = self.home.bbox
        if self._stands_beside():
            return box.x1 + self._pixels(BETWEEN), box.y1
        return self._pixels(MARGIN), box.y0 - self._pixels(GAP + self._drop)

    def _widths(self, renderer: RendererBase | None = None) -> list[float]:
        """Return the width of every entry, in pixels."""
        gap = self._pixels(_APART)
        return [
            self._indent(entry) + gap + self._width(text, renderer)
            for entry, text in zip(self._entries, self._texts, strict=False)
        ]

    def _width(self, text: Text, renderer: RendererBase | None = None) -> float:
        """Return the width of a text, in pixels."""
        if text in self._frozen:
            return self._pixels(self._frozen[text])
        return float(text.get_window_extent(renderer).width)

    def _samples(self, entry: LegendEntry) -> float:
        """Return the width of all samples of an entry, in pixels."""
        return sum(self._pixels(entry.width(sample)) for sample in entry.samples)

    def _indent(self, entry: LegendEntry) -> float:
        """Return the width that is left for samples, in pixels; beside the axes, texts begin in a column."""
        entries = self._entries if self._stands_beside() else [entry]
        return max(map(self._samples, entries))

    def _rows(self, renderer: RendererBase | None = None) -> list[list[int]]:
        """Return which entries stand in which row."""
        if self._stands_beside():
            return [[index] for index in range(len(self._entries))]
        space = figure_of(self.home).bbox.width - 2 * self._pixels(MARGIN)
        rows: list[list[int]] = []
        left = 0.0
        for group, width in self._groups(space, renderer):
            if not rows or left + width > space:
                rows.append([])
                left = 0.0
            rows[-1] += group
            left += width + self._pixels(BETWEEN)
        return rows

    def _groups(self, space: float, renderer: RendererBase | None) -> list[tuple[list[int], float]]:
        """Return which entries stay together in a row of a width, and how wide they are."""
        groups: list[tuple[list[int], float]] = []
        for index, width in enumerate(self._widths(renderer)):
            if groups and self._entries[index].goes_on and groups[-1][1] + width <= space:
                before, taken = groups.pop()
                groups.append(([*before, index], taken + width))
            else:
                groups.append(([index], width))
        return groups
