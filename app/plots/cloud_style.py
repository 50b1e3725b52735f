"""The colours of what sample-and-aggregate is made of, the same in all of its pictures."""

from __future__ import annotations

from app.theme import Palette

_ATTENTION, _BASELINE, _PUBLISHED = 7, 5, 2  # places in the series, far from each other for every reader


def attention(palette: Palette) -> str:
    """Return the colour of block outputs, and of the one among them that is their center."""
    return palette.series[_ATTENTION]


def baseline(palette: Palette) -> str:
    """Return the colour of what another mechanism releases."""
    return palette.series[_BASELINE]


def published(palette: Palette) -> str:
    """Return the colour of the bound that is printed in the paper, and is not private."""
    return palette.series[_PUBLISHED]
