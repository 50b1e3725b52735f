"""Opening files: by path, from the list of recent ones, by dropping them, or as an example."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.documents import SUFFIX
from app.lessons.lesson import SUFFIX as LESSON
from app.model import lazy
from app.model.dataset import Dataset
from app.model.pages.workspaces import DATA_VIEW
from app.model.wording.numbers import escape
from app.pages.base.view import View
from app.recent_files import RecentFiles, names
from app.widgets.messages import Offer
from app.window.import_controller import ImportController
from app.window.open_controller import OpenController
from app.window.parts import Controller, WindowParts
from app.window.session_file_controller import SessionFileController
from engine.data.formats.registry import suffixes

UNREADABLE = "Cannot reopen the data of last time ({problem}); showing examples instead"
MISSING = "{path}, the file of last time, no longer exists; showing an example instead"


class RecentMenu(QMenu):
    """Lists recent files, newest first, and can clear the list."""

    file_chosen = Signal(str)  # the path of a file

    def __init__(self, recent: RecentFiles, parent: QWidget) -> None:
        super().__init__("Open &recent", parent)
        self._recent = recent
        self.setToolTipsVisible(True)
        self.triggered.connect(self._on_triggered)
        self.aboutToShow.connect(self.fill)
        recent.changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Update the list."""
        self.clear()
        paths = self._recent.paths
        for number, (path, name) in enumerate(zip(paths, names(paths), strict=True), 1):
            digit = f"&{number} " if number < 10 else ""
            action = QAction(digit + name.replace("&", "&&"), self)
            self.addAction(action)
            action.setToolTip(escape(str(path)))
            action.setData(str(path))
        self.addSeparator()
        clear = QAction("&Clear the list", self)
        self.addAction(clear)
        clear.setToolTip("Clear this list; the files stay on disk")
        self.menuAction().setEnabled(bool(paths))
        self.menuAction().setToolTip("Open a recent file")

    def _on_triggered(self, action: QAction) -> None:
        if action.data() is None:
            self._recent.clear()
        else:
            self.file_chosen.emit(action.data())


class FileController(Controller):
    """Opens files of all kinds, and offers the recent ones and the examples in the menu *File*."""

    records_requested = Signal()  # the records of the table are to be shown
    lesson_opened = Signal(object)  # Path: the file of a lesson, which is to be played

    def __init__(
        self,
        parts: WindowParts,
        data: OpenController,
        imports: ImportController,
        session_files: SessionFileController,
    ) -> None:
        super().__init__(parts)
        settings, body = parts.settings, parts.body
        self._menu = parts.menus["&File"]
        self._data = data
        self._imports = imports
        self._session_files = session_files
        self.recent = RecentFiles(parts.store, settings["recent_files"], self)
        # of our own: that of the menu is made by Qt, which does not tell Python when it dies
        self.examples = QAction("Open &example", self)
        self._offer(self.examples)
        self.recent_menu = RecentMenu(self.recent, parts.window)
        self._offer(self.recent_menu.menuAction())
        imports.file_chosen.connect(self.open_path)
        self.recent_menu.file_chosen.connect(self.open_path)
        data.opened.connect(self._on_opened)
        data.missing.connect(self._on_missing)
        data.unreadable.connect(self._on_unreadable)
        session_files.stored.connect(self.recent.add)
        settings.changed.connect(self._on_settings)
        body.column.open_requested.connect(imports.ask_file)
        body.column.reading_requested.connect(data.ask_reading)
        body.column.example_chosen.connect(data.choose_example)
        body.column.chosen.connect(self._on_data_chosen)
        body.column.declare_requested.connect(data.show_on_data)
        body.pages.made.connect(self._on_made)

    def open_path(self, path: str | Path, *, decide: bool = False) -> None:
        """Open a file: all that name one come here.

        `decide`: whether its columns decide the page; else the page of graphs opens it, or it is the table.
        """
        file = Path(path)
        if not file.exists() and file.resolve() in self.recent.paths:
            forget = Offer("&Remove from the list", partial(self.recent.remove, file))
            self._messages.show_message(f"{file}: this file no longer exists", offer=forget)
        elif file.suffix == SUFFIX:
            self._session_files.open(file)
        elif file.suffix == LESSON:
            self.lesson_opened.emit(file)
        elif decide or (file.suffix.lower() in graph_suffixes() and not self._data.page_has_files):
            self._data.start_with(file)
        elif self._data.page_has_files:
            self._data.open_file(file)
        else:
            self._data.open_table(file)

    def _offer(self, action: QAction) -> None:
        """Add one more way to open something, in front of the first line of the menu."""
        line = next(there for there in self._menu.actions() if there.isSeparator())
        self._menu.insertAction(line, action)

    def _on_made(self, page: View) -> None:
        """Follow the pages that open files, once they are made."""
        if page.name == DATA_VIEW.name and isinstance(page, lazy.DataPage):
            page.paste_requested.connect(self._imports.paste)
            page.records_requested.connect(self.records_requested)
            page.reading_requested.connect(self._data.ask_reading)
        if page.opening is not None:
            page.opening.file_requested.connect(self._imports.ask_file)
            page.opening.example_chosen.connect(partial(self._data.open_table_example, page=page.name))

    def _on_data_chosen(self, fields: dict[str, object]) -> None:
        self._data.choose(**fields)

    def _on_opened(self, dataset: Dataset) -> None:
        if dataset.path is not None:
            self.recent.add(dataset.path)

    def _on_missing(self, path: Path) -> None:
        offer = Offer("Open a file…", self._imports.ask_file)
        self._messages.show_message(MISSING.format(path=path), kind="warning", offer=offer)

    def _on_unreadable(self, problem: str) -> None:
        self._messages.show_message(UNREADABLE.format(problem=problem), kind="warning")

    def _on_settings(self, names: frozenset[str]) -> None:
        if "recent_files" in names:
            self.recent.limit(self._settings["recent_files"])


def graph_suffixes() -> set[str]:
    """Return the ends of file names that only graphs have."""
    return set(suffixes(graphs=True)) - set(suffixes(graphs=False))


def dropped_file(mime: QMimeData) -> str:
    """Return the first file of what is dragged over the window, or nothing."""
    return next((url.toLocalFile() for url in mime.urls() if url.isLocalFile()), "")
