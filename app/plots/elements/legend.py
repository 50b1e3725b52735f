"""A sentence above a picture and a key below or beside it, which take the room that they need."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox, IdentityTransform

from app.model.wording.numbers import plain
from app.plots.elements.scales import TICK_SIZE
from app.theme import Palette

SIZE = TICK_SIZE + 0.5
_LINE = 1.45 * SIZE  # height of a line, in points
_GAP = 6.0  # from the axes
_MARGIN = 9.0  # from the edges of the figure
_BETWEEN = 12.0  # of two entries
_APART = 5.0  # of a sample and its text
_SAMPLE, _POINT = 22.0, 11.0  # widths of samples
_AXIS = 36.0  # height of tick labels and the name of an axis
_WIDE, _TALLEST = 1.3, 0.8  # width of a figure, and height of a key, in heights of the figure
_ASIDE, _ABOVE = 42.0, 34.0  # width of tick labels, and height of a headline, with what is around


@dataclasses.dataclass(frozen=True)
class LegendEntry:
    """One entry of a key: samples side by side, and what they mean.

    Attributes
    ----------
    samples : tuple of dict
        Properties of lines; one with a marker is drawn as a point.
    text : str
        What stands behind the samples.  An entry without samples goes on with the one before it.
    before : str
        What stands before them.
    """

    samples: tuple[dict[str, object], ...]
    text: str
    before: str = ""

    @property
    def goes_on(self) -> bool:
        """Whether it is a second line of the entry before it."""
        return not self.samples and not self.before

    def width(self, sample: dict[str, object]) -> float:
        """Return the width of one of the samples, in points."""
        return _POINT if "marker" in sample else _SAMPLE / (2 if len(self.samples) > 1 else 1)


def in_lines(samples: tuple[dict[str, object], ...], lines: Sequence[str]) -> list[LegendEntry]:
    """Return an entry in as many lines as there are."""
    return [LegendEntry(samples, lines[0]), *(LegendEntry((), line) for line in lines[1:])]


class Sentence(Artist):
    """Words above the axes, broken into as many lines as the width of the figure asks for.

    Parameters
    ----------
    axes : Axes
    palette : Palette
    least : int
        Number of lines for which there is room in any case.
    over : float
        Height of what stands between the axes and the words, such as a headline, in points.
    """

    def __init__(self, axes: Axes, palette: Palette, least: int = 1, over: float = 0.0) -> None:
        super().__init__()
        self._least = least
        self._over = over
        self._reserved = least
        axes.add_artist(self)
        self.set_clip_on(False)
        self.set_zorder(6)
        self._text = _text(axes, palette.ink, SIZE + 0.5)
        self._text.set(va="top", linespacing=1.25)
        self._whole = ""
        self._filled: tuple[str, float] | None = None
        self._lines = 1

    @property
    def words(self) -> str:
        """What is said."""
        return self._whole

    def say(self, words: str) -> None:
        """Change the words."""
        self._whole = words

    def cramped(self) -> bool:
        """Say whether the words need more lines than the layout has left for them."""
        return self._fill() > self._reserved

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """Return the room of all lines, above the axes."""
        self._reserved = max(self._least, self._fill(renderer))
        box = self.axes.bbox
        return Bbox.from_bounds(box.x0, box.y1, box.width, self._height)

    def draw(self, renderer: RendererBase) -> None:
        """Draw the words, from the left edge of the axes or, where they need it, farther left."""
        self._fill(renderer)
        box, figure = self.axes.bbox, self.axes.get_figure(root=True).bbox
        end = figure.width - _pixels(self.axes, _MARGIN)
        left = min(box.x0, end - self._text.get_window_extent(renderer).width)
        self._text.set_position((left, box.y1 + self._height))
        self._text.draw(renderer)
        self.stale = False

    @property
    def _height(self) -> float:
        """From the axes to the top of the words, in pixels."""
        return _pixels(self.axes, self._over + self._reserved * _LINE + _GAP)

    def _fill(self, renderer: RendererBase | None = None) -> int:
        """Break the words into lines; return how many."""
        room = self.axes.get_figure(root=True).bbox.width - 2 * _pixels(self.axes, _MARGIN)
        if self._filled == (self._whole, room):
            return self._lines
        lines: list[str] = []
        line = ""
        for word in self._whole.split(" "):
            longer = f"{line} {word}" if line else word
            self._text.set_text(plain(longer))
            if line and self._text.get_window_extent(renderer).width > room:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
        self._text.set_text(plain("\n".join(lines)))
        self._filled, self._lines = (self._whole, room), len(lines)
        return self._lines


class Legend(Artist):
    """Samples and their meanings below the axes, in rows."""

    def __init__(self, axes: Axes, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._entries: tuple[LegendEntry, ...] = ()
        self._texts: list[tuple[Text, Text]] = []
        self._reserved = 1
        self._arranged: tuple[object, ...] = ()
        self._parts: list[Artist] = []
        axes.add_artist(self)
        self.set_clip_on(False)
        self.set_zorder(6)

    def set_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Replace all entries."""
        if self._entries == tuple(entries):
            return
        self._entries = tuple(entries)
        self._arranged = ()
        while len(self._texts) < len(self._entries):
            pair = (_text(self.axes, self._palette.muted, SIZE), _text(self.axes, self._palette.muted, SIZE))
            self._texts.append(pair)
        for entry, (before, after) in zip(self._entries, self._texts, strict=False):
            before.set_text(plain(entry.before))
            after.set_text(plain(entry.text))

    def texts(self) -> list[str]:
        """Return what the key says."""
        return [f"{entry.before} {entry.text}".strip() for entry in self._entries]

    def cramped(self) -> bool:
        """Say whether the entries need more rows than the layout has left for them."""
        return len(self._rows()) > self._reserved

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """Return the room of all rows, below the axes."""
        self._reserved = max(1, len(self._rows(renderer)))
        height = _pixels(self.axes, self._reserved * _LINE + _GAP)
        box = self.axes.bbox
        return Bbox.from_bounds(box.x0, box.y0 - height, box.width, height)

    def draw(self, renderer: RendererBase) -> None:
        """Draw samples and texts."""
        # arranging them takes longer than drawing them
        place = (renderer, self.axes.bbox.bounds, self.axes.get_figure(root=True).dpi)
        if self._arranged != place:
            self._arranged = place
            self._parts = self._arrange(renderer)
        for part in self._parts:
            part.draw(renderer)
        self.stale = False

    def _arrange(self, renderer: RendererBase) -> list[Artist]:
        start, top = self._corner()
        parts: list[Artist] = []
        for number, row in enumerate(self._rows(renderer)):
            y = top - _pixels(self.axes, (number + 0.5) * _LINE)
            left = start
            for index in row:
                if index != row[0] and not self._entries[index].goes_on:
                    left += _pixels(self.axes, _BETWEEN)
                left = self._arrange_entry(renderer, parts, index, left, y)
        return parts

    def _arrange_entry(
        self, renderer: RendererBase, parts: list[Artist], index: int, left: float, y: float
    ) -> float:
        """Give one entry its place, and return where it ends."""
        entry, (before, after) = self._entries[index], self._texts[index]
        gap = _pixels(self.axes, _APART)
        if entry.before:
            before.set_position((left, y))
            parts.append(before)
            left += before.get_window_extent(renderer).width + gap
        indent = self._indent(entry)
        after.set_position((left + indent + gap, y))
        left += (indent - self._samples(entry)) / 2
        for properties in entry.samples:
            width = _pixels(self.axes, entry.width(properties))
            ends = [left, left + width] if "marker" not in properties else [left + width / 2]
            line = Line2D(ends, [y] * len(ends), transform=IdentityTransform(), **properties)  # type: ignore[arg-type]
            line.set_figure(self.axes.get_figure(root=False))
            parts.append(line)
            left += width
        parts.append(after)
        return float(after.get_window_extent(renderer).x1)

    def _corner(self) -> tuple[float, float]:
        """Return where the first row begins: its left and upper edge, in pixels."""
        box = self.axes.bbox
        return box.x0, box.y0 - _pixels(self.axes, _GAP)

    def _widths(self, renderer: RendererBase | None = None) -> list[float]:
        """Return the width of every entry, in pixels."""
        gap = _pixels(self.axes, _APART)
        return [
            self._indent(entry)
            + sum(text.get_window_extent(renderer).width + gap for text in pair if text.get_text())
            for entry, pair in zip(self._entries, self._texts, strict=False)
        ]

    def _samples(self, entry: LegendEntry) -> float:
        """Return the width of all samples of an entry, in pixels."""
        return sum(_pixels(self.axes, entry.width(sample)) for sample in entry.samples)

    def _indent(self, entry: LegendEntry) -> float:
        """Return the room that is left for samples, in pixels."""
        return self._samples(entry)

    def _rows(self, renderer: RendererBase | None = None) -> list[list[int]]:
        """Return which entries stand in which row."""
        room = self.axes.get_figure(root=True).bbox.width - 2 * _pixels(self.axes, _MARGIN)
        rows: list[list[int]] = []
        left = 0.0
        for group, width in self._groups(room, renderer):
            if not rows or left + width > room:
                rows.append([])
                left = 0.0
            rows[-1] += group
            left += width + _pixels(self.axes, _BETWEEN)
        return rows

    def _groups(self, room: float, renderer: RendererBase | None) -> list[tuple[list[int], float]]:
        """Return which entries stay together in a row of a width, and how wide they are."""
        groups: list[tuple[list[int], float]] = []
        for index, width in enumerate(self._widths(renderer)):
            if groups and self._entries[index].goes_on and groups[-1][1] + width <= room:
                before, taken = groups.pop()
                groups.append(([*before, index], taken + width))
            else:
                groups.append(([index], width))
        return groups


