"""Options of the pictures of the histogram page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.model import lazy
from app.model.pages.points import Directions, position
from app.model.picture_spec import Offered, OptionGroup, options
from engine import analysis as scenes
from engine.histograms.choices import ATTACKS, BASELINE, GRIDS, SWEPT
from engine.parameters import parameter

LARGEST = 1e6
"""Largest factor c of the isolation test."""
ATTACK_NAMES = {
    BASELINE: "blind guess",
    "occupied": "middle of any cell",
    "singleton": "middle of a sparse cell",
    "weighted": "point drawn in the cells",
    "cell": "box around a sparse cell",
}


class Columns(Directions):
    """Two different columns, where there are more than two."""

    @classmethod
    def editor(cls) -> type[Any]:
        return lazy.DistinctEditor

    @classmethod
    def offered(cls, selection: Any, *, public: bool) -> Offered:
        return {name: dict(enumerate(selection.source.columns)) for name in cls.listed}

    @classmethod
    def is_needed(cls, selection: Any, *, public: bool) -> bool:
        return len(selection.source.columns) > 2


@options
class Beside(OptionGroup):
    """Whether confidential values are drawn beside released ones."""

    records: bool = parameter(
        default=True,
        label="Show da&ta",
        help="The data, and what is true of them; without it, only what is released is drawn",
    )

    @classmethod
    def offered(cls, selection: Any, *, public: bool) -> Offered:
        return {"records": {False: ""}} if public else {}


@options
class LevelOptions(OptionGroup):
    """Number of cuts of cells."""

    @classmethod
    def editor(cls) -> type[Any]:
        return lazy.LevelEditor

    level: int | None = position(
        label="Level",
        help="How often cells are cut at most; None for as often as they are.",
    )


@options
class CellOptions(OptionGroup):
    """How cells are drawn."""

    grid: str = parameter(
        default=GRIDS[0],
        choices=GRIDS,
        choice_labels=("Cells only", "Shift and planes", "Cells at the faces"),
        label="",
        spoken="Parts of the shifted cubes",
        help="The cubes are shifted by a random u. Cells at the faces may be arbitrarily thin: they are "
        "disbanded, and their neighbors grow into their place.",
    )

    @classmethod
    def offered(cls, selection: Any, *, public: bool) -> Offered:
        (grid,) = cls.parameters()
        offered = grid.choices if selection.mechanism.facts.is_shifted else grid.choices[:1]
        return {"grid": {choice: grid.words_of(choice) for choice in offered}}


@options
class DensityOption(OptionGroup):
    """Whether cells of different sizes show how dense they are."""

    per_area: bool = parameter(
        default=True,
        label="Densit&y",
        help="Shade cells by how dense they are, else by how many points they hold",
    )


@options
class CellCloseUp(OptionGroup):
    """Whether only what lies around most points is in view."""

    closely: bool | None = parameter(
        default=None,
        kind="bool",
        optional=True,
        label="Close &up",
        help="Look at what lies around most points, as the cells tell it",
    )

    @classmethod
    def taken_by(cls, result: Any) -> Mapping[str, Any]:
        return {"closely": result.is_closeup} if isinstance(result, scenes.CellMap) else {}


@options
class TreeOptions(OptionGroup):
    """The structure computed on the cells."""

    @classmethod
    def editor(cls) -> type[Any]:
        return lazy.FacilityEditor

    price: float | None = parameter(
        default=None,
        kind="float",
        optional=True,
        lower=0.0,
        lower_open=True,
        label="Price",
        help="Of a facility; without one there is a spanning tree.",
    )
    matching: bool = parameter(
        default=False, label="Matching", help="Match points in pairs instead of joining them in a tree."
    )


@options
class QueryOptions(OptionGroup):
    """Origin of a query point: never its position, which may reveal data."""

    @classmethod
    def editor(cls) -> type[Any]:
        return lazy.AttackEditor

    attack: str | None = parameter(
        default=None,
        kind="choice",
        optional=True,
        choices=(BASELINE, *ATTACKS),
        label="Attack",
        help="The attack that last placed the query point.",
    )
    attack_seed: int = parameter(default=1, lower=0, label="Seed of the attack", help="Seed of the attack.")
    moved: tuple[float, ...] = parameter(
        default=(), kind="numbers", label="Moved", help="How far it was moved since, along each axis."
    )


@options
class QueryCloseUp(OptionGroup):
    """Whether only what lies around a query point is in view."""

    near: bool = parameter(default=False, label="Close u&p", help="Look at what lies around the query point")


@options
class SweepOptions(OptionGroup):
    """The quantity on the horizontal axis when attacks are compared."""

    swept: str = parameter(
        default=SWEPT[0],
        choices=SWEPT,
        choice_labels=(
            "c, size of the circle",
            "t, records that hide one",
            "d, even dimensions",
            "columns that are known",
            "d, boxes for one record",
        ),
        label="Var&y",
        spoken="Horizontal axis",
        help="The quantity on the horizontal axis when attacks are counted",
    )


@options
class IsolationOptions(OptionGroup):
    """The test of isolation."""

    c: float = parameter(
        default=4.0,
        lower=1.0,
        upper=LARGEST,
        label="c",
        spoken="c, size of the circle",
        help="A guess isolates the nearest record if fewer than t records lie within c times its distance",
    )
