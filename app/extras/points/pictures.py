"""The specification of the picture of cells."""

from __future__ import annotations

from typing import Any

from app.model import lazy
from app.model.pages.histogram_options import Columns
from app.model.pages.registry import add_picture
from app.model.picture_spec import PictureSpec, Seeded, TabTitle
from app.model.references import Analysis
from engine import analysis as scenes


def without_cells(selection: Any) -> str:
    """Return why a mechanism has no cells; "" if it has some."""
    mechanism = selection.mechanism
    if hasattr(mechanism, "histogram"):
        return ""
    return f"“{mechanism.label}” uses the records themselves, not cells."


CELLS = PictureSpec(
    "cells",
    TabTitle(
        "Cells",
        "The cells that find the centers, with noisy counts",
        "The mechanism counts records in cells, with noise; all later steps use only these counts.",
    ),
    drawn_by=lambda: lazy.HistogramMap,
    analysis=Analysis(lambda: scenes.map_cluster_cells),
    options=(Columns, Seeded),
    absent=lambda: without_cells,
    runs=True,
)


def add_pictures() -> None:
    """Add the picture after the data."""
    add_picture("clustering", CELLS, after="data")
