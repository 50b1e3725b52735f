"""The options of the pictures of the page about histograms."""

from __future__ import annotations

import dataclasses

from app.model.pages.points import MOST_PLACES
from app.model.picture_spec import OptionGroup
from engine.analysis.attack_sweep import SWEPT
from engine.analysis.histogram_maps import GRIDS
from engine.histograms.attacks import ATTACKS, BASELINE
from engine.parameters import parameter

LARGEST = 1e6
"""The c of the test of isolation, at most."""


@dataclasses.dataclass(frozen=True)
class Beside(OptionGroup):
    """Whether what is private stands beside what is released."""

    records: bool = parameter(default=True, label="Private data", help="The data, and what is true of them.")


@dataclasses.dataclass(frozen=True)
class CellOptions(OptionGroup):
    """Which cells are seen, and how."""

    level: int | None = parameter(
        default=None,
        kind="int",
        optional=True,
        lower=0,
        upper=MOST_PLACES,
        label="Level",
        help="How often cells are cut at most; None for as often as they are.",
    )
    closely: bool | None = parameter(
        default=None, kind="bool", optional=True, label="Close up", help="What lies around nearly all points."
    )
    grid: str = parameter(default=GRIDS[0], choices=GRIDS, label="Grid", help="What is drawn of the cubes.")
    per_area: bool = parameter(default=True, label="Density", help="Shade cells by how dense they are.")


@dataclasses.dataclass(frozen=True)
class TreeOptions(OptionGroup):
    """What is built on cells."""

    price: float | None = parameter(
        default=None,
        kind="float",
        optional=True,
        lower=0.0,
        lower_open=True,
        label="Price",
        help="Of a facility; without one there is a spanning tree.",
    )


@dataclasses.dataclass(frozen=True)
class QueryOptions(OptionGroup):
    """Where a query point is, and what is seen of it: never the place itself, which may tell of the data."""

    attack: str | None = parameter(
        default=None,
        kind="choice",
        optional=True,
        choices=(BASELINE, *ATTACKS),
        label="Attack",
        help="What has put the query point where it was last put by an attack.",
    )
    attack_seed: int = parameter(default=1, lower=0, label="Seed of the attack", help="What it draws from.")
    moved: tuple[float, ...] = parameter(
        default=(), kind="numbers", label="Moved", help="How far it was moved since, along each axis."
    )
    near: bool = parameter(default=False, label="Close up", help="Only what lies around it.")


@dataclasses.dataclass(frozen=True)
class IsolationOptions(OptionGroup):
    """The test of isolation."""

    c: float = parameter(
        default=4.0, lower=1.0, upper=LARGEST, label="c", help="How far c times the nearest record reaches."
    )


@dataclasses.dataclass(frozen=True)
class SweepOptions(OptionGroup):
    """What varies where attacks are compared."""

    swept: str = parameter(default=SWEPT[0], choices=SWEPT, label="By", help="What varies.")
