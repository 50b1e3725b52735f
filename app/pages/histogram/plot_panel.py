"""The pictures of the page about histograms: one tab each, with the tools that belong to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.model.page_spec import PageSpec
from app.model.pages.histogram import PICTURES, SPECS
from app.model.pages.histogram_options import Beside, CellOptions, IsolationOptions, QueryOptions, TreeOptions
from app.model.pages.points import Directions
from app.pages.base.points_options import DirectionOptions, DrawOptions
from app.pages.base.points_panel import DeclaredPointsPanel, classes_of, titles_of
from app.pages.base.tabbed_plot_panel import TabbedPlotPanel
from app.pages.histogram.facility_options import FacilityOptions
from app.pages.histogram.options_bar import AttackOptionsBar, LevelOptionsBar
from app.theme import Palette
from app.widgets.card import caption, set_text, show_only
from app.widgets.parameter_form import combo

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

GRIDS = {
    "cells": "Cells only",
    "after": "Shift and planes",
    "before": "Cells at the faces",
}
GRID_HELP = (
    "The cubes are shifted by a random u. Cells at the faces may be arbitrarily thin: they are disbanded, "
    "and their neighbours grow into their place."
)
SYNTHETIC_HELP = (
    "Draw points evenly from the cells, as many as they hold, and save them as CSV or Parquet. Of a release "
    "they may leave the room like the release itself; of a simulated histogram they may not."
)


class HistogramPlotPanel(DeclaredPointsPanel, TabbedPlotPanel):
    """Shows cells, and what can be learned from them.

    Signals
    -------
    pointed(float, float)
        A person has put the query point at a place of the picture.
    nudged(int, int)
        It is moved by arrow keys, as in `PlotCanvas`.
    dropped()
        The mouse button is not held any more.
    points_wanted()
        Points are to be drawn from the histogram that is shown, and saved.
    """

    pointed = Signal(float, float)
    nudged = Signal(int, int)
    dropped = Signal()
    points_wanted = Signal()

    def __init__(self, declared: PageSpec) -> None:
        self.declared = declared
        self._shifted = False
        self._random = True
        self._chosen_closely = False
        super().__init__(
            "Histograms", PICTURES[0].name, classes_of(declared), titles_of(declared), dense=True
        )
        self.body.addWidget(self.notice)
        self.show_only([spec.name for spec in PICTURES if spec.of == PICTURES[0].of])
        self._show_tools()

    def _own_options(self) -> dict[str, Any]:
        return {
            "level": self.levels.level,
            "records": self.records,
            "per_area": self.per_area,
            "closely": self.closely,
            "grid": self.grid,
            "c": self.attacks.factor,
            "swept": self.attacks.sweep,
            "near": self.attacks.near,
            "price": self.sites.price,
        }

    def _show_own_options(self, values: Mapping[str, Any]) -> None:
        # which level once it is known how many there are
        self.levels.choose(values["level"])
        self.records_box.setChecked(values["records"])
        self.density_box.setChecked(values["per_area"])
        self._chosen_closely = values["closely"] is not None
        self.closely_box.setChecked(bool(values["closely"]))
        self.grid_box.setCurrentIndex(max(0, self.grid_box.findData(values["grid"])))
        attack = None if values["attack"] is None else (values["attack"], values["attack_seed"])
        self.attacks.choose(values["c"], values["swept"], values["near"], attack)
        self.sites.choose(values["price"])

    @property
    def grid(self) -> str:
        """What is drawn of shifted cubes beside their cells."""
        return str(self.grid_box.currentData())

    @property
    def records(self) -> bool:
        """Whether the data are drawn, too."""
        return self.records_box.isChecked()

    @property
    def per_area(self) -> bool:
        """Whether cells are shaded by density."""
        return self.density_box.isChecked()

    @property
    def closely(self) -> bool | None:
        """Whether only what lies around nearly all points is in view; None while nobody has chosen."""
        return self.closely_box.isChecked() if self._chosen_closely else None

    def open(self) -> PlotCanvas:
        """Show the picture that is open, and make it if need be."""
        new = self.tab not in self._canvases
        canvas = super().open()
        if new and self.tab == "isolation":
            canvas.pressed.connect(self.pointed)
            canvas.moved.connect(self.pointed)
            canvas.nudged.connect(self.nudged)
            canvas.released.connect(self._on_released)
        return canvas

    def show_directions(self, names: tuple[str, ...]) -> None:
        """Offer directions by name."""
        self.directions.offer(names, principal=False)
        self._show_tools()

    def show_kind(self, shifted: bool, words: str, *, random: bool = True) -> None:
        """Offer what belongs to shifted cubes, and another draw of what is random; say what is to be said."""
        self._shifted, self._random = shifted, random
        set_text(self.notice, words)
        self._show_tools()

    def show_closely(self, on: bool) -> None:
        """Show whether the picture is a close-up, while nobody has chosen."""
        if not self._chosen_closely:
            self.closely_box.setChecked(on)

    def forget_levels(self) -> None:
        """Forget what the tools say about a histogram of the raw data."""
        self.levels.forget()
        self.show_closely(False)
        self._show_tools()

    def offer_levels(self, deepest: int) -> None:
        """Offer to look at each level."""
        self.levels.offer(deepest)
        self._show_tools()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        super().set_palette(palette)
        self.levels.set_palette(palette)

    def _build_head(self) -> None:
        super()._build_head()
        self._title.hide()  # the tabs say it
        self.tabs.setUsesScrollButtons(True)  # there are many of them in many dimensions

    def _build_tools(self) -> tuple[QWidget, ...]:
        self.notice = caption()
        self.directions = DirectionOptions()
        for box in (self.directions.across, self.directions.up):
            box.activated.connect(self._part_directions)
        self.directions.chosen.connect(self.asked)
        self.records_box = QCheckBox("Priva&te data")
        self.records_box.setChecked(True)
        self.records_box.setToolTip(
            "The data, and what is true of them; without it, only what is released is drawn"
        )
        self.density_box = QCheckBox("Densit&y")
        self.density_box.setChecked(True)
        self.density_box.setToolTip("Shade cells by how dense they are, else by how many points they hold")
        self.closely_box = QCheckBox("Close &up")
        self.closely_box.setToolTip("Look at what lies around nearly all points, as the cells tell it")
        self.closely_box.clicked.connect(self._on_closely)
        self.grid_box = combo("What is drawn of the shifted cubes", stretch=False)
        self.grid_box.setToolTip(GRID_HELP)
        for key, words in GRIDS.items():
            self.grid_box.addItem(words, key)
        self.grid_box.setMinimumContentsLength(15)
        self.grid_box.activated.connect(self._on_choice)
        for switch in (self.records_box, self.density_box):
            switch.clicked.connect(self._on_choice)
        self.levels = LevelOptionsBar()
        self.levels.moved.connect(self.asked)
        self.attacks = AttackOptionsBar()
        self.attacks.asked.connect(self.asked)
        self.sites = FacilityOptions()
        self.sites.asked.connect(self.asked)
        self.draws = DrawOptions()
        self.draws.asked.connect(self.asked)
        self.choices = _row(
            (self.levels, 2),
            (self.attacks, 2),
            (self.sites, 2),
            (self.grid_box, 0),
            (self.density_box, 0),
        )
        self.synthetic = QPushButton("&Synthetic points…")
        self.synthetic.setToolTip(SYNTHETIC_HELP)
        self.synthetic.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.synthetic.clicked.connect(self.points_wanted)
        closer = self.attacks.near_box
        self.releases = _row(
            (self.records_box, 0), (self.closely_box, 0), (closer, 0), (self.draws, 2), (self.synthetic, 0)
        )
        self.along = _row((self.directions, 1))
        self._last_tool = self.directions.up
        return self.choices, self.releases, self.along

    def _show_tools(self) -> None:
        """Show the tools of the tab that is open, as far as there is something to choose."""
        cells, along = self._has(CellOptions), self._has(Directions) and self.directions.many
        self.attacks.part(self.tab)
        first = {
            self.levels: cells and self.levels.some,
            self.grid_box: cells and self._shifted,
            self.density_box: cells,
            self.attacks: self._has(IsolationOptions),
            self.sites: self._has(TreeOptions),
        }
        second = {
            self.draws: self._curator and self._is_drawn_anew,
            self.records_box: self._has(Beside) and self._curator,
            self.closely_box: cells,
            self.attacks.near_box: self._has(QueryOptions),
            self.synthetic: cells,
        }
        rows = {self.choices: any(first.values()), self.releases: any(second.values())}
        show_only(first | second | {self.directions: along, self.along: along} | rows)
        if not cells:
            self.levels.stop()
        self._show_badge()

    @property
    def _is_drawn_anew(self) -> bool:
        """Whether another seed gives another picture."""
        spec = SPECS.get(self.tab)
        return spec is not None and spec.is_seeded and (self._random or not spec.settled)

    def _part_directions(self, _: int) -> None:
        """Let both directions never be the same one."""
        across, up = self.directions.across, self.directions.up
        if across.currentIndex() != up.currentIndex() or across.count() < 2:
            return
        other = up if self.sender() is across else across
        blocker = QSignalBlocker(other)
        other.setCurrentIndex((other.currentIndex() + 1) % other.count())
        blocker.unblock()

    def _on_tab(self, index: int) -> None:
        set_text(self.advice, "")
        super()._on_tab(index)

    def _on_released(self, _x: float, _y: float) -> None:
        self.dropped.emit()

    def _on_closely(self, _: object) -> None:
        self._chosen_closely = True
        self.asked.emit()

    def _on_choice(self, _: object) -> None:
        self.asked.emit()


def _row(*widgets: tuple[QWidget, int]) -> QWidget:
    """Return widgets on one line, with how much of the room each takes."""
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    for widget, stretch in widgets:
        line.addWidget(widget, stretch)
    if all(stretch < 2 for _, stretch in widgets):
        line.addStretch(1)
    return row
