"""Figures as drawings inside a page of HTML."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from app.export.report.text import markup

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SAID_TWICE = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>|<style[^>]*>.*?</style>", re.DOTALL)
_NAMED = re.compile(r'(?<= id=")(?=[^"]*")|(?<=xlink:href="#)|(?<=url\(#)')
_OPENING = re.compile(r"<svg\b[^>]*>", re.DOTALL)


def inline_svg(figure: Figure, name: str, title: str, said: str) -> str:
    """Return a figure as an element of a page.

    Parameters
    ----------
    name : str
        What its parts are named after, so that those of several figures differ.
    title, said : str
        What it shows, for those who cannot see it.
    """
    content = io.StringIO()
    figure.savefig(content, format="svg", metadata={"Date": None, "Creator": None})
    drawing = content.getvalue()
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
