"""What saved pictures and numbers are called, and as what they can be saved."""

from __future__ import annotations

FIGURES = "PNG image (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)"
NUMBERS = "CSV table (*.csv)"


def file_name(stem: str, suffix: str, *, private: bool) -> str:
    """Suggest a file name that says what must be said about the file."""
    return f"{stem}-not-private.{suffix}" if private else f"{stem}.{suffix}"