class SideLegend(Legend):
    """A key beside the axes, one entry in a row, while the figure is wide; else below it.

    Beside or below an axes that is drawn to scale, it stands where it leaves the axes larger.
    """

    _column = 0.0
    _beside: bool | None = None  # chosen with the layout, so that nothing jumps between two of them

    def cramped(self) -> bool:
        """Say whether the entries need more room than the layout has left for them."""
        if not self._stands_beside():
            return super().cramped()
        return bool(max(self._widths(), default=0.0) > self._column + 0.5)

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """Return the room of the column, right of the axes."""
        # from the room that the axes has, not from what it takes of it to draw to scale
        figure = self.axes.get_figure(root=False)
        box = self.axes.get_position(original=True).transformed(figure.transSubfigure)
        self._beside = self._choose(renderer)
        if not self._beside:
            height = super().get_window_extent(renderer).height + _pixels(self.axes, self._drop)
            return Bbox.from_bounds(box.x0, box.y0 - height, box.width, height)
        self._column = max(self._widths(renderer), default=0.0)
        return Bbox.from_bounds(box.x1, box.y0, self._column + _pixels(self.axes, _BETWEEN), box.height)

    def _stands_beside(self) -> bool:
        if self._beside is None:
            self._beside = self._choose()
        return self._beside

    def _choose(self, renderer: RendererBase | None = None) -> bool:
        """Tell whether the key belongs beside the axes."""
        box = self.axes.get_figure(root=True).bbox
        if _pixels(self.axes, _LINE * len(self._entries)) > _TALLEST * box.height:
            return False
        if self.axes.get_aspect() == "auto":
            return bool(box.width > _WIDE * box.height)
        # from the figure alone: what the axes has now follows from the choice that was made before
        room = box.size - [_pixels(self.axes, part + 2 * _MARGIN) for part in (_ASIDE, _ABOVE + self._drop)]
        spans = [abs(end - start) for start, end in (self.axes.get_xlim(), self.axes.get_ylim())]
        larger = []
        for self._beside in (True, False):
            taken = np.zeros(2)
            if self._beside:
                taken[0] = max(self._widths(renderer), default=0.0) + _pixels(self.axes, _BETWEEN)
            else:
                taken[1] = _pixels(self.axes, len(self._rows(renderer)) * _LINE + _GAP)
            larger.append(float(((room - taken) / spans).min()))
        return larger[0] >= larger[1]

    @property
    def _drop(self) -> float:
        """Return the height of what belongs to the horizontal axis, in points."""
        return _AXIS if self.axes.axison else 0.0

    def _corner(self) -> tuple[float, float]:
        box = self.axes.bbox
        if self._stands_beside():
            return box.x1 + _pixels(self.axes, _BETWEEN), box.y1
        return _pixels(self.axes, _MARGIN), box.y0 - _pixels(self.axes, _GAP + self._drop)

    def _indent(self, entry: LegendEntry) -> float:
        # texts begin below each other
        return max(map(self._samples, self._entries)) if self._stands_beside() else super()._indent(entry)

    def _rows(self, renderer: RendererBase | None = None) -> list[list[int]]:
        if not self._stands_beside():
            return super()._rows(renderer)
        return [[index] for index in range(len(self._entries))]


def _text(axes: Axes, colour: str, size: float) -> Text:
    text = Text(0, 0, "", fontsize=size, color=colour, transform=IdentityTransform())
    text.set(va="center_baseline", ha="left")
    text.set_figure(axes.get_figure(root=False))
    return text


def _pixels(axes: Axes, points: float) -> float:
    return float(np.float64(points) * axes.get_figure(root=True).dpi / 72)
