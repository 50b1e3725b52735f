"""Another simulated release, and which one is shown: it, or the newest that was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.model.picture_spec import OptionGroup
from app.model.view_states import DEFAULT_SEED
from app.pages.base.options_editor import FILLING, OptionsEditor
from app.widgets.layouts import line_up

SIMULATED = "simulated, so no budget is spent"


class SeedEditor(OptionsEditor):
    """Draws anew with another seed; `source` says what is shown. Subclasses lay out both."""

    again_text: ClassVar[str] = "Ne&w seed"
    again_tip: ClassVar[str] = "Simulate with another seed; nothing is released, and no budget spent"
    share = FILLING

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.seed = DEFAULT_SEED
        self.again = QPushButton(self.again_text)
        self.again.setToolTip(self.again_tip)
        self.again.clicked.connect(self.draw_anew)
        self.source = QLabel()
        self.source.setObjectName("caption")
        self.source.setWordWrap(True)

    @property
    def values(self) -> dict[str, Any]:
        return {"seed": self.seed}

    @property
    def last_box(self) -> QWidget:
        return self.again

    def show_values(self, values: Mapping[str, Any]) -> None:
        self.seed = values.get("seed", self.seed)
        self.say_source()

    def draw_anew(self) -> None:
        """Simulate with another seed."""
        self.seed += 1
        self.say_source()
        self.changed.emit()

    def say_source(self, real: bool = False, failure: str = "") -> None:
        """Say whether the picture shows a release or simulated ones, and why there is none."""
        simulated = f"seed {self.seed} · {failure or SIMULATED}"
        self.source.setText("the newest release, as in the history" if real else simulated)


class DrawEditor(SeedEditor):
    """Draws another simulated release; with `simulated`, it is shown although there is a real one."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        self.simulated = False
        line_up(self, self.again, (self.source, 1))
        self.say_source()

    def follow(self, selection: Any, *, public: bool) -> None:
        self.has_choice = self.group.is_needed(selection, public=public)

    def draw_anew(self) -> None:
        self.simulated = True
        super().draw_anew()
