"""The shapes of released values, by name; extensions register more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.releases.labels import mechanism_class
from engine.components import NamedObjects
from engine.plugins import watched

if TYPE_CHECKING:
    from app.releases.shape import Shape
    from engine.mechanisms.release import Release

NUMBER = "number"
"""The shape of releases that the catalog lacks."""

GROUPS = "groups"
"""The shape of releases with a value for each group."""


SHAPES = watched(
    NamedObjects["Shape"](
        "shape",
        {
            "number": "app.releases.number:NumberShape",
            "points": "app.releases.points:PointsShape",
            "interior-point": "app.releases.points:InteriorPointShape",
            "synthetic-points": "app.releases.points:SyntheticPointsShape",
            "perturbed-points": "app.releases.points:PerturbedPointsShape",
            "balls": "app.releases.balls:BallsShape",
            "cells": "app.releases.cells:CellsShape",
            "matrix": "app.releases.matrix:MatrixShape",
            "quantiles": "app.releases.number:QuantilesShape",
            "table": "app.releases.counts:TableShape",
            "counts": "app.releases.counts:CountsShape",
            "conditions": "app.releases.counts:ConditionsShape",
            "category": "app.releases.counts:CategoryShape",
            "candidate": "app.releases.counts:CandidateShape",
            "shares": "app.releases.counts:SharesShape",
            "groups": "app.releases.groups:GroupsShape",
        },
    )
)
"""Shapes by name; the module of each is imported on first use."""


def register(shape: Shape) -> None:
    """Register a shape for the values of all mechanisms that name it; `ValueError` if the name is taken."""
    SHAPES.register(shape)


def shape_of(release: Release) -> Shape:
    """Return the shape of a released value; a number if the catalog lacks its mechanism."""
    if isinstance(release.value, dict) and "groups" in release.value:
        return SHAPES[GROUPS]  # also of a method that answers for each public group
    kind = mechanism_class(release)
    return SHAPES[NUMBER if kind is None else kind.facts.shape]
