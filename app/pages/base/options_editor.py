"""The tools above a picture: editors of its declared options, and of its seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.model.picture_spec import OptionGroup
from app.model.theme import Palette
from app.model.view_states import DEFAULT_SEED
from app.model.wording.components import name_of
from app.widgets.layouts import line_up
from app.widgets.value_editors import ChoiceEditor, ValueEditor, editor_of
from engine.parameters import Parameter

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


SIMULATED = "simulated, so no budget is spent"


FILLING = 100
"""The share of an editor that takes all room of its line."""


class OptionsEditor(QWidget):
    """Shows the options of one group, and lets them be changed."""

    changed = Signal()  # another value was chosen; see `values`
    redrawn = Signal()  # the same result is to be shown in another way; see `frame`
    said = Signal(str)  # there is something to say below the picture

    share: int = 1
    """Its share of the line, or `FILLING`."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__()
        self.group = group
        self.has_choice = True  # whether there is anything to choose now

    @property
    def values(self) -> dict[str, Any]:
        """The chosen values, by the names of the options."""
        raise NotImplementedError

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that an analysis gets, by name."""
        return self.values

    @property
    def last_box(self) -> QWidget:
        """The last field that Tab reaches."""
        raise NotImplementedError

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Show values of some of the options, without announcing them."""
        raise NotImplementedError

    def follow(self, selection: Any, *, public: bool) -> None:
        """Offer what can be chosen of such a selection; with `public`, in the release view."""

    def outdate(self) -> None:
        """Stop saying what older choices gave; `take` says it anew."""

    def take(self, result: Any, asked: Mapping[str, Any]) -> None:
        """Offer what can be chosen of a result that was `asked` for, and show what was taken for the rest."""

    def attach(self, canvas: PlotCanvas) -> None:
        """Take part in what is done in a picture with these options."""

    def frame(self, result: Any) -> Any:
        """Return what is to be seen of a result now."""
        return result

    def rest(self) -> None:
        """Show all of a result again: others are to come."""

    def forget(self) -> None:
        """Stop saying what follows from other data, or from another view."""
        self.rest()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""


class ParameterEditor(OptionsEditor):
    """A line with a field for each option, as its declaration says."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.fields = {declared.name: tool_of(declared, group) for declared in group.parameters()}
        self._needed = True
        for field in self.fields.values():
            field.edited.connect(self.changed)
        line = line_up(self, *(widget for field in self.fields.values() for widget in field.widgets))
        line.addStretch(0)
        self.share = 0  # lists are as wide as their labels
        self._show_choice()

    @property
    def boxes(self) -> dict[str, Any]:
        """The box of each option."""
        return {name: field.box for name, field in self.fields.items()}

    @property
    def values(self) -> dict[str, Any]:
        return {name: field.value for name, field in self.fields.items()}

    @property
    def arguments(self) -> dict[str, Any]:
        return {name: field.argument for name, field in self.fields.items()}

    @property
    def last_box(self) -> QWidget:
        return list(self.fields.values())[-1].box

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
    """Return the editor of an option among the tools of its group."""
    listed, resulting = declared.name in group.listed, declared.name in group.offered_by_result
    name = declared.spoken or name_of(declared)
    if listed or resulting:
        return ChoiceEditor(declared, name, tool=True, listed=listed, resulting=resulting)
    return editor_of(declared, name, tool=True)


class SeedEditor(OptionsEditor):
    """Draws anew with another seed; `source` says what is shown. Subclasses lay out both."""

    again_text: ClassVar[str] = "Ne&w seed"
    again_tip: ClassVar[str] = "Simulate with another seed; nothing is released, and no budget spent"
    share = FILLING

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.seed = DEFAULT_SEED
        self.again = QPushButton(self.again_text)
        self.again.setToolTip(self.again_tip)
        self.again.clicked.connect(self.draw_anew)
        self.source = QLabel()
        self.source.setObjectName("caption")
        self.source.setWordWrap(True)

    @property
    def values(self) -> dict[str, Any]:
        return {"seed": self.seed}

    @property
    def last_box(self) -> QWidget:
        return self.again

    def show_values(self, values: Mapping[str, Any]) -> None:
        self.seed = values.get("seed", self.seed)
        self.say_source()

    def draw_anew(self) -> None:
        """Simulate with another seed."""
        self.seed += 1
        self.say_source()
        self.changed.emit()

    def say_source(self, real: bool = False, failure: str = "") -> None:
        """Say whether the picture shows a release or simulated ones, and why there is none."""
        simulated = f"seed {self.seed} · {failure or SIMULATED}"
        self.source.setText("the newest release, as in the history" if real else simulated)


class DrawEditor(SeedEditor):
    """Draws another simulated release; with `simulated`, it is shown although there is a real one."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.simulated = False
        line_up(self, self.again, (self.source, 1))
        self.say_source()

    def follow(self, selection: Any, *, public: bool) -> None:
        self.has_choice = self.group.is_needed(selection, public=public)

    def draw_anew(self) -> None:
        self.simulated = True
        super().draw_anew()
