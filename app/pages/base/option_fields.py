"""One field for one option of a picture: a list, a tick or a number, as its declaration says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from app.model.picture_spec import OptionGroup
from app.model.wording.parameters import DECLARED, name_of, parameter_words
from app.widgets.combo_box import ComboBox
from app.widgets.form_row import combo
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import number_box
from engine.errors import ParameterError
from engine.parameters import Parameter

NARROW, WIDE = 110, 180
"""Pixels of a number, and of a list whose words need no more."""


class ChoiceField(QObject):
    """Lets one option be chosen.

    Signals
    -------
    changed()

    Attributes
    ----------
    box : QWidget
        What it is chosen with.
    widgets : tuple of QWidget
        That, and perhaps a label before it.
    listed : bool
        Whether the values come from outside.
    has_choice : bool
        Whether there is anything to choose.
    """

    changed = Signal()

    listed = False

    def __init__(self, declared: Parameter, box: QWidget, *, labelled: bool = True) -> None:
        super().__init__()
        self.declared, self.box = declared, box
        self.has_choice = True
        box.setToolTip(declared.help)
        box.setWhatsThis(parameter_words(declared, ""))
        box.setProperty(DECLARED, True)
        self.widgets: tuple[QWidget, ...] = (box,)
        if labelled and declared.label:
            label = QLabel(declared.label)
            label.setBuddy(box)
            self.widgets = (label, box)

    @property
    def value(self) -> Any:
        """What is chosen."""
        raise NotImplementedError

    @property
    def given(self) -> Any:
        """What an analysis is given: what is chosen, or the only value that makes sense now."""
        return self.value

    def show_value(self, value: Any) -> None:
        """Show a value, without announcing it."""
        raise NotImplementedError

    def offer(self, choices: Mapping[Any, str] | None) -> None:
        """Offer these values with their words; None: all that are declared.

        Of fewer than two there is nothing to choose.
        """
        self._show(choices is None or len(choices) > 1)

    def suggest(self, value: Any) -> None:
        """Show what was taken, as long as nothing was chosen."""

    def forget(self) -> None:
        """Say nothing that follows from a result."""

    def _show(self, on: bool) -> None:
        if on != self.has_choice:
            self.has_choice = on
            for widget in self.widgets:
                widget.setVisible(on)


class ListField(ChoiceField):
    """Lets one of several values be chosen.

    What was chosen of values that are offered later waits for them.

    Parameters
    ----------
    declared : Parameter
    listed, told : bool
        Whether the values are offered from outside: of what is selected, or of what was found.
    """

    box: ComboBox

    def __init__(self, declared: Parameter, *, listed: bool = False, told: bool = False) -> None:
        box = combo(declared.spoken or name_of(declared), stretch=listed or told)
        super().__init__(declared, box)
        self._told = told
        self._choices: dict[Any, str] = {}
        self._waiting: list[Any] = [declared.default]
        box.activated.connect(self._on_choice)
        if listed or told:
            self.listed = True
            self._show(False)
        else:
            texts = [declared.words_of(choice) for choice in declared.choices]
            box.setMinimumContentsLength(max(map(len, texts)))
            self.offer(None)

    @property
    def value(self) -> Any:
        """What is chosen; of a list that is declared, or while nothing is offered, what waits for it."""
        if self._waiting and not (self._choices and self.listed):
            return self._waiting[0]
        return self.given

    @property
    def given(self) -> Any:
        if self._choices:
            return list(self._choices)[self.box.currentIndex()]
        return self._waiting[0] if self._waiting else self.declared.default

    def show_value(self, value: Any) -> None:
        self._waiting = [value]
        if value not in self._choices:
            self.forget()
        self._show_waiting()

    def offer(self, choices: Mapping[Any, str] | None) -> None:
        """Offer values; what is chosen stays by its words, else by its value, else until it is offered."""
        offered = {choice: self.declared.words_of(choice) for choice in self.declared.choices}
        offered = offered if choices is None else dict(choices)
        if offered != self._choices:
            text = self.box.currentText()
            if not self._waiting and self._choices:
                alike = [value for value, said in offered.items() if said == text and not self._told]
                self._waiting = [*alike, self.value][:1]
            self._choices = offered
            self.box.clear()
            for value, said in offered.items():
                self.box.addItem(said, value)
            if self.listed:
                self.box.take_no_more(WIDE)
            self._show_waiting()
        super().offer(offered)

    def forget(self) -> None:
        if self._told and self._choices:
            self._waiting = self._waiting or [self.value]
            self._choices = {}
            self.box.clear()
            self._show(False)

    def _show_waiting(self) -> None:
        """Show what was chosen, if it is offered; else what is usual, until it is."""
        values = list(self._choices)
        result = next((value for value in self._waiting if value in values), self.declared.default)
        self.box.setCurrentIndex(values.index(result) if result in values else min(0, len(values) - 1))
        if result in self._waiting and result in values:
            self._waiting = []

    def _on_choice(self, _: int) -> None:
        self._waiting = []
        self.changed.emit()


class TickField(ChoiceField):
    """Lets something be switched on or off; what is optional is undecided until then."""

    box: QCheckBox

    def __init__(self, declared: Parameter) -> None:
        box = QCheckBox(declared.label)
        super().__init__(declared, box, labelled=False)
        self._decided = not declared.optional
        self._only: tuple[bool, ...] = ()
        self.box.setChecked(bool(declared.default))
        box.clicked.connect(self._on_click)

    @property
    def value(self) -> bool | None:
        """Whether it is on; None while it is undecided.  It stays while there is nothing to choose."""
        return self.box.isChecked() if self._decided else None

    @property
    def given(self) -> bool | None:
        return self._only[0] if self._only else self.value

    def offer(self, choices: Mapping[Any, str] | None) -> None:
        self._only = tuple(choices) if choices is not None and len(choices) == 1 else ()
        super().offer(choices)

    def show_value(self, value: bool | None) -> None:
        self._decided = value is not None
        self.box.setChecked(bool(value))

    def suggest(self, value: bool) -> None:
        if not self._decided:
            self.box.setChecked(value)

    def forget(self) -> None:
        self.suggest(False)

    def _on_click(self) -> None:
        self._decided = True
        self.changed.emit()


class NumberField(ChoiceField):
    """Lets a number be typed; one that is not possible gives way to the nearest that is."""

    box: NumberBox

    def __init__(self, declared: Parameter) -> None:
        box = number_box(declared, declared.spoken or name_of(declared))
        box.setMaximumWidth(NARROW)
        super().__init__(declared, box)
        self._value = declared.default
        self.show_value(declared.default)
        box.edited.connect(self._on_number)
        box.cleared.connect(self._on_cleared)
        box.refused.connect(self._on_refused)

    @property
    def value(self) -> Any:
        """The number; None for none."""
        return self._value

    def show_value(self, value: Any) -> None:
        self._value = value
        self.box.set_value(None if value is None else float(value))

    def _on_number(self, value: float, _: bool) -> None:
        self.show_value(self._possible(value))
        self.changed.emit()

    def _possible(self, value: float) -> Any:
        """Return the nearest number that is possible; where there is none, the one before."""
        low, high = self.declared.lower, self.declared.upper
        value = value if low is None else max(low, value)
        value = value if high is None else min(high, value)
        index = round(value) if self.declared.kind == "int" else value
        try:
            self.declared.check(index)
        except ParameterError:
            return self._value
        return index

    def _on_cleared(self) -> None:
        self._value = None
        self.changed.emit()

    def _on_refused(self, _: str) -> None:
        self.show_value(self._value)


def field_of(declared: Parameter, group: type[OptionGroup]) -> ChoiceField:
    """Return the field for an option of a group."""
    listed, is_shown = (declared.name in names for names in (group.listed, group.told))
    if listed or is_shown or declared.choices:
        return ListField(declared, listed=listed, told=is_shown)
    return TickField(declared) if declared.kind == "bool" else NumberField(declared)
