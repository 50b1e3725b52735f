"""The shapes of released values, by name; extensions register more."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING

from app.releases.labels import mechanism_class
from engine.components import Registry
from engine.plugins import watched

if TYPE_CHECKING:
    from app.releases.shape import Shape
    from engine.mechanisms.release import Release

NUMBER = "number"
"""The shape of releases that the catalog lacks."""

GROUPS = "groups"
"""The shape of releases with a value for each group."""


class _Shapes(Registry["Shape"]):
    """Shapes by name; the module of each is imported on first use."""

    def imported(self, name: str, target: str) -> Shape:
        shape: Shape = resolve_name(target)()
        assert shape.name == name
        return shape


SHAPES = watched(_Shapes("shape"))
for _name, _target in {
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
}.items():
    SHAPES.add(_name, _target)


def register(shape: Shape) -> None:
    """Register a shape for the values of all mechanisms that name it; `ValueError` if the name is taken."""
    if shape.name in SHAPES:
        raise ValueError(f"there is another shape called {shape.name!r}")
    SHAPES[shape.name] = shape


def shape_of(release: Release) -> Shape:
    """Return the shape of a released value; a number if the catalog lacks its mechanism."""
    if isinstance(release.value, dict) and "groups" in release.value:
        return SHAPES[GROUPS]  # also of a method that answers for each public group
    kind = mechanism_class(release)
    return SHAPES[NUMBER if kind is None else kind.facts.shape]
