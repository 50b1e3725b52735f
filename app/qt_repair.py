"""Keeps a fault of one PySide6 release from ending the program.

Under Python 3.11, PySide6 6.12.0 returns ``None`` and ``True`` without taking a
reference to them, so that every call into Qt costs one.  CPython 3.12 and later do not
count references to constants; 3.11 does, and aborts the process once none is left,
which takes a few minutes of dragging.  6.11 and earlier are not affected.
"""

from __future__ import annotations

import ctypes
import sys

_PLENTY = 1 << 40


def keep_constants() -> None:
    """Give the constants more references than calls can be made."""
    if sys.implementation.name == "cpython" and sys.version_info < (3, 12):
        for constant in (None, True, False):
            # ob_refcnt is the first field of every object
            ctypes.c_ssize_t.from_address(id(constant)).value += _PLENTY
