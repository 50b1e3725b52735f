"""Play, stop and draw anew: how many of the simulated releases are to be seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton

from app.model.picture_spec import OptionGroup
from app.model.theme import Palette
from app.pages.base.draw_editor import SeedEditor
from app.widgets.layouts import line_up
from app.widgets.style import icon

FRAMES = 40
"""Steps in which the simulated releases appear when they are played."""
STEP_MS = 50


class SimulationBar(SeedEditor):
    """Lets simulated releases appear one after another."""

    again_text = "Ano&ther draw"
    again_tip = "Simulate with another seed"

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self._palette: Palette | None = None
        self._frame = FRAMES
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._step)
        self.play = QPushButton()
        self.play.setToolTip("Let hypothetical releases appear one after another")
        self.play.clicked.connect(self._toggle)
        self.source.setToolTip(
            "Simulated with a known seed, for the curator: what these runs show is confidential like the "
            "data, and nothing of it counts as a release."
        )
        line_up(self, self.play, self.again, (self.source, 1))
        self.say_source()
        self._show()

    def show_values(self, values: Mapping[str, Any]) -> None:
        super().show_values(values)
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

    def _show(self) -> None:
        playing = self._timer.isActive()
        self.play.setText("Sto&p" if playing else "&Play")
        if self._palette is not None:
            self.play.setIcon(icon("stop" if playing else "play", self._palette.ink, size=14))
