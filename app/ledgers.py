"""Where the ledger of a person is."""

from __future__ import annotations

from pathlib import Path


def default_ledger() -> Path:
    """Return the file in the person's data folder that the window and the command line share."""
    from platformdirs import user_data_path

    return user_data_path("Sensiscope", appauthor=False) / "ledger.sqlite"
