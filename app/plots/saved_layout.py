"""The layout of saved figures: one for all formats and resolutions, half of it plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.colors import same_color
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from app.model.theme import Stroke
from app.plots.base import Picture
from app.plots.elements.labels import Label, figure_of
from app.plots.elements.legend import Legend, LegendEntry, in_lines
from engine.array_types import Floats

_WANTED_SHARE, _MIN_SHARE = 0.51, 0.5  # shares of the area for the plot
_STEPS = 1.03, 1.12  # smallest and largest growth of the height at a step
_SHRINK = 0.95  # of the height of a picture to scale, at a step
_BESIDE, _TALLEST = 1.25, 1.75  # heights: of the usual one with labels beside lines, and of the width
_COLUMN = 0.27  # of the width of a figure, for names of rows
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
            entries = _key(labels.shown, figure)
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
    """Return the share of the area of a figure that its axes take; panels of an axes stand for it."""
    area = 0.0
    for axes in figure.axes:
        for part in axes.child_axes or [axes]:
            if part.get_visible():
                locate: Any = part.get_axes_locator()
                part.apply_aspect(locate(part, None) if locate is not None else None)
                area += part.bbox.width * part.bbox.height
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


def _key(labels: tuple[Label, ...], figure: Figure) -> list[LegendEntry]:
    """Return labels beside lines as entries of a key."""
    lines = [
        line for line in figure.findobj(Line2D) if line.axes and line.get_visible() and _heights(line).size
    ]
    entries = []
    for label in labels:
        text = f"{label.text}  {label.extra}".rstrip()
        texts = [f"{text},", label.note] if label.note else [text]
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
