"""The form of a release of balls: mechanism, how many points, the method, and what it promises."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QWidget

from app.desks import queries_of
from app.forms import ParameterForm, Row
from app.panels.promise_row import PromiseRow, name_methods
from app.panels.release_panel import ReleasePanel, editors, show_chosen
from app.session import Session
from app.setups import PointsSetup
from app.theme import Palette
from engine.errors import ParameterError
from engine.mechanisms import SANITIZERS

TUNING = ("beta", "grid")
"""Parameters that are right as they are for nearly everybody."""


class BallPanel(ReleasePanel):
    """Edits the mechanism of the session, where it begins with a ball."""

    topic = "balls"
    shown = ReleasePanel.shown | {"columns", "bounds", "points", "epsilon", "delta"}

    def __init__(self, session: Session) -> None:
        super().__init__(session, "probability of failure, and the grid")

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows beside which problems are explained."""
        return (self.query_row, *self.form.rows.values(), *self.tuning_form.rows.values())

    def _make_rows(self) -> Sequence[QWidget]:
        self.query = self._components("Mechanism", queries_of("one-cluster"))
        self.query_row = Row("&Mechanism", self.query, help="What is released", fields=["query"])
        self.form, self.tuning_form = ParameterForm(), ParameterForm()
        for form in (self.form, self.tuning_form):
            form.edited.connect(self._on_parameter)
        self.promise = PromiseRow()
        return self.query_row, self.form, self.promise, self.tuning_form

    def _fill(self, fields: frozenset[str] | None) -> None:
        state = self._session.state
        show_chosen(self.query, state.query)
        self.set_title(f"Release: {SANITIZERS[state.query].label}")

    def _fill_forms(self) -> None:
        state = self._session.state
        declared = SANITIZERS[state.query].parameters()
        chosen = state.chosen("mechanism", state.query)
        tuned = tuple(one for one in declared if one.name in TUNING)
        self.form.show_parameters(tuple(one for one in declared if one.name not in TUNING), chosen)
        self.tuning_form.show_parameters(tuned if self.tuning_button.isChecked() else (), chosen)
        setup = self._setup()
        method = self.form.rows.get("method")
        if method is not None and isinstance(method.box, QComboBox):
            name_methods(method.box, setup)
        self.promise.show_setup(setup)

    def _setup(self) -> PointsSetup | None:
        """Return what is chosen, if it makes sense."""
        try:
            setup = self._session.state.setup()
        except ParameterError:
            return None
        assert isinstance(setup, PointsSetup)
        return setup

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        super().set_palette(palette)
        self.promise.set_link(palette.text(palette.accent))

    def _in_order(self) -> Sequence[QWidget]:
        return [self.query, *editors(self.form), self.promise.words, *editors(self.tuning_form)]

    def _on_component(self) -> None:
        if self.query.currentData() != self._session.state.query:
            self._session.edit("change the mechanism", query=self.query.currentData())

    def _on_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("mechanism", self._session.state.query, name, value, continuous)
