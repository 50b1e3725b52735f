"""What can be done with a picture: save it, its numbers, copy it, read it as a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

FIGURES = "PNG image (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)"
NUMBERS = "CSV table (*.csv)"


class PlotMenu(QObject):
    """The actions of one canvas, as a menu that opens under the pointer or by the menu key."""

    def __init__(self, canvas: PlotCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        for text, slot in (
            ("Save &figure…", self.ask_figure),
            ("Save &numbers…", self.ask_numbers),
            ("&Copy picture", canvas.copy_to_clipboard),
            ("Show as &table", canvas.show_table),
        ):
            action = QAction(text, canvas)
            action.triggered.connect(slot)
            canvas.addAction(action)

    def open(self, place: QPoint) -> QMenu:
        """Open the menu at a place on the screen."""
        menu = QMenu(self._canvas)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._canvas.actions())
        for action in self._canvas.actions():
            action.setEnabled(self._canvas.has_result)
        menu.popup(place)
        return menu

    def ask_figure(self) -> None:
        """Ask for a file and save the figure there."""
        self._ask("Save figure", "png", FIGURES, self._canvas.save)

    def ask_numbers(self) -> None:
        """Ask for a file and save the numbers there."""
        self._ask("Save numbers", "csv", NUMBERS, self._canvas.save_table)

    def _ask(self, title: str, suffix: str, filters: str, save: Callable[[str], None]) -> None:
        name = f"{self._canvas.file_stem}.{suffix}"
        path, chosen = QFileDialog.getSaveFileName(self._canvas, title, name, filters)
        if not path:
            return
        if not Path(path).suffix:
            path += chosen.partition("*")[2].rstrip(")")
        try:
            save(path)
        except (OSError, ValueError) as error:
            box = QMessageBox(QMessageBox.Icon.Warning, title, f"Nothing was saved: {error}")
            box.setParent(self._canvas, Qt.WindowType.Dialog)
            box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            box.open()
