"""The dialog that asks how a picture is saved, with a preview that a worker draws."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeGuard

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from app.export.rendering import previewed
from app.jobs.channels import Jobs
from app.panels.export_dialog import ExportDialog
from app.session import Session
from app.settings import Settings
from app.window.dialog_slot import DialogSlot

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel
    from app.widgets.plot_canvas import PlotCanvas


class Exporter(Protocol):
    """What lets pictures out."""

    def allows(self, canvas: PlotCanvas | None) -> TypeGuard[PlotCanvas]:
        """Tell whether a picture can be shared in this view."""

    def drawn(self, canvas: PlotCanvas, *, whole: bool = False) -> FigurePanel:
        """Return a picture as it is now."""

    def ask_figure(self, canvas: PlotCanvas | None, suffix: str = "", *, whole: bool = False) -> None:
        """Ask where to save it."""

    def copy(self, canvas: PlotCanvas | None, *, whole: bool = False) -> None:
        """Copy it."""


class ExportController(QObject):
    """Asks how a picture is to be saved; the dialog closes when what it is about changes.

    Attributes
    ----------
    asking : DialogSlot
    """

    def __init__(
        self, exporter: Exporter, window: QWidget, session: Session, settings: Settings, jobs: Jobs
    ) -> None:
        super().__init__(window)
        self._exporter = exporter
        self._window = window
        self._settings = settings
        self._canvas: PlotCanvas | None = None
        self.asking = DialogSlot(window, session)
        self._previews = jobs.channel("figure preview")
        self._previews.result.connect(self._on_drawn)

    @property
    def dialog(self) -> ExportDialog | None:
        """The dialog, while it is open."""
        return self.asking.dialog if isinstance(self.asking.dialog, ExportDialog) else None

    def ask(self, canvas: PlotCanvas | None) -> None:
        """Ask how the picture is to be saved."""
        if not self._exporter.allows(canvas):
            return
        self._canvas = canvas
        suffix = "pdf" if self._settings.figure_style.for_paper else "png"
        drawn = self._exporter.drawn(canvas)
        dialog = ExportDialog(
            drawn.title,
            self._settings,
            suffix,
            zoomed=canvas.zoomed,
            private=drawn.private,
            parent=self._window,
        )
        dialog.changed.connect(self._draw)
        dialog.save_requested.connect(self._save)
        dialog.copy_requested.connect(self._copy)
        self.asking.show(dialog)
        self._draw()

    def _draw(self) -> None:
        dialog, canvas = self.dialog, self._canvas
        if dialog is not None and self._exporter.allows(canvas):
            drawn = self._exporter.drawn(canvas, whole=dialog.whole)
            style = self._settings.figure_style
            self._previews.request(partial(previewed, drawn, canvas.theme, style))

    def _on_drawn(self, image: QImage) -> None:
        if self.dialog is not None:
            self.dialog.show_preview(image)

    def _save(self) -> None:
        dialog = self.dialog
        if dialog is not None:
            suffix, whole = dialog.suffix, dialog.whole
            self.asking.close()
            self._exporter.ask_figure(self._canvas, suffix, whole=whole)

    def _copy(self) -> None:
        dialog = self.dialog
        if dialog is not None:
            whole = dialog.whole
            self.asking.close()
            self._exporter.copy(self._canvas, whole=whole)
