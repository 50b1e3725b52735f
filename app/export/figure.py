"""Saving what is on the screen: the picture and the numbers behind it."""

from __future__ import annotations

from pathlib import Path

from app.widgets.plot_canvas import PlotCanvas

NOT_PRIVATE = "not private: computed from raw data"

FIGURES = "PNG image (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)"
NUMBERS = "CSV table (*.csv)"


def save_figure(canvas: PlotCanvas, path: str | Path, *, private: bool) -> None:
    """Save the picture by suffix: png, svg or pdf.

    Parameters
    ----------
    private : bool
        Computed from raw data: then the picture itself says so.
    """
    if not private:
        canvas.save(path)
        return
    figure = canvas.figure
    palette = canvas.picture.palette
    mark = figure.text(
        0.995,
        0.995,
        NOT_PRIVATE,
        ha="right",
        va="top",
        fontsize=8,
        color=palette.on_private,
        bbox={"facecolor": palette.private, "edgecolor": "none", "boxstyle": "round,pad=0.4"},
    )
    mark.set_in_layout(False)
    try:
        canvas.save(path)
    finally:
        mark.remove()


def save_numbers(canvas: PlotCanvas, path: str | Path) -> None:
    """Save the numbers behind the picture as CSV."""
    canvas.save_table(path)


def file_name(stem: str, suffix: str, *, private: bool) -> str:
    """Suggest a file name that says what must be said about the file."""
    return f"{stem}-not-private.{suffix}" if private else f"{stem}.{suffix}"


def with_suffix(path: str, chosen_filter: str) -> Path:
    """Add the suffix of the chosen file type where a person wrote none."""
    written = Path(path)
    if written.suffix.lower() in (".png", ".svg", ".pdf", ".csv"):
        return written
    return written.with_name(written.name + chosen_filter.partition("*")[2].partition(")")[0])
