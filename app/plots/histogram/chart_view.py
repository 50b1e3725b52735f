"""What a picture of a matrix shows."""

from __future__ import annotations

import dataclasses

from app.plots.elements.floats import Floats


@dataclasses.dataclass(frozen=True, eq=False)
class MatrixView:
    """A covariance or another symmetric matrix.

    Attributes
    ----------
    names : tuple of d str
        Of rows and columns.
    released : ndarray, shape (d, d)
        What was released, or one simulated release.
    truth : ndarray, shape (d, d), or None
        The true matrix (private).
    simulated : bool
        Whether `released` is simulated, and so private.
    words : str
        What it is: "covariance", "X^T X".
    """

    names: tuple[str, ...]
    released: Floats
    truth: Floats | None = None
    simulated: bool = False
    words: str = "covariance"
