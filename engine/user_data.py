"""The user's own files and settings, which all ways to use the program share."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import DataError, ParameterError, UnknownName

if TYPE_CHECKING:
    from engine.ledger import Limit

SETTINGS = ("ledger", "format", "limit_epsilon", "limit_delta")
"""Names in settings.toml; as environment variables SENSISCOPE_LEDGER and so on, which come first."""
FORMATS = ("text", "json")


def default_ledger() -> Path:
    """Return the ledger file: the one set by the user, or the one in the user's data folder."""
    if chosen := user_setting("ledger"):
        return Path(chosen).expanduser()
    return _folder("XDG_DATA_HOME", "~/.local/share", "user_data_path") / "ledger.sqlite"


def settings_file() -> Path:
    """Return the file of the user's settings for the command line; it need not exist."""
    return _folder("XDG_CONFIG_HOME", "~/.config", "user_config_path") / "settings.toml"


def user_setting(name: str) -> str:
    """Return a setting of the user as text; "" without one.

    Raises
    ------
    DataError
        If settings.toml cannot be read.
    """
    if chosen := os.environ.get(f"SENSISCOPE_{name.upper()}", "").strip():
        return chosen
    return str(_settings_in(settings_file()).get(name, ""))


@cache
def _settings_in(path: Path) -> dict[str, Any]:
    """Read settings.toml, once in a process."""
    if not path.is_file():
        return {}
    import tomllib

    try:
        stated = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f'{error}; write lines such as format = "json"', source=str(path)) from None
    for other in stated:
        if other not in SETTINGS:
            raise UnknownName("setting", other, SETTINGS)
    return stated


def default_format() -> str:
    """Return the format of results on the command line: "text" or "json"."""
    chosen = user_setting("format") or FORMATS[0]
    if chosen not in FORMATS:
        raise UnknownName("format", chosen, FORMATS)
    return chosen


def first_limit() -> Limit | None:
    """Return the limit of datasets without one of their own; None if the user has set none."""
    texts = [user_setting(name) for name in ("limit_epsilon", "limit_delta")]
    if not texts[0]:
        return None
    from engine.ledger import Limit

    try:
        epsilon, delta = (float(text or "0") for text in texts)
    except ValueError:
        raise ParameterError("limit_epsilon", f"'{' and '.join(filter(None, texts))}' is no number") from None
    return Limit(epsilon, delta)


def _folder(variable: str, usual: str, function: str) -> Path:
    if sys.platform == "linux":  # same path as platformdirs, whose import takes longer than a release
        folder = os.environ.get(variable, "")
        return Path(folder if folder.strip() else usual, "Sensiscope").expanduser()
    import platformdirs

    path: Path = getattr(platformdirs, function)("Sensiscope", appauthor=False)
    return path
