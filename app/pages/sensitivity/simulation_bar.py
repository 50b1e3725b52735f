"""Play, stop and draw anew: how many of the simulated releases are to be seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.model.audit_choice import DEFAULT_SEED
from app.model.picture_spec import OptionGroup
from app.model.theme import Palette
from app.pages.base.options_editor import FILLING, OptionsEditor
from app.widgets.layouts import line_up
from app.widgets.style import icon

FRAMES = 40
"""Steps in which the simulated releases appear when they are played."""
STEP_MS = 50


class SimulationBar(OptionsEditor):
    """Lets simulated releases appear one after another."""

    share = FILLING

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.seed = DEFAULT_SEED
        self._palette: Palette | None = None
        self._frame = FRAMES
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._step)
        self.play = QPushButton()
        self.play.setToolTip("Let hypothetical releases appear one after another")
        self.play.clicked.connect(self._toggle)
        self.again = QPushButton("Ano&ther draw")
        self.again.setToolTip("Simulate with another seed")
        self.again.clicked.connect(self._draw_anew)
        self.source = QLabel()
        self.source.setObjectName("caption")
        self.source.setWordWrap(True)
        self.source.setToolTip(
            "Simulated with a known seed, for the curator: what these runs show is confidential like the "
            "data, and nothing of it counts as a release."
        )
        line_up(self, self.play, self.again, (self.source, 1))
        self._show()

    @property
    def values(self) -> dict[str, Any]:
        return {"seed": self.seed}

    @property
    def last_box(self) -> QWidget:
        return self.again

    def show_values(self, values: Mapping[str, Any]) -> None:
        self.seed = values.get("seed", self.seed)
        self.rest()

    def frame(self, result: Any) -> Any:
        shown = max(1, round(result.runs * min(1.0, self._frame / FRAMES)))
        return dataclasses.replace(result, simulated=result.simulated[:shown])

    def rest(self) -> None:
        self._timer.stop()
        self._frame = FRAMES
        self._show()

    def set_palette(self, palette: Palette) -> None:
        self._palette = palette
        self._show()

    def _toggle(self) -> None:
        if self._timer.isActive():
            self._timer.stop()
        else:
            self._frame = 0
            self._timer.start()
        self._show()

    def _step(self) -> None:
        self._frame += 1
        if self._frame >= FRAMES:
            self._timer.stop()
            self._show()
        self.redrawn.emit()

    def _draw_anew(self) -> None:
        self.seed += 1
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        playing = self._timer.isActive()
        self.play.setText("Sto&p" if playing else "&Play")
        self.source.setText(f"seed {self.seed} · simulated, so no budget is spent")
        if self._palette is not None:
            self.play.setIcon(icon("stop" if playing else "play", self._palette.ink, size=14))
