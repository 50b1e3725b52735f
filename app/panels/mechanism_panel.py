"""The form of a release by a mechanism of one kind: which one, and its declared parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from PySide6.QtWidgets import QWidget

from app.model.kinds.registry import queries_of
from app.panels.component_boxes import editors, offer, show_chosen
from app.panels.release_panel import ReleasePanel
from app.session import Session
from app.widgets.parameter_form import FormRow, ParameterForm
from engine.catalog import ASKED


class MechanismPanel(ReleasePanel):
    """Edits the mechanism of the session, which has no other parts than its parameters.

    Attributes
    ----------
    tuning : frozenset of str
        Parameters that are right as they are for nearly everybody.
    """

    tuning: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, session: Session, tuning: str) -> None:
        super().__init__(session, tuning)

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained."""
        return (self.query_row, *self.form.rows.values(), *self.tuning_form.rows.values())

    def _make_rows(self) -> Sequence[QWidget]:
        self.query = self._components("Mechanism", {}, "mechanisms")
        self.query_row = FormRow("&Mechanism", self.query, help="What is released", fields=["query"])
        self.form, self.tuning_form = ParameterForm(), ParameterForm()
        for form in (self.form, self.tuning_form):
            form.edited.connect(self._on_parameter)
        return self.query_row, self.form, self.tuning_form

    def _fill(self, fields: frozenset[str] | None) -> None:
        state = self._session.state
        if not self.query.count():
            self._offer(queries_of(state.page))
        show_chosen(self.query, state.query)
        self.set_title(f"Release: {ASKED[state.query].label}")

    def _offer(self, mechanisms: dict[str, Any]) -> None:
        """Add the mechanisms to the choices."""
        offer(self.query, mechanisms)

    def _fill_forms(self) -> None:
        state = self._session.state
        declared = ASKED[state.query].parameters()
        chosen = state.chosen("mechanism", state.query)
        tuned = tuple(one for one in declared if one.name in self.tuning)
        page = f"mechanisms/{state.query}"
        self.form.show_parameters(tuple(one for one in declared if one.name not in self.tuning), chosen, page)
        self.tuning_form.show_parameters(tuned if self.tuning_button.isChecked() else (), chosen, page)
        self.tuning_button.setVisible(bool(tuned))

    def _in_order(self) -> Sequence[QWidget]:
        return [self.query, *editors(self.form), *editors(self.tuning_form)]

    def _on_component(self) -> None:
        if self.query.currentData() != self._session.state.query:
            self._session.edit("change the mechanism", query=self.query.currentData())

    def _on_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("mechanism", self._session.state.query, name, value, continuous)
