"""The declared step of released values: empty for the automatic grid."""

from __future__ import annotations

from PySide6.QtCore import Signal

from app.model.kinds.interval import IntervalChoice
from app.model.selection import selection, step_of
from app.model.state import SessionState
from app.model.wording.formatting import format_exact
from app.widgets.form_row import FormRow
from app.widgets.number_box import NumberBox
from engine.errors import ParameterError

RESOLUTION_HELP = (
    "Released values are whole multiples of this step. It is public: choose it without looking at the data. "
    "Leave it empty for the automatic grid, far finer than the noise; a step that is finer still changes "
    "nothing."
)
AUTOMATIC = "automatic"
OR_EMPTY = "or leave the field empty"


class ResolutionRow(FormRow):
    """Asks for the step of released values.

    Signals
    -------
    chosen(float or None, bool)
        The new step, and whether it is one of a continuous movement.
    """

    chosen = Signal(object, bool)

    def __init__(self, label: str = "Resol&ution") -> None:
        self.box = NumberBox("Resolution of released values", logarithmic=True, optional=True)
        self.box.lineEdit().setPlaceholderText(AUTOMATIC)
        super().__init__(label, self.box, help=RESOLUTION_HELP, fields=["resolution"])
        self.box.edited.connect(self._on_edited)
        self.box.cleared.connect(self._on_cleared)
        self.box.refused.connect(self._on_refused)

    @property
    def value(self) -> float | None:
        """The step; None for the automatic one."""
        return self.box.value

    def show_state(self, state: SessionState) -> None:
        """Show what is declared, and in its place what the grid is without it."""
        self.box.set_value(IntervalChoice.of(state).resolution)
        step = automatic(state)
        self.box.lineEdit().setPlaceholderText(
            AUTOMATIC if step is None else f"{AUTOMATIC}: {format_exact(step)}"
        )
        self.settle()

    def _on_edited(self, value: float, continuous: bool) -> None:
        self.settle()
        self.chosen.emit(value, continuous)

    def _on_refused(self, text: str) -> None:
        self.refuse(f"{text}, {OR_EMPTY}")

    def _on_cleared(self) -> None:
        self.settle()
        self.chosen.emit(None, False)


def automatic(state: SessionState) -> float | None:
    """Return about the step without a declared one; None while it is not known."""
    try:
        step = step_of(selection(state.replaced({"resolution": None})))
    except ParameterError:
        return None
    return float(f"{step:.2g}") if isinstance(step, float) else None
