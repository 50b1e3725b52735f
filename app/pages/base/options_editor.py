"""The tools above a picture: what can be chosen about it, drawn from its declared options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QWidget

from app.model.picture_spec import OptionGroup
from app.model.wording.parameters import DECLARED, parameter_words
from app.theme import Palette
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import combo
from engine.parameters import Parameter


class OptionsEditor(QWidget):
    """Shows the options of one group, and lets them be changed.

    Parameters
    ----------
    group : type of OptionGroup

    Signals
    -------
    changed()
        Another value was chosen; see `values`.
    redrawn()
        The same result is to be shown in another way; see `frame`.
    """

    changed = Signal()
    redrawn = Signal()

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__()
        self.group = group

    @property
    def values(self) -> dict[str, Any]:
        """What is chosen, by the names of the options."""
        raise NotImplementedError

    @property
    def last_box(self) -> QWidget:
        """The last field that Tab reaches."""
        raise NotImplementedError

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Show values of some of the options, without announcing them."""
        raise NotImplementedError

    def offer(self, offered: Mapping[str, Mapping[Any, str]]) -> None:
        """Offer these values of options, and keep what is chosen as far as it is among them."""

    def frame(self, result: Any) -> Any:
        """Return what is to be seen of a result now."""
        return result

    def rest(self) -> None:
        """Show all of a result again: others are to come."""

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""


class ParameterEditor(OptionsEditor):
    """A line with a field for each option, as its declaration says.

    What was chosen of values that are offered later waits for them.
    """

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.boxes: dict[str, QComboBox | QCheckBox | NumberBox] = {}
        self._waiting: dict[str, Any] = {}
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        for declared in group.parameters():
            box = self._box(declared)
            box.setToolTip(declared.help)
            box.setWhatsThis(parameter_words(declared, ""))
            box.setProperty(DECLARED, True)
            if not isinstance(box, QCheckBox):
                label = QLabel(declared.label)
                label.setBuddy(box)
                line.addWidget(label)
            line.addWidget(box, 1)
            self.boxes[declared.name] = box
        line.addStretch(1)
        self.show_values({declared.name: declared.default for declared in group.parameters()})

    def _box(self, declared: Parameter) -> QComboBox | QCheckBox | NumberBox:
        if declared.kind == "bool":
            check = QCheckBox(declared.label)
            check.clicked.connect(self.changed)
            return check
        if declared.kind in ("choice", "text"):
            box = combo(declared.label.replace("&", "").rstrip(","))
            for choice in declared.choices:
                box.addItem(choice.replace("-", " "), choice)
            box.activated.connect(self._on_choice)
            return box
        number = NumberBox(
            declared.label, whole=declared.kind == "int", lower=declared.lower, upper=declared.upper
        )
        number.edited.connect(self.changed)
        return number

    @property
    def values(self) -> dict[str, Any]:
        """What is chosen, by the names of the options."""
        return {declared.name: self._value(declared) for declared in self.group.parameters()}

    def _value(self, declared: Parameter) -> Any:
        box = self.boxes[declared.name]
        if isinstance(box, QCheckBox):
            return box.isChecked()
        if isinstance(box, QComboBox):
            return box.currentData() if box.count() else self._waiting.get(declared.name, declared.default)
        if box.value is None:
            return declared.default
        return int(box.value) if declared.kind == "int" else box.value

    @property
    def last_box(self) -> QWidget:
        """The last field that Tab reaches."""
        return list(self.boxes.values())[-1]

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Show values of some of the options, without announcing them."""
        for name in values.keys() & self.boxes.keys():
            box, value = self.boxes[name], values[name]
            if isinstance(box, QCheckBox):
                box.setChecked(bool(value))
            elif isinstance(box, QComboBox):
                self._waiting[name] = value
                self._show_waiting(name, box)
            else:
                box.set_value(float(value))

    def offer(self, offered: Mapping[str, Mapping[Any, str]]) -> None:
        """Offer these values of options, and keep what is chosen as far as it is among them."""
        for name, choices in offered.items():
            box = self.boxes[name]
            assert isinstance(box, QComboBox)
            if choices != {box.itemData(place): box.itemText(place) for place in range(box.count())}:
                self._waiting.setdefault(name, box.currentData())
                box.clear()
                for value, words in choices.items():
                    box.addItem(words, value)
                self._show_waiting(name, box)

    def _show_waiting(self, name: str, box: QComboBox) -> None:
        """Show what was chosen, if it is offered; else the first, until it is."""
        place = box.findData(self._waiting.get(name))
        box.setCurrentIndex(max(0, place))
        if place >= 0:
            del self._waiting[name]

    def _on_choice(self, _: int) -> None:
        for name, box in self.boxes.items():
            if box is self.sender():
                self._waiting.pop(name, None)
        self.changed.emit()
