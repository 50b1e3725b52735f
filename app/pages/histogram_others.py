"""What mechanisms release that are no histograms, as pictures show it; made in a worker."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.pages.projections import Projection
from app.plots.cloud_view import CloudView, Records
from app.plots.histogram_chart_view import MatrixView

Floats = NDArray[np.float64]


def matrix_view(names: tuple[str, ...], value: Any, truth: Any, about: str, simulated: bool) -> MatrixView:
    """Show a matrix that was released, or could be; beside the true one, if it is given."""
    true = None if truth is None else np.array(truth["matrix"])
    words = "covariance" if about == "mean" else "second moments"
    return MatrixView(names, np.array(value["matrix"]), true, simulated, words)


def points_view(seen: Projection, value: Any, records: Records | None, simulated: bool) -> CloudView:
    """Show points that were released, or could be, among the records, if these are given."""
    return CloudView(
        seen.directions,
        noun="synthetic point",
        records=records,
        released=np.atleast_2d(seen.points(value)),
        simulated=simulated,
    )
