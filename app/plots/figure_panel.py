"""Pictures to be drawn somewhere else than on the screen: for files and reports, perhaps by a worker."""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from app.model.figure_style import STYLE, FigureStyle
from app.model.output_file import OutputFile
from app.model.theme import LIGHT, Palette
from app.plots.base import Picture
from app.plots.elements.answers import PossibleAnswers
from app.plots.elements.labels import figure_of
from app.plots.elements.zoom import Direction
from app.plots.figures import export_picture

SIZE = re.compile(rb'\b(width|height)="([0-9.]+)pt"')
"""Width and height of an SVG drawing: they stand at its beginning."""


@dataclasses.dataclass(frozen=True, eq=False)
class FigurePanel:
    """All that a picture needs to be drawn."""

    title: str
    picture: type[Picture[Any]]
    result: Any  # what is shown
    unit: str = ""
    private: bool = True  # whether it was computed from raw data
    log_y: bool | None = None  # as in `Picture`
    # which part is seen along "x" and "y", as shares of the whole; all of it where nothing is said
    seen: Mapping[Direction, tuple[float, float]] = dataclasses.field(default_factory=dict)
    layers: frozenset[str] = frozenset()  # those that are drawn; all where none is named
    answers: PossibleAnswers | None = None

    @property
    def file_stem(self) -> str:
        stem = self.picture.title.lower().replace(" ", "-")
        return f"{stem}-confidential" if self.private else stem

    def draw(self, palette: Palette = LIGHT, style: FigureStyle = STYLE) -> Picture[Any]:
        """Draw it in a figure of its own, which says if it is private."""
        return export_picture(
            self.picture,
            self.result,
            palette,
            self.unit,
            title=self.title,
            log_y=self.log_y,
            private=self.private,
            style=style,
            seen=self.seen,
            layers=self.layers,
            answers=self.answers,
        )


def figure(panel: FigurePanel, style: FigureStyle = STYLE) -> Figure:
    """Draw one panel for a file."""
    drawn = figure_of(panel.draw(style=style).axes)
    drawn.set_dpi(style.resolution)
    return drawn


def render(figure: Figure, suffix: str, dpi: float | None = None, scale: float = 1.0) -> bytes:
    """Return a figure in the format of a suffix of `FIGURES`, at its own resolution or at `dpi`.

    With another `scale` it is so much larger, type and lines too.
    """
    dpi = dpi or figure.dpi
    if suffix == ".pgf":
        from app.plots.pgf import pgf  # as below

        return pgf(figure, scale)
    if suffix == ".pdf" and scale != 1:
        return scaled_pdf(figure, scale, dpi)
    content = io.BytesIO()
    # the pixels per inch of the scaled image, not of its layout
    stated: dict[str, Any] = {"pil_kwargs": {"dpi": (dpi, dpi)}} if suffix == ".png" else {}
    figure.savefig(content, format=suffix.removeprefix("."), dpi=dpi * scale, **stated)
    result = content.getvalue()
    if suffix == ".svg" and scale != 1:
        # the size changes, and the units of the drawing stay
        return SIZE.sub(lambda side: b'%s="%.6gpt"' % (side[1], scale * float(side[2])), result, count=2)
    return result


def scaled_pdf(figure: Figure, scale: float, dpi: float) -> bytes:
    """Return a figure as PDF, `scale` times as large: type, lines and room alike."""
    from matplotlib.backends import backend_pdf  # its fonts take long to load

    pdf: Any = backend_pdf

    class ScaledFile(pdf.PdfFile):  # type: ignore[misc]  # matplotlib has no types of it
        def newPage(self, width: float, height: float) -> None:
            super().newPage(scale * width, scale * height)
            # matplotlib leaves out lines beyond these, which are drawn before they are scaled
            self.width, self.height = width, height
            self.output(scale, 0, 0, scale, 0, 0, pdf.Op.concat_matrix)

    content = io.BytesIO()
    pages = pdf.PdfPages(content)
    pages._file = ScaledFile(content)
    with pages:
        figure.savefig(pages, format="pdf", dpi=dpi)
    return content.getvalue()


def save_figure(figure: Figure, file: OutputFile, style: FigureStyle = STYLE) -> None:
    """Write a figure in the format of the suffix of the file."""
    file.write(render(figure, file.suffix, scale=style.scale(*figure.get_size_inches())))


def sheet(panels: Sequence[FigurePanel], style: FigureStyle = STYLE) -> bytes:
    """Draw several panels, two in a row, as one PNG.

    Each is laid out by itself: its labels need the room that they have alone.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.image import imsave

    pictures = []
    for panel in panels:
        drawn = figure(panel, style)
        drawn.set_dpi(style.resolution * style.scale(*drawn.get_size_inches()))
        canvas = FigureCanvasAgg(drawn)
        canvas.draw()  # type: ignore[no-untyped-call]  # matplotlib has no types of this canvas
        pictures.append(np.asarray(canvas.buffer_rgba()))  # type: ignore[no-untyped-call]  # as above
    pictures = _pad_to_largest(pictures)
    if len(pictures) % 2:
        pictures.append(np.full_like(pictures[0], 255))
    rows = [np.hstack(pictures[index : index + 2]) for index in range(0, len(pictures), 2)]
    content = io.BytesIO()
    imsave(content, np.vstack(rows), format="png", dpi=style.resolution)
    return content.getvalue()


def _pad_to_largest(pictures: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return pictures with white to the right and below, so that all are as large as the largest."""
    height, width = np.max([picture.shape[:2] for picture in pictures], axis=0)
    pads = [((0, height - len(picture)), (0, width - picture.shape[1]), (0, 0)) for picture in pictures]
    return [np.pad(picture, pad, constant_values=255) for picture, pad in zip(pictures, pads, strict=True)]
