"""What is said about a picture of clouds: its key, what is under the pointer, its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.model.wording.numbers import number, quantity
from app.plots.base import Table
from app.plots.clustering.drawn_space import DrawnSpace
from engine.analysis.clouds import Cloud
from engine.analysis.cluster_scenes import SHARES
from engine.array_types import Floats

MARKS = ("released", "baseline", "center", "truth")
"""The sets of points that a view may have beside records and outputs, the most important first."""


def mark_words(view: Cloud, mark: str) -> str:
    """Say what a mark stands for."""
    simulated = ", simulated" if view.simulated else ""
    return {
        "released": "one simulated release" if view.simulated else "released",
        "baseline": f"{view.baseline_name}{simulated or ', released'}",
        "center": view.center_name,
        "truth": f"true {view.noun}{'s' * (view.truth is not None and len(view.truth) > 1)}",
    }[mark]


def circle_words(view: Cloud) -> str:
    """Say what the circles around the center of attention hold."""
    assert view.radius is not None
    radius = quantity(view.radius, common_unit(view))
    return f"{number(view.majority)} outputs within {radius}"


def bound_words(view: Cloud) -> str:
    """Say what the circles are if they are not the ball itself."""
    return "" if view.exact else "(an upper bound)"


def region_words(view: Cloud) -> str:
    """Say what the regions hold."""
    inner, outer = (number(100 * share) for share in SHARES)
    return f"{inner} % and {outer} % of {'releases' if view.released is None else 'its noise'}"


def records_words(view: DrawnSpace) -> str:
    """Say how many records there are, and how they are shown."""
    assert view.records is not None
    text = f"{number(view.records.n)} record{'s' * (view.records.n != 1)}"
    return text if view.records.counts is None else f"{text}, by density"


def outputs_words(view: Cloud) -> str:
    """Say of how many blocks the outputs are."""
    assert view.outputs is not None
    return f"outputs of {number(len(view.outputs))} blocks"


def name_words(view: Cloud, kind: str, index: int) -> str:
    """Say which of the points of one kind it is."""
    if kind == "records":
        return f"record {number(index + 1)}"
    if kind != "outputs":
        return mark_words(view, kind)
    assert view.outputs is not None
    k = view.outputs.shape[1]
    text = f"output of block {number(index // k + 1)}"
    return text if k == 1 else f"{text}, {view.noun} {number(index % k + 1)}"


def common_unit(view: DrawnSpace) -> str:
    """Return the unit of all directions, "" where they differ."""
    units = {direction.unit for direction in view.directions}
    return units.pop() if len(units) == 1 else ""


def place_words(view: DrawnSpace, point: Floats) -> str:
    """Say where a point is."""
    return ", ".join(
        f"{direction.name} {quantity(float(value), direction.unit)}"
        for direction, value in zip(view.directions, point, strict=True)
    )


def cell_words(view: DrawnSpace, point: Floats) -> str:
    """Say how many records are in the cell around a point of the window."""
    if view.records is None or view.records.counts is None:
        return ""
    counts = view.records.counts
    share = [(x - side.lower) / side.width for x, side in zip(point, view.records.window, strict=True)]
    if not all(0 <= s <= 1 for s in share):
        return ""
    count = int(
        counts[tuple(min(int(s * size), size - 1) for s, size in zip(share, counts.shape, strict=True))]
    )
    return f"{number(count)} record{'s' * (count != 1)} in the cell at {place_words(view, point)}"


def summary_words(view: Cloud) -> str:
    """Say what there is, and how far apart."""
    texts = []
    if view.records is not None:
        texts.append(records_words(view).removesuffix(", by density"))
    if view.outputs is not None:
        texts.append(outputs_words(view))
    if view.radius is not None:
        texts.append(f"{circle_words(view)} {bound_words(view)}".strip())
    for mark in MARKS:
        points = getattr(view, mark)
        if points is not None:
            places = " and ".join(f"({place_words(view, point)})" for point in points[:6])
            more = f" and {number(len(points) - 6)} more" if len(points) > 6 else ""
            texts.append(f"{mark_words(view, mark)}: {places}{more}")
    names = " and ".join(direction.name for direction in view.directions)
    return f"Along {names}: {'; '.join(texts) or 'nothing to see yet'}."


def cloud_table(view: Cloud) -> Table:
    """Return everything that is drawn, one point in a row; regions and circles by their half-widths."""
    header = ["mark", "record, block or count", "center"]
    header += [direction.name for direction in view.directions]
    rows: list[list[Any]] = []
    for mark in MARKS:
        points = getattr(view, mark)
        if points is not None:
            rows += [[mark_words(view, mark), "", j, *point] for j, point in enumerate(points.tolist(), 1)]
    if view.regions is not None:
        for share, sizes in zip(SHARES, view.regions.tolist(), strict=True):
            name = f"half-width of the {number(100 * share)} % region"
            rows += [[name, "", j, *size] for j, size in enumerate(sizes, 1)]
    if view.radius is not None:
        rows.append(
            [
                f"{circle_words(view)} {bound_words(view)}".strip(),
                "",
                "",
                *[view.radius] * len(view.directions),
            ]
        )
    if view.outputs is not None:
        for block, centers in enumerate(view.outputs.tolist(), 1):
            rows += [["output", block, j, *point] for j, point in enumerate(centers, 1)]
    return header, rows + record_rows(view)


def record_rows(view: DrawnSpace) -> list[list[Any]]:
    """Return the records, or the cells that hold some: mark, record or count, nothing, and where."""
    if view.records is None:
        return []
    if view.records.dots is not None:
        return [["record", i, "", *point] for i, point in enumerate(view.records.dots.tolist(), 1)]
    counts = view.records.counts
    assert counts is not None
    filled = np.argwhere(counts)
    lower = np.array([side.lower for side in view.records.window])
    width = np.array([side.width for side in view.records.window])
    middles = lower + (filled + 0.5) * width / counts.shape
    held = counts[tuple(filled.T)].tolist()
    return [
        ["records in a cell", c, "", *position] for c, position in zip(held, middles.tolist(), strict=True)
    ]
