"""The look of the window: its colours, the size of its type, and presentation mode."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QByteArray, QObject, QSignalBlocker, QTimer
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMainWindow, QWidget

from app.settings import Settings
from app.widgets.black_screen import BlackScreen
from app.widgets.style import THEME, LazyStyler, icon, palette_of
from app.window.layout import WindowLayout

LARGE = 1.5
"""Font scale of presentation mode by default, in a window of this size; type grows with larger ones."""
WALL = 1280, 720
SCREENLESS = ("offscreen", "minimal")
"""Platforms without a screen that a window could fill."""


class Appearance(QObject):
    """Apply colours and font size to a window.

    `body` is the middle of the window; `settings` follow the theme and set it; `actions` has those of the
    themes and of presentation mode.
    """

    def __init__(
        self, window: QMainWindow, body: WindowLayout, settings: Settings, actions: Mapping[str, QAction]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._body = body
        self._styler = LazyStyler(window, body.parts, lambda: body.bars)
        self._settings = settings
        self._actions = actions
        self._scale = 1.0
        self._ordinary, self._large = 1.0, LARGE
        self.presenting = False  # whether the window is in presentation mode
        self.theme = "light"  # the chosen colours, or "system"
        self._windowed: QByteArray | None = None
        for made in (body.pages.made, body.column.made):
            made.connect(self._styler.add)
        settings.changed.connect(self._on_settings)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_scheme)

    @property
    def geometry(self) -> QByteArray:
        """Where the window stands, or stood before it filled the screen."""
        return self._windowed or self._window.saveGeometry()

    def style(self, part: QWidget) -> bool:
        """Give a part its look before it is seen; return whether it had another one."""
        return self._styler.style(part)

    def set_theme(self, theme: str) -> None:
        """Choose "light", "dark" or "system" colours and remember them."""
        self.theme = theme
        self._actions[theme].setChecked(True)
        self._apply()
        self._settings.change(theme=theme)

    def set_size(self, scale: float) -> None:
        """Choose how large everything is, as a multiple of its ordinary size."""
        self._ordinary = scale
        self.set_presentation(self.presenting)

    def set_type_size(self, scale: float) -> None:
        """Choose how large type is in presentation mode, as a multiple of its ordinary size."""
        self._large = scale
        if self.presenting:
            self.set_presentation(True)

    def present(self, on: bool) -> None:
        """Show the window on the whole screen, if there is one, and in large type; or as it was before."""
        self.set_presentation(on)
        if QGuiApplication.platformName() in SCREENLESS:
            return
        if on:
            self._windowed = self._window.saveGeometry()
            self._window.showFullScreen()
        elif self._windowed is not None:
            self._window.showNormal()
            self._window.restoreGeometry(self._windowed)
            # once more when the parts have shrunk: they still need the width of the screen
            QTimer.singleShot(0, self._window, partial(self._window.restoreGeometry, self._windowed))
            self._windowed = None

    def set_presentation(self, on: bool) -> None:
        """Show large type and fold menus, status line and right column away, or not."""
        self.presenting = on
        self._scale = self._wanted_scale
        action = self._actions["presentation"]
        with QSignalBlocker(action):
            action.setChecked(on)
        self._actions["black_screen"].setEnabled(on)
        self._body.set_presenting(on)
        for around in (self._window.menuBar(), self._window.statusBar()):
            around.setVisible(not on)
        self._body.middle.forget_room()
        self._apply()
        self._body.fit()

    @property
    def _wanted_scale(self) -> float:
        """How large type is to be, which in presentation mode follows the size of the window."""
        if not self.presenting:
            return self._ordinary
        size = self._window.size()
        room = min(size.width() / WALL[0], size.height() / WALL[1])
        return max(self._large * max(room, 1.0), self._ordinary)

    def fit(self) -> None:
        """Follow the size of the window."""
        if self._scale != self._wanted_scale:
            self.set_presentation(self.presenting)

    def black_out(self) -> None:
        """Show a black screen, so that the audience looks at the speaker."""
        BlackScreen(self._window)

    def _apply(self) -> None:
        palette = palette_of(self.theme)
        self._styler.change(palette, self._scale)
        self._window.setWindowIcon(icon("sensiscope", palette.accent, size=64))
        THEME.choose(palette, self._scale)

    def _on_scheme(self) -> None:
        if self.theme == "system":
            self.set_theme("system")

    def _on_settings(self, names: frozenset[str]) -> None:
        if self._settings["theme"] != self.theme:
            self.set_theme(self._settings["theme"])
        if "size" in names:
            self.set_size(int(self._settings["size"]) / 100)
        if "type_size" in names:
            self.set_type_size(self._settings["type_size"] / 100)
