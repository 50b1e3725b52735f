"""Actions on a picture: save it or its numbers, copy it, show it as a table."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtWidgets import QMenu

from app.export.rendering import copied, previewed, save_both, save_picture, save_table
from app.jobs.channels import Failure
from app.jobs.tasks import JobTask
from app.model.figure_style import USES, style_for
from app.panels.export_dialog import FORMATS, ExportDialog
from app.widgets.dialogs import SaveDialog
from app.widgets.stale_overlay import is_dimmed
from app.window.parts import Controller, WindowParts

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel
    from app.widgets.plot_canvas import PlotCanvas

FIGURES = ";;".join(f"{text} (*.{suffix})" for suffix, text in FORMATS.items())
NUMBERS = "CSV table (*.csv)"


@dataclasses.dataclass(frozen=True, eq=False)
class PendingExport:
    """A picture or table on its way to a file or the clipboard."""

    # makes it ready in a worker; returns what was done, or an image for the clipboard
    work: Callable[[JobTask], str | QImage]
    refused: str  # the message where it may not leave
    private: bool  # whether it was computed from raw data


class FigureExporter(Controller):
    """Export pictures, in Release view only those that are not private.

    A worker draws and writes them one after another; the queue keeps every request.
    """

    done = Signal(str)  # a line that says what was done
    failed = Signal(str, str)  # a line for the user, and details
    idle = Signal()  # nothing is on its way any more

    dialog: ExportDialog | None  # asks how a picture is saved

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._canvas: PlotCanvas | None = None
        self._pending: deque[PendingExport] = deque()  # the first one is being worked on
        self.channel = parts.jobs.channel("figure", self._on_ready, self._on_failed)
        self.channel.cancelled.connect(self._on_cancelled)
        self.channel.busy_changed.connect(self._on_busy)
        parts.session.watch({"view"}, self, self._follow)
        self._close_with_subject()
        self._previews = parts.jobs.channel("figure preview", self._on_preview)

    @property
    def busy(self) -> bool:
        """Whether something is on its way."""
        return bool(self._pending)

    def allows(self, canvas: PlotCanvas | None) -> TypeGuard[PlotCanvas]:
        """Tell whether there is a picture of the choices of now, and it can be shared in this view."""
        if canvas is None or not canvas.has_result or is_dimmed(canvas):
            return False
        return not self._hides(self._is_private(canvas))

    def ask_how(self, canvas: PlotCanvas | None) -> None:
        """Ask how to save or copy the picture, with a preview that a worker draws."""
        if not self.allows(canvas):
            return
        self._canvas = canvas
        drawn = self.capture(canvas)
        suffix = "pdf" if self._settings.figure_style.for_paper else "png"
        dialog = ExportDialog(
            drawn.title,
            self._settings,
            suffix,
            zoomed=canvas.zoomed,
            private=drawn.private,
            parent=self._window,
        )
        dialog.changed.connect(self._draw_preview)
        dialog.save_requested.connect(self._on_save)
        dialog.copy_requested.connect(self._on_copy)
        self._open_dialog(dialog)
        self._draw_preview()

    def ask_figure(self, canvas: PlotCanvas | None, suffix: str = "", *, whole: bool = False) -> None:
        """Ask where to save the picture, as it is seen, or the `whole` of a zoomed one."""
        usual = "pdf" if self._settings.figure_style.for_paper else "png"
        self._ask(canvas, "Save the picture", suffix or usual, FIGURES, partial(self.write, whole=whole))

    def ask_numbers(self, canvas: PlotCanvas | None) -> None:
        """Ask where to save the numbers."""
        self._ask(canvas, "Save the numbers", "csv", NUMBERS, self.write)

    def ask_both(self, canvas: PlotCanvas | None) -> None:
        """Ask where to save the picture; its numbers are saved beside it."""
        self._ask(canvas, "Save the picture, and its numbers beside it", "png", FIGURES, self.write_both)

    def ask_release(self, header: list[str], rows: list[list[Any]]) -> None:
        """Ask where to save the numbers of a release, which can be shared in any view."""
        self.ask_table(f"{self._session.state.query}-released", header, rows, "Save the released numbers")

    def ask_table(
        self, name: str, header: list[str], rows: list[list[Any]], title: str = "Save the numbers"
    ) -> None:
        """Ask where to save a table; the file `name` also carries warnings, such as "confidential"."""
        dialog = SaveDialog(self._window, title, f"{name}.csv", NUMBERS)
        dialog.fileSelected.connect(lambda path: self.write_table(path, header, rows))
        dialog.open()

    def write_table(self, path: str | Path, header: list[str], rows: list[list[Any]]) -> None:
        self._add(
            PendingExport(partial(save_table, path, header, rows), f"{path} was not saved", private=False)
        )

    def copy(self, canvas: PlotCanvas | None, *, whole: bool = False) -> None:
        """Have the picture put on the clipboard."""
        if self.allows(canvas):
            self._send(canvas, "The picture was not copied", copied, whole=whole)

    def show_table(self, canvas: PlotCanvas | None) -> None:
        """Show the numbers in a window of their own."""
        if self.allows(canvas):
            canvas.show_table()

    def open_menu(self, canvas: PlotCanvas, position: QPoint) -> QMenu:
        """Offer all of this at a place on the screen."""
        offered = {
            "Save &figure…": self.ask_how,
            "Export &data…": self.ask_numbers,
            "Sa&ve figure and numbers…": self.ask_both,
            "&Copy figure": self.copy,
            "S&how data": self.show_table,
        }
        menu = self._menu(canvas, offered)
        whole = menu.addAction("&Reset view")
        whole.setData(methodcaller("reset_view"))
        whole.setEnabled(canvas.zoomed)
        menu.triggered.connect(self._on_action)
        menu.popup(position)
        return menu

    def open_uses(self, canvas: PlotCanvas, position: QPoint) -> QMenu:
        """Offer what the picture can be saved for; the choice is kept for the next ones."""
        menu = self._menu(canvas, {text: use for use, text in USES.items()} | {"&More choices…": ""})
        *uses, more = menu.actions()
        for action in uses:
            action.setCheckable(True)
            action.setChecked(action.data() == self._settings.figure_style.width)
        menu.insertSeparator(more)
        menu.triggered.connect(self._on_use)
        menu.popup(position)
        return menu

    def _menu(self, canvas: PlotCanvas, offered: Mapping[str, Any]) -> QMenu:
        """Return a menu about a picture, with the data of each action."""
        self._canvas = canvas
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, data in offered.items():
            action = menu.addAction(text)
            action.setData(data)
            action.setEnabled(self.allows(canvas))
        return menu

    def write(self, canvas: PlotCanvas, path: str | Path, *, whole: bool = False) -> None:
        """Have the numbers saved as .csv, the picture as .png, .svg or .pdf, by suffix."""
        self._send(canvas, f"{path} was not saved", save_picture, path, whole=whole)

    def write_both(self, canvas: PlotCanvas, path: str | Path) -> None:
        """Have the picture saved, and beside it its numbers, under the same name as .csv if that is free."""
        self._send(canvas, f"{path} was not saved", save_both, path)

    # On the way.

    def _send(
        self,
        canvas: PlotCanvas,
        undone: str,
        work: Callable[..., str | QImage],
        *position: str | Path,
        whole: bool = False,
    ) -> None:
        """Queue a picture for export, if it may leave."""
        refused = f"{undone}: no picture can be shared yet; it may still be drawing"
        if self.allows(canvas):
            drawn = self.capture(canvas, whole=whole)
            work = partial(work, drawn, canvas.theme, self._settings.figure_style, *position)
            self._add(PendingExport(work, refused, drawn.private))
        else:
            self.failed.emit(refused, "")

    def _add(self, export: PendingExport) -> None:
        self._pending.append(export)
        if len(self._pending) == 1:
            self.channel.request(export.work)

    def _is_private(self, canvas: PlotCanvas) -> bool:
        """Tell whether a picture was computed from raw data that are not public anyway."""
        return canvas.private and not self._session.state.has_public_data

    def capture(self, canvas: PlotCanvas, *, whole: bool = False) -> FigurePanel:
        """Return a picture as it is now, marked if it must not be shared; with `whole`, not zoomed."""
        result = dataclasses.replace(canvas.drawn, private=self._is_private(canvas))
        return dataclasses.replace(result, seen={}) if whole else result

    def _hides(self, private: bool) -> bool:
        """Tell whether something must not be shared in this view."""
        return private and self._session.state.view == "release"

    def _follow(self) -> None:
        """Cancel exports that are no longer allowed; queued ones are checked when their turn comes."""
        if self._pending and self._hides(self._pending[0].private):
            self.channel.cancel()

    def _on_ready(self, text: str | QImage) -> None:
        if isinstance(text, QImage):
            QGuiApplication.clipboard().setImage(text)
            private = self._pending[0].private
            self.done.emit("The picture is on the clipboard" + "; it is confidential" * private)
        else:
            self.done.emit(text)

    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure.message, failure.details)

    def _on_cancelled(self) -> None:
        self.failed.emit(self._pending[0].refused, "")

    def _on_busy(self, busy: bool) -> None:
        if busy:
            return
        self._pending.popleft()
        while self._pending and self._hides(self._pending[0].private):
            self.failed.emit(self._pending.popleft().refused, "")
        if self._pending:
            self.channel.request(self._pending[0].work)
        else:
            self.idle.emit()

    def _ask(
        self,
        canvas: PlotCanvas | None,
        title: str,
        suffix: str,
        filters: str,
        write: Callable[[PlotCanvas, str], None],
    ) -> None:
        if not self.allows(canvas):
            return
        name = f"{self._session.state.query}-{self.capture(canvas).file_stem}.{suffix}"
        dialog = SaveDialog(self._window, title, name, filters)
        dialog.fileSelected.connect(lambda path: write(canvas, path))
        dialog.open()

    def _draw_preview(self) -> None:
        dialog, canvas = self.dialog, self._canvas
        if dialog is not None and self.allows(canvas):
            drawn = self.capture(canvas, whole=dialog.whole)
            self._previews.request(partial(previewed, drawn, canvas.theme, self._settings.figure_style))

    def _on_preview(self, image: QImage) -> None:
        if self.dialog is not None:
            self.dialog.show_preview(image)

    def _on_save(self) -> None:
        if (dialog := self.dialog) is not None:
            suffix, whole = dialog.suffix, dialog.whole
            self.close()
            self.ask_figure(self._canvas, suffix, whole=whole)

    def _on_copy(self) -> None:
        if (dialog := self.dialog) is not None:
            whole = dialog.whole
            self.close()
            self.copy(self._canvas, whole=whole)

    def _on_use(self, action: QAction) -> None:
        if not action.data():
            self.ask_how(self._canvas)
            return
        self._settings.change(**style_for(action.data()))
        self.ask_figure(self._canvas)

    def _on_action(self, action: QAction) -> None:
        if self._canvas is not None:
            action.data()(self._canvas)
