"""What kind of thing is released: the first choice where a page has several."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QPushButton, QWidget

from app.releases.registry import SHAPES
from app.widgets.flow import Flow

GAP = 2


class ReleaseKinds(QWidget):
    """A button for each kind, which chooses its first mechanism; its owner hides it where there is no choice.

    Signals
    -------
    chosen(str)
        The name of a mechanism.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What to release")
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(self._on_clicked)
        self._flow = Flow(gap=GAP)
        self.setLayout(self._flow)
        self._names: dict[str, tuple[str, ...]] = {}
        self._tips: dict[str, str] = {}
        self.hide()

    @property
    def buttons(self) -> dict[str, QAbstractButton]:
        """The buttons, by their words."""
        return {button.text(): button for button in self._group.buttons()}

    def show_kinds(self, offered: Mapping[str, Any], usual: Collection[str], chosen: str) -> None:
        """Offer the kinds of what is offered, each with its `usual` mechanism first, and mark one."""
        names = kinds_of(offered, usual)
        if names != self._names:
            self._names = names
            self._tips = {name: f"{one.label}: {one.summary}" for name, one in offered.items()}
            self._rebuild()
        for text, button in self.buttons.items():
            button.setChecked(chosen in names[text])

    @property
    def has_choice(self) -> bool:
        """Whether there are several kinds."""
        return len(self._names) > 1

    def _rebuild(self) -> None:
        for old in self._group.buttons():
            self._group.removeButton(old)
            self._flow.removeWidget(old)
            old.hide()
            old.deleteLater()
        for text, names in self._names.items():
            button = QPushButton(text)
            button.setToolTip(self._tips[names[0]])
            button.setObjectName("segment")
            button.setProperty("plain", True)
            button.setCheckable(True)
            self._group.addButton(button)
            self._flow.addWidget(button)

    def _on_clicked(self, button: QAbstractButton) -> None:
        self.chosen.emit(self._names[button.text()][0])


def kinds_of(offered: Mapping[str, Any], usual: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the names of mechanisms that protect what they release, by kind; `usual` ones come first."""
    results: dict[str, tuple[str, ...]] = {}
    for name, one in sorted(offered.items(), key=lambda item: item[0] not in usual):
        text = SHAPES[one.facts.shape].short if one.family == "mechanism" and one.facts.is_private else ""
        if text:
            results[text] = (*results.get(text, ()), name)
    return results
