"""The form of a release of balls: mechanism, how many points, the method, and what it promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtWidgets import QComboBox, QWidget

from app.model.selection import PointsSelection, selection
from app.panels.component_boxes import editors
from app.panels.mechanism_panel import MechanismPanel
from app.panels.promise_row import PromiseRow, name_methods
from app.session import Session
from app.theme import Palette
from engine.errors import ParameterError


class BallPanel(MechanismPanel):
    """Edits the mechanism of the session, where it begins with a ball."""

    topic = "balls"
    tuning: ClassVar[frozenset[str]] = frozenset({"beta", "grid"})
    shown = MechanismPanel.shown | {"columns", "bounds", "points", "epsilon", "delta"}

    def __init__(self, session: Session) -> None:
        super().__init__(session, "probability of failure, and the grid")

    def _make_rows(self) -> Sequence[QWidget]:
        query, form, tuned = super()._make_rows()
        self.promise = PromiseRow()
        return query, form, self.promise, tuned

    def _fill_forms(self) -> None:
        super()._fill_forms()
        setup = self._setup()
        method = self.form.rows.get("method")
        if method is not None and isinstance(method.box, QComboBox):
            name_methods(method.box, setup)
        self.promise.show_setup(setup)

    def _setup(self) -> PointsSelection | None:
        """Return what is chosen, if it makes sense."""
        try:
            setup = selection(self._session.state)
        except ParameterError:
            return None
        assert isinstance(setup, PointsSelection)
        return setup

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        super().set_palette(palette)
        self.promise.set_link(palette.text(palette.accent))

    def _in_order(self) -> Sequence[QWidget]:
        return [self.query, *editors(self.form), self.promise.words, *editors(self.tuning_form)]
