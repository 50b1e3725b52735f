"""Figures as drawings inside a page of HTML."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.export.report.text import markup

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SAID_TWICE = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>|<style[^>]*>.*?</style>", re.DOTALL)
_NAMED = re.compile(r'(?<= id=")(?=[^"]*")|(?<=xlink:href="#)|(?<=url\(#)')
_OPENING = re.compile(r"<svg\b[^>]*>", re.DOTALL)


def inline_svg(
    figure: Figure, name: str, title: str, said: str, step: Callable[[], None] = lambda: None
) -> str:
    """Return a figure as an element of a page.

    Parameters
    ----------
    name : str
        What its parts are named after, so that those of several figures differ.
    title, said : str
        What it shows, for those who cannot see it.
    step : callable
        Called before each line is drawn.
    """
    drawing = _drawn(figure, step)
    drawing = _SAID_TWICE.sub("", drawing[drawing.index("<svg") :])
    drawing = _NAMED.sub(f"{name}-", drawing)
    box = re.search(r'viewBox="([^"]*)"', drawing)
    assert box is not None
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{box[1]}" role="img" aria-labelledby="{name}-title {name}-said">'
        f'<title id="{name}-title">{markup(title)}</title><desc id="{name}-said">{markup(said)}</desc>'
    )
    return _OPENING.sub(lambda _: opening, drawing, count=1)


def _drawn(figure: Figure, step: Callable[[], None]) -> str:
    """Return the file that matplotlib would write."""
    from matplotlib.backends.backend_svg import RendererSVG

    class Stepping(RendererSVG):
        def draw_path(self, *what: Any, **how: Any) -> None:
            step()
            super().draw_path(*what, **how)

    content = io.StringIO()
    dpi = figure.dpi
    figure.dpi = 72
    width, height = figure.bbox.width, figure.bbox.height
    renderer = Stepping(width, height, content, metadata={"Date": None, "Creator": None})
    figure.draw(renderer)
    renderer.finalize()
    figure.dpi = dpi
    return content.getvalue()
