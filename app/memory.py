"""What a window remembers from one session to the next: its look, its page, its files; never data."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings

from app.desks import DESKS
from app.frame import Frame
from app.lessons.bookmarks import Bookmarks
from app.opening import Opener


class Memory:
    """Reads and writes the settings of a window; without settings nothing is kept."""

    def __init__(self, window: Frame, opener: Opener, settings: QSettings | None) -> None:
        self._window = window
        self._opener = opener
        self._settings = settings
        self.bookmarks = Bookmarks(settings)

    def restore(self, page: bool) -> None:
        """Give the window the look of the last session and, if asked for, its page."""
        settings = self._settings
        self._window.set_theme(str(settings.value("theme", "system")) if settings else "light")
        if settings is None:
            return
        if settings.contains("geometry"):
            self._window.restoreGeometry(QByteArray(settings.value("geometry")))  # type: ignore[arg-type]
        last = str(settings.value("page", ""))
        if page and last in DESKS:
            self._window.session.show_page(last)

    def begin(self) -> None:
        """Give the page that is open its first data."""
        self._opener.begin(self._settings)

    def store(self) -> None:
        """Keep what the next session needs."""
        if self._settings is not None:
            self._settings.setValue("geometry", self._window.kept_geometry)
            self._settings.setValue("theme", self._window.theme)
            self._settings.setValue("page", self._window.session.state.page)
            self._opener.remember(self._settings)
