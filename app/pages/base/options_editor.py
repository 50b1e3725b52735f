"""The tools above a picture: editors of its declared options, and of its seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.model.picture_spec import OptionGroup
from app.model.view_states import DEFAULT_SEED
from app.model.wording.buttons import BUTTONS
from app.model.wording.components import name_of
from app.widgets.buttons import push_button
from app.widgets.card import plain
from app.widgets.layouts import line_up
from app.widgets.value_editors import ChoiceEditor, ValueEditor, editor_of
from engine.parameters import Parameter

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


class OptionsEditor(QWidget):
    """Edits the options of one group."""

    changed = Signal()  # a value changed; see `values`
    said = Signal(str)  # a note for below the picture

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__()
        self.group = group
        self.has_choice = True  # whether there is a choice now

    @property
    def values(self) -> dict[str, Any]:
        """The chosen values, by the names of the options."""
        raise NotImplementedError

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of an analysis, by name."""
        return self.values

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Show values of some options, without a signal."""
        raise NotImplementedError

    def follow(self, selection: Any, *, public: bool) -> None:
        """Offer the choices for a selection; `public`: in the Release view."""

    def take(self, result: Any, asked: Mapping[str, Any]) -> None:
        """Offer the choices for a result of the request `asked`, and show the values used."""

    def attach(self, canvas: PlotCanvas) -> None:
        """Connect to the mouse and keys of a picture with these options."""

    def forget(self) -> None:
        """Clear notes about other data, or about another view."""


class ParameterEditor(OptionsEditor):
    """A line with a field for each declared option."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.fields = {declared.name: tool_of(declared, group) for declared in group.parameters()}
        self._needed = True
        for field in self.fields.values():
            field.edited.connect(self.changed)
        line_up(self, *(widget for field in self.fields.values() for widget in field.widgets))
        self._show_choice()

    @property
    def boxes(self) -> dict[str, Any]:
        return {name: field.box for name, field in self.fields.items()}

    @property
    def values(self) -> dict[str, Any]:
        return {name: field.value for name, field in self.fields.items()}

    @property
    def arguments(self) -> dict[str, Any]:
        return {name: field.argument for name, field in self.fields.items()}

    def show_values(self, values: Mapping[str, Any]) -> None:
        for name in values.keys() & self.fields.keys():
            self.fields[name].show_value(values[name])

    def follow(self, selection: Any, *, public: bool) -> None:
        self._needed = self.group.is_needed(selection, public=public)
        offered = self.group.offered(selection, public=public)
        for name, field in self.fields.items():
            if name not in self.group.offered_by_result:
                field.offer(offered.get(name))
        self._show_choice()

    def take(self, result: Any, asked: Mapping[str, Any]) -> None:
        for name, choices in self.group.offered_by(result).items():
            self.fields[name].offer(choices)
        for name, value in self.group.taken_by(result).items():
            self.fields[name].suggest(value)
        self._show_choice()

    def forget(self) -> None:
        super().forget()
        for field in self.fields.values():
            field.forget()
        self._show_choice()

    def _show_choice(self) -> None:
        self.has_choice = self._needed and any(field.has_choice for field in self.fields.values())


def tool_of(declared: Parameter, group: type[OptionGroup]) -> ValueEditor:
    listed, resulting = declared.name in group.listed, declared.name in group.offered_by_result
    name = declared.spoken or name_of(declared)
    if listed or resulting:
        return ChoiceEditor(declared, name, tool=True, listed=listed, resulting=resulting)
    return editor_of(declared, name, tool=True)


class DrawEditor(OptionsEditor):
    """Draws another simulated release; `simulated` shows it even if there is a real one.

    `source` names the shown release.
    """

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.seed = DEFAULT_SEED
        self.simulated = False
        tip = "Simulate with another seed; this uses no budget"
        self.again = push_button(BUTTONS["new-seed"], tip, self.draw_anew)
        self.source = plain(name="caption")
        line_up(self, self.again, self.source, spacing=6)
        self.say_source()

    @property
    def values(self) -> dict[str, Any]:
        return {"seed": self.seed}

    def show_values(self, values: Mapping[str, Any]) -> None:
        self.seed = values.get("seed", self.seed)
        self.say_source()

    def follow(self, selection: Any, *, public: bool) -> None:
        self.has_choice = self.group.is_needed(selection, public=public)

    def draw_anew(self) -> None:
        """Simulate with another seed."""
        self.simulated = True
        self.seed += 1
        self.say_source()
        self.changed.emit()

    def say_source(self, real: bool = False, failure: str = "") -> None:
        """Say whether the picture shows a release or simulations, or why neither."""
        simulated = f"seed {self.seed}, {failure or 'simulated'}"
        self.source.setText("the newest release" if real else simulated)
