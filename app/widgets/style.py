"""The look of the window: a Qt palette and a style sheet made from `app.model.theme`."""

from __future__ import annotations

import re
from string import Template

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPalette, QPixmap, QPixmapCache

from app.model.theme import DARK, LIGHT, PALETTES, Palette, mix
from engine.resources import resource, resource_file


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
