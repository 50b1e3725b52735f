"""Pictures with options of their own: gaps between records, and how far points reach."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from app.model.pages.registry import add_picture
from app.model.picture_spec import OptionGroup, PictureSpec, Seeded, TabTitle
from app.plots.base import Picture
from engine.findings import Finding
from engine.parameters import parameter


@dataclasses.dataclass(frozen=True)
class Spread:
    """How far some records of the data are apart (private)."""

    gaps: np.ndarray

    def findings(self):
        yield Finding("largest gap", float(self.gaps.max()))


@dataclasses.dataclass(frozen=True)
class GapOptions(OptionGroup):
    """Which gaps are seen."""

    most: int = parameter(default=5, lower=1, upper=50, label="At most", help="Gaps that are drawn.")
    sorting: str = parameter(
        default="largest", choices=("largest", "in-order"), label="Order", help="Which come first."
    )
    outliers: bool = parameter(default=True, label="Outliers", help="Whether the ends count.")


def spread(mechanism, data, *, most=5, sorting="largest", outliers=True, seed=1, progress=None):
    """Return gaps between neighbouring records."""
    gaps = np.diff(data.ranks(1, data.n))[(0 if outliers else 1) :]
    gaps = np.sort(gaps)[::-1] if sorting == "largest" else gaps
    return Spread(gaps[:most] + 0.0 * seed)


class GapPicture(Picture[Spread]):
    """Gaps as a line."""

    title = "Gaps"

    def __init__(self, axes, *style: Any) -> None:
        super().__init__(axes, *style)
        self._gaps = self.line("local")

    def show(self, result: Spread) -> None:
        self._gaps.set_data(np.arange(result.gaps.size), result.gaps)
        self.axes.set_xlim(0, max(1, result.gaps.size - 1))

    def table_of(self, r: Spread):
        return ["place", "gap"], [[place, gap] for place, gap in enumerate(r.gaps.tolist())]

    def alt_text_of(self, r: Spread):
        return f"{r.gaps.size} gaps"


GAPS = PictureSpec(
    "gaps",
    TabTitle("Gaps", "Gaps between {records}", "Where records are far apart, ranks move far."),
    drawn_by="outside.picture:GapPicture",
    analysis="outside.picture:spread",
    options=(GapOptions, Seeded),
)

add_picture("median", GAPS)


@dataclasses.dataclass(frozen=True)
class Reach:
    """How far points reach along a column (private)."""

    reaches: np.ndarray
    seed: int

    def findings(self):
        yield Finding("reaches", self.reaches)


@dataclasses.dataclass(frozen=True)
class ReachOptions(OptionGroup):
    """Along which column, and for how many points."""

    listed: ClassVar[tuple[str, ...]] = ("column",)

    most: int = parameter(default=5, lower=1, upper=50, label="&At most", help="Points that are drawn.")
    column: int = parameter(default=0, lower=0, label="Al&ong", help="Which column.")

    @classmethod
    def offered(cls, selection, *, public):
        return {"column": dict(enumerate(selection.source.columns))}


def reach(mechanism, data, *, most=5, column=0, seed=1, progress=None):
    """Return how far the farthest points reach."""
    return Reach(np.sort(data.values[:, column])[::-1][:most], seed)


class ReachPicture(GapPicture):
    """Reaches as a line."""

    title = "Reach"

    def show(self, result: Reach) -> None:
        self._gaps.set_data(np.arange(result.reaches.size), result.reaches)

    def table(self):
        return ["place", "reach"], []

    def alt_text(self):
        return "" if self.result is None else f"{self.result.reaches.size} points"


REACH = PictureSpec(
    "reach",
    TabTitle("Reach", "How far points reach", "The farthest decide what the bounds must be."),
    drawn_by="outside.picture:ReachPicture",
    analysis="outside.picture:reach",
    options=(ReachOptions, Seeded),
)
ABOUT_POINTS = ("clustering", "one-cluster", "histogram")
for _page in ABOUT_POINTS:
    add_picture(_page, REACH)
