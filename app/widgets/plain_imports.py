"""Qt is imported without the hook on imports that PySide6 brings along.

Its hook reads the source of every module that is imported later, and keeps it, to see whether that asks for
names of Qt in other spellings (``from __feature__ import …``), which no module here does: an eighth of the
time from the start to the first picture, and 35 MB.
"""

from __future__ import annotations

import builtins
import sys


def import_qt() -> None:
    """Import Qt, and leave importing as it was; where Qt is imported already, nothing is changed."""
    if "PySide6" in sys.modules:
        return
    plain = builtins.__import__
    try:
        import PySide6.QtCore  # noqa: F401
    finally:
        builtins.__import__ = plain
