"""How cells are shaded, and how what belongs to them is drawn, the same in all pictures of histograms."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from app.model.theme import STROKES, Palette, contrast
from app.model.wording.number_format import THIN
from app.model.wording.numbers import number
from app.plots.clustering.cloud_style import edge_in_view, point
from app.plots.clustering.drawn_space import DrawnSpace
from app.plots.elements.legend import LegendEntry
from engine.analysis.histogram_contents import CellsAlong
from engine.array_types import Floats

SHADES = 64
"""Number of shades from the faintest to the strongest."""

_FAINT, _STRONG = 0.10, 0.88  # shares of the accent colour
_REACH = 1_000.0  # times the faintest density that is told apart is the strongest
_BRIGHT = 0.98  # of the points lie in cells that are no denser than what is drawn strongest
_STEPS = (1.0, 0.5, 0.0)  # places in the scale that the key names


@dataclasses.dataclass(frozen=True)
class Shading:
    """Which shade a count, or a density against the average, is drawn in.

    Attributes
    ----------
    low, top : float
        From where to where shades are told apart; low is 0 for counts, which are drawn by their
        root, and positive for densities, which are drawn by their logarithm.
    clipped : bool
        Whether there is more than `top`.
    """

    low: float
    top: float
    clipped: bool

    @classmethod
    def of(cls, cells: CellsAlong, per_area: bool) -> Shading:
        """Look at cells."""
        values = shaded(cells, per_area)
        positive = values > 0
        if not positive.any():
            return cls(0.0 if not per_area else 0.5, 1.0, False)
        order = np.argsort(values)
        held = np.cumsum(np.maximum(cells.counts[order], 0.0))
        top = float(values[order][np.searchsorted(held, _BRIGHT * held[-1])])
        if not per_area:
            return cls(0.0, float(values.max()), False)
        low = max(float(values[positive].min()), top / _REACH)
        return cls(min(low, top / 2), top, bool(values.max() > top))

    def shares(self, values: Floats) -> Floats:
        """Return places in the scale, 0 to 1; NaN for what holds nothing."""
        inside = np.clip(values, max(self.low, np.finfo(np.float64).tiny), self.top)
        result = np.log(inside / self.low) / np.log(self.top / self.low) if self.low else self._root(inside)
        return np.where(values > 0, result, np.nan)

    def steps(self) -> list[float]:
        """Return the round values that the key names, the largest first."""
        places = [self._at(share) for share in _STEPS]
        if not self.low:
            return sorted({float(max(1, round(value))) for value in places}, reverse=True)
        return list(dict.fromkeys(float(f"{value:.1g}") for value in places))

    def _root(self, values: Floats) -> Floats:
        rooted: Floats = np.sqrt(values / self.top)
        return rooted

    def _at(self, share: float) -> float:
        if self.low:
            return float(self.low * (self.top / self.low) ** share)
        return max(self.top * share**2, 1.0)


def shaded(cells: CellsAlong, per_area: bool) -> Floats:
    """Return what decides the shade of each cell: its count, or its density against the average."""
    if not per_area or not cells.counts.size:
        return cells.counts
    sizes = cells.sizes
    average = max(float(np.maximum(cells.counts, 0.0).sum() / sizes.sum()), np.finfo(np.float64).tiny)
    densities: Floats = cells.counts / sizes / average
    return densities


@functools.lru_cache(maxsize=8)
def ramp(palette: Palette, strength: float = 1.0) -> tuple[str, ...]:
    """Return the shades, the faintest first: one hue, whose lightness tells more from less."""
    shares = np.linspace(_FAINT, _STRONG, SHADES) * strength
    return tuple(palette.tint(palette.accent, share) for share in shares.tolist())


def shade(palette: Palette, share: float, strength: float = 1.0) -> str:
    """Return the shade at a place in the scale; the card for NaN."""
    if np.isnan(share):
        return palette.card
    return ramp(palette, strength)[round(share * (SHADES - 1))]


def on_shade(colour: str) -> str:
    """Return the colour in which a number is read on a shade."""
    # of grey in the middle, the theme's own ink and card are both too near
    return max(("#000000", "#FFFFFF"), key=lambda text: contrast(text, colour))


def border(palette: Palette) -> str:
    """Return the colour of the edges of cells."""
    return palette.tint(palette.accent, 0.45)


def record_style(few: bool, palette: Palette) -> dict[str, Any]:
    """Return how records are drawn on cells: small, so that shades and counts stay in sight."""
    return {"color": palette.truth, "markersize": 3.8 if few else 2.0, "alpha": 0.75 if few else 0.55}


def shading_entries(cells: CellsAlong, per_area: bool, palette: Palette) -> Iterator[LegendEntry]:
    """Return samples of shades with what they mean, the strongest first."""
    scale = Shading.of(cells, per_area)
    values = scale.steps()
    shares = scale.shares(np.array(values))
    for index, (value, share) in enumerate(zip(values, shares.tolist(), strict=True)):
        more = " or more" if index == 0 and scale.clipped else ""
        first = " average density" if per_area else f" record{'s' * (value != 1)} in a cell"
        text = f"{number(value)}{THIN + '×' if per_area else ''}"
        sample = point("s", shade(palette, share), 9.0, markeredgecolor=border(palette))
        yield LegendEntry((sample,), f"{text}{first if index == 0 else ''}{more}")


def space_entries(r: DrawnSpace, palette: Palette) -> Iterator[LegendEntry]:
    """Return what has to be explained about the bounds and the records."""
    if not any(direction.private for direction in r.directions) and edge_in_view(r):
        dots = {"color": palette.global_, "linewidth": 1.2, "linestyle": (0, STROKES["global_"].dashes)}
        yield LegendEntry((dots,), "declared bounds")
    if r.records is not None and r.records.dots is not None:
        shown = len(r.records.dots)
        text = f"{number(r.records.n)} record{'s' * (r.records.n != 1)}"
        if shown < r.records.n:
            text = f"{number(shown)} of {text}"
        yield LegendEntry((point("o", palette.truth, 4.5, alpha=0.7, markeredgecolor="none"),), text)
