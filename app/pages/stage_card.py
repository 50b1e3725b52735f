"""The picture of the stage that is open, with the tools that belong to it."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QWidget

from app.forms import combo
from app.pages.clustering_views import PRINCIPAL, Axes
from app.pages.picture_card import PictureCard
from app.pages.pipeline_facts import STAGES
from app.pages.sensitivity_work import SEED
from app.widgets.tabs import TabTitle

PICTURES = {
    "data": ("point_cloud", "PointCloud"),
    "blocks": ("bound_against_blocks", "BoundAgainstBlocks"),
    "outputs": ("point_cloud", "PointCloud"),
    "aggregate": ("radius_curves", "RadiusCurves"),
    "noise": ("release_errors", "ReleaseErrors"),
    "release": ("point_cloud", "PointCloud"),
}
"""Module and class of the picture of each stage."""

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
}
ZOOM = 180
CLOUDS = ("data", "outputs", "release")
DRAWN = ("noise", "release")
"""Stages whose pictures show simulated releases."""

PRINCIPAL_HELP = (
    "Principal components are the directions in which the data spread most. They follow from the data, and "
    "so are not private."
)
PUBLISHED_HELP = (
    "The bound that is in print is not private: it can be smaller than what one person moves, and its "
    "logarithm changes by more than β. It is drawn for comparison only, and never used for a release."
)


class StageCard(PictureCard):
    """Shows the picture of one stage.

    Attributes
    ----------
    seed : int
        Of simulated releases.
    simulated : bool
        Whether simulated releases are to be shown although there is a real one.
    """

    def __init__(self) -> None:
        self.seed = SEED
        self.simulated = False
        super().__init__("Picture of the stage", "release", PICTURES)
        self.show_tab("release")

    @property
    def axes(self) -> Axes:
        """The directions that are drawn."""
        across, up = (max(0, box.currentIndex()) for box in (self.across, self.up))
        return Axes(across, up if self.up.count() > 1 else 0)

    @property
    def zoom(self) -> int | None:
        """The center that is looked at closely; None for everything."""
        place = self.zoom_box.currentIndex()
        return place - 1 if place > 0 else None

    @property
    def published(self) -> bool:
        """Whether the bound in print is to be seen, too."""
        return self.published_box.isChecked()

    def show_tab(self, tab: str) -> None:
        """Open the picture of a stage."""
        self.tab = tab
        self._show_title()
        self._show_tools()
        if self._palette is not None:
            self._show_log()
            self.asked.emit()

    def show_view(self, curator: bool) -> None:
        """Show everything, or what was released."""
        super().show_view(curator)
        self._show_title()
        self._show_tools()

    def show_directions(self, names: tuple[str, ...], principal: bool) -> None:
        """Offer directions by name, and principal components; keep what was chosen, if it is still there."""
        more = [f"PC {place + 1} (from the data)" for place in range(PRINCIPAL)] if principal else []
        offered = [*names, *more]
        for box, default in ((self.across, 0), (self.up, 1)):
            if [box.itemText(place) for place in range(box.count())] == offered:
                continue
            blocker = QSignalBlocker(box)
            chosen = box.currentText()
            box.clear()
            box.addItems(offered)
            place = box.findText(chosen)
            box.setCurrentIndex(place if place >= 0 else min(default, len(offered) - 1))
            blocker.unblock()
        self._many = len(names) > 2
        self._show_tools()

    def show_centers(self, noun: str, k: int) -> None:
        """Offer to look at each of k centers closely."""
        offered = ["everything", *(f"{noun} {place + 1}" for place in range(k))]
        if [self.zoom_box.itemText(place) for place in range(self.zoom_box.count())] != offered:
            self.zoom_box.clear()
            self.zoom_box.addItems(offered)

    def draw_anew(self) -> None:
        """Simulate with another seed."""
        self.seed += 1
        self.simulated = True
        self.asked.emit()

    def show_real(self) -> None:
        """Show the newest release in the place of a simulated one."""
        self.simulated = False

    def say_source(self, real: bool) -> None:
        """Say whether the picture shows a release or simulated ones."""
        simulated = f"seed {self.seed} · simulated, so no budget is spent"
        self.seeded.setText("the newest release, as in the history" if real else simulated)

    def _words(self, tab: str) -> TabTitle:
        return TITLES[tab]

    def _show_title(self) -> None:
        self.set_title(TITLES[self.tab].shows if self._curator else "What was released")

    def _build_tools(self) -> tuple[QWidget, ...]:
        self._many = False
        self.across, self.up = combo("Direction across"), combo("Direction up")
        for box in (self.across, self.up):
            box.setToolTip(PRINCIPAL_HELP)
            box.activated.connect(self._on_choice)
        across, up = QLabel("A&cross"), QLabel("up")
        across.setBuddy(self.across)
        self.zoom_box = combo("What is in view")
        self.zoom_box.addItem("everything")
        self.zoom_box.setToolTip("Look at the outputs around one center, which often lie close together")
        self.zoom_box.activated.connect(self._on_choice)
        self.zoom_box.setMaximumWidth(ZOOM)
        self.zoom_label = QLabel("&In view")
        self.zoom_label.setBuddy(self.zoom_box)
        self.directions = QWidget()
        line = QHBoxLayout(self.directions)
        line.setContentsMargins(0, 0, 0, 0)
        for label, box in ((across, self.across), (up, self.up)):
            line.addWidget(label)
            line.addWidget(box, 1)
        self._direction_widgets = (across, self.across, up, self.up)
        line.addWidget(self.zoom_label)
        line.addWidget(self.zoom_box, 1)
        line.addStretch(1)
        self.again = QPushButton("Ne&xt draw")
        self.again.setToolTip("Simulate with another seed; nothing is released, and no budget spent")
        self.again.clicked.connect(self.draw_anew)
        self.seeded = QLabel()
        self.seeded.setObjectName("caption")
        self.simulation = QWidget()
        line = QHBoxLayout(self.simulation)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.again)
        line.addWidget(self.seeded, 1)
        self.published_box = QCheckBox("Show the pu&blished bound, which is not private")
        self.published_box.setToolTip(PUBLISHED_HELP)
        self.published_box.setWhatsThis(PUBLISHED_HELP)
        self.published_box.toggled.connect(self._on_choice)
        self._last_tool = self.published_box
        return self.directions, self.simulation, self.published_box

    def _show_tools(self) -> None:
        zooms = self.tab == "outputs" and self._curator
        self.directions.setVisible(self.tab in CLOUDS and (self._many or zooms))
        for widget in self._direction_widgets:
            widget.setVisible(self._many)
        self.zoom_label.setVisible(zooms)
        self.zoom_box.setVisible(zooms)
        self.simulation.setVisible(self.tab in DRAWN and self._curator)
        self.published_box.setVisible(self.tab == "blocks" and self._curator)

    def _on_choice(self, *_: object) -> None:
        self.asked.emit()
