"""The pictures of the page about balls: one tab each, with the tools that belong to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.model.page_spec import PageSpec
from app.model.pages.one_cluster import ATTEMPTS, BallOptions, BoxesOptions, CloseUp, RadiusOptions
from app.model.pages.points import Directions
from app.model.picture_spec import Seeded
from app.pages.base.points_options import DirectionOptions, DrawOptions
from app.pages.base.points_panel import DeclaredPointsPanel, classes_of, titles_of
from app.pages.base.tabbed_plot_panel import TabbedPlotPanel
from app.widgets.parameter_form import combo

(BALL,), (TRIED,) = BallOptions.parameters(), BoxesOptions.parameters()
(STEP,), (NEAR,) = RadiusOptions.parameters(), CloseUp.parameters()
MEAN_HELP = (
    "The ball is public once it is released: it screens outliers off, and the mean of what is inside needs "
    "noise for the ball's size only. Both releases share the budget."
)


class BallPlotPanel(DeclaredPointsPanel, TabbedPlotPanel):
    """Shows balls, and how they are found.

    Signals
    -------
    mean_wanted()
        The mean inside the ball is to be released, too.
    """

    mean_wanted = Signal()

    def __init__(self, declared: PageSpec) -> None:
        self.declared = declared
        self._offers_mean = False
        self._large = False
        self._near_chosen = False
        self._pending: Mapping[str, Any] | None = None
        super().__init__("Balls", "ball", classes_of(declared), titles_of(declared), dense=True)
        self._show_tools()

    @property
    def ball(self) -> int:
        """Which of several balls is looked at."""
        return max(0, self.ball_box.currentIndex())

    @property
    def tried(self) -> int | None:
        """Which of the partitions that were drawn; None for the last one."""
        if self._pending is not None:
            return cast("int | None", self._pending["tried"])
        place = self.try_box.currentIndex()
        return None if place < 0 or place == self.try_box.count() - 1 else place

    @property
    def step(self) -> str:
        """Which choice of a radius."""
        if self._pending is not None:
            return str(self._pending["step"])
        return "last" if self.step_box.currentIndex() == 1 else "first"

    @property
    def near(self) -> bool | None:
        """Whether only what lies around the ball is in view; None while nobody has chosen."""
        return self.near_box.isChecked() if self._near_chosen else None

    def _own_options(self) -> dict[str, Any]:
        return {"ball": self.ball, "tried": self.tried, "step": self.step, "near": self.near}

    def _show_own_options(self, values: Mapping[str, Any]) -> None:
        # which partition and which radius once it is known how many there are
        if values["ball"] < self.ball_box.count():
            self.ball_box.setCurrentIndex(values["ball"])
        self._near_chosen = values["near"] is not None
        self.near_box.setChecked(bool(values["near"]))
        self._pending = values

    def set_scale(self, scale: float) -> None:
        """Show type at another size; large type leaves one line for the tools, where they fit."""
        super().set_scale(scale)
        self._large = scale > 1
        self._show_tools()

    def show_directions(self, names: tuple[str, ...], principal: bool) -> None:
        """Offer directions by name, and principal components."""
        self.directions.offer(names, principal)
        self._show_tools()

    def show_near(self, on: bool) -> None:
        """Show whether the picture is a close-up, while nobody has chosen."""
        if not self._near_chosen:
            self.near_box.setChecked(on)

    def show_balls(self, k: int) -> None:
        """Offer to look at each of k balls."""
        _offer(self.ball_box, [f"ball {place + 1}" for place in range(k)], 0)
        self._show_tools()

    def show_tries(self, boxes: int, radii: int) -> None:
        """Offer to look at each partition that was drawn, and at each choice of a radius."""
        _offer(self.try_box, [f"try {place + 1}" for place in range(boxes)], boxes - 1)
        _offer(self.step_box, ["how large it is", "how far to reach"][:radii], 0)
        chosen, self._pending = self._pending, None
        if chosen is not None:
            self.try_box.setCurrentIndex(
                boxes - 1 if chosen["tried"] is None else min(chosen["tried"], boxes - 1)
            )
            self.step_box.setCurrentIndex(min(int(chosen["step"] == "last"), radii - 1))
        self._show_tools()

    def offer_mean(self, on: bool) -> None:
        """Offer to release the mean inside the ball, too."""
        self._offers_mean = on
        self._show_tools()

    def _build_tools(self) -> tuple[QWidget, ...]:
        self.directions = DirectionOptions()
        self.directions.chosen.connect(self.asked)
        self.ball_box = self._box("Which ball")
        self.try_box = self._box("Which of the partitions that were drawn")
        self.step_box = self._box("Which choice of a radius")
        self.ball_label, self.try_label, self.step_label = (
            QLabel(declared.label) for declared in (BALL, TRIED, STEP)
        )
        self.choices = QWidget()
        line = _line(self.choices)
        line.addWidget(self.directions, 2)
        for label, box in (
            (self.ball_label, self.ball_box),
            (self.step_label, self.step_box),
            (self.try_label, self.try_box),
        ):
            label.setBuddy(box)
            line.addWidget(label)
            line.addWidget(box, 1)
        line.addStretch(1)
        self.draws = DrawOptions()
        self.draws.asked.connect(self.asked)
        self.near_box = QCheckBox(NEAR.label)
        self.near_box.setToolTip(NEAR.help)
        self.near_box.clicked.connect(self._on_near)
        self.mean = QPushButton("Then the mean inside the &ball")
        self.mean.setToolTip(MEAN_HELP)
        self.mean.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.mean.clicked.connect(self.mean_wanted)
        self.releases = QWidget()
        line = _line(self.releases)
        line.addWidget(self.draws, 1)
        line.addWidget(self.near_box)
        line.addWidget(self.mean)
        self._last_tool = self.mean
        tools = QWidget()
        self._lines = QBoxLayout(QBoxLayout.Direction.TopToBottom, tools)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.addWidget(self.choices)
        self._lines.addWidget(self.releases)
        return (tools,)

    def _box(self, name: str) -> QComboBox:
        box = combo(name)
        box.activated.connect(self._on_choice)
        return box

    def _show_tools(self) -> None:
        """Show the tools of the tab that is open, as far as there is something to choose."""
        several = {
            (self.ball_label, self.ball_box): self._has(BallOptions) and self.ball_box.count() > 1,
            (self.try_label, self.try_box): self._has(BoxesOptions) and self.try_box.count() > 1,
            (self.step_label, self.step_box): self._has(RadiusOptions) and self.step_box.count() > 1,
        }
        for widgets, some in several.items():
            for widget in widgets:
                widget.setVisible(some)
        many = self._has(Directions) and self.directions.many
        self.directions.setVisible(many)
        self.choices.setVisible(many or any(several.values()))
        self.draws.setVisible(self._has(Seeded) and self._curator)
        self.near_box.setVisible(self._has(CloseUp))
        self.mean.setVisible(self.tab == "ball" and self._offers_mean)
        self.releases.setVisible(self._has(Seeded) and (self._curator or self._has(CloseUp)))
        self._show_badge()
        roomy = self._large and self.mean.isHidden() and not many
        self.draws.seeded.setVisible(not (roomy and any(several.values())))
        directions = QBoxLayout.Direction
        self._lines.setDirection(directions.LeftToRight if roomy else directions.TopToBottom)
        self._lines.setStretch(0, int(roomy and any(several.values())))

    @property
    def _is_private(self) -> bool:
        return super()._is_private and self.tab not in ATTEMPTS

    def _on_near(self, _: object) -> None:
        self._near_chosen = True
        self.asked.emit()

    def _on_choice(self, _: object) -> None:
        self.asked.emit()


def _offer(box: QComboBox, words: list[str], chosen: int) -> None:
    """Offer other choices."""
    if [box.itemText(place) for place in range(box.count())] != words:
        blocker = QSignalBlocker(box)
        box.clear()
        box.addItems(words)
        box.setCurrentIndex(chosen)
        blocker.unblock()


def _line(widget: QWidget) -> QHBoxLayout:
    line = QHBoxLayout(widget)
    line.setContentsMargins(0, 0, 0, 0)
    return line
