"""Boxes for a number or a text that can be refused, and a logarithmic slider beside them."""

from __future__ import annotations

import math
import sys

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QHideEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QSlider, QWidget

from app.model.wording.numbers import format_exact
from app.model.wording.typed_numbers import NumberError, parse_number
from app.widgets.card import mark_wrong

EXACT = float(1 << 53)
"""Whole numbers up to here are exact."""
SMALLEST = 1e-300
"""Steps get no smaller than those of this number."""


class NumberBox(QAbstractSpinBox):
    """Edits a number; invalid ones can be typed too.

    A message beside the field explains an invalid text; a box that rejects keys explains nothing. The text
    stays, and the box has no value until it is corrected.
    """

    edited = Signal(float, bool)  # the new value, and whether it is one of a continuous movement (arrow keys)
    cleared = Signal()  # an `optional` box is empty now
    refused = Signal(str)  # the typed text is no number; the message says what to write
    corrected = Signal()  # such a text has gone

    def __init__(
        self,
        name: str,
        *,
        whole: bool = False,
        logarithmic: bool = False,
        step: float | None = None,
        lower: float | None = None,
        upper: float | None = None,
        optional: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._value: float | None = None
        self.refusal = ""  # the problem with the text in the box; "" for none
        self._whole = whole
        self._logarithmic = logarithmic
        self._step = step
        self._lower = -math.inf if lower is None else lower
        self._upper = math.inf if upper is None else upper
        self._optional = optional
        self.setMinimumWidth(56)
        self.lineEdit().setTextMargins(4, 0, 0, 0)
        self.editingFinished.connect(self._on_finished)
        self.setKeyboardTracking(False)

    @property
    def value(self) -> float | None:
        """The value; None while the box is empty, or shows a text that was refused."""
        return None if self.refusal else self._value

    def set_value(self, value: float | None) -> None:
        """Show `value` without announcing it; a refused text stays until the value changes."""
        if self.refusal and value in (self._value, None):
            self._value = value
            return
        self._value = value
        if self.refusal or not (self.hasFocus() and self.lineEdit().isModified()):
            self.lineEdit().setText(format_exact(value))
            self.lineEdit().setCursorPosition(0)
        _judge(self, "")

    def type_in(self, text: str) -> None:
        """Enter `text` as the user does."""
        self.lineEdit().setText(text)
        self.commit()

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Let everything be typed; `commit` judges it."""
        return QValidator.State.Acceptable, text, position

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        both = (
            QAbstractSpinBox.StepEnabledFlag.StepUpEnabled | QAbstractSpinBox.StepEnabledFlag.StepDownEnabled
        )
        return both if self.value is not None else QAbstractSpinBox.StepEnabledFlag.StepNone

    def stepBy(self, steps: int) -> None:
        """Move by `steps` sensible steps."""
        value = self.value
        if value is None:
            return
        if self._logarithmic and value > 0:
            new = self._possible(float(f"{value * 10 ** (min(max(steps, -3000), 3000) / 10):.2g}"))
        else:
            size = self._step or (1.0 if self._whole else self._sensible(value))
            new = self._possible(value + steps * size)
            if abs(new / size) < EXACT:
                new = self._possible(float(f"{round(new / size) * size:.12g}"))
        if new != value:
            self._value = new
            self.lineEdit().setText(format_exact(new))
            self.edited.emit(new, True)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, not the number, unless the box has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def _possible(self, value: float) -> float:
        """Return the nearest value between the bounds, and no larger than numbers are."""
        most = EXACT if self._whole else sys.float_info.max
        return min(max(value, self._lower, -most), self._upper, most)

    def _sensible(self, value: float) -> float:
        if math.isfinite(self._lower) and math.isfinite(self._upper):
            return float(f"{10.0 ** math.floor(math.log10((self._upper - self._lower) / 20)):.1g}")
        size = max(abs(value), SMALLEST)
        return 1.0 if value == 0 else 10.0 ** math.floor(math.log10(size) - 1 + 1e-9)

    def hideEvent(self, event: QHideEvent) -> None:
        """Forget a refused text that nobody can see any more."""
        super().hideEvent(event)
        if self.refusal and not event.spontaneous():
            self._restore()

    def _on_finished(self) -> None:
        """Take the typed text, unless the box is hidden: its value then belongs to something else."""
        if self.isVisible():
            self.commit()
        else:
            self._restore()

    def commit(self) -> None:
        """Take the typed text, as when the box loses the focus."""
        text = self.lineEdit().text().strip()
        self.lineEdit().setModified(False)
        if text == format_exact(self._value) and not self.refusal:
            return
        if not text and not self._optional:
            self._restore()
            return
        try:
            value = self._read(text) if text else None
        except NumberError as error:
            _judge(self, f"{error}, or leave the field empty" if self._optional else str(error))
            return
        self._value = value
        self._restore()
        if value is None:
            self.cleared.emit()
        else:
            self.edited.emit(value, False)

    def _read(self, text: str) -> float:
        value = parse_number(text)
        if self._whole and abs(value) > EXACT:
            raise NumberError(f"'{text}' is too large to be counted exactly; 9e15 is the most")
        return value

    def _restore(self) -> None:
        self.lineEdit().setText(format_exact(self._value))
        _judge(self, "")


class TextBox(QLineEdit):
    """Edits a text; a refused one stays until it is corrected, or until another one is shown."""

    refused = Signal(str)  # the message says what to write
    corrected = Signal()  # a refused text has gone

    def __init__(self) -> None:
        super().__init__()
        self.refusal = ""  # the problem with the typed text; "" for none
        self._shown = ""

    def show_text(self, text: str) -> None:
        self._shown = text
        if self.text() != text:  # the cursor stays where one writes
            self.setText(text)
        self.judge("")

    def judge(self, refusal: str) -> None:
        """Announce the problem with the typed text, or that there is none any more."""
        _judge(self, refusal)

    def commit(self) -> None:
        """Take the typed text, as when the box loses the focus."""
        self.editingFinished.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Forget a refused text once it is hidden."""
        super().hideEvent(event)
        if self.refusal and not event.spontaneous():
            self.show_text(self._shown)


def refused_box(parent: QWidget) -> NumberBox | TextBox | None:
    """Focus the first visible box whose text was refused, and repeat the message; None if there is none."""
    boxes: list[NumberBox | TextBox] = [*parent.findChildren(NumberBox), *parent.findChildren(TextBox)]
    for box in boxes:
        if box.refusal and box.isVisible():
            box.setFocus()
            box.refused.emit(box.refusal)
            return box
    return None


def commit_typing() -> bool:
    """Take the number or the list that the user is typing; return whether there is one."""
    box = QApplication.focusWidget()
    if isinstance(box, NumberBox):
        typing = box.lineEdit().isModified()
    else:
        typing = isinstance(box, TextBox) and box.isModified()
    if typing and isinstance(box, NumberBox | TextBox):
        box.commit()
    return typing


STEPS_PER_DECADE = 100


class LogSlider(QSlider):
    """Moves a positive number between two powers, in steps of equal ratio."""

    moved = Signal(float)  # the value that the user moved it to, rounded to two digits

    def __init__(self, name: str, lower: float, upper: float, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setAccessibleName(name)
        self._lower = lower
        self.setRange(0, round(STEPS_PER_DECADE * math.log10(upper / lower)))
        self.setSingleStep(5)
        self.setPageStep(STEPS_PER_DECADE // 4)
        self._shown: float | None = None
        self.valueChanged.connect(self._on_value)

    def show_value(self, value: float) -> None:
        """Stand at `value` (or at the nearest end) without announcing it."""
        if value == self._shown or not (math.isfinite(value) and value > 0):
            return
        self._shown = value
        with QSignalBlocker(self):
            self.setValue(round(STEPS_PER_DECADE * (math.log10(value) - math.log10(self._lower))))

    def _on_value(self, position: int) -> None:
        value = float(f"{self._lower * 10 ** (position / STEPS_PER_DECADE):.2g}")
        if value != self._shown:
            self._shown = value
            self.moved.emit(value)


def _judge(box: NumberBox | TextBox, refusal: str) -> None:
    """Mark a box whose text is refused, and announce the problem; or that there is none any more."""
    before, box.refusal = box.refusal, refusal
    if refusal:
        mark_wrong(box, True)
        box.refused.emit(refusal)
    elif before:
        mark_wrong(box, False)
        box.corrected.emit()
