"""The icon in all sizes and for all systems, from one drawing: PNG, ICO (Windows), ICNS (macOS)."""

import io
import os
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ROOT = Path(__file__).resolve().parent.parent
DRAWING = ROOT / "resources" / "icons" / "sensiscope.svg"
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)


def drawn(size: int, drawing: Path = DRAWING) -> Image.Image:
    """Return the drawing as a square of so many pixels."""
    _ = QGuiApplication.instance() or QGuiApplication([])
    picture = QImage(size, size, QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(str(drawing)).render(painter)
    painter.end()
    held = QBuffer()
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(held, "PNG")  # type: ignore[call-overload]
    return Image.open(io.BytesIO(held.data().data())).convert("RGBA")


def write_icons(hicolor: Path, other: Path) -> None:
    """Write the PNGs into a theme of icons, and sensiscope.ico and sensiscope.icns into another folder."""
    pictures = {size: drawn(size) for size in SIZES}
    for size, picture in pictures.items():
        folder = hicolor / f"{size}x{size}" / "apps"
        folder.mkdir(parents=True, exist_ok=True)
        picture.save(folder / "sensiscope.png", optimize=True)
    other.mkdir(parents=True, exist_ok=True)
    small = [size for size in SIZES if size <= 256]
    pictures[256].save(
        other / "sensiscope.ico",
        sizes=[(size, size) for size in small],
        append_images=[pictures[size] for size in small],
    )
    largest = drawn(1024)
    largest.save(
        other / "sensiscope.icns", append_images=[pictures[size] for size in (32, 64, 128, 256, 512)]
    )
