"""Write pictures and numbers to files in a worker: whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QImage

from app.jobs.tasks import JobTask
from app.model.output_file import FIGURES, OutputFile
from app.model.theme import LIGHT, Palette
from app.plots.elements.shared_texts import one_at_a_time
from engine.errors import SensiscopeError
from engine.histograms.histogram import uncollected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.model.figure_style import FigureStyle
    from app.plots.base import Picture
    from app.plots.figure_panel import FigurePanel

PREVIEW_DPI = 150  # the preview is made smaller: at a low resolution, letters are wider

_NUMBERS = ".csv"
_AT_ONCE = 2000  # rows between two checks for a cancel


def save_picture(
    drawn: FigurePanel, palette: Palette, style: FigureStyle, path: str | Path, task: JobTask
) -> str:
    """Save a picture as PNG, SVG or PDF, or its numbers as CSV, by suffix; return what was done.

    `SensiscopeError` if nothing can be written there; a file that was there before is as it was.
    """
    _save(drawn, palette, style, [path], task)
    return f"Saved {path}"


def save_both(
    drawn: FigurePanel, palette: Palette, style: FigureStyle, path: str | Path, task: JobTask
) -> str:
    """Save a picture, and its numbers under the same name as .csv, which must be free."""
    numbers = Path(path).with_suffix(_NUMBERS)
    if numbers.exists():
        raise SensiscopeError(f"{numbers.name} already exists beside {path}; choose another name")
    _save(drawn, palette, style, [path, numbers], task)
    return f"Saved {path} and {numbers.name}"


def save_table(path: str | Path, header: list[str], rows: list[list[Any]], task: JobTask) -> str:
    """Save a table as CSV; return what was done."""
    output = OutputFile(str(path), (_NUMBERS,))
    content = to_csv(header, rows, task)
    task.settle()
    output.write(content)
    return f"Saved {path}"


def copied(drawn: FigurePanel, palette: Palette, style: FigureStyle, task: JobTask) -> QImage:
    """Return a picture as an image for the clipboard."""
    with _again(drawn, palette, style) as picture:
        task(0.5)
        return QImage.fromData(_rendered(picture, ".png", style))


def previewed(drawn: FigurePanel, palette: Palette, style: FigureStyle, task: JobTask) -> QImage:
    """Return a picture as it will be saved, for the screen."""
    with _again(drawn, palette, style) as picture:
        task(0.5)
        return QImage.fromData(_rendered(picture, ".png", style, PREVIEW_DPI))


def to_csv(header: list[str], rows: list[list[Any]], task: JobTask) -> bytes:
    """Return a table with full precision, for spreadsheets and scripts."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    left = iter(rows)
    while some := list(islice(left, _AT_ONCE)):
        writer.writerows(some)
        task(0.5)
    return text.getvalue().encode()


def _save(
    drawn: FigurePanel, palette: Palette, style: FigureStyle, paths: Sequence[str | Path], task: JobTask
) -> None:
    outputs = [OutputFile(str(path), (*FIGURES, _NUMBERS)) for path in paths]
    contents = []
    with _again(drawn, palette, style) as picture:
        for output in outputs:
            task(0.5)
            table = output.suffix == _NUMBERS
            contents.append(
                to_csv(*picture.saved_table(), task) if table else _rendered(picture, output.suffix, style)
            )
    # a change of the view no longer cancels the files
    task.settle()
    for output, content in zip(outputs, contents, strict=True):
        output.write(content)


@contextmanager
def _again(drawn: FigurePanel, palette: Palette, style: FigureStyle) -> Iterator[Picture[Any]]:
    """Draw a picture again, beside the window that draws, too."""
    one_at_a_time()
    # a garbage collection would stop every thread
    with uncollected():
        yield drawn.draw(LIGHT if style.colors == "light" else palette, style)


def _rendered(picture: Picture[Any], suffix: str, style: FigureStyle, dpi: float | None = None) -> bytes:
    # a window loads no matplotlib before it is painted
    from app.plots.elements.labels import figure_of
    from app.plots.figure_panel import render

    figure = figure_of(picture.axes)
    return render(figure, suffix, dpi or style.resolution, style.scale(*figure.get_size_inches()))
