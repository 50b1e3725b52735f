"""The shapes of released values, by name: one call registers another."""

from __future__ import annotations

from app.releases.balls import BallsShape
from app.releases.candidate import CandidateShape
from app.releases.category import CategoryShape
from app.releases.cells import CellsShape
from app.releases.conditions import ConditionsShape
from app.releases.counts import CountsShape, TableShape
from app.releases.labels import mechanism_class
from app.releases.matrix import MatrixShape
from app.releases.number import NumberShape
from app.releases.points import InteriorPointShape, PerturbedPointsShape, PointsShape, SyntheticPointsShape
from app.releases.quantiles import QuantilesShape
from app.releases.shape import Shape
from app.releases.shares import SharesShape
from engine.mechanisms import Release
from engine.plugins import watched

SHAPES: dict[str, Shape] = watched({})


def register(shape: Shape) -> None:
    """Tell, table and draw the values of all mechanisms that name this shape.

    Raises
    ------
    ValueError
        If another one has its name.
    """
    if shape.name in SHAPES:
        raise ValueError(f"there is another shape called {shape.name!r}")
    SHAPES[shape.name] = shape


def shape_of(release: Release) -> Shape:
    """Return the shape of a released value; what is not in the catalog released a number."""
    kind = mechanism_class(release)
    return SHAPES[NumberShape.name if kind is None else kind.shape]


for _shape in (
    NumberShape(),
    PointsShape(),
    InteriorPointShape(),
    SyntheticPointsShape(),
    PerturbedPointsShape(),
    BallsShape(),
    CellsShape(),
    MatrixShape(),
    QuantilesShape(),
    TableShape(),
    CountsShape(),
    ConditionsShape(),
    CategoryShape(),
    CandidateShape(),
    SharesShape(),
):
    register(_shape)
