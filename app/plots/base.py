"""The base of all pictures: look, limits, labels, numbers.

`Picture.artists` change with each result, over a kept background; `Picture.update` asks for a full redraw.
"""

from __future__ import annotations

import abc
import dataclasses
import io
import math
from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation, offset_copy

from app.model.dataset import PointedRecord
from app.model.theme import LIGHT, STROKES, THIN_STROKE, Palette
from app.model.wording.numbers import plain, quantity
from app.plots.elements.answers import ZORDER, AnswerCloud
from app.plots.elements.labels import MEANINGS, AxesArtist, SideLabels, figure_of, parts_of
from app.plots.elements.scales import TICK_SIZE, style_axes
from app.plots.elements.sentence import Sentence
from app.plots.elements.zoom import Zoom
from engine.array_types import Floats

Position = tuple[float, float]
Table = tuple[list[str], list[list[Any]]]  # header and rows
Y_LABEL_HEIGHT = 20.0  # height of a y label with its distance from the axes, in points
ResultT = TypeVar("ResultT")
ArtistT = TypeVar("ArtistT", bound=Artist)


class Picture(abc.ABC, Generic[ResultT]):
    """A picture of results of one kind.

    `axes` is where it is drawn, `parts` are all axes that belong to it, and `unit` stands behind numbers
    ("$", "g").  `artists` change from result to result; with another `behind`, everything must be drawn
    again, and with another `named`, such as names of rows, the margins are others.  `log_y` is None where
    the numbers decide.  `needs_layout` says whether the last update asks for other margins, too.

    Lines and labels whose colour has a meaning belong to the layer of that name, other artists to the layer
    with which they are added. Only `shown_layers` are drawn, or all where none is named.
    """

    title: ClassVar[str]
    has_log_y: ClassVar[bool] = True
    x_ticks_vary: ClassVar[bool] = True  # in width, so much that the layout depends on it
    export_size: ClassVar[tuple[float, float]] = (7.8, 4.2)
    in_units: ClassVar[frozenset[str]] = frozenset()  # columns of the table, by name or first word
    good_height: ClassVar[int] = 170  # pixels on a screen: with less, a larger type leaves no picture
    good_width: ClassVar[int] = 500
    is_map: ClassVar[bool] = False  # both axes are places, to one scale where they can be
    has_cursor: ClassVar[bool] = True  # an upright line where the pointer is
    answer_marks = ""  # how possible answers are drawn: a key of `DOTS`; "" for not at all
    answer_zorder: ClassVar[float] = ZORDER
    answers_apart = False  # one after another, where many together would hide the picture
    under_answers: tuple[Artist, ...] = ()  # hidden while possible answers are shown
    answers_beside: ClassVar[bool] = False  # whether they are drawn beside the axes, where there is room
    # the layers of a picture that draws the parts of its result: which fields are empty without one
    layer_fields: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    @classmethod
    def fitting_scale(cls, wanted: float, width: int, height: int) -> float:
        """Return how large type may be in so many pixels: at most as wanted, in steps of a quarter."""
        space = min(height / max(cls.good_height, 1), width / cls.good_width)
        return min(wanted, max(1.0, math.floor(4 * space) / 4))

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        self.axes = axes
        self.parts: tuple[Axes, ...] = (axes,)
        self.palette = palette
        self.unit = unit
        self.log_y: bool | None = None
        self.result: ResultT | None = None
        self.artists: list[Artist] = []
        self.shown_layers: frozenset[str] = frozenset()
        self.layered: dict[str, list[Artist]] = {}
        self._hidden: list[Artist] = []  # those of the layers that are not drawn
        self.needs_layout = True
        self.named: object = None
        self.behind: object = None
        self._animated = False
        self.zoom = Zoom(self)
        self.mark = RecordMark(self)
        self.cloud = AnswerCloud(self)
        style_axes(axes, palette)
        self.labels = SideLabels(axes, palette)
        self.cursor = axes.axvline(0, color=palette.muted, linewidth=0.8, visible=False, zorder=1.5)
        self.artists += [self.cursor, self.labels]
        self.build()

    def build(self) -> None:
        """Make what the picture is made of; called once, before there is a result."""

    @classmethod
    def draw(
        cls, axes: Axes, result: ResultT, palette: Palette = LIGHT, unit: str = "", log_y: bool | None = None
    ) -> Self:
        picture = cls(axes, palette, unit)
        picture.log_y = log_y
        picture.update(result)
        return picture

    def update(self, result: ResultT) -> bool:
        """Show `result`; return whether everything must be drawn again."""
        self.result = result = self._without_hidden(result)
        (limits, rest), behind = self._frame(), self.behind
        self.zoom.leave()
        for artist in self._hidden:  # first: pictures may hide artists themselves
            artist.set_visible(True)
        self.show(result)
        self._hide_layers()
        self.zoom.enter()
        self.mark.follow()
        new_limits, new_rest = self._frame()
        cramped = [artist.cramped() for artist in self.artists if isinstance(artist, AxesArtist)]
        self.needs_layout = rest != new_rest or any(cramped) or (self.x_ticks_vary and limits != new_limits)
        return self.needs_layout or limits != new_limits or behind is not self.behind

    @classmethod
    def layers(cls) -> tuple[str, ...]:
        """Return the names of the parts that can be drawn alone."""
        return tuple(cls.layer_fields or cls(Figure().subplots()).layered)

    def choose_layers(self, layers: frozenset[str]) -> None:
        """Draw these layers only, from the next update on; all of them where none is named."""
        self.shown_layers = self.labels.shown_layers = layers

    def is_shown(self, layer: str) -> bool:
        """Tell whether a layer is drawn."""
        return not self.shown_layers or layer in self.shown_layers

    def levels(self, **values: Any) -> list[float]:
        """Return the values of the layers that are drawn, each under the name of its layer."""
        shown = [np.ravel(value) for layer, value in values.items() if self.is_shown(layer.rstrip("_"))]
        return [float(value) for part in shown for value in part]

    def _without_hidden(self, result: ResultT) -> ResultT:
        """Return a result without the parts whose layers are not drawn."""
        hidden = [layer for layer in self.layer_fields if not self.is_shown(layer)]
        parts = [name for layer in hidden for name in self.layer_fields[layer]]
        empty = {name: () if isinstance(getattr(result, name), tuple) else None for name in parts}
        return dataclasses.replace(result, **empty) if empty else result  # type: ignore[type-var]

    def _hide_layers(self) -> None:
        layers = {} if self.layer_fields else self.layered
        hidden = (artist for layer in layers if not self.is_shown(layer) for artist in layers[layer])
        self._hidden = [artist for artist in hidden if artist.get_visible()]
        for artist in self._hidden:
            artist.set_visible(False)

    @classmethod
    def size_saved(cls, result: ResultT) -> tuple[float, float]:
        """Return width and height of a saved picture, in inches."""
        return cls.export_size

    @abc.abstractmethod
    def show(self, result: ResultT) -> None:
        """Set the data of all artists, and the limits."""

    @abc.abstractmethod
    def table_of(self, r: ResultT) -> Table:
        """Return the numbers behind the picture of a result."""

    def tooltip_at(self, r: ResultT, x: float, y: float) -> str:
        """Say in words what is at a point of the axes; "" where there is nothing."""
        return ""

    def record_at(self, r: ResultT, x: float, y: float) -> PointedRecord | None:
        """Return the record at a point of the axes, if there is one."""
        return None

    def place_of(self, r: ResultT, pointed: PointedRecord) -> Position | None:
        """Return where a record is drawn; None where records are not."""
        return None

    def answer_path(self, r: ResultT, answer: Any) -> Floats:
        """Return a path, shape (m, 2), for a possible answer: a result of a public release, or a number."""
        return np.empty((0, 2))

    def arrange_answers(self, paths: list[Floats]) -> list[Floats]:
        """Move the paths of all answers, so that none hides another; none if they are hidden."""
        return paths

    def summary(self) -> str:
        """Say how good what is shown is, without a full stop; "" where nothing tells."""
        return ""

    def alt_text_of(self, r: ResultT) -> str:
        """Say in words what a result shows: what stands above the picture, or beside its lines."""
        return " ".join(one.text for one in self.sentences) or "; ".join(self.labels.texts())

    @property
    def sentences(self) -> list[Sentence]:
        """The sentences above the picture."""
        return [artist for artist in self.artists if isinstance(artist, Sentence)]

    def table(self) -> Table:
        """Return the numbers behind the picture: header and rows; nothing of nothing."""
        return ([], []) if self.result is None else self.table_of(self.result)

    def units_of(self, r: ResultT) -> Mapping[str, str]:
        """Return the units of the columns of the table that have one, by name or first word."""
        return dict.fromkeys(self.in_units, self.unit)

    def _repr_png_(self) -> bytes:
        """Return the figure as notebooks show it."""
        content = io.BytesIO()
        figure_of(self.axes).savefig(content, format="png", dpi=110)
        return content.getvalue()

    def saved_table(self) -> Table:
        """Return `table` as it stands in a file: units behind the names of the columns."""
        if self.result is None:
            return [], []
        (header, rows), units = self.table_of(self.result), self.units_of(self.result)
        known = [units.get(name) or units.get(name.partition(" ")[0], "") for name in header]
        return [f"{name} ({unit})" if unit else name for name, unit in zip(header, known, strict=True)], rows

    def tooltip(self, x: float, y: float = 0.0) -> str:
        """Say in words what is at a point of the axes; "" where there is nothing."""
        whole = self.layer_fields or not self.shown_layers  # it may name what is not drawn
        return "" if self.result is None or not whole else self.tooltip_at(self.result, x, y)

    def alt_text(self) -> str:
        """Say in words what the picture shows, for those who cannot see it."""
        if self.result is None:
            return ""
        whole = self.layer_fields or not self.shown_layers
        return self.alt_text_of(self.result) if whole else "; ".join(self.labels.texts())

    def caption(self) -> str:
        """Say what must be known of a saved picture, which no page stands around; "" if nothing."""
        return str(getattr(self.result, "caption", ""))

    def point_at(self, x: float, y: float) -> str:
        """Move the cursor line to `x`, if there is one, and return what `tooltip` says there."""
        text = self.tooltip(x, y)
        self.cursor.set_visible(self.has_cursor and bool(text))
        self.cursor.set_xdata([x, x])
        return text

    def point_away(self) -> None:
        """Take the cursor line away."""
        self.cursor.set_visible(False)

    def animate(self) -> None:
        """Leave `artists` out of ordinary drawing: they are drawn over a background."""
        self._animated = True
        for artist in self.artists:
            artist.set_animated(True)

    def take_apart(self) -> None:
        """Cut all references of a picture that is not needed any more: its parts know each other."""
        for part in (*parts_of(figure_of(self.axes)), self):
            vars(part).clear()

    # What pictures are put together from.

    def add(self, artist: ArtistT, layer: str = "") -> ArtistT:
        """Take up an artist that changes from result to result, and return it.

        One that stands in no axes yet is put into those of the picture, and has no say in the layout.
        """
        if artist.axes is None:
            self.axes.add_artist(artist)
            artist.set_in_layout(False)
        artist.set_animated(self._animated)
        self.artists.append(artist)
        if layer:
            self.layered.setdefault(layer, []).append(artist)
        return artist

    def clear(self, artists: list[ArtistT]) -> None:
        """Take away artists that were added, and empty their list."""
        for artist in artists:
            self.artists.remove(artist)
            artist.remove()
        artists.clear()

    def line(
        self, role: str, axes: Axes | None = None, *, layer: str | None = None, **properties: Any
    ) -> Line2D:
        """Add an empty line in the colour and the stroke of its meaning, which is its layer, too."""
        stroke = STROKES.get(role, THIN_STROKE)
        settings = {
            "color": getattr(self.palette, role),
            "linewidth": stroke.width,
            "linestyle": stroke.linestyle,
            "dash_capstyle": "butt",
            "solid_capstyle": "round",
            "zorder": 2.5,
            "in_layout": False,  # curves never decide how much room the axes gets
        }
        (line,) = (axes or self.axes).plot([], [], **(settings | properties))
        return self.add(line, MEANINGS.get(role, "") if layer is None else layer)

    def still_line(self, role: str, axes: Axes | None = None, **properties: Any) -> Line2D:
        """Add a line that belongs to the background."""
        line = self.line(role, axes, layer="", **properties)
        self.artists.remove(line)
        line.set_animated(False)
        return line

    def dot(self, role: str, axes: Axes | None = None, **properties: Any) -> Line2D:
        """Add a marker with a rim of the card's colour, so that it stands out on lines."""
        settings: dict[str, Any] = {"marker": "o", "markersize": 8.5, "linestyle": "none", "zorder": 4}
        settings |= {"markeredgecolor": self.palette.card, "markeredgewidth": 1.4}
        return self.line(role, axes, **(settings | properties))

    def text(
        self,
        x: float = 0.0,
        y: float = 0.0,
        text: str = "",
        axes: Axes | None = None,
        *,
        layer: str = "",
        **properties: Any,
    ) -> Text:
        """Add a text that may change, and has no say in the layout."""
        return self.add((axes or self.axes).text(x, y, text, in_layout=False, **properties), layer)

    def sentence_above(self, over: float = Y_LABEL_HEIGHT, axes: Axes | None = None) -> Sentence:
        """Add a sentence above the axes, with `over` points between them, by default for a y label."""
        return self.add(Sentence(axes or self.axes, self.palette, over=over))

    def name_upright(self, name: Text, text: str, x: float, y: float, *, left: bool) -> None:
        """Name an upright line at one of its sides, below a height."""
        aside = -4 if left else 4
        beside = offset_copy(self.axes.transData, figure_of(self.axes), aside, -4, units="points")
        name.set(text=text, x=x, y=y, transform=beside, ha="right" if left else "left", va="top")
        name.set(fontsize=TICK_SIZE, color=self.palette.ink, zorder=5)
        name.set_bbox({"facecolor": self.palette.card, "edgecolor": "none", "pad": 1.5})

    def corner_text(self, layer: str = "") -> Text:
        """Add a text that may change, above the axes on the right."""
        above = self.axes.transAxes + ScaledTranslation(0, 9 / 72, figure_of(self.axes).dpi_scale_trans)
        facts: dict[str, Any] = {"ha": "right", "va": "baseline", "fontsize": TICK_SIZE + 0.5}
        return self.text(1, 1, transform=above, color=self.palette.muted, layer=layer, **facts)

    def nearest(self, points: Floats, x: float, y: float, reach: float) -> int | None:
        """Return which of some points is at a place of the axes, within so many pixels at 100 dpi."""
        if not len(points):
            return None
        to_pixels = self.axes.transData.transform
        gaps = np.linalg.norm(to_pixels(points) - to_pixels((x, y)), axis=1)
        index = int(gaps.argmin())
        return index if gaps[index] <= reach * figure_of(self.axes).dpi / 100 else None

    def amount(self, value: float, digits: int = 3) -> str:
        """Write a number in the unit of the data, safe for matplotlib."""
        return plain(quantity(value, self.unit, digits))

    def _frame(self) -> tuple[list[Any], list[Any]]:
        """Return what stands still while artists change: horizontal limits, and the rest."""
        limits = [part.get_xlim() for part in self.parts]
        facts = (
            (part.get_ylim(), part.get_yscale(), part.get_xlabel(), part.get_title(loc="left"))
            for part in self.parts
        )
        return limits, [self.named, *facts]


