"""What presents the releases of which mechanism."""

from __future__ import annotations

from typing import Any

from app.releases.ball import BallRelease, InteriorRelease
from app.releases.categories import CategoriesRelease
from app.releases.histogram import HistogramRelease
from app.releases.matrix import MatrixRelease, SmallDatabaseRelease
from app.releases.points import PointsRelease
from engine.mechanisms import (
    BallMechanism,
    CategoriesMechanism,
    Covariance,
    HistogramMechanism,
    InteriorPoint,
    PointsMechanism,
    Sanitizer,
    SyntheticPoints,
)
from engine.privacy import Privacy


def release_of(
    mechanism: Sanitizer[Any], privacy: Privacy, *, blocks_given: bool
) -> PointsRelease[Any, Any] | CategoriesRelease:
    """Return what presents the releases of a mechanism.

    Parameters
    ----------
    privacy : Privacy
        What a release may cost.
    blocks_given : bool
        Whether the number of blocks was said, or there are none.
    """
    if isinstance(mechanism, CategoriesMechanism):
        return CategoriesRelease(mechanism, privacy)
    if isinstance(mechanism, BallMechanism):
        return BallRelease(mechanism, privacy, blocks_given)
    if isinstance(mechanism, InteriorPoint):
        return InteriorRelease(mechanism, privacy, blocks_given)
    if isinstance(mechanism, HistogramMechanism):
        return HistogramRelease(mechanism, privacy, blocks_given)
    if isinstance(mechanism, Covariance):
        return MatrixRelease(mechanism, privacy, blocks_given)
    if isinstance(mechanism, SyntheticPoints):
        return SmallDatabaseRelease(mechanism, privacy, blocks_given)
    assert isinstance(mechanism, PointsMechanism)
    return PointsRelease(mechanism, privacy, blocks_given)
