"""Every choice of a comparison as an edit that can be undone; what makes no sense is refused in words."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.model.wording.number_format import short
from app.pages.compare.request import ComparisonRequest
from app.session import Session
from engine.mechanisms.base import Mechanism

NAMES = {
    "sweep": "what is varied",
    "start": "the first value",
    "stop": "the last value",
    "steps": "the number of values",
    "runs": "the number of runs",
    "within": "the largest error",
    "share": "the probability",
}
"""What the fields of a choice are called."""


def impossible(name: str, value: Any) -> str:
    """Say why a value cannot be chosen; "" if it can, or if that is said beside its field."""
    if name == "share" and not 0 < value < 1:
        return f"{short(value)} is not possible for {NAMES[name]}; it must be between 0 and 1, such as 0.95"
    if name == "within" and not value > 0:
        return f"{short(value)} is not possible for {NAMES[name]}; it must be above 0"
    return ""


class ComparisonEdits(QObject):
    """Changes `SessionState.comparison`.

    Signals
    -------
    refused(str)
        What the user asked for cannot be done; the words say why.
    """

    refused = Signal(str)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session

    def change(self, name: str, value: Any, continuous: bool) -> bool:
        """Give a field another value; False if that makes no sense."""
        wrong = impossible(name, value)
        if wrong:
            self.refused.emit(wrong)
            return False
        fields = {name: value} | ({"start": None, "stop": None} if name == "sweep" else {})
        self._edit(f"change {NAMES[name]}", f"comparison {name}" if continuous else "", **fields)
        return True

    def add(self, request: ComparisonRequest, mechanism: Mechanism[Any]) -> None:
        """Let a mechanism take part, unless it does already."""
        if mechanism not in request.mechanisms:
            self._edit("add a mechanism", mechanisms=(*request.mechanisms, mechanism))

    def remove(self, request: ComparisonRequest, position: int) -> None:
        """Leave out a contender, but not the last one."""
        kept = [one for index, one in enumerate(request.mechanisms) if index != position]
        if kept:
            self._edit("remove a mechanism", mechanisms=tuple(kept))
        else:
            self.refused.emit("a comparison needs at least one mechanism")

    def start_over(self) -> None:
        """Compare what fits the form."""
        self._edit("compare what fits the form", mechanisms=None)

    def _edit(self, text: str, merge: str = "", **fields: Any) -> None:
        choice = dataclasses.replace(self._session.state.comparison, **fields)
        self._session.edit(text, merge=merge, comparison=choice)
