"""Artists of our own kinds, and where they stand: in which axes, in which figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform

from engine.array_types import Floats


def figure_of(axes: Axes) -> Figure:
    """Return the whole figure in which an axes stands."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure


def parts_of(artist: Artist) -> Iterator[Artist]:
    """Yield an artist and all that it is made of; of ticks those that are there.

    `Artist.findobj` would ask each axis for its ticks, which makes those that nobody has seen.
    """
    yield artist
    parts: Iterable[Artist]
    if isinstance(artist, Axis):
        made = vars(artist)
        parts = (artist.label, artist.offsetText, *made.get("majorTicks", ()), *made.get("minorTicks", ()))
    else:
        parts = artist.get_children()
    for part in parts:
        yield from parts_of(part)


def set_polygons(collection: PolyCollection, corners: Floats | list[Floats]) -> None:
    """Replace the polygons of a collection, shape (m, corners, 2), or one array for each."""
    # the stubs do not know arrays, which are faster for many polygons
    collection.set_verts(corners)  # type: ignore[arg-type]


class AxesArtist(Artist):
    """An artist that belongs to an axes from the beginning, and computes its position at each drawing.

    `home` is the axes that it belongs to.
    """

    def __init__(self, axes: Axes, zorder: float) -> None:
        super().__init__()
        self.home = axes
        axes.add_artist(self)
        self.set_zorder(zorder)

    def cramped(self) -> bool:
        """Say whether it needs more room than the layout has left for it."""
        return False

    def _pixels(self, points: float) -> float:
        """Return a length in points as pixels."""
        return float(points * figure_of(self.home).dpi / 72)

    def _take(self, part: Artist) -> None:
        """Let something be drawn by this artist, in the same figure."""
        figure = self.home.get_figure(root=False)
        assert figure is not None
        part.set_figure(figure)

    def _small_text(self, colour: str, size: float) -> Text:
        """Return an empty text, placed in pixels, that begins at its place."""
        text = Text(0, 0, "", fontsize=size, color=colour, transform=IdentityTransform())
        text.set(va="center_baseline", ha="left")
        self._take(text)
        return text


class BeforeDrawing(AxesArtist):
    """Drawn before everything else: lets a picture look at the room that there is.

    `fit`: called with the renderer at every drawing.
    """

    def __init__(self, axes: Axes, fit: Callable[[RendererBase], None]) -> None:
        super().__init__(axes, 0.5)
        self._fit = fit
        self.set_in_layout(False)

    def draw(self, renderer: RendererBase) -> None:
        self._fit(renderer)
        self.stale = False
