"""The picture of the stage that is open, with the tools that belong to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QWidget

from app.model.page_spec import PageSpec
from app.model.pages import audit as audit_tabs
from app.model.pages.clustering import BlocksOptions, OutputsOptions
from app.model.pages.points import Directions
from app.model.picture_spec import Seeded, TabTitle
from app.pages.base.points_options import DirectionOptions, DrawOptions
from app.pages.base.points_panel import DeclaredPointsPanel, classes_of, titles_of
from app.widgets.parameter_form import combo

ZOOM = 180
(PUBLISHED,), (IN_VIEW,) = BlocksOptions.parameters(), OutputsOptions.parameters()


class PipelinePanel(DeclaredPointsPanel):
    """Shows the picture of one stage."""

    def __init__(self, declared: PageSpec) -> None:
        self.declared = declared
        self._titles = titles_of(declared)
        super().__init__("Picture of the stage", "release", classes_of(declared))
        self.show_tab("release")

    @property
    def zoom(self) -> int | None:
        """The center that is looked at closely; None for everything."""
        place = self.zoom_box.currentIndex()
        return place - 1 if place > 0 else None

    def _own_options(self) -> dict[str, Any]:
        return {"zoom": self.zoom, "published": self.published_box.isChecked()}

    def _show_own_options(self, values: Mapping[str, Any]) -> None:
        place = 0 if values["zoom"] is None else values["zoom"] + 1
        self.zoom_box.setCurrentIndex(place if place < self.zoom_box.count() else 0)
        self.published_box.setChecked(values["published"])

    def show_tab(self, tab: str) -> None:
        """Open the picture of a stage."""
        self._open_tab(tab)
        self._show_title()

    def show_view(self, curator: bool) -> None:
        """Show everything, or what was released."""
        super().show_view(curator)
        self._show_title()
        self._show_tools()

    def show_directions(self, names: tuple[str, ...], principal: bool) -> None:
        """Offer directions by name, and principal components; keep what was chosen, if it is still there."""
        self.directions.offer(names, principal)
        self._show_tools()

    def show_centers(self, noun: str, k: int) -> None:
        """Offer to look at each of k centers closely."""
        offered = ["everything", *(f"{noun} {place + 1}" for place in range(k))]
        if [self.zoom_box.itemText(place) for place in range(self.zoom_box.count())] != offered:
            self.zoom_box.clear()
            self.zoom_box.addItems(offered)

    def _words(self, tab: str) -> TabTitle:
        return self._titles[tab]

    def _show_title(self) -> None:
        described = self._curator or self.tab == audit_tabs.TAB
        self.set_title(self._titles[self.tab].shows if described else "What was released")

    def _build_tools(self) -> tuple[QWidget, ...]:
        self.directions = DirectionOptions()
        self.directions.chosen.connect(self.asked)
        self.zoom_box = combo("What is in view")
        self.zoom_box.addItem("everything")
        self.zoom_box.setToolTip(IN_VIEW.help)
        self.zoom_box.activated.connect(self._on_choice)
        self.zoom_box.setMaximumWidth(ZOOM)
        self.zoom_label = QLabel(IN_VIEW.label)
        self.zoom_label.setBuddy(self.zoom_box)
        self.draws = DrawOptions()
        self.draws.asked.connect(self.asked)
        self.places = QWidget()
        line = QHBoxLayout(self.places)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.directions, 2)
        line.addWidget(self.zoom_label)
        line.addWidget(self.zoom_box, 1)
        line.addStretch(1)
        self.published_box = QCheckBox(PUBLISHED.label)
        self.published_box.setToolTip(PUBLISHED.help)
        self.published_box.toggled.connect(self._on_choice)
        self._last_tool = self.published_box
        return self.places, self.draws, self.published_box

    def _show_tools(self) -> None:
        zooms = self._has(OutputsOptions) and self._curator
        many = self.directions.many
        self.places.setVisible(self._has(Directions) and (many or zooms))
        self.directions.setVisible(many)
        self.zoom_label.setVisible(zooms)
        self.zoom_box.setVisible(zooms)
        self.draws.setVisible(self._has(Seeded) and self._curator)
        self.published_box.setVisible(self._has(BlocksOptions) and self._curator)

    def _on_choice(self, *_: object) -> None:
        self.asked.emit()
