"""Whether there is a screen."""

from __future__ import annotations

import os
import sys


def has_display() -> bool:
    """Tell whether a window can be shown (or Qt was told to do without a screen)."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
