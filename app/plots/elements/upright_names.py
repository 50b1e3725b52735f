"""Names beside upright lines, where they hide neither a curve nor each other."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Bbox, IdentityTransform

from app.model.theme import Palette
from app.model.wording.numbers import plain
from app.plots.elements.artists import AxesArtist

_SIZE = 9.5
_BESIDE, _ROW, _EDGE = 5.0, 1.5 * _SIZE, 4.0  # points: from a line, of a row, from above and below
_OUTSIDE, _ON_NAME, _ON_CURVE, _ON_LINE = 1000.0, 300.0, 30.0, 2.0  # how bad it is


@dataclasses.dataclass(frozen=True)
class Upright:
    """An upright line at `x`, in data coordinates, and its name."""

    x: float
    name: str
    colour: str
    bold: bool = False


class UprightNames(AxesArtist):
    """Names of upright lines, each at the end and on the side of its line where most room is.

    Places are found anew at every drawing, in pixels.

    Parameters
    ----------
    axes : Axes
    palette : Palette
    curve : Line2D
        What must stay in view, if that is possible.
    """

    def __init__(self, axes: Axes, palette: Palette, curve: Line2D) -> None:
        super().__init__(axes, 5)
        self._palette = palette
        self._curve = curve
        self._lines: tuple[Upright, ...] = ()
        self.set_clip_on(False)
        self.set_in_layout(False)

    def set_lines(self, lines: Sequence[Upright]) -> None:
        """Replace all lines; the first one has the first choice."""
        self._lines = tuple(lines)

    def texts(self) -> list[str]:
        """Return the names."""
        return [line.name for line in self._lines]

    def draw(self, renderer: RendererBase) -> None:
        """Draw all names."""
        for text, box in self._arrange(renderer):
            text.set_position((box.x0, box.y0))
            text.draw(renderer)
        self.stale = False

    def boxes(self, renderer: RendererBase) -> list[Bbox]:
        """Return the box of every name in pixels, as it would be drawn now."""
        return [box for _, box in self._arrange(renderer)]

    def _arrange(self, renderer: RendererBase) -> list[tuple[Text, Bbox]]:
        """Return every text with its place, in pixels."""
        to_pixels = self.home.transData.transform
        across = {line: float(to_pixels((line.x, 0))[0]) for line in self._lines}
        curve = Path(to_pixels(self._curve.get_xydata()))
        arranged: list[tuple[Text, Bbox]] = []
        for line in self._lines:
            text = self._text(line)
            size = text.get_window_extent(renderer)
            others = [x for other, x in across.items() if other != line]
            taken = [box for _, box in arranged]
            box = min(
                self._candidates(across[line], size.width, size.height),
                key=lambda box: self._cost(box, curve, others, taken),
            )
            arranged.append((text, box))
        return arranged

    def _candidates(self, x: float, width: float, height: float) -> Iterator[Bbox]:
        """Return where a name could stand, the best place first: at the ends of its line."""
        box, beside = self.home.bbox, self._pixels(_BESIDE)
        rows = range(max(1, int(box.height / self._pixels(_ROW) / 2)))
        for row, upper, left in itertools.product(rows, (True, False), (True, False)):
            off = self._pixels(_EDGE + row * _ROW)
            bottom = box.y1 - off - height if upper else box.y0 + off
            yield Bbox.from_bounds(x - beside - width if left else x + beside, bottom, width, height)

    def _cost(self, box: Bbox, curve: Path, others: list[float], taken: list[Bbox]) -> float:
        axes = self.home.bbox
        outside = max(0.0, axes.x0 - box.x0) + max(0.0, box.x1 - axes.x1)
        hidden = len(curve) > 1 and curve.intersects_bbox(box.padded(self._pixels(_EDGE) / 2), filled=False)
        return (
            _OUTSIDE * (outside > 0)
            + _ON_NAME * sum(box.overlaps(other) for other in taken)
            + _ON_CURVE * hidden
            + _ON_LINE * sum(box.x0 < x < box.x1 for x in others)
        )

    def _text(self, line: Upright) -> Text:
        text = Text(0, 0, plain(line.name), fontsize=_SIZE, transform=IdentityTransform())
        text.set(color=self._palette.text(line.colour), fontweight="bold" if line.bold else "normal")
        text.set(va="bottom", ha="left")
        text.set_bbox({"facecolor": self._palette.card, "edgecolor": "none", "pad": 1.0})
        self._take(text)
        return text
