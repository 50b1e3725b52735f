"""The line of tools: horizontal axis, its values, runs and Compare."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.model.theme import Palette
from app.pages.compare.request import ComparisonRequest
from app.widgets.card import caption, set_text
from app.widgets.form_row import combo
from app.widgets.layouts import Flow, together
from app.widgets.style import icon
from app.widgets.value_editors import editor_of
from engine.parameters import Parameter

FIELDS = (
    Parameter("start", "float", None, "", "", spoken="First value"),
    Parameter("stop", "float", None, "", "", spoken="Last value"),
    Parameter("steps", "int", 1, "", "", lower=1, spoken="Number of values"),
    Parameter("runs", "int", 1, "", "", lower=1, spoken="Runs of each mechanism at each value"),
)
WIDTHS = {"start": 74, "stop": 74, "steps": 56, "runs": 76}
"""Width of the boxes at ordinary font size, in pixels."""

COMPARE_HELP = "Simulate releases of all mechanisms with the same seeds (Ctrl+R). Uses no budget"


class CompareOptionsBar(QWidget):
    """Edits the sweep and the number of runs; its owner places the button `compare`."""

    # a field of the `ComparisonChoice`, its new value, and whether a drag
    # goes on
    edited = Signal(str, object, bool)
    refused = Signal(str)  # the typed text is not a number
    compare_requested = Signal()
    cancel_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._palette: Palette | None = None
        self._ready = self._running = False
        self.sweep = combo("Horizontal axis", stretch=False)
        self.sweep.setMinimumContentsLength(11)
        self.sweep.activated.connect(self._on_sweep)
        self.fields = {declared.name: editor_of(declared, declared.spoken) for declared in FIELDS}
        for name, field in self.fields.items():
            field.edited.connect(partial(self.edited.emit, name))
            field.refused.connect(self.refused)
        self.boxes: dict[str, Any] = {name: field.box for name, field in self.fields.items()}
        self.start, self.stop, self.steps, self.runs = self.boxes.values()
        self.expected = QLabel()
        self.expected.setObjectName("caption")
        self.expected.setToolTip("Estimated from the size of the data, or from the last comparison")
        self.runs.setToolTip("Simulated releases of each mechanism at each value; all use the same seeds")
        self.compare = QPushButton("Compare   Ctrl+R")
        self.compare.setObjectName("run")
        self.compare.setIconSize(QSize(16, 16))
        self.compare.clicked.connect(self._on_button)
        self.wrong = caption()
        self.wrong.setObjectName("problem")
        fields = QWidget()
        flow = Flow(gap=8)
        fields.setLayout(flow)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(fields)
        column.addWidget(self.wrong)
        for parts in (
            (_label("Var&y", self.sweep), self.sweep),
            (QLabel("from"), self.start, QLabel("to"), self.stop),
            (QLabel("in"), self.steps, QLabel("values")),
            (self.runs, QLabel("runs each")),
        ):
            flow.addWidget(together(*parts))
        self._expected_line = together(self.expected)
        flow.addWidget(self._expected_line)
        self.set_scale(1.0)
        self._show_running()

    def show_question(self, request: ComparisonRequest | None) -> None:
        """Show the choices of a question, and the possible variables."""
        self.setVisible(request is not None)
        if request is None:
            return
        offered = request.offered
        known = {
            self.sweep.itemData(index): self.sweep.itemText(index) for index in range(self.sweep.count())
        }
        blocker = QSignalBlocker(self.sweep)
        if known != offered:
            self.sweep.clear()
            for name, text in offered.items():
                self.sweep.addItem(text, name)
        self.sweep.setCurrentIndex(self.sweep.findData(request.choice.sweep))
        self.sweep.setToolTip(f"Horizontal axis: {self.sweep.currentText()}")
        blocker.unblock()
        for name in ("start", "stop", "runs"):
            self.fields[name].show_value(getattr(request, name))
        self.fields["steps"].show_value(request.choice.steps)
        self.stop.setEnabled(request.choice.steps != 1)

    def show_expected(self, text: str) -> None:
        """Show the duration of a long comparison; "" for a short one."""
        self.expected.setText(text)
        self._expected_line.setVisible(bool(text))

    def show_wrong(self, text: str) -> None:
        """Show a problem below the fields; "" for none."""
        set_text(self.wrong, text)
        for box in self.boxes.values():
            box.setAccessibleDescription(text)

    def show_ready(self, ready: bool, why: str = "") -> None:
        """Enable the comparison, or show why it is impossible."""
        self._ready = ready
        self.compare.setToolTip(why or COMPARE_HELP)
        self._enable()

    def show_running(self, running: bool) -> None:
        """Turn the button into Cancel while a comparison runs."""
        self._running = running
        self._show_running()

    def set_scale(self, scale: float) -> None:
        for name, width in WIDTHS.items():
            self.boxes[name].setFixedWidth(round(width * scale))

    def set_palette(self, palette: Palette) -> None:
        self._palette = palette
        self._show_running()

    def _show_running(self) -> None:
        self.compare.setText("Cancel   Esc" if self._running else "Compare   Ctrl+R")
        self.compare.setAccessibleName("Cancel the comparison" if self._running else "Compare the mechanisms")
        if self._palette is not None:
            name = "stop" if self._running else "play"
            self.compare.setIcon(icon(name, self._palette.on_accent, disabled=self._palette.muted))
        self._enable()

    def _enable(self) -> None:
        self.compare.setEnabled(self._ready or self._running)

    def _on_button(self) -> None:
        if self._running:
            self.cancel_requested.emit()
        else:
            self.compare_requested.emit()

    def _on_sweep(self, index: int) -> None:
        self.edited.emit("sweep", self.sweep.itemData(index), False)


def _label(text: str, buddy: QWidget) -> QLabel:
    label = QLabel(text)
    label.setBuddy(buddy)
    return label
