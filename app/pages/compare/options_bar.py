"""The line of tools: horizontal axis, its values, runs and Compare."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.model.theme import Palette
from app.pages.compare.request import ComparisonRequest
from app.widgets.card import Remarks, caption, set_text
from app.widgets.layouts import Flow, line_up, stack
from app.widgets.style import icon
from app.widgets.value_editors import FieldLine, ValueEditor
from engine.parameters import Parameter

SWEEP = Parameter("sweep", "choice", "", "Var&y", "", spoken="Horizontal axis")
START = Parameter("start", "float", None, "from", "", spoken="First value")
STOP = Parameter("stop", "float", None, "to", "", spoken="Last value")
STEPS = Parameter("steps", "int", 1, "in", "", "values", lower=1, spoken="Number of values")
RUNS_HELP = "Simulated releases of each mechanism at each value; all use the same seeds"
RUNS_SPOKEN = "Runs of each mechanism at each value"
RUNS = Parameter("runs", "int", 1, "", RUNS_HELP, "runs each", lower=1, spoken=RUNS_SPOKEN)
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
        self.fields: dict[str, ValueEditor] = {}
        fields, flow = QWidget(), Flow(gap=8)
        fields.setLayout(flow)
        runs = FieldLine(RUNS)
        for line in (FieldLine(SWEEP), FieldLine(START, STOP), FieldLine(STEPS), runs):
            line.edited.connect(self.edited)
            line.refused.connect(self.refused)
            self.fields |= line.fields
            if line is not runs:
                flow.addWidget(line)
        self.boxes: dict[str, Any] = {name: field.box for name, field in self.fields.items()}
        self.sweep, self.start, self.stop, self.steps, self.runs = self.boxes.values()
        self.sweep.setMinimumContentsLength(11)
        self.expected = caption()
        self.expected.setToolTip("Estimated from the size of the data, or from the last comparison")
        self.compare = QPushButton("Compare   Ctrl+R")
        self.compare.setObjectName("run")
        self.compare.setIconSize(QSize(16, 16))
        self.compare.clicked.connect(self._on_button)
        self.wrong = caption()
        self.wrong.setObjectName("problem")
        below = Remarks(("caption",) * 2, tuple, self.expected, self.wrong)
        stack(self, fields, line_up(None, runs, (below, 1), spacing=12), spacing=6)
        self.set_scale(1.0)
        self._show_running()

    def show_question(self, request: ComparisonRequest | None) -> None:
        """Show the choices of a question, and the possible variables."""
        self.setVisible(request is not None)
        if request is None:
            return
        self.fields["sweep"].offer(request.offered)
        for name in ("start", "stop", "runs"):
            self.fields[name].show_value(getattr(request, name))
        for name in ("sweep", "steps"):
            self.fields[name].show_value(getattr(request.choice, name))
        self.sweep.setToolTip(f"Horizontal axis: {self.sweep.currentText()}")
        self.stop.setEnabled(request.choice.steps != 1)

    def show_expected(self, text: str) -> None:
        """Show the duration of a long comparison; "" for a short one."""
        self.expected.setText(text)
        self.expected.setVisible(bool(text) and not self.wrong.text())

    def show_wrong(self, text: str) -> None:
        """Show a problem below the fields; "" for none."""
        set_text(self.wrong, text)
        self.expected.setVisible(bool(self.expected.text()) and not text)
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
