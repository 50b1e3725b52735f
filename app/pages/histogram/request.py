"""What a job of the page about histograms is to answer."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.model.kinds.points import PointsBuilder
from engine.analysis.shared.projections import Axes
from engine.domain import Box, Interval
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.mechanisms.release import Release


@dataclasses.dataclass(frozen=True)
class HistogramRequest:
    """What a job is to answer: a setup, the open picture, and the choices on it.

    Attributes
    ----------
    released : Release or None
        The newest release of what is asked, if it is to be shown in the place of a simulated one.
    level : int or None
        How often cells are cut at most; None for as often as they are.
    records : bool
        Whether the data are drawn, too.
    grid : {"cells", "after", "before"}
        Of shifted cubes: the cells alone, with the planes that are left, or with those that are dropped.
    per_area : bool
        Whether cells are shaded by density, else by count.
    query : tuple of d float, or None
        Where somebody guesses; None for the middle of the bounds.
    attack : tuple of (str, int), or None
        Which attack is to guess, and its seed, instead.
    closely : bool or None
        Whether only what lies around nearly all points is in view; None: only if that is tiny.
    near : bool
        Whether only what lies around the query point is in view.
    window : tuple of Interval, or None
        What is in view while the query point is dragged.
    c : float
        Of the test of isolation.
    sweep : {"c", "t", "d"}
        What varies.
    price : float or None
        Of a facility; None for a spanning tree.
    alternatives : tuple of HistogramMechanism
        What is compared.
    public : bool
        Whether no data are looked at.
    """

    setup: Any
    tab: str
    axes: Axes
    seed: int
    released: Release | None = None
    level: int | None = None
    records: bool = True
    grid: str = "cells"
    per_area: bool = True
    query: tuple[float, ...] | None = None
    attack: tuple[str, int] | None = None
    closely: bool | None = None
    near: bool = False
    window: tuple[Interval, ...] | None = None
    c: float = 4.0
    sweep: str = "c"
    price: float | None = None
    alternatives: tuple[HistogramMechanism, ...] = ()
    public: bool = False

    @property
    def source(self) -> Any:
        """What the data are within the bounds of the histogram that is shown: a release keeps its own."""
        source = self.setup.source
        if self.released is None or not isinstance(source, PointsBuilder):
            return source
        facts = self.released.parameters
        return dataclasses.replace(source, domain=Box.of(facts["lower"], facts["upper"]))
