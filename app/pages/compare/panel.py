"""The pictures of a comparison, with their tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QPointF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QSlider, QWidget

from app.jobs.channels import Channel
from app.jobs.tasks import JobProgress
from app.model.page_spec import PageSpec
from app.model.pages.workspaces import COMPARE, MODES, SPREADS
from app.model.wording.numbers import grouped
from app.pages.base.picture_panel import PicturePanel
from app.pages.compare.needed_epsilon import NeededOptionsBar
from app.pages.compare.table import CompareTable
from app.plots.compare.view import ComparisonView, value_words
from app.widgets.buttons import Segmented
from app.widgets.card import caption, keep_room, plain, set_text, show_only
from app.widgets.layouts import line_up
from app.widgets.style import THEME
from engine.comparison import Comparison

MODE_HELP = {
    "dots": "Dots that stand for equal numbers of runs",
    "box": "Boxes: the middle half and the middle 90 % of the runs",
    "ecdf": "Curves: the share of runs within each error",
}
SPREAD_HELP = {
    "band": "The middle 90 % of the runs of each mechanism as a band",
    "dots": "Single runs as dots; click one for details",
}
PROGRESS_HEIGHT, HANDLE = 4, 16
"""Height of the progress bar, and width of the handle of a slider, in pixels."""


class StopSlider(QSlider):
    """A slider with a dot at each value, unless there are many."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter, radius, last = QPainter(self), HANDLE / 4, self.maximum()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(THEME.palette.muted))
        stops = range(last + 1 if last < self.width() / (4 * radius) else 0)
        for stop in (one for one in stops if one != self.value()):
            x = self.style().sliderPositionFromValue(0, last, stop, self.width() - HANDLE) + HANDLE / 2
            painter.drawEllipse(QPointF(x, self.height() / 2), radius, radius)
        painter.end()


