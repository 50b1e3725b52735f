"""A part of a picture, looked at more closely."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, Protocol

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import Collection as Drawings
from numpy.typing import ArrayLike

Direction = Literal["x", "y"]

WHOLE = (0.0, 1.0)
MIN_SHARE = 1e-4  # share of the whole that is still drawn


class Zoomable(Protocol):
    """A picture with axes and artists."""

    axes: Axes
    parts: tuple[Axes, ...]
    artists: list[Artist]


class Zoom:
    """Zooms a picture, in one direction or in both."""

    def __init__(self, picture: Zoomable) -> None:
        self._picture = picture
        self.plane = False
        self._shares: dict[Direction, tuple[float, float]] = {}
        self._whole: dict[tuple[Axes, Direction], tuple[float, float]] = {}
        self._clipped: dict[Artist, bool] = {}
        self._common: Mapping[Direction, tuple[float, float]] = {}
        self._own: dict[tuple[Axes, Direction], tuple[float, float]] = {}

    @property
    def shares(self) -> Mapping[Direction, tuple[float, float]]:
        """The visible part along each direction that is cut."""
        return dict(self._shares)

    def show_shares(self, shares: Mapping[Direction, tuple[float, float]]) -> bool:
        """Show these parts; tell whether these are other ones."""
        if shares == self._shares:
            return False
        self.leave()
        self._shares = dict(shares)
        self.enter()
        return True

    def own_limits(self, direction: Direction) -> tuple[float, float]:
        """Return the limits that the picture has chosen itself."""
        axes = self._picture.axes
        return self._own.get((axes, direction)) or self._whole_of(axes, direction)

    def share_limits(self, common: Mapping[Direction, tuple[float, float]]) -> bool:
        """Let the whole have these limits instead of its own; tell whether these are other ones."""
        if common == self._common:
            return False
        self.leave()
        self._common = dict(common)
        self.enter()
        return True

    @property
    def planar(self) -> bool:
        """Whether to look more closely along both directions at once."""
        return self.plane or self._picture.axes.get_aspect() != "auto"

    @property
    def active(self) -> bool:
        """Whether only a part is seen."""
        return bool(self._shares)

    def leave(self) -> None:
        """Put the limits back to the whole: pictures find their own from what they were."""
        for (axes, direction), limits in self._whole.items():
            axes.set(**{f"{direction}lim": limits})
        for (axes, direction), limits in self._own.items():
            axes.set(**{f"{direction}lim": limits})
        self._whole, self._own = {}, {}

    def enter(self) -> None:
        """Show the part again, after the picture has chosen the limits of the whole."""
        for direction, common in self._common.items():
            own = _limits(self._picture.axes, direction)
            for axes in self._picture.parts:
                if _limits(axes, direction) == own:  # others measure something else
                    self._own[axes, direction] = own
                    axes.set(**{f"{direction}lim": common})
        for direction, shares in self._shares.items():
            for axes in self._picture.parts:
                self._whole[axes, direction] = limits = _limits(axes, direction)
                axes.set(**{f"{direction}lim": _part_limits(axes, direction, limits, shares)})
        if self.active:
            # what may reach beyond the axes of the whole must not do so far from its place
            for artist in filter(_in_data, self._picture.artists):
                self._clipped.setdefault(artist, artist.get_clip_on())
                artist.set_clip_on(True)
        else:
            for artist, clipped in self._clipped.items():
                artist.set_clip_on(clipped)
            self._clipped = {}

    def scale(
        self, factor: float, axes: Axes, at: Sequence[float], directions: Collection[Direction]
    ) -> None:
        """Show `factor` times as much around a place of an axes, in data coordinates."""
        here = {
            direction: _share(axes, direction, self._whole_of(axes, direction), position)
            for direction, position in zip(_DIRECTIONS, at, strict=True)
        }
        self.leave()
        for direction in directions:
            low, high = self._shares.get(direction, WHOLE)
            middle = min(max(here[direction], low), high)
            width = max(factor, MIN_SHARE / (high - low))
            start, end = middle - width * (middle - low), middle + width * (high - middle)
            inward = max(-start, 0.0) + min(1 - end, 0.0)  # not cut off: both directions stay to one scale
            self._show(direction, start + inward, end + inward)
        self.enter()

    def move(self, axes: Axes, start: Sequence[float], end: Sequence[float]) -> None:
        """Move what is seen, so that what was at `start` comes to `end`; in data coordinates."""
        steps = {}
        for direction, first, last in zip(_DIRECTIONS, start, end, strict=True):
            whole = self._whole_of(axes, direction)
            steps[direction] = _share(axes, direction, whole, first) - _share(axes, direction, whole, last)
        self.leave()
        for direction, (low, high) in list(self._shares.items()):
            step = min(max(steps[direction], -low), 1 - high)
            self._show(direction, low + step, high + step)
        self.enter()

    def reset(self) -> None:
        """Show the whole again."""
        self.leave()
        self._shares = {}
        self.enter()

    def _show(self, direction: Direction, low: float, high: float) -> None:
        low, high = max(low, 0.0), min(high, 1.0)
        if (low, high) == WHOLE:
            self._shares.pop(direction, None)
        else:
            self._shares[direction] = (low, high)

    def _whole_of(self, axes: Axes, direction: Direction) -> tuple[float, float]:
        return self._whole.get((axes, direction)) or _limits(axes, direction)


_DIRECTIONS: tuple[Direction, Direction] = ("x", "y")


def _in_data(artist: Artist) -> bool:
    """Tell whether an artist stands at coordinates of the data."""
    if not isinstance(artist.axes, Axes):
        return False
    places = [artist.get_transform()]
    if isinstance(artist, Drawings):
        places.append(artist.get_offset_transform())
    return any(position.contains_branch(artist.axes.transData) for position in places)


def _limits(axes: Axes, direction: Direction) -> tuple[float, float]:
    return axes.get_xlim() if direction == "x" else axes.get_ylim()


def to_scale(axes: Axes, direction: Direction, values: ArrayLike) -> tuple[float, ...]:
    """Return values as the scale of the axis spaces them."""
    axis = axes.xaxis if direction == "x" else axes.yaxis
    places: list[float] = axis.get_transform().transform(np.asarray(values, dtype=np.float64)).tolist()
    return tuple(places)


def _share(axes: Axes, direction: Direction, whole: tuple[float, float], value: float) -> float:
    """Return which share of the whole lies before a value."""
    start, end, position = to_scale(axes, direction, (*whole, value))
    return (position - start) / (end - start)


def _part_limits(
    axes: Axes, direction: Direction, whole: tuple[float, float], shares: tuple[float, float]
) -> tuple[float, float]:
    start, end = to_scale(axes, direction, whole)
    axis = axes.xaxis if direction == "x" else axes.yaxis
    places = np.asarray([start + share * (end - start) for share in shares])
    low, high = axis.get_transform().inverted().transform(places).tolist()
    return low, high
