"""The stored state of a window: its look, its page, its files; never data."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import QByteArray, QPoint, QRect
from PySide6.QtGui import QGuiApplication

from app.model.pages.registry import PAGE_KINDS
from app.model.pages.workspaces import RELEASED
from app.model.preferences import DEFAULTS
from app.model.views import RELEASE
from app.window.appearance import SCREENLESS, Appearance
from app.window.help_controller import HelpController
from app.window.layout import Wishes
from app.window.open_controller import OpenController
from app.window.parts import Controller, WindowParts

KEPT_WISHES = ("roomy", "narrow")
"""Wishes about the forms that are stored: each lesson begins with its own."""


def fit_into(wanted: QRect, available: QRect) -> QRect:
    """Return a rectangle as near to the wanted one as fits into what is available."""
    size = wanted.size().boundedTo(available.size())
    left = min(max(wanted.left(), available.left()), available.right() + 1 - size.width())
    top = min(max(wanted.top(), available.top()), available.bottom() + 1 - size.height())
    return QRect(QPoint(left, top), size)


class WindowState(Controller):
    """Reads and writes what a window remembers; without a store nothing is kept."""

    def __init__(
        self, parts: WindowParts, appearance: Appearance, data: OpenController, help_window: HelpController
    ) -> None:
        super().__init__(parts)
        self._appearance = appearance
        self._data = data
        self._help = help_window

    def restore(self, page: bool) -> None:
        """Give the window the look of the last session and, if asked for, its page."""
        store, settings = self._store, self._settings
        self._appearance.set_theme(settings["theme"])
        self._appearance.set_type_size(settings["type_size"] / 100)
        if settings["size"] != DEFAULTS["size"]:
            self._appearance.set_size(int(settings["size"]) / 100)
        if store is None:
            return
        self._session.show_view(settings["view"])
        geometry = store.value("geometry")
        if isinstance(geometry, QByteArray):
            self._window.restoreGeometry(geometry)
        self._fit()
        geometry = store.value("help geometry")
        if isinstance(geometry, QByteArray):
            self._help.geometry = geometry
        usual = Wishes()
        kept = {name: bool(store.value(f"forms/{name}", getattr(usual, name), bool)) for name in KEPT_WISHES}
        self._body.restore(dataclasses.replace(usual, **kept))
        last = str(store.value("page", ""))
        if page and settings["start_with"] == "last" and last in PAGE_KINDS:
            self._session.show_page(last)
        if settings["view"] == RELEASE:
            self._session.show_page(RELEASED.name)

    def _fit(self) -> None:
        """Keep the window on its screen, which may be another one than last time."""
        window, screen = self._window, self._window.screen()
        if QGuiApplication.platformName() not in SCREENLESS and not window.isMaximized():
            window.setGeometry(fit_into(window.geometry(), screen.availableGeometry()))

    def begin(self) -> None:
        """Give the page that is open its first data."""
        self._data.begin(self._store if self._settings["start_with"] == "last" else None)

    def store(self) -> None:
        """Keep what the next session needs."""
        if self._store is not None:
            self._store.setValue("geometry", self._appearance.geometry)
            self._store.setValue("help geometry", self._help.geometry)
            for name in KEPT_WISHES:
                self._store.setValue(f"forms/{name}", getattr(self._body.wishes, name))
            self._store.setValue("page", self._session.state.page)
            self._data.remember(self._store)