class ComparePanel(PicturePanel):
    """Shows a comparison, with its own tools."""

    shown_otherwise = Signal()  # show the same results in another way
    picked = Signal(float, float)  # the user clicked a position of the frontier
    nudged = Signal(int, int)  # the user pressed an arrow key there

    mode, spread = "dots", "band"
    public = False  # whether the Release view shows it, too, as for public data

    def __init__(self) -> None:
        self._values: tuple[str, tuple[float, ...]] = ("", ())
        self._wanted = 0
        self._pending: int | None = None
        super().__init__(COMPARE)
        self.table, self.second_table = CompareTable(), CompareTable()
        self.pictures.add_other("table", self.table)
        self.split.second.pictures.add_other("table", self.second_table)

    @property
    def pairable(self) -> tuple[str, ...]:
        return tuple(self.specs)

    @property
    def options(self) -> dict[str, Any]:
        index = self._pending if self._pending is not None or not self._values[1] else self._wanted
        return {"index": index, "mode": self.mode, "spread": self.spread}

    def show_options(self, values: Mapping[str, Any]) -> None:
        # the value is chosen once the sweep is known
        chosen = {
            name: value for picture in COMPARE.pictures for name, value in picture.settings(values).items()
        }
        self.mode, self.spread, self._pending = chosen["mode"], chosen["spread"], chosen["index"]
        self.modes.show_choice(self.mode)
        self.spreads.show_choice(self.spread)

    def index_in(self, comparison: Comparison) -> int:
        """Return the index of the shown value: the chosen one, or the last one with results."""
        tried = comparison.tried
        index = self._wanted if self._wanted in tried or not tried else max(tried)
        self._show_index(index)
        return index

    def offer_values(self, name: str, values: tuple[float, ...]) -> None:
        """Offer the values of a sweep; the middle one is the default."""
        if (name, values) == self._values:
            return
        self._values = (name, values)
        index, self._pending = self._pending, None
        self._wanted = index if index is not None and index < len(values) else len(values) // 2
        blocker = QSignalBlocker(self.slider)
        self.slider.setRange(0, max(0, len(values) - 1))
        blocker.unblock()
        self._show_index(self._wanted)
        self._show_tools()

    @property
    def alone(self) -> bool:
        """Whether the table has the rows of the shown value only: a room reads few, by the slider."""
        return self._wall is not None and not self._wall.sentence

    def present(self, view: ComparisonView) -> None:
        """Show a comparison in the tab that is open."""
        if self.tab == "table":
            self.table.show_comparison(view.comparison, view.position, alone=self.alone)
            self.pictures.show_other("table")
            self._show_badge()
            self._show_log()
        elif self.tab != "needed":
            self.open()
            self.show_result(self.tab, view)

    def forget(self, unit: str) -> None:
        super().forget(unit)
        self._values = ("", ())
        self._show_tools()
        for table in (self.table, self.second_table):
            table.model.unit = unit
            table.show_comparison(None)
        set_text(self.run, "")

    @property
    def is_private(self) -> bool:
        return super().is_private and not self.public

    def _on_made(self, picture: str) -> None:
        super()._on_made(picture)
        if picture == "frontier":  # whose runs can be selected
            canvas = self.pictures.canvases[picture]
            canvas.pressed.connect(self.picked)
            canvas.nudged.connect(self.nudged)

    def _make_tools(self, page: PageSpec) -> tuple[QWidget, ...]:
        self.modes = _segments("How errors are drawn", MODES, MODE_HELP)
        self.spreads = _segments("How runs are drawn", SPREADS, SPREAD_HELP)
        for choice in (self.modes, self.spreads):
            choice.chosen.connect(self._on_choice)
        self.value = plain()
        self.slider = StopSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Shown value")
        self.slider.setToolTip("Choose among the compared values (arrow keys)")
        self.slider.setPageStep(1)
        self.slider.setRange(0, 0)
        self.slider.valueChanged.connect(self._on_slider)
        self.needed = NeededOptionsBar()
        self.tools = QWidget()
        line = line_up(self.tools, self.modes, self.spreads, self.value, (self.slider, 1), spacing=8)
        line.addStretch(0)
        self.run = caption()
        self.run.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.progress = QProgressBar(textVisible=False)
        self.progress.setAccessibleName("Progress of the comparison")
        self.progress.setFixedHeight(PROGRESS_HEIGHT)
        keep_room(self.progress)
        self.progress.hide()
        return self.progress, self.tools, self.needed, self.run

    def follow(self, channel: Channel) -> None:
        """Show the progress of a channel above the picture."""
        channel.busy_changed.connect(self._on_busy)
        channel.progressed.connect(self._on_progress)

    def _on_busy(self, busy: bool) -> None:
        self.progress.setValue(0)
        self.progress.setVisible(busy)

    def _on_progress(self, progress: JobProgress) -> None:
        self.progress.setValue(round(100 * progress.fraction))

    def _show_tools(self) -> None:
        desk = self._wall is None
        many = self.slider.maximum() > 0 and self._curator and (desk or self.alone)
        errors, frontier = self.tab == "errors", self.tab == "frontier"
        along = self.tab != "needed" and many
        shown = {
            self.modes: errors and self._curator and desk and bool(self._values[1]),
            self.spreads: frontier and self._curator and desk and bool(self._values[1]),
            self.value: along,
            self.slider: along,
            self.needed: self.tab == "needed" and self._curator,
        }
        self.tools.setMinimumHeight(self.modes.sizeHint().height())  # on each tab, so that nothing moves
        tools = any(seen for widget, seen in shown.items() if widget is not self.needed)
        show_only({**shown, self.tools: tools})
        if not frontier:
            set_text(self.run, "")
        self._show_badge()

    def _on_choice(self, key: str) -> None:
        if self.sender() is self.modes:
            self.mode = key
        else:
            self.spread = key
        self.shown_otherwise.emit()

    def _on_slider(self, index: int) -> None:
        self._wanted = index
        self.shown_otherwise.emit()

    def _show_index(self, index: int) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(index)
        name, values = self._values
        which = f"{grouped(index + 1)} of {grouped(len(values))}"
        text = f"shown: {value_words(name, values[index])} ({which})" if values else ""
        self.value.setText(text)
        self.slider.setAccessibleDescription(text)


def _segments(name: str, texts: dict[str, str], help: dict[str, str]) -> Segmented:
    choice = Segmented(name, {key: (text, "", help[key]) for key, text in texts.items()})
    choice.show_choice(next(iter(texts)))
    return choice
