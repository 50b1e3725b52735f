"""The number format: the one chosen in the settings, else that of the system.

The choice lies in a file beside the ledger, since the command line shares it and loads no Qt.
"""

from __future__ import annotations

import contextlib
import locale
import sys
from pathlib import Path

from app.model.ledger import default_ledger
from app.model.wording.numbers import FORMATS, SYSTEM, THIN, name_for, use
from engine.errors import DataError
from engine.small_files import small_text


def keep(name: str) -> None:
    """Save the choice for the command line; if that fails, it uses the system's format."""
    with contextlib.suppress(OSError):
        _file().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _file().write_text(f"{name}\n", "ascii")


def use_on_console() -> None:
    """Use the chosen format, with characters that standard output can show."""
    name = _kept()
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        THIN.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        use(name, group=" " if FORMATS[name].group == THIN else None)
    else:
        use(name)


def _file() -> Path:
    return default_ledger().with_name("numbers.txt")


def _kept() -> str:
    """Return the saved choice."""
    try:
        name = small_text(_file()).strip()
    except DataError:
        name = SYSTEM
    return name if name in FORMATS else _of_system()


def _of_system() -> str:
    """Return the format of the user's locale, without changing the locale of the program."""
    before = locale.setlocale(locale.LC_NUMERIC)
    try:
        locale.setlocale(locale.LC_NUMERIC, "")
        result = locale.localeconv()
    except locale.Error:
        return name_for(".", ",")
    finally:
        locale.setlocale(locale.LC_NUMERIC, before)
    return name_for(str(result["decimal_point"]), str(result["thousands_sep"]))
