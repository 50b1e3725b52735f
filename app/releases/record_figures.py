"""Releases as figures, from nothing but what was released: each may leave the room like the release."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import numpy as np

from app.model.release_record import ReleaseRecord
from app.model.report_document import ReportFigure
from app.model.wording.numbers import quantity
from app.plots.clustering.cloud_view import CloudView, Direction
from app.releases.categories_figure import categories_view
from app.releases.figures import FigurePanel, figure, number_line
from app.releases.text import BALLS, query_words, value_words
from engine.aggregation.functions import FUNCTIONS
from engine.catalog import questions
from engine.data.categories import CategoryDomain
from engine.domain import Box, Interval
from engine.errors import ParameterError
from engine.mechanisms import MECHANISMS, SyntheticPoints
from engine.progress import Progress, silent
from engine.queries import QUERIES

DRAWN = 2
"""A picture has two directions: the first two columns."""


def figure_of_record(record: ReleaseRecord, progress: Progress = silent) -> ReportFigure | None:
    """Return the figure of a release; None where there is nothing to draw, or nowhere to draw it."""
    release = record.release
    if release.value is None:
        return None
    if isinstance(release.value, float | int):
        return _line(record)
    if release.query in BALLS:
        panel = _balls(record)
    elif questions()[release.query].reads == "categories":
        panel = _categories(record)
    elif isinstance(release.value, dict):
        panel = _matrix(record) if "matrix" in release.value else _cells(record, progress)
    else:
        panel = _points(record)
    if panel is None:
        return None
    return ReportFigure(panel.title, value_words(record), partial(figure, panel))


def _title(record: ReleaseRecord) -> str:
    kind = "simulated, not a release" if record.release.simulated else "released"
    return f"{query_words(record.release)}: {kind}"


def _line(record: ReleaseRecord) -> ReportFigure | None:
    """Show a number among all possible ones, where these are known."""
    possible = _possible(record)
    if possible is None:
        return None
    draw = partial(number_line, record.release, possible, record.unit, query_words(record.release).lower())
    ends = (quantity(end, record.unit) for end in (possible.lower, possible.upper))
    said = f"{value_words(record)}, among possible results from {' to '.join(ends)}"
    return ReportFigure(_title(record), said, draw)


def _possible(record: ReleaseRecord) -> Interval | None:
    """Return the public range of the results."""
    release, known = record.release, record.release.parameters
    if release.query in QUERIES:
        query = QUERIES[release.query]
        settings = {name: known[name] for name in (p.name for p in query.plain_parameters()) if name in known}
        domain = Interval(known["lower"], known["upper"]) if "lower" in known else Interval(0.0, 1.0)
        return query(**settings).value_range(domain, int(known.get("vertices", 1)))
    box = _box(record)
    return box.sides[0] if box is not None and box.dimension == 1 and _among_data(record) else None


def _box(record: ReleaseRecord) -> Box | None:
    known = record.release.parameters
    try:
        return Box.of(known["lower"], known["upper"])
    except (KeyError, ParameterError):
        return None


def is_vector(record: ReleaseRecord) -> bool:
    """Tell whether a single point was released: one number for each column."""
    value = record.release.value
    numbers = isinstance(value, list) and len(value) == len(record.coordinates) > 1
    return numbers and isinstance(value[0], float) and _among_data(record)


def _among_data(record: ReleaseRecord) -> bool:
    """Tell whether what was released lives where the data do."""
    name = record.release.parameters.get("function")
    if name is None or name in ("mean", "median"):
        return True
    function = FUNCTIONS.get(name)
    return function is not None and function.unordered


def _directions(record: ReleaseRecord) -> tuple[Direction, ...] | None:
    box = _box(record)
    if box is None or box.dimension != len(record.coordinates):
        return None
    sides = zip(record.coordinates, box.sides, strict=True)
    return tuple(Direction(name, record.unit, side) for name, side in sides)[:DRAWN]


def _points(record: ReleaseRecord) -> FigurePanel | None:
    from app.plots.clustering.point_cloud import PointCloud

    directions = _directions(record)
    if directions is None or not _among_data(record):
        return None
    query = record.release.query
    noun = "synthetic point" if query == SyntheticPoints.name else "center"
    if not isinstance(record.release.value[0], list):
        noun = "value"
    view = CloudView(
        directions,
        noun=noun,
        released=np.atleast_2d(np.asarray(record.release.value, dtype=np.float64))[:, : len(directions)],
        simulated=record.release.simulated,
    )
    return FigurePanel(_title(record), PointCloud, view, private=False)


def _balls(record: ReleaseRecord) -> FigurePanel | None:
    from app.plots.one_cluster.map import BallMap
    from app.plots.one_cluster.view import BallView, Disc

    directions, value = _directions(record), record.release.value
    if directions is None:
        return None
    found = [ball for ball in (value if isinstance(value, list) else [value]) if ball is not None]
    means = [np.array(ball["mean"][:DRAWN]) for ball in found if "mean" in ball]
    view = BallView(
        directions,
        tuple(direction.side for direction in directions),
        balls=tuple(Disc(np.array(ball["center"][:DRAWN]), ball["radius"]) for ball in found),
        mean=means[0] if means else None,
        simulated=record.release.simulated,
        target=int(record.release.parameters.get("t", 0)),
    )
    return FigurePanel(_title(record), BallMap, view, private=False)


def _cells(record: ReleaseRecord, progress: Progress) -> FigurePanel | None:
    from app.plots.histogram.map import HistogramMap
    from app.plots.histogram.polygons import polygons
    from app.plots.histogram.view import HistogramView, PlottedCells
    from app.plots.histogram.words import exact_words

    directions, box = _directions(record), _box(record)
    cells = record.release.value.get("cells")
    if directions is None or box is None or not cells:
        return None
    lower, upper = (np.array([cell[end] for cell in cells], dtype=np.float64) for end in ("lower", "upper"))
    drawn = PlottedCells.along(lower, upper, [cell["count"] for cell in cells], range(len(directions)))
    histogram = getattr(record.release, "histogram", None)
    corners = None if histogram is None else polygons(histogram, box, progress)
    kind = MECHANISMS[record.release.query]
    view = HistogramView(
        directions,
        tuple(direction.side for direction in directions),
        cells=drawn if corners is None else dataclasses.replace(drawn, polygons=tuple(corners)),
        released=not record.release.simulated,
        caption="" if kind.is_private else exact_words(kind.label, record.release.parameters.get("t")),
    )
    return FigurePanel(_title(record), HistogramMap, view, private=False)


def _matrix(record: ReleaseRecord) -> FigurePanel | None:
    from app.plots.histogram.matrix import MatrixMap
    from app.releases.matrix_view import matrix_view

    about, simulated = record.release.parameters.get("about", "mean"), record.release.simulated
    view = matrix_view(record.coordinates, record.release.value, None, about, simulated)
    return FigurePanel(_title(record), MatrixMap, view, private=False)


def _categories(record: ReleaseRecord) -> FigurePanel | None:
    known: dict[str, Any] = dict(record.release.parameters)
    domain = CategoryDomain(known["columns"], known["categories"])
    facts = {"simulated": record.release.simulated}
    return categories_view(_title(record), record.release.value, None, None, domain, facts)
