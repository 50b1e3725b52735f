"""The picture of the cells on which centers are found, declared."""

from __future__ import annotations

from typing import Any

from app.model import lazy
from app.model.pages.histogram_options import Columns
from app.model.pages.registry import add_picture
from app.model.picture_spec import PictureSpec, Seeded, TabTitle
from app.model.references import AXES, USUAL, Late, known
from engine import analysis as scenes


def without_cells(selection: Any) -> str:
    """Say that centers are not found on cells; "" if they are."""
    mechanism = selection.mechanism
    if hasattr(mechanism, "histogram"):
        return ""
    return f"“{mechanism.label}” looks at the records themselves, not at cells."


CELLS = PictureSpec(
    "cells",
    TabTitle(
        "Cells",
        "The cells on which centers are found, with noisy counts",
        "Records are counted in cells, with noise; all that follows looks at these counts alone",
    ),
    drawn_by=lambda: lazy.HistogramMap,
    analysis=Late(lambda: scenes.map_cluster_cells).takes(**USUAL, **AXES, seed=known("seed")),
    options=(Columns, Seeded),
    absent=lambda: without_cells,
    runs=True,
)


def add_pictures() -> None:
    """Show it after the data."""
    add_picture("clustering", CELLS, after="data")
