"""Which record is pointed at, in whichever picture or table that is."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.model.pointed import PointedRecord


class RecordPointer(QObject):
    """Knows which record of the open page is pointed at, for all that can show it.

    Signals
    -------
    moved(object)
        A `PointedRecord`; None for none.

    Attributes
    ----------
    pointed : PointedRecord or None
    """

    moved = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.pointed: PointedRecord | None = None

    def point_at(self, pointed: PointedRecord | None) -> None:
        """Point at a record, or at none."""
        if pointed != self.pointed:
            self.pointed = pointed
            self.moved.emit(pointed)