class RecordMark:
    """A ring around the record that is pointed at elsewhere: in another picture, or in the table of the data.

    `position` is where the ring is, in data coordinates; the ring is made when it is first needed.
    """

    def __init__(self, picture: Picture[Any]) -> None:
        self._picture = picture
        self._pointed: PointedRecord | None = None
        self._ring: Line2D | None = None
        self.position: Position | None = None

    def point_at(self, pointed: PointedRecord | None) -> bool:
        """Mark a record, or none; tell whether anything is to be drawn anew."""
        if pointed == self._pointed:
            return False
        self._pointed = pointed
        before = self.position
        self.follow()
        return self.position != before

    def follow(self) -> None:
        """Put the ring where the record is in the result of now."""
        picture, position = self._picture, None
        if self._pointed is not None and picture.result is not None:
            position = picture.place_of(picture.result, self._pointed)
        if self._ring is None and position is not None:
            self._ring = picture.line(
                "truth", marker="o", markersize=13, markerfacecolor="none", linestyle="none", zorder=6
            )
            halo = withStroke(linewidth=5.0, foreground=picture.palette.card)  # on dark and on pale ground
            self._ring.set(markeredgewidth=2.2, path_effects=[halo])
        self.position = position
        if self._ring is not None:
            self._ring.set_visible(position is not None)
            self._ring.set_data(*(([one] for one in position) if position else ([], [])))


