"""Figures around pictures: empty, with a title, and as they are saved; and their fonts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from matplotlib import rcParams
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text

from app.model.figure_style import STYLE, FigureStyle
from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import plain
from app.plots.base import Picture
from app.plots.elements.answers import PossibleAnswers
from app.plots.elements.labels import AxesArtist
from app.plots.elements.scales import TICK_SIZE
from app.plots.elements.sentence import Sentence
from app.plots.elements.zoom import Direction
from app.plots.saved_layout import lay_out

WHOLE: Mapping[Direction, tuple[float, float]] = {}  # all of a picture is seen
CONFIDENTIAL = "Confidential: computed from raw data"  # what every saved picture says that must not be shared
rcParams["pdf.fonttype"] = 42  # journals refuse Type 3, and it cannot be edited
_LETTERS = 14.5  # of a caption in an inch
_EDGE = 0.02  # of a saved figure, in shares of its width
_SCREEN_DPI = 100


def screen_figure(palette: Palette, text_scale: float) -> Figure:
    """Return a figure with one axes; text and lines are so much larger than usual (1.5 for a projector)."""
    figure = Figure(dpi=_SCREEN_DPI * text_scale, facecolor=palette.card)
    figure.add_subplot()
    return figure


def new_figure(palette: Palette = LIGHT, size: tuple[float, float] = (7.8, 3.7)) -> Figure:
    """Return a figure of `size` inches that lays itself out and needs no pyplot."""
    engine = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)
    return Figure(figsize=size, facecolor=palette.card, layout=engine)


def titled_figure(
    title: str, palette: Palette = LIGHT, size: tuple[float, float] = (7.8, 4.2), *, badge: str = ""
) -> Figure:
    """Return an empty figure with a title and, if given, a badge."""
    figure = new_figure(palette, size)
    heading = figure.suptitle(title, x=_EDGE, ha="left", fontsize=12, fontweight="bold", color=palette.ink)
    if badge:
        mark = figure.text(
            1 - _EDGE,
            0.975,
            badge,
            ha="right",
            va="top",
            fontsize=8.5,
            fontweight="bold",
            color=palette.on_private,
            bbox={"boxstyle": "round,pad=0.4", "facecolor": palette.private, "edgecolor": "none"},
        )
        _separate_badge(heading, mark)
    return figure


def _separate_badge(heading: Text, mark: Text) -> None:
    """Put a badge on a line of its own above a title that leaves no room beside it."""
    title, badge = heading.get_window_extent(), mark.get_window_extent()
    if title.x1 + badge.height > badge.x0:
        mark.set(x=1.4 * _EDGE, ha="left")
        heading.set(text=f"\n{heading.get_text()}", linespacing=1.5)


def export_picture(
    picture_class: type[Picture[Any]],
    result: Any,
    palette: Palette = LIGHT,
    unit: str = "",
    *,
    title: str,
    log_y: bool | None = None,
    private: bool = True,
    style: FigureStyle = STYLE,
    seen: Mapping[Direction, tuple[float, float]] = WHOLE,
    layers: frozenset[str] = frozenset(),
    answers: PossibleAnswers | None = None,
) -> Picture[Any]:
    """Return a picture in a figure that stands for itself: with a title, and a badge if it is private.

    Below it stands its caption, and always that possible answers are simulated.
    """
    sizes = style.sizes(picture_class.export_size if result is None else picture_class.size_saved(result))
    badge = CONFIDENTIAL if private and style.has_stamp else ""
    # a badge needs the line of a title, even of none
    heading = plain(title) if style.has_title else " " * bool(badge)
    figure = titled_figure(heading, palette, sizes[0], badge=badge)
    picture = picture_class(figure.add_subplot(), palette, unit)
    picture.log_y = log_y
    picture.choose_layers(layers)
    if result is not None:
        picture.update(result)
        picture.zoom.show_shares(seen)
    said = picture.caption() if style.text_around != "none" else ""
    if result is not None and answers is not None:
        picture.cloud.draw(answers)
        said = f"{said} {answers.note}".strip()
    if said:
        said = textwrap.fill(said, round(sizes[0][0] * _LETTERS))
        figure.supxlabel(plain(said), x=_EDGE, ha="left", fontsize=TICK_SIZE, color=palette.muted)
    for artist in picture.artists:
        if isinstance(artist, Sentence):
            artist.silence()
    if style.font != STYLE.font:
        set_font(figure, style.font)
    lay_out(picture, sizes)
    return picture


FONTS: Mapping[str, tuple[list[str], str]] = MappingProxyType(
    {
        "sans": (["DejaVu Sans"], "dejavusans"),
        "serif": (["DejaVu Serif", "DejaVu Sans"], "dejavuserif"),
        "tex": (["STIXGeneral", "DejaVu Serif", "DejaVu Sans"], "stix"),
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
            yield from _find_texts(list(vars(artist).values()))


def _find_texts(values: Any) -> Iterator[Text]:
    for value in values:
        if isinstance(value, Text):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _find_texts(value)
        elif isinstance(value, dict):
            yield from _find_texts(value.values())
