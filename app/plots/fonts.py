"""The font of a figure, set on its own texts: other threads draw with what matplotlib has for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from matplotlib.figure import Figure
from matplotlib.text import Text

from app.plots.elements.artists import AxesArtist

FONTS: Mapping[str, tuple[list[str], str]] = MappingProxyType(
    {
        "sans": (["DejaVu Sans"], "dejavusans"),
        "serif": (["DejaVu Serif"], "dejavuserif"),
        "tex": (["STIXGeneral", "DejaVu Serif"], "stix"),
    }
)
"""Families, the first that has a letter, and the font of formulas; all of them come with matplotlib."""


def set_font(figure: Figure, name: str) -> None:
    """Set a figure in a font of `FONTS`; what is made later keeps its own."""
    families, formulas = FONTS[name]
    for axes in figure.axes:
        axes.tick_params(which="both", labelfontfamily=families)
    for text in texts_of(figure):
        text.set_fontfamily(families)
        text.set_math_fontfamily(formulas)


def texts_of(figure: Figure) -> Iterator[Text]:
    """Yield all texts of a figure, also those that our own artists draw themselves."""
    for artist in figure.findobj():
        if isinstance(artist, Text):
            yield artist
        elif isinstance(artist, AxesArtist):
            yield from _held(list(vars(artist).values()))


def _held(values: Any) -> Iterator[Text]:
    for value in values:
        if isinstance(value, Text):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _held(value)
        elif isinstance(value, dict):
            yield from _held(value.values())
