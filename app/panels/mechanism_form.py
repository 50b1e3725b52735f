"""The form of a mechanism, made from its declared parameters and parts."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.model.pages.registry import queries_of
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.wording.components import page_key, words_of
from app.model.wording.numbers import format_exact
from app.panels.mechanism_rows import COMPONENT_ROWS, ComponentChooser, ComponentRow, FileChooser, PartView
from app.session import Session
from app.widgets.form_row import FormRow
from app.widgets.layouts import stack
from app.widgets.value_editors import ParameterForm
from engine.catalog import kind_of, methods, offered
from engine.components import Component, automatic_value, part_of
from engine.errors import SensiscopeError
from engine.parameters import Parameter, idle_parameters
from engine.specification import Specification, key_of

FormWidget = ComponentChooser | ParameterForm | ComponentRow
"""The parts of a form."""


class FormPart:
    """The rows of the component at a path of parameters."""

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
        chooser = FileChooser if kind == "function" else ComponentChooser
        self.chooser: ComponentChooser = chooser(kind, words_of(kind, declared), field)
        self.form, self.advanced = ParameterForm(parent), ParameterForm(parent)
        self.advanced_labels: list[str] = []
        self.extra: ComponentRow | None = None
        self.chooser.chosen.connect(lambda name: session.choose(name, *path))
        self.chooser.setParent(parent)  # without a parent, they would become windows
        for form in (self.form, self.advanced):
            form.edited.connect(self._on_edited)

    @property
    def is_deep(self) -> bool:
        """Whether it is a part of a part; all its parameters are advanced."""
        return len(self.path) > 1

    def show_part(self, view: PartView, offered: dict[str, type[Component]]) -> None:
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
        self.advanced_labels = [one.label for one in advanced if one.advanced or not one.is_component]
        self.form.show_parameters(shown, chosen.values, page)
        self.advanced.show_parameters(advanced if view.tuning else (), chosen.values, page)
        self._show_automatic(view)
        if self.extra is not None:
            self.extra.setVisible(True)
            self.extra.show_part(view, self.form)
            if self.extra.automatic:
                box = self.chooser.box
                box.setItemText(box.currentIndex(), f"auto: {self.extra.automatic}")

    @property
    def above(self) -> tuple[FormWidget, ...]:
        return (self.chooser, self.form, *([self.extra] if self.extra else []))

    def _show_automatic(self, view: PartView) -> None:
        """Show the defaults of empty fields."""
        if view.setup is None:
            return
        component = functools.reduce(getattr, self.path, view.setup.mechanism)
        for row in (*self.form.rows.values(), *self.advanced.rows.values()):
            if row.declared.may_be_empty:
                result = automatic_value(component, row.declared.name, view.setup.source.domain)
                row.show_automatic(result if isinstance(result, str) else format_exact(result))

    def _take_extra(self, component: type[Component]) -> None:
        classes = {base.__name__ for base in component.__mro__}
        kind = next((one for one in COMPONENT_ROWS if one.about in classes), None)
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
    """Return the rows of a widget that can show a problem."""
    if isinstance(widget, ParameterForm):
        return widget.rows.values()
    return (widget,) if isinstance(widget, ComponentChooser) else widget.rows


Path = tuple[str, ...]


class MechanismForm(QWidget):
    """Edits the mechanism of the session: its chooser, its parameters, and its parts. The query comes first;
    advanced parameters come last.
    """

    file_requested = Signal()
    confirm_requested = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._parts: dict[tuple[Path, str], FormPart] = {}  # by path and kind of component
        self._order: tuple[FormWidget, ...] = ()
        self._shown: list[FormPart] = []
        self._offers: dict[tuple[str, str], dict[str, type[Component]]] = {}
        self._laid_out: object = None
        self._column = stack(self, spacing=5)  # as between other rows of a card

    def show_state(self, state: SessionState, tuning: bool) -> None:
        """Show the choices, with `tuning` also advanced parameters."""
        setup = _setup(state)
        self._shown = []
        for path, chosen, declared in _nodes(state.mechanism):
            part = self._part(path, kind_of(chosen.component), declared)
            part.show_part(PartView(chosen, state, setup, tuning), self._find_offers(state.page, chosen))
            self._shown.append(part)
        self._lay_out(tuple(self._widgets(state.mechanism, ())))

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows that can show a problem, from the top."""
        return tuple(row for widget in self._order for row in rows_in(widget))

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        """The widgets in tab order, from the top."""
        return tuple(box for widget in self._order for box in widget.boxes)

    def chooser(self, field: str) -> ComponentChooser:
        """Return the row that chooses a kind of component: "query", "method", "noise", …"""
        rows = (part.chooser for part in self._shown)
        return next(row for row in rows if field in row.fields)

    def part(self, kind: str) -> FormPart:
        """Return the part for the first component of a kind."""
        return next(part for part in self._shown if part.kind == kind)

    def row(self, name: str) -> FormRow:
        """Return the row of a parameter, from the first component with that name."""
        rows = (form.rows for part in self._shown for form in (part.form, part.advanced))
        return next(results[name] for results in rows if name in results)

    @property
    def advanced(self) -> tuple[str, ...]:
        """The labels of folded rows."""
        return tuple(label for part in self._shown for label in part.advanced_labels)

    def _part(self, path: Path, kind: str, declared: Parameter | None) -> FormPart:
        if (path, kind) not in self._parts:
            part = self._parts[path, kind] = FormPart(self._session, path, kind, declared, self)
            if isinstance(part.chooser, FileChooser):
                part.chooser.file_requested.connect(self.file_requested)
                part.chooser.confirm_requested.connect(self.confirm_requested)
        return self._parts[path, kind]

    def _widgets(self, chosen: Specification, path: Path) -> Iterator[FormWidget]:
        part = self._parts[path, kind_of(chosen.component)]
        parts = _parts_of(chosen)
        first = part_of(chosen.component, "query")
        if first:
            yield from self._widgets(parts.pop(first), (*path, first))
        yield from part.above
        for name, inner in parts.items():
            yield from self._widgets(inner, (*path, name))
        yield part.advanced

    def _lay_out(self, order: tuple[FormWidget, ...]) -> None:
        if order != self._order:
            for widget in set(self._order).difference(order):
                widget.hide()
            for widget in self._order:
                self._column.removeWidget(widget)
            for widget in order:
                self._column.addWidget(widget)
                if isinstance(widget, ParameterForm):
                    widget.setVisible(bool(widget.rows))
            self._order = order
        laid_out = [(widget, widget.isHidden(), len(tuple(rows_in(widget)))) for widget in order]
        if laid_out != self._laid_out:
            self._laid_out = laid_out
            for widget in order:
                widget.updateGeometry()  # at once, so that the column knows its new height
            self.updateGeometry()

    def _find_offers(self, page: str, chosen: Specification) -> dict[str, type[Component]]:
        """Return the alternatives to a component; cached."""
        asking = kind_of(chosen.component) in ("query", "mechanism")
        position = (page, "") if asking else ("", chosen.family)
        if position not in self._offers:
            kinds = methods() if chosen.family == "mechanism" else offered(chosen.family)
            self._offers[position] = queries_of(page) if asking else dict(kinds)
        return self._offers[position]


def _parts_of(chosen: Specification) -> dict[str, Specification]:
    """Return the parts, those of the query first."""
    asking = {declared.name for declared in chosen.component.parameters() if declared.asks}
    return dict(sorted(chosen.parts().items(), key=lambda part: part[0] not in asking))


def _nodes(
    chosen: Specification, path: Path = (), declared: Parameter | None = None
) -> Iterator[tuple[Path, Specification, Parameter | None]]:
    """Yield path, component and parameter of a mechanism and of all its parts."""
    yield path, chosen, declared
    known = {one.name: one for one in chosen.component.parameters()}
    for name, part in _parts_of(chosen).items():
        yield from _nodes(part, (*path, name), known[name])


def _setup(state: SessionState) -> Selection | None:
    try:
        return selection(state)
    except SensiscopeError:
        return None
