"""Pictures that a start has drawn, kept in the user's cache folder until the next one: public ones alone.

Each file is named by all that its picture depends on, and says it once more inside.  Whatever is wrong with
one only means that there is none.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QRect, qVersion
from PySide6.QtGui import QImage

from engine import __version__
from engine.plugins import load_plugins
from engine.resources import resource

MAX_FILES, MAX_BYTES = 4, 1 << 23
"""How many files are kept, and the bytes of one."""
_KEY, _RECTS = "Key", "Places"
"""Texts in the file: all that the picture depends on, and where it stands."""


@dataclasses.dataclass(frozen=True, eq=False)
class PlacedImage:
    """A picture that was drawn, its rectangle in its panel, and that of the panel in the window."""

    image: QImage
    rect: QRect
    panel: QRect


def default_folder() -> Path:
    """Return the folder in the user's cache."""
    from platformdirs import user_cache_path

    return user_cache_path("Sensiscope", appauthor=False) / "pictures"


class StartPictureCache:
    """The files in a folder, which is made when something is kept; only its owner may look into it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, about: Mapping[str, Any]) -> PlacedImage | None:
        """Return the picture of what is chosen so; None if there is none."""
        path = self._path(about)
        try:
            if not 0 < path.stat().st_size <= MAX_BYTES:
                return None
        except OSError:
            return None
        image = QImage(str(path))
        if image.isNull() or image.text(_KEY) != _text({**about, "program": program()}):
            return None
        try:
            sides = [int(side) for side in image.text(_RECTS).split()]
            result = PlacedImage(image, QRect(*sides[:4]), QRect(*sides[4:]))
        except (TypeError, ValueError, OverflowError):
            return None
        image.setDevicePixelRatio(about["ratio"])
        return result if image.deviceIndependentSize().toSize() == result.rect.size() else None

    def keep(self, about: Mapping[str, Any], drawn: PlacedImage) -> bool:
        """Write a picture (in a worker), and let go what was kept first; tell whether that was possible."""
        from app.documents.writing import replace_file

        marked = QImage(drawn.image)
        marked.setText(_KEY, _text({**about, "program": program()}))
        marked.setText(_RECTS, f"{_sides(drawn.rect)} {_sides(drawn.panel)}")
        buffer = QBuffer()
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        marked.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs know bytes alone
        content = bytes(buffer.data().data())
        if not 0 < len(content) <= MAX_BYTES:
            return False
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            replace_file(self._path(about), content)
            for old in sorted(self._folder.glob("*.png"), key=_age)[MAX_FILES:]:
                old.unlink(missing_ok=True)
        except OSError:
            return False
        return True

    def _path(self, about: Mapping[str, Any]) -> Path:
        return self._folder / f"{hashlib.sha256(_text(about).encode()).hexdigest()[:32]}.png"


@functools.cache
def program() -> list[Any]:
    """Return what tells this program, with all that it draws with, from any other one.

    Files that are written while it runs are of the next one: what is drawn until then is not theirs.
    """
    plugins = [[one.name, one.package, one.version, one.problem] for one in load_plugins()]
    settings = [os.environ.get(name, "") for name in ("MATPLOTLIBRC", "MPLCONFIGDIR")]
    return [__version__, sys.version, qVersion(), plugins, settings, _digest_of_files()]


def _digest_of_files() -> str:
    """Return a digest of when the files were written that decide on a picture: none of them is read."""
    house = Path(__file__).resolve().parents[2]
    folders = [house / "app", house / "engine", resource("examples")]
    drawing = (importlib.util.find_spec(name) for name in ("matplotlib", "numpy"))
    folders += [Path(one.origin).parent for one in drawing if one is not None and one.origin]
    stamps = hashlib.sha256()
    for index, folder in enumerate(folders):
        for stamp in _stamps(folder, within=index < 3):
            stamps.update(repr(stamp).encode())
    return stamps.hexdigest()


def _stamps(folder: Path, *, within: bool) -> Iterator[tuple[str, int, int]]:
    """Yield name, time and size of files in a folder, and in those within it."""
    with contextlib.suppress(OSError):
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            if entry.name == "__pycache__":
                continue
            if not entry.is_dir():
                facts = entry.stat()
                yield entry.name, facts.st_mtime_ns, facts.st_size
            elif within:
                yield from _stamps(Path(entry.path), within=True)


def _sides(rect: QRect) -> str:
    return f"{rect.x()} {rect.y()} {rect.width()} {rect.height()}"


def _text(about: Mapping[str, Any]) -> str:
    return json.dumps(about, sort_keys=True)


def _age(path: Path) -> float:
    """Return what puts the newest file first."""
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0
