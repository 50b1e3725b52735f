"""What can be done with a picture: save it, its numbers, copy it, read it as a table."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from app.session import Session
from app.widgets.dialogs import follow_filter, save_dialog
from app.widgets.plot_table import write_csv

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

FIGURES = "PNG image (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)"
NUMBERS = "CSV table (*.csv)"


class Saver(QObject):
    """Lets pictures out of the window, in Release view only those that are not private.

    Signals
    -------
    done(str)
        A line that says what was done.
    failed(str, str)
        A line for people, and details.
    """

    done = Signal(str)
    failed = Signal(str, str)

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._canvas: PlotCanvas | None = None

    def allows(self, canvas: PlotCanvas | None) -> TypeGuard[PlotCanvas]:
        """Tell whether there is a picture, and it may leave the room in this view."""
        hidden = canvas is not None and canvas.private and self._session.state.view == "release"
        return canvas is not None and canvas.has_result and not hidden

    def ask_figure(self, canvas: PlotCanvas | None) -> None:
        """Ask where to save the picture."""
        self._ask(canvas, "Save the picture", "png", FIGURES)

    def ask_numbers(self, canvas: PlotCanvas | None) -> None:
        """Ask where to save the numbers."""
        self._ask(canvas, "Save the numbers", "csv", NUMBERS)

    def ask_both(self, canvas: PlotCanvas | None) -> None:
        """Ask where to save the picture; its numbers are saved beside it."""
        self._ask(canvas, "Save the picture, and its numbers beside it", "png", FIGURES, self._on_both_chosen)

    def ask_release(self, header: list[str], rows: list[list[Any]]) -> None:
        """Ask where to save the numbers of a release, which may leave the room in any view."""
        self.ask_table(f"{self._session.state.query}-released", header, rows, "Save the released numbers")

    def ask_table(
        self, name: str, header: list[str], rows: list[list[Any]], title: str = "Save the numbers"
    ) -> None:
        """Ask where to save a table; its name says what must be said about the file."""
        dialog = save_dialog(self._window, title, f"{name}.csv", NUMBERS)
        dialog.fileSelected.connect(lambda path: self.write_table(path, header, rows))
        dialog.open()

    def write_table(self, path: str | Path, header: list[str], rows: list[list[Any]]) -> None:
        """Save a table."""
        self._save(path, lambda target: write_csv(target, header, rows))

    def copy(self, canvas: PlotCanvas | None) -> None:
        """Put the picture on the clipboard."""
        if self.allows(canvas):
            canvas.copy_to_clipboard()
            self.done.emit("The picture is on the clipboard" + "; it is not private" * canvas.private)

    def show_table(self, canvas: PlotCanvas | None) -> None:
        """Show the numbers in a window of their own."""
        if self.allows(canvas):
            canvas.show_table()

    def open_menu(self, canvas: PlotCanvas, place: QPoint) -> QMenu:
        """Offer all of this at a place on the screen."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, slot in (
            ("Save &figure…", self.ask_figure),
            ("Save &numbers…", self.ask_numbers),
            ("Sa&ve figure and numbers…", self.ask_both),
            ("&Copy figure", self.copy),
            ("&Table of numbers", self.show_table),
        ):
            action = menu.addAction(text)
            action.setData(slot)
            action.setEnabled(self.allows(canvas))
        self._canvas = canvas
        menu.triggered.connect(self._on_action)
        menu.popup(place)
        return menu

    def write(self, canvas: PlotCanvas, path: str | Path) -> bool:
        """Save the numbers as .csv, the picture as .png, .svg or .pdf, by suffix; tell whether it is done."""
        if not self.allows(canvas):
            self.failed.emit(f"{path} was not saved: there is no picture that may leave the room", "")
            return False
        save: Callable[[str | Path], None]
        save = canvas.save_table if Path(path).suffix.lower() == ".csv" else canvas.save
        return self._save(path, save)

    def write_both(self, canvas: PlotCanvas, path: str | Path) -> None:
        """Save the picture, and beside it its numbers under the same name as .csv, which must be free."""
        numbers = Path(path).with_suffix(".csv")
        if numbers.exists():
            self.failed.emit(
                f"{path} was not saved: {numbers.name} stands there already; choose another name", ""
            )
        elif self.write(canvas, path) and self.write(canvas, numbers):
            self.done.emit(f"Saved {path} and {numbers.name}")

    def _save(self, path: str | Path, save: Callable[[str | Path], None]) -> bool:
        """Save something, say how that went, and tell whether it went well."""
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
            self.done.emit(f"Saved {path}")
            return True
        return False

    def _ask(
        self,
        canvas: PlotCanvas | None,
        title: str,
        suffix: str,
        filters: str,
        chosen: Callable[[str], None] | None = None,
    ) -> None:
        if not self.allows(canvas):
            return
        self._canvas = canvas
        name = f"{self._session.state.query}-{canvas.file_stem}.{suffix}"
        dialog = save_dialog(self._window, title, name, filters)
        dialog.filterSelected.connect(self._on_filter)
        dialog.fileSelected.connect(chosen or self._on_chosen)
        dialog.open()

    def _on_filter(self, chosen: str) -> None:
        """Let the suffix follow the format that is chosen in the dialog."""
        dialog = self.sender()
        assert isinstance(dialog, QFileDialog)
        follow_filter(dialog, chosen)

    def _on_chosen(self, path: str) -> None:
        if self._canvas is not None:
            self.write(self._canvas, path)

    def _on_both_chosen(self, path: str) -> None:
        if self._canvas is not None:
            self.write_both(self._canvas, path)

    def _on_action(self, action: object) -> None:
        if self._canvas is not None:
            action.data()(self._canvas)  # type: ignore[attr-defined]
