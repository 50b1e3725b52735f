"""A query point among the cells of a histogram, and whether it isolates a record."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from engine.analysis.attack_sweep import isolation_threshold
from engine.analysis.histogram_scenes import QueryMap
from engine.analysis.isolation_test import isolation_guess, isolation_test
from engine.analysis.shared.shown_histograms import show_histogram
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Interval
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.mechanisms.release import Release
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent

AROUND, BEYOND, CLOSEST = 0.1, 1.5, 1e-6
"""How far a close-up reaches: in shares of the bounds without the data, in c δ with them, and at least."""


def map_query(
    mechanism: HistogramMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    query: Sequence[float] | Floats | None = None,
    attack: str | None = None,
    attack_seed: int = 1,
    moved: Sequence[float] = (),
    c: float = 4.0,
    near: bool = False,
    window: tuple[Interval, ...] | None = None,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> QueryMap:
    """Return a query point among the cells of a histogram, and whether it isolates a record."""
    privacy = as_privacy(privacy)
    made, rest = part(progress, 0.0, 0.4), part(progress, 0.4, 1.0)
    shown = show_histogram(
        mechanism,
        data,
        privacy,
        axes=(across, up),
        seed=seed,
        released=released,
        records=records,
        progress=made,
    )
    axes, box, t = list(shown.axes), shown.box, isolation_threshold(shown.mechanism)
    place, aimed = np.asarray(query, dtype=np.float64), True
    if attack is not None or query is None:
        guess = isolation_guess(shown.histogram, box, attack=attack, seed=attack_seed)
        place, aimed = guess.query, guess.aimed
    if any(moved):
        place = np.clip(place + np.asarray(moved), box.lower, box.upper)
    verdict, reach = None, AROUND * box.width
    if shown.data is not None:
        verdict = isolation_test(shown.data, place, c=c, t=t)
        reach = np.clip(BEYOND * c * verdict.distance, CLOSEST * box.width, None)
    seen = shown.projection
    if near and window is None:
        ends = zip(place[axes] - reach[axes], place[axes] + reach[axes], strict=True)
        window = tuple(Interval(float(low), float(high)) for low, high in ends)
    if near:
        seen = dataclasses.replace(seen, zoom=window)
    return QueryMap(
        directions=seen.directions,
        window=seen.window,
        cells=shown.behind(rest),
        records=shown.records(seen),
        mechanism=shown.mechanism,
        released=shown.released,
        query=place,
        c=c,
        t=t,
        axes=shown.axes,
        verdict=verdict,
        aimed=aimed,
    )