def rows_of(*columns: Any) -> list[list[Any]]:
    """Return the rows of a table from its columns: arrays, sequences, or one number for all rows."""
    lists = (
        column.tolist()
        if isinstance(column, np.ndarray)
        else repeat(column)
        if np.isscalar(column)
        else column
        for column in columns
    )
    return [list(row) for row in zip(*lists, strict=False)]


def set_points(line: Line2D, points: Sequence[Position]) -> None:
    """Draw a line through points; NaN leaves a gap."""
    line.set_data(*np.array(points or [(np.nan, np.nan)]).T)


def set_y_label(axes: Axes, palette: Palette, text: str, color: str = "") -> None:
    """Name the vertical axis above it, where it can be read without tilting the head."""
    if axes.get_title(loc="left") != text:
        # a given height: looking for one at every drawing costs a tenth of it
        axes.set_title(text, loc="left", y=1.0, color=color or palette.muted, fontsize=TICK_SIZE + 0.5, pad=9)


def names_of_map(across: str, up: str) -> str:
    """Return the names of both axes in one line above a map: another below would make the map smaller."""
    return f"{up} ↑   {across} →"


def set_x_label(axes: Axes, text: str) -> None:
    """Name the horizontal axis, from the left like the y label: in a narrow picture nothing is cut off."""
    axes.set_xlabel(text, loc="left")
