"""What is said about cells: under the pointer, in words for all of them, and in a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.model.wording.numbers import number, quantity
from app.model.wording.ratios import times
from app.plots.base import Picture
from app.plots.clustering.cloud_words import place_words
from app.plots.clustering.drawn_space import DrawnSpace
from engine.analysis.histogram_contents import CellsAlong
from engine.analysis.histogram_maps import CellMap, ShiftPlanes
from engine.analysis.shared.projections import Direction
from engine.array_types import Floats

_KINDS = {"cells": "cells", "boxes": "boxes around cells", "voronoi": "Voronoi cells"}


def count_words(count: float) -> str:
    """Say how many records there are; with noise there may be parts of one."""
    return f"{number(count)} record{'s' * (count != 1)}"


def cells_words(cells: CellsAlong) -> str:
    """Say how many cells there are, of what kind, and how many are not empty if some are."""
    kind = _KINDS[cells.kind]
    if cells.spread:
        return f"{kind}, spread over a grid"
    text, held = f"{number(len(cells.counts))} {kind}", int((cells.counts > 0).sum())
    if len(cells.counts) == 1:
        text = "1 cell" if cells.kind == "cells" else text
    return text if held == len(cells.counts) else f"{text} ({number(held)} not empty)"


def caption_of(picture: Picture[Any]) -> str:
    """Say what must be known of a saved picture of what a mechanism has counted exactly; "" else."""
    made = None if picture.result is None else picture.result.mechanism
    return "" if made is None or made.facts.is_private else exact_words(made.label, getattr(made, "t", None))


def exact_words(kind: str, t: int | None) -> str:
    """Say of a histogram with exact counts of what kind it is, and that it is not private."""
    named = kind if t is None else f"{kind}, t = {number(t)}"
    return f"{named}: exact counts, not differentially private"


def cell_words(directions: tuple[Direction, ...], cells: CellsAlong, index: int, dense: Floats) -> str:
    """Say what a cell holds, where it lies, and how dense it is against the average."""
    around = "around" if cells.polygons is not None else "in"
    sides = ", ".join(
        f"{direction.name} {quantity(low, direction.unit)} to {quantity(high, direction.unit)}"
        for direction, low, high in zip(
            directions, cells.lower[index].tolist(), cells.upper[index].tolist(), strict=True
        )
    )
    spread = " (spread evenly)" * cells.spread
    text = f"{count_words(float(cells.counts[index]))}{spread} in the cell {around} {sides}"
    return f"{text}; {times(float(dense[index]), 'the average density', digits=2)}"


def summary_words(view: CellMap) -> str:
    """Say what there is, and where most of it is."""
    cells = view.cells
    texts = [f"{cells_words(cells)} with {count_words(float(cells.counts.sum()))}"]
    if cells.counts.size:
        least, most = (count_words(float(count)) for count in (cells.counts.min(), cells.counts.max()))
        texts.append(f"the emptiest holds {least}, the fullest {most}")
    if view.chosen is not None:
        texts.append(f"chosen: {count_words(float(cells.counts[view.chosen]))}")
    if view.shift is not None:
        texts.append(f"shifted to {place_words(view, view.shift.middle)}")
    if view.records is not None:
        texts.append(f"{count_words(view.records.n)} (confidential)")
    names = " and ".join(direction.name for direction in view.directions)
    return f"Along {names}: {'; '.join(texts)}."


def place_header(directions: tuple[Direction, ...]) -> list[str]:
    """Return the names of the columns that say where something lies."""
    return [f"{direction.name} {end}" for direction in directions for end in ("from", "to")]


def cell_rows(cells: CellsAlong, chosen: int | None = None) -> list[list[Any]]:
    """Return mark, count, and from where to where, for each cell."""
    corners = np.stack([cells.lower, cells.upper], axis=2).reshape(-1, 2 * cells.lower.shape[1])
    rows = zip(cells.counts.tolist(), corners.tolist(), strict=True)
    return [
        ["cell" + " (chosen)" * (index == chosen), count, *sides] for index, (count, sides) in enumerate(rows)
    ]


def record_rows(view: DrawnSpace) -> list[list[Any]]:
    """Return the records that are drawn, each from where it is to there."""
    if view.records is None or view.records.dots is None:
        return []
    return [["record", 1, *row] for row in np.repeat(view.records.dots, 2, axis=1).tolist()]


def shift_rows(shift: ShiftPlanes | None) -> list[list[Any]]:
    """Return the inflated cube, and the planes of each direction."""
    if shift is None:
        return []
    ends = np.stack([shift.lower, shift.upper], axis=1).ravel().tolist()
    rows: list[list[Any]] = [
        ["inflated cube", "", *ends],
        ["shift", "", *np.repeat(shift.middle, 2).tolist()],
    ]
    for name, planes in (("plane", shift.kept), ("dropped plane", shift.dropped)):
        for axis, places in enumerate(planes):
            blank = [""] * len(ends)
            rows += [
                [name, "", *blank[: 2 * axis], position, position, *blank[2 * axis + 2 :]]
                for position in places.tolist()
            ]
    return rows


def swept_words(swept: str, value: float) -> str:
    """Say at which value of what is swept attacks are."""
    if swept == "known":
        return f"{number(value)} known columns"
    return f"{'d' if swept == 'predicates' else swept} = {number(value)}"
