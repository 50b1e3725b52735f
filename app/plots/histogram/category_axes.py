"""Names of categories along an axis, and numbers in cells, as large as there is room for."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.text import Text
from matplotlib.ticker import Formatter, Locator
from matplotlib.transforms import IdentityTransform

from app.model.wording.numbers import number, plain
from app.plots.elements.labels import AxesArtist, figure_of
from app.plots.elements.scales import TICK_SIZE, AnyAxis
from engine.array_types import Floats

LONGEST = 22  # letters of a name beside the axes
MAX_CELLS, MAX_BARS = 100, 2000
"""How many categories are drawn at most along each axis of a table, and as bars."""

_SIZES = 11.0, 6.5  # of numbers in points: no larger, and what can still be read
_DIGIT, _LINE = 0.6, 1.3  # room of a letter and of a line, in sizes
_MIN_SHOWN = 8  # letters that a name needs at least


class Names(Formatter):
    """Names along an axis: cut where there is little room, only some of them where there is less."""

    def __init__(self, axis: AnyAxis, names: Sequence[str]) -> None:
        self._axis = axis
        self._names = names

    def __call__(self, x: float, pos: int | None = None) -> str:
        index = round(x)
        if not 0 <= index < len(self._names):
            return ""
        return plain(shorten(self._names[index], self.spacing()[1]))

    def spacing(self) -> tuple[int, int]:
        """Return of how many names one is written, and how many letters it may have."""
        axes, count = self._axis.axes, max(len(self._names), 1)
        size = TICK_SIZE * figure_of(axes).dpi / 72
        if self._axis.axis_name == "y":
            return max(1, math.ceil(count * _LINE * size / max(axes.bbox.height, 1.0))), LONGEST
        letters = axes.bbox.width / count / size / _DIGIT - 1
        wanted = min(_MIN_SHOWN, max(map(len, self._names), default=1))
        step = max(1, math.ceil((wanted + 1) / max(letters + 1, 1e-9)))
        return step, max(wanted, int((letters + 1) * step) - 1)


class NamePlaces(Locator):
    """The places of the names for which there is room."""

    def __init__(self, names: Names, count: int) -> None:
        self._written = names
        self._count = count

    def __call__(self) -> list[int]:
        return list(range(0, self._count, self._written.spacing()[0]))

    def tick_values(self, vmin: float, vmax: float) -> list[int]:
        return self()


def shorten(name: str, spacing: int) -> str:
    """Return a name in so many letters: of a long one its beginning and its end, where many differ."""
    if len(name) <= spacing:
        return name
    tail = spacing // 3
    return f"{name[: spacing - 1 - tail]}…{name[len(name) - tail :]}"


def cut_note(drawn: int, count: int) -> str:
    """Say behind the name of an axis that only the first categories are drawn, if so."""
    return f" (first {number(drawn)} of {number(count)})" if drawn < count else ""


def name_places(axis: AnyAxis, names: Sequence[str]) -> None:
    """Write names at 0, 1, 2 ... along an axis."""
    written = Names(axis, names)
    axis.set_major_locator(NamePlaces(written, len(names)))
    axis.set_major_formatter(written)


class CellNumbers(AxesArtist):
    """Texts in cells of size 1, as large as all of them have room for; none where they could not be read.

    `behind`: whether they stand to the right of their places, where there is room for any length.
    """

    def __init__(self, axes: Axes, *, behind: bool = False) -> None:
        super().__init__(axes, 3)
        self._behind = behind
        self._versions: Sequence[Sequence[str]] = ()
        self._places: Floats = np.empty((0, 2))
        self._colours: Sequence[str] = ()
        self._text = Text(
            0, 0, "", ha="left" if behind else "center", va="center", transform=IdentityTransform()
        )
        self._take(self._text)
        self.set_in_layout(False)

    def set_numbers(self, versions: Sequence[Sequence[str]], places: Floats, colours: Sequence[str]) -> None:
        """Replace the texts, the middles of the cells, and the colours.

        The first version for which there is room is written; a text may have several lines.
        """
        self._versions, self._places, self._colours = versions, places, colours
        self.stale = True

    def texts(self) -> list[str]:
        return list(next((texts for texts in self._versions if self.size(texts)), ()))

    def size(self, texts: Sequence[str]) -> float:
        """Return in which size texts can be written, in points, 0 where there is no room."""
        if not texts:
            return 0.0
        origin, one = self.home.transData.transform([(0.0, 0.0), (1.0, 1.0)])
        width, height = np.abs(one - origin) * 72 / figure_of(self.home).dpi
        longest = max(len(line) for text in texts for line in text.split("\n")) + 1
        rows = max(text.count("\n") for text in texts) + 1
        broad = np.inf if self._behind else float(width) / longest / _DIGIT
        size = min(TICK_SIZE if self._behind else _SIZES[0], broad, float(height) / rows / _LINE)
        return size if size >= _SIZES[1] else 0.0

    def draw(self, renderer: RendererBase) -> None:
        texts = self.texts()
        if not self.get_visible() or not texts:
            return
        self._text.set_fontsize(self.size(texts))
        places = self.home.transData.transform(self._places)
        for text, position, colour in zip(texts, places, self._colours, strict=True):
            self._text.set(text=text, position=tuple(position), color=colour)
            self._text.draw(renderer)
        self.stale = False
