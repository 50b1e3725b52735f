"""A ring around the record that is pointed at elsewhere: in another picture, or in the table of the data."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from app.model.pointed import PointedRecord
from app.model.theme import Palette

Place = tuple[float, float]

ResultT = TypeVar("ResultT")


class RecordPlaces(Generic[ResultT]):
    """Where records are, in a picture that shows them; by default there is none."""

    def record_at(self, r: ResultT, x: float, y: float) -> PointedRecord | None:
        """Return the record at a point of the axes, if there is one."""
        return None

    def place_of(self, r: ResultT, pointed: PointedRecord) -> Place | None:
        """Return where a record is drawn; None where records are not."""
        return None


class Marked(Protocol):
    """A picture, as far as a mark needs it."""

    result: Any
    palette: Palette

    def line(self, role: str, **properties: Any) -> Line2D:
        """Add a line."""

    def place_of(self, r: Any, pointed: PointedRecord) -> Place | None:
        """Return where a record is drawn."""


class RecordMark:
    """Shows a record in a picture that has a place for it; the ring is made when it is first needed.

    Parameters
    ----------
    picture : Marked

    Attributes
    ----------
    place : (float, float) or None
        Where the ring is, in data coordinates.
    """

    def __init__(self, picture: Marked) -> None:
        self._picture = picture
        self._pointed: PointedRecord | None = None
        self._ring: Line2D | None = None
        self.place: Place | None = None

    def point_at(self, pointed: PointedRecord | None) -> bool:
        """Mark a record, or none; tell whether anything is to be drawn anew."""
        if pointed == self._pointed:
            return False
        self._pointed = pointed
        before = self.place
        self.follow()
        return self.place != before

    def follow(self) -> None:
        """Put the ring where the record is in the result of now."""
        picture, position = self._picture, None
        if self._pointed is not None and picture.result is not None:
            position = picture.place_of(picture.result, self._pointed)
        if self._ring is None and position is not None:
            self._ring = picture.line(
                "truth", marker="o", markersize=13, markerfacecolor="none", linestyle="none", zorder=6
            )
            halo = withStroke(linewidth=5.0, foreground=picture.palette.card)  # on dark and on pale ground
            self._ring.set(markeredgewidth=2.2, path_effects=[halo])
        self.place = position
        if self._ring is not None:
            self._ring.set_visible(position is not None)
            self._ring.set_data(*(([one] for one in position) if position else ([], [])))
