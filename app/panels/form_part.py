"""The part of a form about one component: its parameters, and what more is said of it."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from PySide6.QtWidgets import QWidget

from app.model.components import page_key, words_of
from app.model.theme import Palette
from app.model.wording.formatting import format_exact
from app.panels.blocks_row import BlocksRow
from app.panels.component_boxes import PartView, editors
from app.panels.component_chooser import ComponentChooser, chooser_of
from app.panels.noise_row import NoiseRow
from app.panels.promise_row import PromiseRow
from app.session import Session
from app.widgets.form_row import FormRow
from app.widgets.parameter_form import ParameterForm
from engine.components import Component, automatic_value
from engine.parameters import Parameter, idle_parameters
from engine.specification import key_of

Extra = BlocksRow | NoiseRow | PromiseRow

EXTRAS: tuple[type[Extra], ...] = (BlocksRow, NoiseRow, PromiseRow)
"""What forms say of components beside their parameters, or in the place of some: `edits`."""

FormWidget = ComponentChooser | ParameterForm | Extra
"""What forms are made of."""


class FormPart:
    """The rows about the component where a path of parameters leads."""

    def __init__(
        self,
        session: Session,
        path: tuple[str, ...],
        kind: str,
        declared: Parameter | None,
        parent: QWidget,
    ) -> None:
        self.path, self.kind, self.declared = path, kind, declared
        self._session, self._parent = session, parent
        field = "query" if kind == "mechanism" else kind
        self.chooser = chooser_of(kind)(kind, words_of(kind, declared), field)
        self.form, self.advanced = ParameterForm(parent), ParameterForm(parent)
        self.extra: Extra | None = None
        self.chooser.chosen.connect(lambda name: session.choose(name, *path))
        self.chooser.setParent(parent)  # none of them shall ever be a window of its own
        for form in (self.form, self.advanced):
            form.edited.connect(self._on_edited)

    @property
    def is_deep(self) -> bool:
        """Whether it is a part of a part: all its parameters are advanced."""
        return len(self.path) > 1

    def show_part(self, view: PartView, offered: dict[str, type[Component]]) -> None:
        """Show what is chosen."""
        chosen, component = view.chosen, view.chosen.component
        self._take_extra(component)
        edits = self.extra.edits if self.extra else frozenset()
        folded = self.declared is not None and self.declared.advanced and not view.tuning
        self.chooser.setVisible(not folded)
        self.chooser.show_state(view.state, chosen, offered)
        unseen = edits | idle_parameters(component, chosen.values)
        known = tuple(one for one in component.parameters() if one.name not in unseen)
        page = page_key(self.kind, chosen.name)
        advanced = tuple(one for one in known if one.advanced or self.is_deep)
        shown = tuple(one for one in known if one not in advanced)
        self.form.show_parameters(shown, chosen.values, page)
        self.advanced.show_parameters(advanced if view.tuning else (), chosen.values, page)
        self._show_automatic(view)
        if self.extra is not None:
            self.extra.setVisible(True)
            self.extra.show_part(view, self.form)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        if isinstance(self.extra, PromiseRow):
            self.extra.set_link(palette.text(palette.accent))
        elif isinstance(self.extra, NoiseRow):
            self.extra.set_palette(palette)

    @property
    def above(self) -> tuple[FormWidget, ...]:
        """What stands above the parts of the component."""
        return (self.chooser, self.form, *([self.extra] if self.extra else []))

    def _show_automatic(self, view: PartView) -> None:
        """Say what is meant by fields that are left empty."""
        if view.setup is None:
            return
        component = functools.reduce(getattr, self.path, view.setup.mechanism)
        for row in (*self.form.rows.values(), *self.advanced.rows.values()):
            if row.declared.may_be_empty:
                result = automatic_value(component, row.declared.name, view.setup.source.domain)
                row.show_automatic(result if isinstance(result, str) else format_exact(result))

    def _take_extra(self, component: type[Component]) -> None:
        kind = next((one for one in EXTRAS if issubclass(component, one.about)), None)
        if self.extra is not None and type(self.extra) is not kind:
            self.extra.hide()
            self.extra.deleteLater()
            self.extra = None
        if self.extra is None and kind is not None:
            self.extra = kind(self._session, self.path)
            self.extra.setParent(self._parent)

    def _on_edited(self, name: str, value: object, continuous: bool) -> None:
        component = self._session.state.mechanism.part(*self.path).component
        merge = f"{key_of(component)}/{'/'.join((*self.path, name))}" if continuous else ""
        self._session.set_parameter(value, *self.path, name, merge=merge)


def rows_in(widget: FormWidget) -> Iterable[FormRow]:
    """Return the rows of a widget of a form, beside which problems are explained."""
    if isinstance(widget, ParameterForm):
        return widget.rows.values()
    return (widget,) if isinstance(widget, ComponentChooser) else widget.rows


def boxes_in(widget: FormWidget) -> Iterable[QWidget]:
    """Return all that Tab reaches in a widget of a form."""
    return editors(widget) if isinstance(widget, ParameterForm) else widget.boxes
