"""Another simulated release, and which one is shown: it, or the newest that was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.model.audit_choice import DEFAULT_SEED
from app.model.picture_spec import OptionGroup
from app.pages.base.options_editor import FILLING, OptionsEditor

SIMULATED = "simulated, so no budget is spent"


class DrawEditor(OptionsEditor):
    """Draws another simulated release, and says what is shown.

    With `simulated`, simulated releases are shown although there is a real one.
    """

    share = FILLING

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.seed = DEFAULT_SEED
        self.simulated = False
        self.again = QPushButton("Ne&w seed")
        self.again.setToolTip("Simulate with another seed; nothing is released, and no budget spent")
        self.again.clicked.connect(self.draw_anew)
        self.seeded = QLabel()
        self.seeded.setObjectName("caption")
        self.seeded.setWordWrap(True)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.again)
        line.addWidget(self.seeded, 1)
        self.say_source(False)

    @property
    def values(self) -> dict[str, Any]:
        return {"seed": self.seed}

    @property
    def last_box(self) -> QWidget:
        return self.again

    def show_values(self, values: Mapping[str, Any]) -> None:
        self.seed = values.get("seed", self.seed)
        self.say_source(False)

    def follow(self, selection: Any, *, public: bool) -> None:
        self.has_choice = self.group.is_needed(selection, public=public)

    def draw_anew(self) -> None:
        """Simulate with another seed."""
        self.seed += 1
        self.simulated = True
        self.say_source(False)
        self.changed.emit()

    def say_source(self, real: bool, failure: str = "") -> None:
        """Say whether the picture shows a release or simulated ones, and why there is none."""
        simulated = f"seed {self.seed} · {failure or SIMULATED}"
        self.seeded.setText("the newest release, as in the history" if real else simulated)
