"""The place of the user's own files."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def default_ledger() -> Path:
    """Return the ledger file in the user's data folder; window, command line and sessions share it."""
    if sys.platform == "linux":  # same path as platformdirs, whose import takes longer than a release
        folder = os.environ.get("XDG_DATA_HOME", "")
        return Path(
            folder if folder.strip() else "~/.local/share", "Sensiscope", "ledger.sqlite"
        ).expanduser()
    from platformdirs import user_data_path

    return user_data_path("Sensiscope", appauthor=False) / "ledger.sqlite"
