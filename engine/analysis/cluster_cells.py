"""The cells on which clusters are found, in the space of the data."""

from __future__ import annotations

from engine.analysis.histogram_maps import map_cells
from engine.analysis.histogram_scenes import CellMap
from engine.data.points import Points
from engine.mechanisms import KMeansOnCells
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, silent


def map_cluster_cells(
    mechanism: KMeansOnCells,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    seed: int = 1,
    progress: Progress = silent,
) -> CellMap:
    """Return the cells from which a simulated release follows, with the records (private).

    Parameters
    ----------
    mechanism : KMeansOnCells
    data : Points
    privacy : PrivacyLike
    across, up : int
        The columns that are drawn, by number.
    seed : int
        Of the release.
    progress : Progress

    Returns
    -------
    CellMap

    Examples
    --------
    Counts with noise, of all cells together those of the records:

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> found = map_cluster_cells(KMeansOnCells(k=1), data, Privacy(1.0))
    >>> round(found.cells.counts.sum())
    1000
    """
    privacy = as_privacy(privacy)
    histogram = mechanism.histogram(data.domain, data.n, privacy)
    return map_cells(histogram, data, privacy, across=across, up=up, seed=seed, progress=progress)
