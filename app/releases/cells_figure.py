"""Histograms as figures: the cells that were released, and for the curator the data among them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from app.plots.figure_panel import FigurePanel
from app.plots.histogram.map import HistogramMap
from app.releases.geometry import DRAWN, Coordinate, directions_of
from engine.analysis.histogram_contents import CellsAlong, cell_outlines
from engine.analysis.histogram_maps import CellMap
from engine.analysis.preparing import mechanism_of
from engine.analysis.shared.shown_histograms import some_records
from engine.domain import Box
from engine.histograms.histogram import Histogram
from engine.progress import Progress

if TYPE_CHECKING:
    from app.releases.run import Run
    from engine.mechanisms.release import Release


def cells_view(
    coordinates: list[Coordinate],
    histogram: Histogram,
    box: Box,
    release: Release,
    progress: Progress,
) -> CellMap:
    """Show the cells along the first two coordinates (public)."""
    directions = directions_of(coordinates)
    cells = CellsAlong.of(histogram.lower, histogram.upper, histogram.counts, range(len(directions)))
    corners = cell_outlines(histogram, box, progress=progress)
    return CellMap(
        directions=directions,
        window=tuple(direction.side for direction in directions),
        cells=cells if corners is None else dataclasses.replace(cells, polygons=tuple(corners)),
        released=not release.simulated,
        mechanism=mechanism_of(release),
    )


def among_records(run: Run, view: CellMap) -> CellMap:
    """Add the data (private)."""
    return dataclasses.replace(view, records=some_records(run.data.database.values[:, :DRAWN], view.window))


def cells_panel(title: str, view: CellMap, *, private: bool = False) -> FigurePanel:
    """Return the picture of cells."""
    return FigurePanel(title, HistogramMap, view, private=private)
