"""Sizes and distances of what stands around the axes of a picture, in points."""

from __future__ import annotations

from app.plots.elements.scales import TICK_SIZE

SIZE = TICK_SIZE + 0.5
"""Of a text."""
LINE = 1.45 * SIZE
"""Height of a line."""
GAP = 6.0
"""From the axes."""
MARGIN = 9.0
"""From the edges of the figure."""
BETWEEN = 12.0
"""From one entry of a legend to the next."""
