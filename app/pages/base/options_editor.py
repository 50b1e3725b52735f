"""The tools above a picture: what can be chosen about it, as its options are declared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.model.picture_spec import OptionGroup
from app.model.theme import Palette
from app.pages.base.option_fields import ChoiceField, field_of

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

FILLING = 100
"""Of the room of a line, for an editor that leaves nothing over."""


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
    said(str)
        There is something to say below the picture.

    Attributes
    ----------
    share : int
        Of the room of its line.
    has_choice : bool
        Whether there is anything to choose now.
    """

    changed = Signal()
    redrawn = Signal()
    said = Signal(str)

    share: int = 1

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__()
        self.group = group
        self.has_choice = True

    @property
    def values(self) -> dict[str, Any]:
        """What is chosen, by the names of the options."""
        raise NotImplementedError

    @property
    def arguments(self) -> dict[str, Any]:
        """What an analysis is given of it, by name."""
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
        """Say no more what was found of older choices; `take` says it anew."""

    def take(self, result: Any, asked: Mapping[str, Any]) -> None:
        """Offer what can be chosen of a result, and show what it says of what was not chosen.

        `asked` is what was chosen when it was asked for.
        """

    def attach(self, canvas: PlotCanvas) -> None:
        """Take part in what is done in a picture with these options."""

    def frame(self, result: Any) -> Any:
        """Return what is to be seen of a result now."""
        return result

    def rest(self) -> None:
        """Show all of a result again: others are to come."""

    def forget(self) -> None:
        """Say nothing any more that follows from other data, or from another view."""
        self.rest()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""


class ParameterEditor(OptionsEditor):
    """A line with a field for each option, as its declaration says."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.fields: dict[str, ChoiceField] = {}
        self._needed = True
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        for declared in group.parameters():
            field = field_of(declared, group)
            field.changed.connect(self.changed)
            for widget in field.widgets:
                line.addWidget(widget)
            self.fields[declared.name] = field
        line.addStretch(0)
        self.share = 0  # lists are as wide as their words
        self._show_choice()

    @property
    def boxes(self) -> dict[str, Any]:
        """What each option is chosen with."""
        return {name: field.box for name, field in self.fields.items()}

    @property
    def values(self) -> dict[str, Any]:
        return {name: field.value for name, field in self.fields.items()}

    @property
    def arguments(self) -> dict[str, Any]:
        return {name: field.given for name, field in self.fields.items()}

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
            if name not in self.group.told:
                field.offer(offered.get(name))
        self._show_choice()

    def take(self, result: Any, asked: Mapping[str, Any]) -> None:
        for name, choices in self.group.told_by(result).items():
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
