"""Artists that know their size in pixels, and labels beside lines, never on each other."""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox, IdentityTransform

from app.model.theme import STROKES, Palette, Stroke
from engine.array_types import Floats


def figure_of(axes: Axes) -> Figure:
    """Return the whole figure in which an axes stands."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure


def parts_of(artist: Artist) -> Iterator[Artist]:
    """Yield an artist and all that it is made of; of ticks those that are there.

    `Artist.findobj` would ask each axis for its ticks, which makes those that nobody has seen.
    """
    yield artist
    parts: Iterable[Artist]
    if isinstance(artist, Axis):
        made = vars(artist)
        parts = (artist.label, artist.offsetText, *made.get("majorTicks", ()), *made.get("minorTicks", ()))
    else:
        parts = artist.get_children()
    for part in parts:
        yield from parts_of(part)


def set_polygons(collection: PolyCollection, corners: Floats | list[Floats]) -> None:
    """Replace the polygons of a collection, shape (m, corners, 2), or one array for each."""
    # the stubs do not know arrays, which are faster for many polygons
    collection.set_verts(corners)  # type: ignore[arg-type]


class AxesArtist(Artist):
    """An artist that belongs to an axes from the beginning, and computes its position at each drawing.

    `home` is the axes that it belongs to.
    """

    def __init__(self, axes: Axes, zorder: float) -> None:
        super().__init__()
        self.home = axes
        axes.add_artist(self)
        self.set_zorder(zorder)

    def cramped(self) -> bool:
        """Say whether it needs more room than the layout has left for it."""
        return False

    def _pixels(self, points: float) -> float:
        """Return a length in points as pixels."""
        return float(points * figure_of(self.home).dpi / 72)

    def _take(self, part: Artist) -> None:
        """Let something be drawn by this artist, in the same figure."""
        figure = self.home.get_figure(root=False)
        assert figure is not None
        part.set_figure(figure)

    def _small_text(self, colour: str, size: float) -> Text:
        """Return an empty text, placed in pixels, that begins at its place."""
        text = Text(0, 0, "", fontsize=size, color=colour, transform=IdentityTransform())
        text.set(va="center_baseline", ha="left")
        self._take(text)
        return text


def fitting_lines(text: Text, content: str, space: float, renderer: RendererBase | None = None) -> list[str]:
    """Break content into lines of at most `space` pixels, measured with `text`."""
    lines, left = [], content.split(" ")

    def width(count: int) -> float:
        text.set_text(" ".join(left[:count]))
        return float(text.get_window_extent(renderer).width)

    while left:
        taken = len(left)
        if taken > 1 and (whole := width(taken)) > space:
            # matplotlib measures a line as slowly as it draws it: begin where its share of the letters ends
            ends = list(accumulate(len(word) + 1 for word in left))
            taken = max(1, bisect_right(ends, ends[-1] * space / whole))
            while width(taken + 1) <= space:
                taken += 1
            while taken > 1 and width(taken) > space:
                taken -= 1
        lines.append(" ".join(left[:taken]))
        left = left[taken:]
    return lines


class BeforeDrawing(AxesArtist):
    """Drawn before everything else: lets a picture look at the room that there is.

    `fit`: called with the renderer at every drawing.
    """

    def __init__(self, axes: Axes, fit: Callable[[RendererBase], None]) -> None:
        super().__init__(axes, 0.5)
        self._fit = fit
        self.set_in_layout(False)

    def draw(self, renderer: RendererBase) -> None:
        self._fit(renderer)
        self.stale = False


SIZE, NOTE_SIZE = 9.5, 9.0
MEANINGS = {role: role.rstrip("_") for role in STROKES if role != "truth"}  # ink is a neutral colour, too
"""The layers of lines and labels, by the name of their colour in `Palette`."""
_BESIDE_SHARE = 0.36  # of the width of the figure, before what is extra stands below
_LARGEST_SHARE = 0.46  # before labels lose it
_LEADER, _SWATCH, _SLACK = 11.0, 24.0, 7.0  # points; the slack is one digit

BESIDE, BELOW, ABSENT = range(3)  # where there is room for what is added to labels


@dataclasses.dataclass(frozen=True)
class Label:
    """A label beside a line."""

    y: float  # where the line ends, in data coordinates; NaN hides the label
    # text, extra, note: the label, what is added to it where there is room, and a quieter second line;
    # without one, what has no room in the first stands there
    text: str
    colour: str  # that of the line; the text is made legible by `Palette.text`
    extra: str = ""
    note: str = ""
    bold: bool = False  # for the line that the picture is about
    stroke: Stroke | None = None  # a sample of the line, where its end does not tell which one is meant
    marker: str = ""  # the marker of the sample
    hollow: bool = False  # whether only the edge of that is drawn
    # the label is drawn with this layer of the picture; "" for that of its colour's meaning, or always
    layer: str = ""
    x: float | None = None  # where the line ends; else at the right edge


def spread(
    wanted: Sequence[float],
    sizes: Sequence[float],
    low: float,
    high: float,
    ranks: Sequence[tuple[float, ...]] | None = None,
) -> list[float]:
    """Move centres apart as little as possible (least squares) until nothing overlaps.

    `wanted`: where each label would like its centre. `sizes`: heights of the labels. `low`, `high`: edges of
    the room.  Without room for all, the labels share the overlap evenly. `ranks`: what decides which label
    stands above which, the largest highest; without them, the wanted centres. Returns centres, in the order
    given.
    """
    heights = ranks or [(one,) for one in wanted]
    order = sorted(range(len(wanted)), key=lambda i: heights[i])
    total = sum(sizes)
    squeeze = min(1.0, (high - low) / total) if total > 0 else 1.0
    offsets = []
    top = 0.0
    for i in order:
        offsets.append(top + squeeze * sizes[i] / 2)
        top += squeeze * sizes[i]
    # What is left after the heights are taken out must not decrease: an isotonic
    # regression by pooling adjacent violators; clipping keeps it optimal in the room.
    # scipy.optimize has one, but loading it would hold the window's thread for 0.4 s.
    blocks: list[list[float]] = []
    for i, offset in zip(order, offsets, strict=True):
        blocks.append([wanted[i] - offset, 1.0])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, count = blocks.pop()
            blocks[-1][0] = (blocks[-1][0] * blocks[-1][1] + mean * count) / (blocks[-1][1] + count)
            blocks[-1][1] += count
    levels = [min(max(mean, low), high - top) for mean, count in blocks for _ in range(int(count))]
    centres = [0.0] * len(order)
    for i, level, offset in zip(order, levels, offsets, strict=True):
        centres[i] = level + offset
    return centres


class SideLabels(AxesArtist):
    """The column of labels to the right of an axes, or to its left with `before`, as names of rows.

    Places are found anew at every drawing, in pixels, so that they are right for any
    size, scale and file format.  The column keeps the width it had when the layout was
    last computed; `cramped` says that its labels have outgrown it.
    """

    def __init__(self, axes: Axes, palette: Palette) -> None:
        super().__init__(axes, 6)
        self._palette = palette
        self._labels: tuple[Label, ...] = ()
        self.shown_layers: frozenset[str] = frozenset()  # as in `Picture`
        self._texts: list[tuple[Text, Text]] = []
        self._reserved = 0.0  # width of the column, in points
        self._extras = BESIDE
        self._narrow: float | None = None
        self.before = False
        self.set_clip_on(False)

    @property
    def shown(self) -> tuple[Label, ...]:
        return self._labels

    @property
    def names_rows(self) -> bool:
        """Whether labels name rows, which have no axis, and not lines."""
        return not (self.home.axison and self.home.yaxis.get_visible())

    def narrow(self, share: float) -> None:
        """Break labels into lines in a column of a share of the figure's width."""
        self._narrow = share

    def set_labels(self, labels: Sequence[Label]) -> None:
        self._labels = tuple(label for label in labels if np.isfinite(label.y) and self._is_shown(label))
        while len(self._texts) < len(self._labels):
            text, note = (self._small_text(self._palette.muted, size) for size in (SIZE, NOTE_SIZE))
            self._texts.append((text, note))
        self._write()

    def _is_shown(self, label: Label) -> bool:
        meant = {getattr(self._palette, role): layer for role, layer in MEANINGS.items()}
        layer = label.layer or meant.get(label.colour)
        return not self.shown_layers or layer is None or layer in self.shown_layers

    def _write(self, renderer: RendererBase | None = None) -> None:
        for label, (text, note) in zip(self._labels, self._texts, strict=False):
            text.set_text(self._words(label))
            note.set_text(self._note(label))
            text.set(fontweight="bold" if label.bold else "normal", color=self._palette.text(label.colour))
            below = self._extras == BELOW and label.extra
            note.set_color(self._palette.ink if below else self._palette.muted)
        if self._narrow:
            self._break(self._narrow * figure_of(self.home).bbox.width - self._indent(), renderer)

    def _break(self, space: float, renderer: RendererBase | None) -> None:
        for part in (part for pair in self._texts for part in pair):
            text = part.get_text()
            indent = text[: len(text) - len(text.lstrip())]  # of every line
            part.set_text(f"\n{indent}".join(fitting_lines(part, text, space, renderer)))

    def _note(self, label: Label) -> str:
        return " · ".join(filter(None, (label.extra if self._extras == BELOW else "", label.note)))

    def _words(self, label: Label) -> str:
        beside = self._extras == BESIDE and label.extra
        return f"{label.text}  {label.extra}" if beside else label.text

    def texts(self) -> list[str]:
        """Return the labels as plain text, in the order given."""
        return [
            f"{self._words(label)} {self._note(label)}".strip().replace(r"\$", "$") for label in self._labels
        ]

    def cramped(self) -> bool:
        return self._width() > self._pixels(self._reserved) + 0.5

    def boxes(self, renderer: RendererBase | None = None) -> list[Bbox]:
        """Return the box of every label in pixels, as it would be drawn now."""
        return [
            Bbox.union([part.get_window_extent(renderer) for part in parts]) for parts in self._arrange()[0]
        ]

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """Return the box of the whole column; the layout reserves it."""
        axes_box, whole = self.home.bbox, figure_of(self.home).bbox.width
        noted = sum(bool(label.extra or label.note) for label in self._labels)
        first, second = self._pixels(SIZE * 1.35), self._pixels(NOTE_SIZE * 1.6)
        two_lines = first * len(self._labels) + second * noted <= axes_box.height
        below = int(self.names_rows and two_lines)  # which leaves more room to the rows
        for extras in (BELOW,) if self._narrow else (BESIDE, BELOW, ABSENT)[below:]:
            self._extras = extras
            beside = extras == BESIDE and two_lines
            most = (self._narrow or (_BESIDE_SHARE if beside else _LARGEST_SHARE)) * whole
            self._write(renderer)
            width = self._width(renderer)
            if width <= most:
                break
        taken = width + self._pixels(_SLACK) if width else 0.0
        self._reserved = taken / self._pixels(1)
        start = axes_box.x0 - taken if self.before else axes_box.x1
        return Bbox.from_bounds(start, axes_box.y0, taken, axes_box.height)

    def draw(self, renderer: RendererBase) -> None:
        if not self.get_visible():
            return
        labels, lines = self._arrange()
        for line in lines:
            line.draw(renderer)
        for parts in labels:
            for part in parts:
                part.draw(renderer)
        self.stale = False

    def _indent(self) -> float:
        sample = _SWATCH if any(label.stroke for label in self._labels) else 0.0
        return self._pixels(_LEADER + sample)

    def _width(self, renderer: RendererBase | None = None) -> float:
        # without a renderer a text measures with the one it was last drawn by
        used = self._texts[: len(self._labels)]
        widest = max(
            (part.get_window_extent(renderer).width for pair in used for part in pair if part.get_text()),
            default=0.0,
        )
        return self._indent() + widest if used else 0.0

    def _arrange(self) -> tuple[list[tuple[Text, ...]], list[Line2D]]:
        """Give every text its place; return the texts of each label and the lines that go with them.

        Where not all lines have room, the notes are left out.
        """
        pairs = self._texts[: len(self._labels)]
        if not pairs:
            return [], []
        box = self.home.bbox
        to_pixels = self.home.transData.transform
        reached = [float(to_pixels((self.home.get_xlim()[1], label.y))[1]) for label in self._labels]
        ends = [float(np.clip(height, box.y0, box.y1)) for height in reached]
        first, second, gap = (self._pixels(one) for one in (SIZE * 1.35, NOTE_SIZE * 1.3, NOTE_SIZE * 0.5))
        named = [text.get_text().count("\n") + 1 for text, _ in pairs]
        noted = [note.get_text().count("\n") + 1 if note.get_text() else 0 for _, note in pairs]
        if first * sum(named) + second * sum(noted) > box.height + first:
            noted = [0] * len(noted)
        heights = [
            first * name + second * note + gap * bool(note and not self.before)
            for name, note in zip(named, noted, strict=True)
        ]
        # The first line of a label stands beside the line it names, its note below.
        wanted = [end + first / 2 - height / 2 for end, height in zip(ends, heights, strict=True)]
        wanted = ends if self.before else wanted
        # Labels stand in the order of their lines, also where a note makes one reach further down than
        # the label of a line below; of lines at the same height, that of the picture is the highest.
        ranks = [(height, label.bold) for height, label in zip(reached, self._labels, strict=True)]
        centres = spread(wanted, heights, box.y0 - first / 2, box.y1 + first / 2, ranks)
        left = box.x0 - self._pixels(self._reserved) if self.before else box.x1 + self._indent()
        lines: list[Line2D] = []
        for label, (text, note), centre, height, end, *rows in zip(
            self._labels, pairs, centres, heights, ends, named, noted, strict=True
        ):
            top = centre + height / 2
            text.set_position((left, top - first * rows[0] / 2))
            note.set_position((left, top - first * rows[0] - second * rows[1] / 2))
            self._stroke(lines, label, end, top - first / 2)
        texts: list[tuple[Text, ...]] = [
            pair if shown else pair[:1] for pair, shown in zip(pairs, noted, strict=True)
        ]
        return texts, lines

    def _stroke(self, lines: list[Line2D], label: Label, end: float, middle: float) -> None:
        """Append the sample of a line, or what leads from its end to a label that stands apart."""
        if self.before:
            return
        start = self.home.bbox.x1
        if label.stroke is not None:
            length, linestyle = label.stroke.sample(_SWATCH - 6)
            x = [start + self._pixels(_LEADER + part * length) for part in (0, 0.5, 1)]
            line = self._line(x, [middle] * 3, label.colour, label.stroke.width)
            line.set(linestyle=linestyle, marker=label.marker or "None", markevery=[1])
            line.set_markerfacecolor(self._palette.card if label.hollow else label.colour)
            lines.append(line)
        elif abs(end - middle) >= self._pixels(3):
            to_pixels = self.home.transData.transform
            first = start + self._pixels(2) if label.x is None else to_pixels((label.x, label.y))[0]
            x = [first, start + self._pixels(_LEADER - 2)]
            lines.append(self._line(x, [end, middle], label.colour, 0.8))
            if label.x is not None:  # inside the axes, it must not look like the line itself
                lines[-1].set(color=self._palette.muted, linestyle=":")

    def _line(self, x: list[float], y: list[float], colour: str, width: float) -> Line2D:
        line = Line2D(x, y, color=colour, linewidth=width, transform=IdentityTransform())
        self._take(line)
        return line
