"""The picture of the stage that is open, with the tools that belong to it."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QWidget

from app.model.picture_spec import TabTitle
from app.model.view_states import PipelineViewState
from app.pages.audit import tabs as audit_tabs
from app.pages.base.plot_panel import PlotPanel
from app.pages.base.points_options import DirectionOptions, DrawOptions
from app.pages.clustering.pipeline_facts import STAGES
from app.widgets.parameter_form import combo

PICTURES = {
    "data": "app.plots.clustering.point_cloud:PointCloud",
    "blocks": "app.plots.clustering.bound_against_blocks:BoundAgainstBlocks",
    "outputs": "app.plots.clustering.point_cloud:PointCloud",
    "aggregate": "app.plots.clustering.radius_curves:RadiusCurves",
    "noise": "app.plots.clustering.release_errors:ReleaseErrors",
    "release": "app.plots.clustering.point_cloud:PointCloud",
}
"""References to the picture of each stage."""

TITLES = {
    "data": TabTitle("Data", "Data", "The data, and what all of them give together", STAGES["data"][1]),
    "blocks": TabTitle(
        "Blocks", "Blocks", "Bound and errors against the number of blocks", STAGES["blocks"][1]
    ),
    "outputs": TabTitle("Outputs", "Outputs", "What the blocks gave, and their center", STAGES["outputs"][1]),
    "aggregate": TabTitle(
        "Aggregate", "Aggregate", "How far from each output t others are", STAGES["aggregate"][1]
    ),
    "noise": TabTitle("Noise", "Noise", "Errors of this mechanism and of others", STAGES["noise"][1]),
    "release": TabTitle(
        "Release", "Release", "Released, with the regions of its noise", STAGES["release"][1]
    ),
    audit_tabs.TAB: audit_tabs.TITLE,
}
ZOOM = 180
CLOUDS = ("data", "outputs", "release")
DRAWN = ("noise", "release")
"""Stages whose pictures show simulated releases."""

PUBLISHED_HELP = (
    "The bound that is in print is not private: it can be smaller than what one person moves, and its "
    "logarithm changes by more than β. It is drawn for comparison only, and never used for a release."
)


class PipelinePanel(PlotPanel):
    """Shows the picture of one stage."""

    def __init__(self) -> None:
        super().__init__("Picture of the stage", "release", PICTURES)
        self.show_tab("release")

    @property
    def zoom(self) -> int | None:
        """The center that is looked at closely; None for everything."""
        place = self.zoom_box.currentIndex()
        return place - 1 if place > 0 else None

    @property
    def published(self) -> bool:
        """Whether the bound in print is to be seen, too."""
        return self.published_box.isChecked()

    @property
    def view_state(self) -> PipelineViewState:
        """What is chosen."""
        return PipelineViewState(self.zoom, self.published)

    def restore_view_state(self, view_state: PipelineViewState) -> None:
        """Choose that, as far as it is offered."""
        place = 0 if view_state.zoom is None else view_state.zoom + 1
        self.zoom_box.setCurrentIndex(place if place < self.zoom_box.count() else 0)
        self.published_box.setChecked(view_state.published)

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
        return TITLES[tab]

    def _show_title(self) -> None:
        described = self._curator or self.tab == audit_tabs.TAB
        self.set_title(TITLES[self.tab].shows if described else "What was released")

    def _build_tools(self) -> tuple[QWidget, ...]:
        self.directions = DirectionOptions()
        self.directions.chosen.connect(self.asked)
        self.zoom_box = combo("What is in view")
        self.zoom_box.addItem("everything")
        self.zoom_box.setToolTip("Look at the outputs around one center, which often lie close together")
        self.zoom_box.activated.connect(self._on_choice)
        self.zoom_box.setMaximumWidth(ZOOM)
        self.zoom_label = QLabel("&In view")
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
        self.published_box = QCheckBox("Show the pu&blished bound, which is not private")
        self.published_box.setToolTip(PUBLISHED_HELP)
        self.published_box.toggled.connect(self._on_choice)
        self._last_tool = self.published_box
        return self.places, self.draws, self.published_box

    def _show_tools(self) -> None:
        zooms = self.tab == "outputs" and self._curator
        many = self.directions.many
        self.places.setVisible(self.tab in CLOUDS and (many or zooms))
        self.directions.setVisible(many)
        self.zoom_label.setVisible(zooms)
        self.zoom_box.setVisible(zooms)
        self.draws.setVisible(self.tab in DRAWN and self._curator)
        self.published_box.setVisible(self.tab == "blocks" and self._curator)

    def _on_choice(self, *_: object) -> None:
        self.asked.emit()
