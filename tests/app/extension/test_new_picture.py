"""A picture that is defined here, and registered with one call, is everywhere where pictures are."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any, ClassVar

import nbformat
import numpy as np
import pytest
from scripts import example, found
from seen import choose, option

from app.export.script import script_of, to_notebook, to_python
from app.model.pages.registry import PAGES, add_picture, tabs_of
from app.model.picture_spec import OptionGroup, PictureSpec, Seeded, TabTitle
from app.model.view_states import ViewState
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

    def table(self):
        gaps = [] if self.result is None else self.result.gaps.tolist()
        return ["place", "gap"], [[place, gap] for place, gap in enumerate(gaps)]

    def alt_text(self):
        return "" if self.result is None else f"{self.result.gaps.size} gaps"


GAPS = PictureSpec(
    "gaps",
    TabTitle("Gaps", "Gaps", "Gaps between {records}", "Where records are far apart, ranks move far."),
    drawn_by="plugged_in:GapPicture",
    analysis="plugged_in:spread",
    options=(GapOptions, Seeded),
)


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """Register the picture for the time of a test."""
    monkeypatch.setitem(sys.modules, "plugged_in", sys.modules[__name__])
    for page in ("median", *ABOUT_POINTS):
        monkeypatch.setitem(PAGES, page, PAGES[page])
    add_picture("median", GAPS)
    for page in ABOUT_POINTS:
        add_picture(page, REACH)


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
    TabTitle("Reach", "Reach", "How far points reach", "The farthest decide what the bounds must be."),
    drawn_by="plugged_in:ReachPicture",
    analysis="plugged_in:reach",
    options=(ReachOptions, Seeded),
)
ABOUT_POINTS = ("clustering", "one-cluster", "histogram")


def opened(window):
    """Open the picture and choose other options."""
    page = window.body.pages["median"]
    page.show_tab("gaps")
    assert window.wait_until_idle()
    editor = page.card.editors[GapOptions]
    editor.boxes["most"].type_in("3")
    editor.boxes["outliers"].click()
    assert window.wait_until_idle()
    return page


def test_the_window_shows_it_with_its_options(window):
    page = opened(window)
    assert isinstance(page.canvas.picture, GapPicture)
    assert page.canvas.picture.result.gaps.size == 3
    assert page.card.badge.isVisible()
    assert page.canvas.accessibleName() == "Gaps between records"
    assert page.card.options["most"] == 3
    assert page.card.options["outliers"] is False


@pytest.mark.parametrize("page", ABOUT_POINTS)
def test_pages_about_points_show_one_with_its_options(points_on, page):
    values = np.random.default_rng(3).random((1500, 2))
    window = points_on(page=page, x=values[:, 0], y=values[:, 1])
    window.page.show_tab("reach")
    assert window.wait_until_idle(30_000)
    card = window.page.card
    most, column, again = option(card, "most"), option(card, "column"), card.editors[Seeded].again
    assert all(tool.isVisible() for tool in (most, column, again))
    most.type_in("3")
    choose(column, 1)
    again.click()
    assert window.wait_until_idle(30_000)
    result = window.page.canvas.picture.result
    assert result.reaches.tolist() == np.sort(values[:, 1])[::-1][:3].tolist()
    assert result.seed == card.options["seed"] == 2
    window.page.show_tab(window.page.card.shown[0])
    assert not most.isVisible()
    assert not window.body.messages.texts()


def test_it_stays_out_of_the_release_view(window):
    page = opened(window)
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert page.card.tab == "noise"


def test_a_session_file_keeps_it(window, tmp_path, window_of):
    from app.session import Session

    window.controllers.data.open_example("two-heaps")
    assert window.wait_until_idle()
    opened(window)
    path = tmp_path / "work.sensiscope"
    files = window.controllers.session_files
    files.write(path)
    assert window.wait_until_idle()
    again = window_of(Session())
    again.controllers.files.open_path(path)
    assert again.wait_until_idle(20_000)
    page = again.body.pages["median"]
    assert page.card.tab == "gaps"
    assert page.card.options["most"] == 3


def test_a_script_and_a_notebook_have_its_numbers_and_the_picture():
    state = example("median", "two-heaps")
    view_state = ViewState(tab="gaps", options={"most": 4})
    cells = script_of(state, view_state)
    names = found(to_python(cells))
    assert names["shown"].gaps.size == 4
    assert "largest gap (private): " in names["printed"]
    code = [cell.source for cell in nbformat.reads(to_notebook(cells), as_version=4).cells]
    assert any("export_picture(GapPicture, shown" in source for source in code)
    assert any("from plugged_in import" in source for source in code)


def test_it_is_a_tab_for_lessons_and_screenshots():
    assert "gaps" in tabs_of("median")


def test_a_report_and_a_file_of_numbers_hold_it(window, tmp_path):
    from app.export.report.curator_sections import picture_section

    page = opened(window)
    section = picture_section(page.canvas.drawn)
    assert section.private
    header, rows = page.canvas.picture.saved_table()
    assert header[0] == "place"
    assert len(rows) == 3
