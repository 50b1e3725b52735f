"""Figures as the content of files."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from app.model.output_file import OutputFile

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def rendered(figure: Figure, suffix: str, dpi: float | None = None) -> bytes:
    """Return a figure in the format of a suffix of `FIGURES`, at its own resolution or at `dpi`."""
    content = io.BytesIO()
    figure.savefig(content, format=suffix.removeprefix("."), dpi=dpi or figure.dpi)
    return content.getvalue()


def save_figure(figure: Figure, file: OutputFile) -> None:
    """Write a figure in the format of the suffix of the file."""
    file.write(rendered(figure, file.suffix))
