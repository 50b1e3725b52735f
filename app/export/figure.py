"""Saving what is on the screen: asks where, writes, and says how it went."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

FIGURES = "PNG image (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)"
NUMBERS = "CSV table (*.csv)"


def file_name(stem: str, suffix: str, *, private: bool) -> str:
    """Suggest a file name that says what must be said about the file."""
    return f"{stem}-not-private.{suffix}" if private else f"{stem}.{suffix}"


class Saver(QObject):
    """Saves the picture of a canvas, or the numbers behind it.

    Signals
    -------
    saved(str)
        Where to.
    failed(str, str)
        A line for people, and details.
    """

    saved = Signal(str)
    failed = Signal(str, str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._canvas: PlotCanvas | None = None

    def ask_figure(self, canvas: PlotCanvas, stem: str) -> None:
        """Ask where to save the picture."""
        self._ask(canvas, "Save the picture", file_name(stem, "png", private=canvas.private), FIGURES)

    def ask_numbers(self, canvas: PlotCanvas, stem: str) -> None:
        """Ask where to save the numbers."""
        self._ask(canvas, "Save the numbers", file_name(stem, "csv", private=canvas.private), NUMBERS)

    def write(self, canvas: PlotCanvas, path: str | Path) -> None:
        """Save the numbers as .csv, the picture as .png, .svg or .pdf; the suffix decides."""
        save: Callable[[str | Path], None]
        save = canvas.save_table if Path(path).suffix.lower() == ".csv" else canvas.save
        try:
            save(path)
        except OSError as error:
            self.failed.emit(
                f"{path} was not saved: {error.strerror or error}; choose another folder or name",
                traceback.format_exc(),
            )
        except ValueError as error:
            self.failed.emit(f"{path} was not saved: {error}", traceback.format_exc())
        else:
            self.saved.emit(str(path))

    def _ask(self, canvas: PlotCanvas, title: str, name: str, filters: str) -> None:
        self._canvas = canvas
        dialog = QFileDialog(self._window, title, name, filters)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setDefaultSuffix(Path(name).suffix.removeprefix("."))
        dialog.fileSelected.connect(self._on_chosen)
        dialog.open()

    def _on_chosen(self, path: str) -> None:
        if self._canvas is not None:
            self.write(self._canvas, path)
