"""The form of a mechanism, drawn from what it and its parts declare."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.model.pages.registry import queries_of
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.theme import Palette
from app.panels.component_boxes import PartView
from app.panels.component_chooser import ComponentChooser, FileChooser
from app.panels.form_part import FormPart, FormWidget, boxes_in, rows_in
from app.session import Session
from app.widgets.form_row import FormRow
from app.widgets.layouts import stack
from app.widgets.parameter_form import ParameterForm
from engine.catalog import kind_of, methods, offered
from engine.components import Component, part_of
from engine.errors import SensiscopeError
from engine.parameters import Parameter, idle_parameters
from engine.specification import Specification

Path = tuple[str, ...]


class MechanismForm(QWidget):
    """Edits the mechanism of the session: a row to choose it, its parameters, and below them its parts.

    What is asked of the data stands first; advanced parameters stand last.

    Signals
    -------
    file_requested(), confirm_requested()
        As in `FileChooser`.
    """

    file_requested = Signal()
    confirm_requested = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._parts: dict[Path, FormPart] = {}
        self._order: tuple[FormWidget, ...] = ()
        self._shown: tuple[Path, ...] = ()
        self._offers: dict[tuple[str, str], dict[str, type[Component]]] = {}
        self._laid_out: object = None
        self._palette: Palette | None = None
        self._column = stack(self, spacing=5)  # as between other rows of a card

    def show_state(self, state: SessionState, tuning: bool) -> None:
        """Show what is chosen; advanced parameters with `tuning`."""
        setup = _setup(state)
        results = tuple(_nodes(state.mechanism))
        for path, chosen, declared in results:
            part = self._part(path, kind_of(chosen.component), declared)
            part.show_part(PartView(chosen, state, setup, tuning), self._offered(state.page, chosen))
            if self._palette is not None:
                part.set_palette(self._palette)
        self._shown = tuple(path for path, _, _ in results)
        self._lay_out(tuple(self._widgets(state.mechanism, ())))

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained, from the top."""
        return tuple(row for widget in self._order for row in rows_in(widget))

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        """All that Tab reaches, from the top."""
        return tuple(box for widget in self._order for box in boxes_in(widget))

    def chooser(self, field: str) -> ComponentChooser:
        """Return the row that chooses the "query", which is what is asked, or the "method", "noise" …"""
        rows = (self._parts[path].chooser for path in self._shown)
        return next(row for row in rows if field in row.fields)

    def part(self, kind: str) -> FormPart:
        """Return the part about the first component of a kind."""
        return next(self._parts[path] for path in self._shown if self._parts[path].kind == kind)

    def row(self, name: str) -> FormRow:
        """Return the row of a parameter, of the first component that has one of that name."""
        parts = [self._parts[path] for path in self._shown]
        rows = (form.rows for part in parts for form in (part.form, part.advanced))
        return next(results[name] for results in rows if name in results)

    @property
    def advanced(self) -> tuple[str, ...]:
        """The labels of what is folded away."""
        results = []
        for path in self._shown:
            chosen, deep = self._session.state.mechanism.part(*path), self._parts[path].is_deep
            idle = idle_parameters(chosen.component, chosen.values)
            results += [
                one.label
                for one in chosen.component.parameters()
                if one.name not in idle and (one.advanced or (deep and not one.is_component))
            ]
        return tuple(results)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        for part in self._parts.values():
            part.set_palette(palette)

    def _part(self, path: Path, kind: str, declared: Parameter | None) -> FormPart:
        if path not in self._parts:
            part = self._parts[path] = FormPart(self._session, path, kind, declared, self)
            if isinstance(part.chooser, FileChooser):
                part.chooser.file_requested.connect(self.file_requested)
                part.chooser.confirm_requested.connect(self.confirm_requested)
        return self._parts[path]

    def _widgets(self, chosen: Specification, path: Path) -> Iterator[FormWidget]:
        part = self._parts[path]
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
                widget.updateGeometry()  # at once, so that the column knows how much room is left
            self.updateGeometry()

    def _offered(self, page: str, chosen: Specification) -> dict[str, type[Component]]:
        """Return what can be chosen in the place of a component, which is looked up once."""
        asking = kind_of(chosen.component) in ("query", "mechanism")
        position = (page, "") if asking else ("", chosen.family)
        if position not in self._offers:
            kinds = methods() if chosen.family == "mechanism" else offered(chosen.family)
            self._offers[position] = queries_of(page) if asking else dict(kinds)
        return self._offers[position]


def _parts_of(chosen: Specification) -> dict[str, Specification]:
    """Return the parts, first those that say what is asked."""
    asking = {declared.name for declared in chosen.component.parameters() if declared.asks}
    return dict(sorted(chosen.parts().items(), key=lambda part: part[0] not in asking))


def _nodes(
    chosen: Specification, path: Path = (), declared: Parameter | None = None
) -> Iterator[tuple[Path, Specification, Parameter | None]]:
    """Yield a mechanism and all its parts: path, what is chosen, and the parameter that holds it."""
    yield path, chosen, declared
    known = {one.name: one for one in chosen.component.parameters()}
    for name, part in _parts_of(chosen).items():
        yield from _nodes(part, (*path, name), known[name])


def _setup(state: SessionState) -> Selection | None:
    try:
        return selection(state)
    except SensiscopeError:
        return None
