"""Which class presents the releases of which mechanism."""

from __future__ import annotations

from typing import Any

from app.releases.ball import BallRelease, InteriorRelease
from app.releases.categories import CategoriesRelease
from app.releases.histogram import HistogramRelease
from app.releases.matrix import MatrixRelease, SmallDatabaseRelease
from app.releases.points import PointsRelease


def release_class(name: str) -> type[PointsRelease | CategoriesRelease]:
    """Return the class that presents what the mechanism called `name` releases."""
    from engine.mechanisms import (
        SANITIZERS,
        BallMechanism,
        CategoriesMechanism,
        Covariance,
        HistogramMechanism,
        InteriorPoint,
        SyntheticPoints,
    )

    kinds: dict[type[Any], type[PointsRelease | CategoriesRelease]] = {
        BallMechanism: BallRelease,
        InteriorPoint: InteriorRelease,
        HistogramMechanism: HistogramRelease,
        Covariance: MatrixRelease,
        SyntheticPoints: SmallDatabaseRelease,
        CategoriesMechanism: CategoriesRelease,
    }
    return next((kind for base, kind in kinds.items() if issubclass(SANITIZERS[name], base)), PointsRelease)
