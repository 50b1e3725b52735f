"""What can be taken out of the window: slots of `app.actions` for pictures, reports and scripts."""

from __future__ import annotations

from PySide6.QtGui import QContextMenuEvent

from app.widgets.plot_table import TableDialog
from app.window.figure_controller import FigureExporter
from app.window.layout import WindowLayout
from app.window.report_controller import ReportController
from app.window.script_controller import ScriptController


class ExportHandlers(WindowLayout):
    """A frame whose pictures, numbers and choices can be saved and copied."""

    saver: FigureExporter
    reporter: ReportController
    scripter: ScriptController

    def save_figure(self) -> None:
        """Ask where to save the open picture."""
        self.saver.ask_figure(self.page.canvas)

    def save_numbers(self) -> None:
        """Ask where to save the numbers behind the open picture, or of the open table."""
        if self.page.table is not None:
            self.saver.ask_table(*self.page.table)
        else:
            self.saver.ask_numbers(self.page.canvas)

    def save_both(self) -> None:
        """Ask where to save the open picture with its numbers beside it."""
        self.saver.ask_both(self.page.canvas)

    def copy_figure(self) -> None:
        """Copy the open picture."""
        self.saver.copy(self.page.canvas)

    def show_numbers(self) -> None:
        """Show the numbers behind the open picture, or of the open table."""
        if self.page.table is not None:
            name, header, rows = self.page.table
            TableDialog(self, name, header, rows).show()
        else:
            self.saver.show_table(self.page.canvas)

    def save_report(self) -> None:
        """Ask what a report is to hold, and where to save it."""
        self.reporter.ask()

    def copy_python(self) -> None:
        """Copy a script that finds the numbers of the open page again."""
        self.scripter.copy()

    def save_python(self) -> None:
        """Ask where to save such a script."""
        self.scripter.ask_python()

    def save_notebook(self) -> None:
        """Ask where to save a notebook that does the same."""
        self.scripter.ask_notebook()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the picture under the pointer or the keyboard."""
        for canvas in self.page.canvases:
            if (
                canvas
                and canvas.isVisible()
                and canvas.rect().contains(canvas.mapFromGlobal(event.globalPos()))
            ):
                self.saver.open_menu(canvas, event.globalPos())
