"""Taking something out of the window: pictures and numbers of the open page, reports and scripts."""

from __future__ import annotations

from PySide6.QtCore import QPoint

from app.model import lazy
from app.model.pages.workspaces import RELEASED
from app.pages.base.view import View
from app.widgets.plot_table import TableDialog
from app.window.figure_controller import FigureExporter
from app.window.parts import Controller, WindowParts
from app.window.report_controller import ReportController
from app.window.script_controller import ScriptController


class ExportHandlers(Controller):
    """Saves and copies what the open page shows."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self.figures = FigureExporter(parts)
        self.reports = ReportController(parts)
        self.scripts = ScriptController(parts)
        self.figures.done.connect(parts.status.show_message)
        self.figures.failed.connect(parts.body.messages.show_message)
        parts.body.history.save_requested.connect(self.figures.ask_release)
        self._pages.made.connect(self._take_in)

    def _take_in(self, page: View) -> None:
        """Let the buttons of a page do it."""
        if page.card is not None:
            page.card.save_button.clicked.connect(self.offer_uses)
            page.card.numbers_button.clicked.connect(self.show_numbers)
        if page.name == RELEASED.name and isinstance(page, lazy.ReleasedPage):
            page.report_requested.connect(self.reports.ask)

    def save_figure(self) -> None:
        """Ask how to save the open picture."""
        self.figures.ask_how(self._pages.shown.canvas)

    def offer_uses(self) -> None:
        """Offer what the open picture can be saved for, below the button for it."""
        page = self._pages.shown
        if page.card is not None and page.canvas is not None:
            button = page.card.save_button
            self.figures.open_uses(page.canvas, button.mapToGlobal(button.rect().bottomLeft()))

    def save_numbers(self) -> None:
        """Ask where to save the numbers behind the open picture, or of the open table."""
        page = self._pages.shown
        if page.table is not None:
            self.figures.ask_table(*page.table)
        else:
            self.figures.ask_numbers(page.canvas)

    def save_both(self) -> None:
        """Ask where to save the open picture with its numbers beside it."""
        self.figures.ask_both(self._pages.shown.canvas)

    def copy_figure(self) -> None:
        """Copy the open picture."""
        self.figures.copy(self._pages.shown.canvas)

    def show_numbers(self) -> None:
        """Show the numbers behind the open picture, or of the open table."""
        page = self._pages.shown
        if page.table is not None:
            name, header, rows = page.table
            TableDialog(self._window, name, header, rows).show()
        else:
            self.figures.show_table(page.canvas)

    def open_menu(self, position: QPoint) -> None:
        """Offer what can be done with the picture at a place on the screen."""
        for canvas in self._pages.shown.canvases:
            if canvas and canvas.isVisible() and canvas.rect().contains(canvas.mapFromGlobal(position)):
                self.figures.open_menu(canvas, position)
