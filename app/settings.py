"""What is set, kept from one session to the next and read by its declarations.

A value that makes no sense falls back to the default, and it is said.
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
"""Bytes of a file of settings, at most."""

FOLDER = "settings"
"""Where the values stand among all that a window remembers."""


def read(setting: Parameter, stored: object) -> Any:
    """Return the value that was stored as text; raise `ParameterError` for anything else."""
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
    """Return the text that `read` reads."""
    return "" if value is None else str(value)


def shorten(text: str) -> str:
    """Return what fits into a sentence, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"


def private_store() -> tuple[QSettings | None, str]:
    """Return what the system keeps settings in, and "", or nothing and why it is left out.

    Where it is a file, only its owner may read or write it.
    """
    store = QSettings()
    path = Path(store.fileName())
    if sys.platform == "linux":  # elsewhere the system sees to that
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.chmod(0o600)
            if path.stat().st_size > LARGEST:
                return None, (
                    f"the settings in {path} take more than {LARGEST >> 20} MB and are left out; all have "
                    "their defaults, and changes are not kept: delete that file"
                )
    return store, ""


class Settings(QObject):
    """The values of all settings.

    `store`: where they are kept from one session to the next; without it all have their defaults, and nothing
    is kept.
    """

    changed = Signal(object)  # frozenset of str: the names of the settings that have new values

    def __init__(self, store: QSettings | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._preferences = Preferences()
        problems: list[str] = []  # a sentence for each stored value that could not be used
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
        """Return the value of a setting."""
        return getattr(self._preferences, name)

    @property
    def first_limit(self) -> Limit | None:
        """The limit of datasets of which nothing was released yet; None: none."""
        chosen = self._preferences
        if chosen.limit_epsilon is None:
            return None
        from engine.ledger import Limit

        return Limit(chosen.limit_epsilon, chosen.limit_delta, chosen.slack)

    @property
    def figure_style(self) -> FigureStyle:
        """The look of saved figures."""
        chosen = self._preferences
        return FigureStyle(chosen.figure_width, chosen.figure_font, chosen.figure_words, chosen.figure_stamp)

    @property
    def values(self) -> dict[str, Any]:
        """All values by name."""
        return self._preferences.settings()

    def change(self, **values: Any) -> None:
        """Give settings other values; raise `ParameterError` before anything is changed."""
        before = self.values
        self._preferences = dataclasses.replace(self._preferences, **values)
        different = frozenset(name for name, value in values.items() if before[name] != value)
        for name in different:
            self._keep(name, values[name])
        if different:
            self.changed.emit(different)

    def _keep(self, name: str, value: Any) -> None:
        if self._store is not None:
            self._store.setValue(f"{FOLDER}/{name}", to_text(value))
