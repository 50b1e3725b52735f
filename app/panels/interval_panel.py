"""What data panels with one pair of bounds have in common."""

from __future__ import annotations

from app.model.kinds.interval import IntervalChoice
from app.panels.data_panel import DataPanel
from app.panels.resolution_row import ResolutionRow
from app.widgets.card import plain
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import FormRow

GRID = frozenset({"resolution", "vertices", "parameters"})
"""The fields of a state on which the grid depends, besides bounds and query; no count of records does."""
SHORT_UNIT = 3
"""Letters of a unit that fit beside the bounds; a longer one stands behind the column."""


class IntervalPanel(DataPanel):
    """Shows and edits the upper one of two bounds that hold for every number."""

    bounds_row: FormRow

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained."""
        return (*super().rows, self.bounds_row, self.resolution_row)

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        """Show the state of the session, and the grid that follows from it."""
        super().refresh(fields)
        state = self._session.state
        if fields is not None and fields & GRID and state.page == self._page and self.fits(state):
            self._fill_bounds()

    def _make_bounds(self, help: str) -> FormRow:
        self.upper_box = NumberBox("Upper bound", logarithmic=False)
        self.upper_box.edited.connect(self._on_upper)
        self.unit = plain()
        self.bounds_row = self._make_bounds_row(help)
        self.upper_box.refused.connect(self.bounds_row.refuse)
        return self.bounds_row

    def _make_last_rows(self) -> list[FormRow]:
        self.resolution_row = ResolutionRow()
        self.resolution_row.chosen.connect(self._on_resolution)
        return [self.resolution_row]

    def _make_bounds_row(self, help: str) -> FormRow:
        raise NotImplementedError

    def _fill_bounds(self) -> None:
        state = self._session.state
        self.upper_box.set_value(IntervalChoice.of(state).upper)
        self.unit.setText(state.unit)
        self.unit.setVisible(0 < len(state.unit) <= SHORT_UNIT)
        self.bounds_row.settle()
        self.resolution_row.show_state(state)

    def _on_upper(self, value: float, continuous: bool) -> None:
        self.bounds_row.settle()
        self._session.edit("change the upper bound", merge="upper" if continuous else "", upper=value)

    def _on_resolution(self, value: float | None, continuous: bool) -> None:
        merge = "resolution" if continuous else ""
        self._session.edit("change the resolution", merge=merge, resolution=value)
