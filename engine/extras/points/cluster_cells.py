"""The scene of the cells that find cluster centers."""

from __future__ import annotations

from engine.analysis.histogram_maps import CellMap, map_cells
from engine.data.points import Points
from engine.extras.points.k_means import KMeansOnCells
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, silent


def map_cluster_cells(
    mechanism: KMeansOnCells,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    level: int | None = None,
    closely: bool | None = None,
    seed: int = 1,
    records: bool = True,
    progress: Progress = silent,
) -> CellMap:
    """Return the cells of one level of a simulated release, with the records (private)."""
    privacy = as_privacy(privacy)
    histogram = mechanism.histogram(data.domain, data.n, privacy)
    return map_cells(
        histogram,
        data,
        privacy,
        across=across,
        up=up,
        level=level,
        closely=closely,
        seed=seed,
        records=records,
        progress=progress,
    )
