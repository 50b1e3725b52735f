"""Figures as drawings inside a page of HTML."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.export.report.text import markup

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SAID_TWICE = re.compile(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>", re.DOTALL)
_NAMED = re.compile(r'(?<= id=")(?=[^"]*")|(?<=xlink:href="#)|(?<=url\(#)')
_OPENING = re.compile(r".*?<svg\b[^>]*>", re.DOTALL)
_SIZE = 1 << 16
"""Letters that are searched at once: meanwhile no other thread runs, the window's neither."""


def inline_svg(
    figure: Figure, name: str, title: str, said: str, step: Callable[[], None] = lambda: None
) -> list[str]:
    """Return a figure as an element of a page, in parts that are small.

    Parameters
    ----------
    name : str
        What its parts are named after, so that those of several figures differ.
    title, said : str
        What it shows, for those who cannot see it.
    step : callable
        Called before each line is drawn.
    """
    first, *others = _drawn(figure, name, step)
    box = re.search(r'viewBox="([^"]*)"', first)
    assert box is not None
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{box[1]}" role="img" aria-labelledby="{name}-title {name}-said">'
        f'<title id="{name}-title">{markup(title)}</title><desc id="{name}-said">{markup(said)}</desc>'
    )
    return [_OPENING.sub(lambda _: opening, _SAID_TWICE.sub("", first), count=1), *others]


class _Parts:
    """A file that is kept in parts; what has a name in it is named after the figure."""

    def __init__(self, name: str) -> None:
        self.parts: list[str] = []
        self._prefix = f"{name}-"
        self._written: list[str] = []
        self._size = 0

    def write(self, text: str) -> None:
        """Add some text; matplotlib never tears an attribute."""
        self._written.append(text)
        self._size += len(text)
        if self._size >= _SIZE:
            self.flush()

    def flush(self) -> None:
        """End a part."""
        if self._written:
            self.parts.append(_NAMED.sub(self._prefix, "".join(self._written)))
        self._written, self._size = [], 0


def _drawn(figure: Figure, name: str, step: Callable[[], None]) -> list[str]:
    """Return the file that matplotlib would write, without its comments."""
    from matplotlib.backends.backend_svg import RendererSVG

    class Stepping(RendererSVG):
        def draw_path(self, *what: Any, **how: Any) -> None:
            step()
            super().draw_path(*what, **how)

    content: Any = _Parts(name)
    dpi = figure.dpi
    figure.dpi = 72
    width, height = figure.bbox.width, figure.bbox.height
    renderer: Any = Stepping(width, height, content, metadata={"Date": None, "Creator": None})
    renderer.writer.comment = lambda _: None
    figure.draw(renderer)
    renderer.finalize()
    content.flush()
    figure.dpi = dpi
    parts: list[str] = content.parts
    return parts
