"""PDF of a figure that is larger or smaller than it was laid out: type, lines and room alike."""

from __future__ import annotations

import io

from matplotlib.backends.backend_pdf import Op, PdfFile, PdfPages
from matplotlib.figure import Figure


class ScaledFile(PdfFile):
    """A file whose pages are `scale` times as large as what is drawn on them."""

    scale = 1.0

    def newPage(self, width: float, height: float) -> None:
        super().newPage(self.scale * width, self.scale * height)  # type: ignore[no-untyped-call]  # as below
        self.output(self.scale, 0, 0, self.scale, 0, 0, Op.concat_matrix)  # type: ignore[no-untyped-call]  # as below


class ScaledPages(PdfPages):
    """What `Figure.savefig` takes for a file with pages of its own."""

    def __init__(self, content: io.BytesIO, scale: float) -> None:
        super().__init__(content)
        self._file = ScaledFile(content)  # type: ignore[no-untyped-call]  # matplotlib has no types of it
        self._file.scale = scale


def scaled_pdf(figure: Figure, scale: float, dpi: float) -> bytes:
    """Return a figure as PDF, `scale` times as large."""
    content = io.BytesIO()
    with ScaledPages(content, scale) as pages:
        figure.savefig(pages, format="pdf", dpi=dpi)
    return content.getvalue()
