"""A matrix that was released, or could be, as its picture shows it."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.plots.histogram.chart_view import MatrixView


def matrix_view(names: tuple[str, ...], value: Any, truth: Any, about: str, simulated: bool) -> MatrixView:
    """Show a matrix that was released, or could be; beside the true one, if it is given."""
    true = None if truth is None else np.array(truth["matrix"])
    words = "covariance" if about == "mean" else "second moments"
    return MatrixView(names, np.array(value["matrix"]), true, simulated, words)
