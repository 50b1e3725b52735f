"""What Python still has of a window that Qt has deleted: it ends without a search for garbage."""

from __future__ import annotations

import weakref
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QWidget

from app.widgets.turns import in_a_later_turn


@runtime_checkable
class HasMore(Protocol):
    """A part that knows more that is not Qt's."""

    def take_apart(self) -> None:
        """Let go of it, for good."""


class Remains(QObject):
    """Takes a window apart once Qt has deleted it, with all that it held.

    Its parts know each other, and were left out of searches for garbage while it was open
    (`app.window.garbage`): while another window is open, a search for them would go through all that was ever
    imported.  Nothing can ask them for anything any more.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(QCoreApplication.instance())
        self._parts = [weakref.ref(part) for part in (window, *window.findChildren(QObject))]
        self._later = in_a_later_turn(self, self._take_apart)
        window.destroyed.connect(self._later.start)  # Qt deletes the parts after that

    def _take_apart(self) -> None:
        for reference in self._parts:
            part = reference()
            if part is not None:
                if isinstance(part, HasMore):
                    part.take_apart()
                vars(part).clear()
        self.deleteLater()
