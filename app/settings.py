"""Settings: stored between sessions, and checked against their declarations.

An invalid value falls back to the default, with a message.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSettings, Signal

from app.model.figure_style import FigureStyle
from app.model.preferences import SETTINGS, Preferences
from engine.errors import ParameterError
from engine.parameters import Parameter

if TYPE_CHECKING:
    from engine.ledger import Limit

LARGEST = 4 << 20
"""Largest size of a settings file in bytes."""

FOLDER = "settings"
"""Key of the settings among all that a window stores."""


def read(setting: Parameter, stored: object) -> Any:
    """Return a value that was stored as text; raise `ParameterError` if it is invalid."""
    if not isinstance(stored, str):
        raise ParameterError(setting.name, "is no text")
    value: Any = stored
    if setting.optional and not stored:
        return None
    if setting.kind == "text":
        value = stored
    elif not setting.choices:
        try:
            value = int(stored) if setting.kind == "int" else float(stored)
        except ValueError:
            raise ParameterError(setting.name, f"'{shorten(stored)}' is no number") from None
    elif value not in setting.choices:
        value = shorten(value)
    setting.check(value)
    return value


def to_text(value: Any) -> str:
    """Return a value as text that `read` accepts."""
    return "" if value is None else str(value)


def shorten(text: str) -> str:
    """Return a text on one line, cut to fit into a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"


def private_store() -> tuple[QSettings | None, str]:
    """Return the system's settings store and ""; or None and the reason why it is ignored.

    If the store is a file, only its owner may read or write it.
    """
    store = QSettings()
    path = Path(store.fileName())
    if sys.platform == "linux":  # other systems protect their stores
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.chmod(0o600)
            if path.stat().st_size > LARGEST:
                return None, (
                    f"the settings file {path} is larger than {LARGEST >> 20} MB, so it is ignored: all "
                    "settings have their defaults, and changes are not saved; delete that file"
                )
    return store, ""


class Settings(QObject):
    """The values of all settings.

    `store`: storage between sessions; without it, all settings have their defaults and nothing is saved.
    """

    changed = Signal(object)  # frozenset of str: names of the changed settings

    def __init__(self, store: QSettings | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._preferences = Preferences()
        problems: list[str] = []  # a sentence for each invalid stored value
        for name, setting in SETTINGS.items() if store is not None else ():
            assert store is not None
            if not store.contains(f"{FOLDER}/{name}"):
                continue
            try:
                value = read(setting, store.value(f"{FOLDER}/{name}"))
            except ParameterError as error:
                shown = setting.words_of(setting.default) if setting.choices else to_text(setting.default)
                label = setting.label.replace("&", "")
                problems.append(f"setting “{label}”: {error.problem}; it is now: {shown or 'none'}")
            else:
                self._preferences = dataclasses.replace(self._preferences, **{name: value})
        self.problems = tuple(problems)

    def __getitem__(self, name: str) -> Any:
        return getattr(self._preferences, name)

    @property
    def first_limit(self) -> Limit | None:
        """The limit of datasets without releases; None for no limit."""
        chosen = self._preferences
        if chosen.limit_epsilon is None:
            return None
        from engine.ledger import Limit

        return Limit(chosen.limit_epsilon, chosen.limit_delta, chosen.slack)

    @property
    def figure_style(self) -> FigureStyle:
        """The look of saved figures."""
        chosen = self._preferences
        return FigureStyle(
            width=chosen.figure_width,
            font=chosen.figure_font,
            text_around=chosen.figure_words,
            stamp=chosen.figure_stamp,
            colors=chosen.figure_colors,
            dpi=chosen.figure_dpi,
        )

    @property
    def values(self) -> dict[str, Any]:
        return self._preferences.settings()

    def change(self, **values: Any) -> None:
        """Change settings; raise `ParameterError` before anything changes."""
        before = self.values
        self._preferences = dataclasses.replace(self._preferences, **values)
        different = frozenset(name for name, value in values.items() if before[name] != value)
        for name in different:
            if self._store is not None:
                self._store.setValue(f"{FOLDER}/{name}", to_text(values[name]))
        if different:
            self.changed.emit(different)
