"""The look of the window: a Qt palette and a style sheet made from `app.model.theme`."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from string import Template

from PySide6.QtCore import QByteArray, QChildEvent, QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
    QPixmapCache,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialogButtonBox, QMainWindow, QWidget

from app.model.theme import DARK, LIGHT, PALETTES, Palette, mix
from engine.resources import resource, resource_file

FAMILY = "DejaVu Sans"
"""The font of the window and of its pictures. It comes with matplotlib: all computers have equal layouts."""


@functools.cache
def load_fonts() -> None:
    """Use the font of the pictures for the whole application."""
    package = find_spec("matplotlib")
    assert package is not None
    assert package.origin is not None
    for path in Path(package.origin).parent.joinpath("mpl-data", "fonts", "ttf").glob("DejaVuSans*.ttf"):
        QFontDatabase.addApplicationFont(str(path))
    font = QFont(FAMILY, QApplication.font().pointSize())
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)  # letters have equal widths
    QApplication.setFont(font)


def palette_of(theme: str) -> Palette:
    """Return the palette of "light", "dark" or "system"."""
    if theme == "system":
        scheme = QGuiApplication.styleHints().colorScheme()
        return DARK if scheme == Qt.ColorScheme.Dark else LIGHT
    return PALETTES[theme]


def style_sheet(palette: Palette, scale: float = 1.0) -> str:
    """Return the style sheet for `palette`, with all lengths but hairlines times `scale`."""
    colours = {
        "background": palette.background,
        "card": palette.card,
        "field": palette.field,
        "edge": mix(palette.border, palette.ink, 0.08),
        "ink": palette.ink,
        "muted": palette.muted,
        "grid": palette.grid,
        "accent": palette.accent,
        "on_accent": palette.on_accent,
        "accent_hover": palette.accent_hover,
        "private": palette.private,
        "on_private": palette.on_private,
        "released": palette.released,
        "released_text": palette.text(palette.released),
        "faded": mix(palette.ink, palette.card, 0.5),
        "problem": palette.error,
        "hover": palette.tint(palette.ink, 0.08),
        "segment": palette.tint(palette.ink, 0.82),
        "on_segment": palette.card,
        "consistent": palette.released,
        "consistent_back": palette.tint(palette.released, 0.2),
        "violated_back": palette.tint(palette.error, 0.2),
        "warning_back": palette.tint(palette.private, 0.14),
        "icons": resource("icons").as_posix(),
        "tick": "white" if palette.on_accent == "#FFFFFF" else "black",
    }
    sheet = Template(resource("styles", "window.qss").read_text("utf-8")).substitute(colours)
    return re.sub(
        r"(?<![\w.])(\d+)px",
        lambda match: match[0] if match[1] in "01" else f"{round(int(match[1]) * scale)}px",
        sheet,
    )


def qt_palette(palette: Palette) -> QPalette:
    """Return explicit colours for what the style sheet does not reach."""
    roles = QPalette.ColorRole
    result = QPalette()
    for role, colour in {
        roles.Window: palette.background,
        roles.Base: palette.card,
        roles.AlternateBase: palette.background,
        roles.Button: palette.card,
        roles.ToolTipBase: palette.card,
        roles.WindowText: palette.ink,
        roles.Text: palette.ink,
        roles.ButtonText: palette.ink,
        roles.ToolTipText: palette.ink,
        roles.PlaceholderText: palette.muted,
        roles.Highlight: palette.accent,
        roles.HighlightedText: palette.on_accent,
        roles.Link: palette.accent,
    }.items():
        result.setColor(role, QColor(colour))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(palette.muted))
    return result


def icon(
    name: str, colour: str, selected: str | None = None, size: int = 18, disabled: str | None = None
) -> QIcon:
    """Return a bundled icon in one colour, and in others where it is selected, checked or disabled."""
    result = QIcon(_pixmap(name, colour, size))
    if disabled is not None:
        result.addPixmap(_pixmap(name, disabled, size), QIcon.Mode.Disabled)
    if selected is not None:
        pixmap = _pixmap(name, selected, size)
        result.addPixmap(pixmap, QIcon.Mode.Selected, QIcon.State.Off)
        result.addPixmap(pixmap, QIcon.Mode.Normal, QIcon.State.On)
    return result


def _pixmap(name: str, colour: str, size: int) -> QPixmap:
    """Return an icon as pixels; Qt keeps them, for a window draws the same ones many times."""
    key = f"sensiscope {name} {colour} {size}"
    pixmap = QPixmap()
    if not QPixmapCache.find(key, pixmap):
        pixmap = _paint_icon(name, colour, size)
        QPixmapCache.insert(key, pixmap)
    return pixmap


def _paint_icon(name: str, colour: str, size: int) -> QPixmap:
    from PySide6.QtSvg import QSvgRenderer

    drawing = resource_file("icons", f"{name}.svg").read_text("utf-8").replace("currentColor", colour)
    ratio = 2.0
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(0, 0, size * ratio, size * ratio))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


class Theme(QObject):
    """The look of all windows, which their parts follow: colours, and the size of type."""

    changed = Signal(object)  # Palette; emitted first
    scaled = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self.palette, self.scale = LIGHT, 1.0

    def choose(self, palette: Palette, scale: float = 1.0) -> None:
        """Let all parts have other colours, or type of another size."""
        self.palette, self.scale = palette, scale
        self.changed.emit(palette)
        self.scaled.emit(scale)

    def follow(self, take: Callable[[Palette], object]) -> None:
        """Give a part its colours now, and whenever the look changes."""
        self.changed.connect(take)
        take(self.palette)

    def follow_scale(self, take: Callable[[float], object]) -> None:
        """Tell a part the size of type now, and whenever the look changes."""
        self.scaled.connect(take)
        take(self.scale)


THEME = Theme()

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
            elif isinstance(button.parent(), QDialogButtonBox):
                button.setIcon(QIcon())  # the box was built before it had this look
        return True


class PaintedWidget(QWidget):
    """Paints itself in the colours of the theme."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        THEME.follow(self.set_palette)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        self.update()

    def _small_font(self, share: float) -> QFont:
        """Return the font of the widget at a share of its size."""
        font = QFont(self.font())
        if font.pixelSize() > 0:
            font.setPixelSize(round(font.pixelSize() * share))
        return font
