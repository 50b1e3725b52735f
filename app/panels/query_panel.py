"""The form of a release of one number: query, method, noise."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.model.kinds.registry import queries_of
from app.model.mechanism_choice import uses_noise
from app.panels.component_boxes import editors, offer, show_chosen
from app.panels.release_panel import ReleasePanel
from app.session import Session
from app.widgets.parameter_form import FormRow, ParameterForm
from engine.mechanisms import MECHANISMS
from engine.noise import NOISES
from engine.queries import QUERIES

TUNING = ("constants", "split", "clamp")
"""Parameters that are right as they are for nearly everybody."""


class QueryPanel(ReleasePanel):
    """Edits query, method and noise of the session."""

    topic = ""
    shown = ReleasePanel.shown | {"method"}

    def __init__(self, session: Session) -> None:
        super().__init__(session, "constants, split and clamping")

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained."""
        forms = (self.query_form, self.method_form, self.noise_form, self.tuning_form)
        drawn = [row for form in forms for row in form.rows.values()]
        return (self.query_row, self.method_row, self.noise_row, *drawn)

    def _make_rows(self) -> Sequence[QWidget]:
        self.query = self._components("What to release", {}, "queries")
        self.method = self._components("How it is protected", MECHANISMS, "methods")
        self.noise = self._components("Family of the noise", NOISES, "noises")
        self.query_row = FormRow(
            "&Query", self.query, help="The function of the data that is released", fields=["query"]
        )
        self.method_row = FormRow(
            "&Method", self.method, help="How the release is made private", fields=["method"]
        )
        self.noise_row = FormRow("Noi&se", self.noise, help="The distribution of the noise", fields=["noise"])
        self.query_form, self.method_form, self.noise_form, self.tuning_form = (
            ParameterForm() for _ in range(4)
        )
        self.query_form.edited.connect(self._on_query_parameter)
        self.method_form.edited.connect(self._on_method_parameter)
        self.tuning_form.edited.connect(self._on_method_parameter)
        self.noise_form.edited.connect(self._on_noise_parameter)
        return (
            self.query_row,
            self.query_form,
            self.method_row,
            self.method_form,
            self.noise_row,
            self.noise_form,
            self.tuning_form,
        )

    def _fill(self, fields: frozenset[str] | None) -> None:
        state = self._session.state
        if fields is None or "page" in fields:
            self.query.clear()
            offer(self.query, queries_of(state.page))
        for box, name in ((self.query, state.query), (self.method, state.method), (self.noise, state.noise)):
            show_chosen(box, name)
        self.set_title(f"Release the {QUERIES[state.query].label.lower()}")
        self.noise_row.setVisible(uses_noise(state))

    def _fill_forms(self) -> None:
        state = self._session.state
        method = MECHANISMS[state.method].parameters()
        chosen = state.chosen("method", state.method)
        tuning = [one for one in method if one.name in TUNING]
        self.tuning_button.setVisible(bool(tuning))
        shown = tuning if self.tuning_button.isChecked() else []
        query, page = QUERIES[state.query].parameters(), f"methods/{state.method}"
        self.query_form.show_parameters(query, state.chosen("query", state.query), f"queries/{state.query}")
        self.method_form.show_parameters(tuple(one for one in method if one.name not in TUNING), chosen, page)
        self.tuning_form.show_parameters(tuple(shown), chosen, page)
        noise = NOISES[state.noise].parameters() if uses_noise(state) else ()
        self.noise_form.show_parameters(noise, state.chosen("noise", state.noise), f"noises/{state.noise}")

    def _in_order(self) -> Sequence[QWidget]:
        return [
            self.query,
            *editors(self.query_form),
            self.method,
            *editors(self.method_form),
            self.noise,
            *editors(self.noise_form),
            *editors(self.tuning_form),
        ]

    def _on_component(self) -> None:
        chosen = {"query": self.query, "method": self.method, "noise": self.noise}
        for field, box in chosen.items():
            if box.currentData() != getattr(self._session.state, field):
                self._session.edit(f"change the {field}", **{field: box.currentData()})

    def _on_query_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("query", self._session.state.query, name, value, continuous)

    def _on_method_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("method", self._session.state.method, name, value, continuous)

    def _on_noise_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("noise", self._session.state.noise, name, value, continuous)
