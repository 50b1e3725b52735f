"""Colours and type for a window part by part: hidden parts wait until they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QChildEvent, QEvent, QObject, QSize
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QWidget

from app.model.theme import Palette
from app.widgets.style import icon, qt_palette, style_sheet

ICON = 18


class LazyStyler(QObject):
    """Gives the parts of a window their style sheet and palette, each when it is shown.

    One style sheet on the window would be worked out at once for every widget, most of them hidden: another
    theme takes 0.07 s so and 0.28 s with one sheet. Dialogs, and what stands around the middle of the window,
    have few widgets: they are styled at once, or when they are first measured.

    `window`: it has a palette of its own, which the frames in its middle show. `parts`: the parts in its
    middle. `measured`: returns what is measured there before it is shown; Qt makes such things, and deletes
    them.
    """

    def __init__(
        self, window: QMainWindow, parts: Iterable[QWidget], measured: Callable[[], Sequence[QWidget]]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._parts: list[QWidget] = []
        self._measured = measured
        self._scale = 1.0
        self._sheet = ""
        self._colours: Palette | None = None
        self._palette = QPalette()
        window.installEventFilter(self)
        for part in parts:
            self.add(part)

    def add(self, part: QWidget) -> None:
        """Style another part, too, when it is shown."""
        self._parts.append(part)
        part.installEventFilter(self)

    def change(self, palette: Palette, scale: float) -> None:
        """Take other colours, or type of another size."""
        self._colours, self._scale = palette, scale
        self._palette, self._sheet = qt_palette(palette), style_sheet(palette, scale)
        self._window.setPalette(self._palette)
        around = (child for child in self._window.children() if isinstance(child, QWidget))
        for part in (*around, *self._measured()):
            self.style(part)
        for part in self._parts:
            if part.isVisibleTo(self._window):
                self.style(part)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Style what is about to be seen, and what is added around the middle of the window."""
        if watched is not self._window:
            if event.type() == QEvent.Type.Show:
                self.style(watched)
        elif isinstance(event, QChildEvent) and event.type() == QEvent.Type.ChildPolished:
            self.style(event.child())
        return False

    def style(self, part: QObject) -> bool:
        """Give a part the look of now; return whether it had another one."""
        # the middle of the window is a frame: a sheet on it would be one on all parts
        if not isinstance(part, QWidget) or part is self._window.centralWidget():
            return False
        if self._colours is None or part.styleSheet() == self._sheet:
            return False
        if not part.isWindow():
            part.setPalette(self._palette)
        part.setStyleSheet(self._sheet)
        for button in part.findChildren(QAbstractButton):
            name = button.property("icon_name")
            if name:
                button.setIcon(icon(name, self._colours.muted, self._colours.ink))
                button.setIconSize(QSize(1, 1) * round(ICON * self._scale))
        return True
