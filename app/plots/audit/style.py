"""How the two sides of an audit look."""

from __future__ import annotations

from app.plots.compare.contender_style import ContenderStyle, contender_style
from app.theme import Palette

_LOOKS = (1, 3)
"""Far apart, and neither in the colour of what a promise allows."""


def side_style(side: int, palette: Palette) -> ContenderStyle:
    """Return the look of the first (0) or the second (1) database."""
    return contender_style(_LOOKS[side], palette)
