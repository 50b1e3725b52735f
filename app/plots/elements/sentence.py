"""A sentence above a picture, which takes the room that it needs."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.transforms import Bbox

from app.model.theme import Palette
from app.model.wording.numbers import plain
from app.plots.elements.labels import AxesArtist, figure_of, fitting_lines
from app.plots.elements.legend import GAP, LINE, MARGIN, SIZE

MAX_SHARE = 0.25
"""Share of the height of a figure above which its sentence is left out."""


class Sentence(AxesArtist):
    """Words above the axes, broken into as many lines as the width of the figure asks for.

    A low figure has none.

    `over`: height of the space between the axes and the words, for example for a y label, in points.
    """

    def __init__(self, axes: Axes, palette: Palette, over: float = 0.0) -> None:
        super().__init__(axes, 6)
        self._over = over
        self._reserved = 1
        self.set_clip_on(False)
        self._text = self._small_text(palette.ink, SIZE + 0.5)
        self._text.set(va="top", linespacing=1.25)
        self.text = self._more = ""
        self._silent = False

    def silence(self, silent: bool = True) -> None:
        """Draw no words, and keep only the space between the axes and the words; or draw them again."""
        self._silent = silent

    def set_text(self, text: str, more: str = "") -> None:
        """Set the words; `more` stands behind them here, but not where the program repeats them in large."""
        self.text, self._more = text, more

    def cramped(self) -> bool:
        return not self._silent and self._fill() > self._reserved

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """Return the room of all lines, above the axes."""
        if not self._silent:
            self._reserved = max(1, self._fill(renderer))
        box = self.home.bbox
        return Bbox.from_bounds(box.x0, box.y1, box.width, self._height)

    def draw(self, renderer: RendererBase) -> None:
        if self._silent or self._gives_way:
            return
        self._fill(renderer)
        box, figure = self.home.bbox, figure_of(self.home).bbox
        end = figure.width - self._pixels(MARGIN)
        fits = box.x0 + self._text.get_window_extent(renderer).width <= end
        self._text.set_position((box.x0 if fits else self._pixels(MARGIN), box.y1 + self._height))
        self._text.draw(renderer)
        self.stale = False

    @property
    def _height(self) -> float:
        """From the axes to the top of the words, in pixels."""
        silent = self._silent or self._gives_way
        return self._pixels(self._over + (0 if silent else self._reserved * LINE + GAP))

    @property
    def _gives_way(self) -> bool:
        """Whether the words would leave too little of a low figure."""
        return self._pixels(self._reserved * LINE) > MAX_SHARE * figure_of(self.home).bbox.height

    def _fill(self, renderer: RendererBase | None = None) -> int:
        """Break the text into lines; return how many."""
        space = figure_of(self.home).bbox.width - 2 * self._pixels(MARGIN)
        text = " ".join(filter(None, (self.text, self._more)))
        lines = fitting_lines(self._text, plain(text), space, renderer)
        self._text.set_text("\n".join(lines))
        return len(lines)
