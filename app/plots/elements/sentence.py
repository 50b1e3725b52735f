"""A sentence above a picture, which takes the room that it needs."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.transforms import Bbox

from app.model.theme import Palette
from app.model.wording.numbers import plain
from app.plots.elements.artists import AxesArtist, figure_of
from app.plots.elements.legend import GAP, LINE, MARGIN, SIZE


class Sentence(AxesArtist):
    """Words above the axes, broken into as many lines as the width of the figure asks for.

    `least`: number of lines for which there is room in any case. `over`: height of what stands between the
    axes and the words, such as a y label, in points.
    """

    def __init__(self, axes: Axes, palette: Palette, least: int = 1, over: float = 0.0) -> None:
        super().__init__(axes, 6)
        self._least = least
        self._over = over
        self._reserved = least
        self.set_clip_on(False)
        self._text = self._small_text(palette.ink, SIZE + 0.5)
        self._text.set(va="top", linespacing=1.25)
        self._whole = ""
        self._filled: tuple[str, float] | None = None
        self._lines = 1

    @property
    def text(self) -> str:
        """What is said."""
        return self._whole

    def set_text(self, text: str) -> None:
        """Change the words."""
        self._whole = text

    def cramped(self) -> bool:
        return self._fill() > self._reserved

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """Return the room of all lines, above the axes."""
        self._reserved = max(self._least, self._fill(renderer))
        box = self.home.bbox
        return Bbox.from_bounds(box.x0, box.y1, box.width, self._height)

    def draw(self, renderer: RendererBase) -> None:
        self._fill(renderer)
        box, figure = self.home.bbox, figure_of(self.home).bbox
        end = figure.width - self._pixels(MARGIN)
        left = min(box.x0, end - self._text.get_window_extent(renderer).width)
        self._text.set_position((left, box.y1 + self._height))
        self._text.draw(renderer)
        self.stale = False

    @property
    def _height(self) -> float:
        """From the axes to the top of the words, in pixels."""
        return self._pixels(self._over + self._reserved * LINE + GAP)

    def _fill(self, renderer: RendererBase | None = None) -> int:
        """Break the words into lines; return how many."""
        space = figure_of(self.home).bbox.width - 2 * self._pixels(MARGIN)
        if self._filled == (self._whole, space):
            return self._lines
        lines: list[str] = []
        texts = self._whole.split(" ")
        while texts:
            taken = self._taken(texts, space, renderer)
            lines.append(" ".join(texts[:taken]))
            texts = texts[taken:]
        self._text.set_text(plain("\n".join(lines)))
        self._filled, self._lines = (self._whole, space), len(lines)
        return self._lines

    def _taken(self, texts: list[str], space: float, renderer: RendererBase | None) -> int:
        """Return how many words a line takes, at least one.

        Matplotlib measures a line as slowly as it draws it: each guess is of as many letters as the room
        takes if they are as wide as those of the last guess, and two or three guesses do.
        """
        ends = [end - 1 for end in accumulate(len(word) + 1 for word in texts)]
        most, least, guess = len(texts), 1, len(texts)
        while least < most:
            self._text.set_text(plain(" ".join(texts[:guess])))
            width = self._text.get_window_extent(renderer).width
            if width <= space:
                least = guess
            else:
                most = guess - 1
            guess = min(max(bisect_right(ends, ends[guess - 1] * space / max(width, 1.0)), least + 1), most)
        return least
