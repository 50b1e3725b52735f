"""The window's pictures as figures for files, light theme, with what is private said on them."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from app.plots.base import Picture
from app.plots.figures import export_figure
from app.theme import LIGHT

DPI = 144


@dataclasses.dataclass(frozen=True)
class FigurePanel:
    """One picture, what it shows, and whether that was computed from raw data."""

    title: str
    picture: type[Picture[Any]]
    result: Any
    unit: str = ""
    private: bool = True


def figure(panel: FigurePanel) -> Figure:
    """Draw one panel; what is not private says so."""
    drawn = export_figure(
        panel.picture,
        panel.result,
        LIGHT,
        panel.unit,
        title=panel.title,
        private=panel.private,
    )
    drawn.set_dpi(DPI)
    return drawn


def sheet(panels: Sequence[FigurePanel]) -> bytes:
    """Draw several panels, two in a row, as one PNG.

    Each is laid out by itself: its labels need the room that they have alone.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.image import imsave

    pictures = []
    for panel in panels:
        canvas = FigureCanvasAgg(figure(panel))
        canvas.draw()  # type: ignore[no-untyped-call]  # matplotlib has no types of this canvas
        pictures.append(np.asarray(canvas.buffer_rgba()))  # type: ignore[no-untyped-call]  # as above
    pictures = _as_large(pictures)
    if len(pictures) % 2:
        pictures.append(np.full_like(pictures[0], 255))
    rows = [np.hstack(pictures[place : place + 2]) for place in range(0, len(pictures), 2)]
    content = io.BytesIO()
    imsave(content, np.vstack(rows), format="png", dpi=DPI)
    return content.getvalue()


def _as_large(pictures: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return pictures with white to the right and below, so that all are as large as the largest."""
    height, width = np.max([picture.shape[:2] for picture in pictures], axis=0)
    pads = [((0, height - len(picture)), (0, width - picture.shape[1]), (0, 0)) for picture in pictures]
    return [np.pad(picture, pad, constant_values=255) for picture, pad in zip(pictures, pads, strict=True)]
