"""Pictures of histograms in the space of the data: cells, trees and query points; made in a worker.

Without points they show only what follows from the histogram.
"""

from __future__ import annotations

import dataclasses

from app.jobs.channels import JobTask
from app.pages.base.results import PictureResult
from app.pages.histogram.advice import tree_words
from app.pages.histogram.request import HistogramRequest
from engine.analysis.histogram_levels import HistogramLevels, deepest_level, histogram_levels
from engine.analysis.histogram_maps import map_cells, map_query, map_trees
from engine.analysis.shared.shown_histograms import ShownHistogram
from engine.progress import part


@dataclasses.dataclass(frozen=True)
class Levels:
    """Up to which level a histogram can be looked at, and what there is of each."""

    deepest: int
    table: HistogramLevels


def publish_levels(request: HistogramRequest, shown: ShownHistogram, task: JobTask) -> None:
    """Publish what there is of each level."""
    found = Levels(deepest_level(shown.histogram), histogram_levels(shown.histogram, shown.mechanism))
    task.publish(PictureResult("levels", found, request, request.public))


def publish_cells(request: HistogramRequest, shown: ShownHistogram, task: JobTask) -> None:
    """Publish the cells of one level."""
    found = map_cells(
        shown,
        level=request.level,
        closely=request.closely,
        grid=request.grid,
        per_area=request.per_area,
        progress=part(task, 0.4, 0.8),
    )
    task.publish(PictureResult("cells", found, request, request.public))


def publish_trees(request: HistogramRequest, shown: ShownHistogram, task: JobTask) -> None:
    """Publish the tree on cells, and the true one; or facilities."""
    found = map_trees(
        shown,
        price=request.price,
        seed=request.seed,
        progress=part(task, 0.4, 1.0),
        publish=lambda found: task.publish(PictureResult("tree", found, request, request.public)),
    )
    task.publish(PictureResult("tree", found, request, request.public))
    if shown.data is not None:
        task.publish(PictureResult("advice", tree_words(shown.data.n, found.trees), request))


def publish_isolation(request: HistogramRequest, shown: ShownHistogram, task: JobTask) -> None:
    """Publish the query point, put there by an attack if that was asked for, and the verdict."""
    attack, seed = request.attack or (None, 1)
    found = map_query(
        shown,
        query=request.query,
        attack=attack,
        attack_seed=seed,
        c=request.c,
        near=request.near,
        window=request.window,
        progress=part(task, 0.4, 1.0),
    )
    if attack is not None or request.query is None:
        task.publish(PictureResult("aim", found, request, request.public))
    task.publish(PictureResult("isolation", found, request, request.public))
