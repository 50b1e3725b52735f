"""What a window remembers from one session to the next: its look, its page, its files; never data."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings

from app.lessons.bookmarks import Bookmarks
from app.model.kinds.registry import PAGE_KINDS
from app.settings import Settings
from app.window.action_handlers import ActionHandlers
from app.window.open_controller import OpenController


class WindowState:
    """Reads and writes what a window remembers; without a store nothing is kept."""

    def __init__(
        self,
        window: ActionHandlers,
        opener: OpenController,
        settings: Settings,
        store: QSettings | None = None,
    ) -> None:
        self._window = window
        self._opener = opener
        self._settings = settings
        self._store = store
        self.bookmarks = Bookmarks(store)

    def restore(self, page: bool) -> None:
        """Give the window the look of the last session and, if asked for, its page."""
        store, settings = self._store, self._settings
        self._window.set_theme(settings["theme"])
        self._window.set_type_size(settings["type_size"] / 100)
        if store is None:
            return
        self._window.session.show_view(settings["view"])
        geometry = store.value("geometry")
        if isinstance(geometry, QByteArray):
            self._window.restoreGeometry(geometry)
        place = store.value("help geometry")
        if isinstance(place, QByteArray):
            self._window.helper.place = place
        last = str(store.value("page", ""))
        if page and settings["start_with"] == "last" and last in PAGE_KINDS:
            self._window.session.show_page(last)

    def begin(self) -> None:
        """Give the page that is open its first data."""
        self._opener.begin(self._store if self._settings["start_with"] == "last" else None)

    def store(self) -> None:
        """Keep what the next session needs."""
        if self._store is not None:
            self._store.setValue("geometry", self._window.kept_geometry)
            self._store.setValue("help geometry", self._window.helper.place)
            self._store.setValue("page", self._window.session.state.page)
            self._opener.remember(self._store)
