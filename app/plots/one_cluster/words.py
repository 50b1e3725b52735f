"""What is said about a picture of balls: its key, what is under the pointer, its numbers."""

from __future__ import annotations

from typing import Any

from app.model.wording.numbers import number, quantity
from app.plots.base import Table
from app.plots.clustering.cloud_words import common_unit, place_words, record_rows, records_words
from engine.analysis.ball_scenes import BallCloud, Disc


def balls_words(view: BallCloud) -> list[str]:
    """Say in lines what the balls in green are."""
    how = "simulated" if view.simulated else "released"
    if len(view.balls) != 1:
        return [f"{number(len(view.balls))} {how} balls"]
    return [f"{how} ball:", size_words(view, view.balls[0])]


def truth_words(view: BallCloud) -> list[str]:
    """Say in lines what the balls are that they are compared with."""
    if len(view.truth) != 1:
        return [f"{number(len(view.truth))} true balls"]
    return ["true ball:", size_words(view, view.truth[0])]


def size_words(view: BallCloud, disc: Disc) -> str:
    """Say how large a ball is, and what is in it as far as that is known."""
    if disc.radius == 0:
        return "a single point" if disc.held is None else f"{count_words(disc.held)} at one point"
    radius = quantity(disc.radius, common_unit(view))
    return f"radius {radius}" if disc.held is None else f"{count_words(disc.held)} within {radius}"


def count_words(count: int) -> str:
    """Say how many records there are."""
    return f"{number(count)} record{'s' * (count != 1)}"


def mean_words(view: BallCloud, mark: str) -> str:
    """Say what a mean is of."""
    if mark == "true_mean":
        return "true mean inside"
    return f"{'simulated' if view.simulated else 'released'} mean inside"


def boxes_words(view: BallCloud) -> list[str]:
    """Say in lines what boxes they are."""
    boxes = view.boxes
    assert boxes is not None
    of_several = f"try {boxes.partition + 1} of {boxes.partitions}: " if boxes.partitions > 1 else ""
    side = quantity(boxes.side, common_unit(view))
    text = f"{of_several}{number(boxes.held)} boxes of side {side} that hold records"
    shown = len(boxes.shown)
    return [text] if shown == len(boxes.counts) else [text, f"(the fullest {number(shown)})"]


def chosen_words(view: BallCloud) -> str:
    """Say what the box holds that was chosen."""
    assert view.boxes is not None
    assert view.boxes.chosen is not None
    return f"chosen: {count_words(int(view.boxes.counts[view.boxes.chosen]))}"


def ball_words(view: BallCloud, kind: str, index: int) -> str:
    """Say which ball it is, where, and how large."""
    discs = view.balls if kind == "balls" else view.truth
    if kind == "truth":
        name = f"true ball (the smallest around a record that holds {number(view.target)})"
    else:
        name = f"{'simulated' if view.simulated else 'released'} ball"
    which = f" {number(index + 1)} of {number(len(discs))}" if len(discs) > 1 else ""
    disc = discs[index]
    return f"{name}{which}: {size_words(view, disc)}, center {place_words(view, disc.center)}"


def box_words(view: BallCloud, index: int) -> str:
    """Say what is in one of the boxes, and whether it was chosen."""
    assert view.boxes is not None
    sides = ", ".join(
        f"{direction.name} {quantity(low, direction.unit)} to {quantity(high, direction.unit)}"
        for direction, low, high in zip(
            view.directions, view.boxes.lower[index].tolist(), view.boxes.upper[index].tolist(), strict=True
        )
    )
    chosen = " (chosen)" * (index == view.boxes.chosen)
    return f"{count_words(int(view.boxes.counts[index]))} in the box {sides}{chosen}"


def summary_words(view: BallCloud) -> str:
    """Say what there is, and where."""
    texts = []
    if view.records is not None:
        texts.append(records_words(view).removesuffix(", by density"))
    for kind, discs in (("balls", view.balls), ("truth", view.truth)):
        texts += [ball_words(view, kind, index) for index in range(len(discs))]
    for mark in ("mean", "true_mean"):
        mean = getattr(view, mark)
        if mean is not None:
            texts.append(f"{mean_words(view, mark)}: {place_words(view, mean)}")
    if view.boxes is not None:
        texts.append(" ".join(boxes_words(view)))
        if view.boxes.chosen is not None:
            texts.append(box_words(view, view.boxes.chosen))
    names = " and ".join(direction.name for direction in view.directions)
    return f"Along {names}: {'; '.join(texts) or 'nothing to see yet'}."


def ball_table(view: BallCloud) -> Table:
    """Return everything that is drawn: a ball, a mean, a corner of a box or a record in a row."""
    header = ["mark", "number or count", "radius"]
    header += [direction.name for direction in view.directions]
    rows: list[list[Any]] = []
    released = f"{'simulated' if view.simulated else 'released'} ball"
    for name, discs in ((released, view.balls), ("true ball", view.truth)):
        rows += [[name, i, float(disc.radius), *disc.center.tolist()] for i, disc in enumerate(discs, 1)]
    for mark in ("mean", "true_mean"):
        mean = getattr(view, mark)
        if mean is not None:
            rows.append([mean_words(view, mark), "", "", *mean.tolist()])
    return header, rows + _box_rows(view) + [[mark, i, "", *at] for mark, i, _, *at in record_rows(view)]


def _box_rows(view: BallCloud) -> list[list[Any]]:
    boxes = view.boxes
    if boxes is None:
        return []
    rows: list[list[Any]] = []
    for position in boxes.shown[::-1].tolist():
        name, count = f"box{' (chosen)' * (position == boxes.chosen)}", int(boxes.counts[position])
        rows += [[f"{name}, lower corner", count, "", *boxes.lower[position].tolist()]]
        rows += [[f"{name}, upper corner", count, "", *boxes.upper[position].tolist()]]
    return rows
