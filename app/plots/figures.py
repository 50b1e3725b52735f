"""Figures around pictures: empty, with a title, and as they are saved; and their fonts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.colors import same_color
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.text import Text

from app.model.figure_style import STYLE, FigureStyle
from app.model.theme import LIGHT, Palette, Stroke
from app.model.wording.numbers import plain
from app.plots.base import Picture
from app.plots.elements.answers import PossibleAnswers
from app.plots.elements.labels import AxesArtist, Label, figure_of
from app.plots.elements.legend import Legend, LegendEntry, in_lines
from app.plots.elements.scales import TICK_SIZE
from app.plots.elements.zoom import Direction
from engine.array_types import Floats

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
    for above in picture.sentences:
        above.silence()
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


_WANTED_SHARE, _MIN_SHARE = 0.51, 0.5  # shares of the area for the plot
_STEPS = 1.03, 1.12  # smallest and largest growth of the height at a step
_SHRINK = 0.95  # of the height of a picture to scale, at a step
_BESIDE, _TALLEST = 1.25, 1.75  # heights: of the usual one with labels beside lines, and of the width
_COLUMN = 0.26  # of the width of a figure, for names of rows
_AREA = 7.0  # points: thickness of the sample of an area
_LOOK = (
    *("color", "linewidth", "alpha", "dash_capstyle", "solid_capstyle"),
    *("marker", "markersize", "markeredgewidth", "markerfacecolor", "markeredgecolor"),
)
_LAYOUT_DPI = 200  # fine enough that hinting moves no text


def lay_out(picture: Picture[Any], sizes: Sequence[tuple[float, float]]) -> None:
    """Lay a saved figure out once, with half of its area for the plot, in one of the sizes.

    The figure changes its height. If that is not enough, labels beside lines become a key below the axes,
    and names of rows are broken into lines.
    """
    figure, labels = figure_of(picture.axes), picture.labels
    dpi = figure.dpi
    figure.set_dpi(_LAYOUT_DPI)
    for width, height in sizes:
        figure.set_size_inches(width, height)
        if _fit(figure, _BESIDE * height):
            break
    else:
        if labels.names_rows:
            labels.narrow(_COLUMN)
        elif labels.shown:
            entries = _key(labels.shown, figure, picture.palette)
            Legend(figure.axes[0], picture.palette, below=True).set_entries(entries, escaped=True)
            labels.set_labels(())
        figure.set_figheight(height)
        _fit(figure, _TALLEST * width)
    # another resolution or format moves nothing from now on
    for legend in figure.findobj(Legend):
        legend.freeze()
    figure.set_layout_engine(None)
    figure.set_dpi(dpi)


def plot_share(figure: Figure) -> float:
    """Return the share of the area of a figure that its axes take, and small maps beside them.

    Panels of an axes stand for it.
    """
    from app.plots.clustering.inset import Inset  # no other picture needs it

    area = 0.0
    for axes in figure.axes:
        for part in axes.child_axes or [axes]:
            if part.get_visible():
                locate: Any = part.get_axes_locator()
                part.apply_aspect(locate(part, None) if locate is not None else None)
                area += part.bbox.width * part.bbox.height
    for inset in figure.findobj(Inset):
        box = inset.box()
        if box is not None and not box.overlaps(inset.home.bbox):
            area += box.width * box.height
    return float(area / (figure.bbox.width * figure.bbox.height))


def _fit(figure: Figure, highest: float) -> bool:
    """Find a height with enough plot, or the one with most of it; tell whether it is enough."""
    start = float(figure.get_figheight())
    shares = {start: _measure(figure, start)}
    if any(part.get_aspect() != "auto" for axes in figure.axes for part in (axes, *axes.child_axes)):
        height = start
        while (
            shares[height] == max(shares.values()) < _WANTED_SHARE
        ):  # what is drawn to scale may fill the width
            height *= _SHRINK
            shares[height] = _measure(figure, height)
    before, height = 0.0, start
    while max(shares.values()) < _WANTED_SHARE and height < highest:
        # with labels of a given height, the share is linear in 1/height
        slope = (shares[height] - shares[before]) / (1 / height - 1 / before) if before else 0.0
        wanted = 1 / height + (_WANTED_SHARE - shares[height]) / slope if slope < 0 else 0.0
        growth = 1 / (wanted * height) if wanted > 0 else _STEPS[1]
        before, height = height, min(highest, height * float(np.clip(growth, *_STEPS)))
        shares[height] = _measure(figure, height)
    # ticks depend on the room that the layout leaves, and the layout on the ticks
    share = _measure(figure, max(shares, key=shares.__getitem__))
    return share >= _MIN_SHARE


def _measure(figure: Figure, height: float) -> float:
    """Lay a figure out at a height, and return the share of the plot."""
    engine = figure.get_layout_engine()
    assert engine is not None
    figure.set_figheight(height)
    engine.execute(figure)
    return plot_share(figure)


def _key(labels: tuple[Label, ...], figure: Figure, palette: Palette) -> list[LegendEntry]:
    """Return labels beside lines as entries of a key; what says how to read them is of no line."""
    lines = [
        line for line in figure.findobj(Line2D) if line.axes and line.get_visible() and _heights(line).size
    ]
    entries = list[LegendEntry]()
    for label in labels:
        text = f"{label.text}  {label.extra}".rstrip()
        texts = [f"{text},", label.note] if label.note else [text]
        heading = label.stroke is None and same_color(label.colour, palette.muted)
        if heading and not any(same_color(line.get_color(), label.colour) for line in lines):
            entries[:0] = in_lines((), texts)
        else:
            entries += in_lines((_sample(label, lines),), texts)
    return entries


def _sample(label: Label, lines: list[Line2D]) -> dict[str, Any]:
    """Return the look of the line that a label names: of its colour, and with the nearest end."""

    def distance(line: Line2D) -> tuple[bool, float]:
        points = [(1.0, height) for height in (label.y, _heights(line)[-1])]
        assert line.axes is not None
        start, end = line.axes.transData.transform(points)[:, 1]
        return line.get_linestyle() == "None", abs(float(end - start))

    alike = [line for line in lines if same_color(line.get_color(), label.colour)]
    if not alike:
        stroke = label.stroke or Stroke(_AREA)
        return {"color": label.colour, "linewidth": stroke.width, "linestyle": stroke.linestyle}
    line = min(alike, key=distance)
    dashes = vars(line)["_unscaled_dash_pattern"]  # `get_linestyle` returns "--" for every pattern
    sample = {"linestyle": "none" if line.get_linestyle() == "None" else dashes}
    return sample | {name: getattr(line, f"get_{name}")() for name in _LOOK}


def _heights(line: Line2D) -> Floats:
    """Return the finite heights of a line."""
    heights = np.asarray(line.get_ydata(), dtype=np.float64)
    return heights[np.isfinite(heights)]
