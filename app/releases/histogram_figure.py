"""Histograms as figures: the cells that were released, and for the curator the data among them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from app.plots.histogram.map import HistogramMap
from app.releases.figures import FigurePanel
from app.releases.geometry import coordinates_of, title_of
from app.releases.points_figure import DRAWN
from engine.analysis.cell_outlines import cell_outlines
from engine.analysis.histogram_cells import CellsAlong
from engine.analysis.histogram_scenes import CellMap
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.shown_histograms import some_records

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.data.points import Points
    from engine.mechanisms import HistogramMechanism
    from engine.mechanisms.histograms import ReleasedHistogram


def histogram_panel(
    mechanism: HistogramMechanism,
    release: ReleasedHistogram,
    data: LoadedRecords[Points],
    *,
    show_private: bool,
) -> FigurePanel:
    """Show the cells along the first two coordinates, or those with the data among them."""
    directions = tuple(Direction(at.name, at.unit, at.side) for at in coordinates_of(mechanism, data)[:DRAWN])
    window = tuple(direction.side for direction in directions)
    drawn = release.histogram
    cells = CellsAlong.of(drawn.lower, drawn.upper, drawn.counts, range(len(directions)))
    corners = cell_outlines(drawn, data.database.domain)
    view = CellMap(
        directions=directions,
        window=window,
        cells=cells if corners is None else dataclasses.replace(cells, polygons=tuple(corners)),
        records=some_records(data.database.values[:, :DRAWN], window) if show_private else None,
        released=not release.simulated,
        mechanism=mechanism,
    )
    if show_private:
        return FigurePanel(title_of(mechanism), HistogramMap, view)
    kind = "simulated, not a release" if release.simulated else "released"
    return FigurePanel(f"{title_of(mechanism)}: {kind}", HistogramMap, view, private=False)
