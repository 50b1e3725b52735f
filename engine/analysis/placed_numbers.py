"""Numbers among the records of one column: functions that return a `Cloud`."""

from __future__ import annotations

import dataclasses

import numpy as np

from engine.analysis.clouds import Cloud
from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import simulated_values
from engine.analysis.shared.projections import Space, along_columns, project
from engine.analysis.shared.records import records_along
from engine.data.points import Points
from engine.mechanisms import InteriorPoint
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent


def number_scene(
    mechanism: InteriorPoint,
    data: Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    released: float | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> Cloud:
    """Return a number among the records, and their median (private).

    Without `records`, a released number alone: of `data`, only public facts are read.
    """
    if not records:
        return _released(data, released)
    privacy = as_privacy(privacy)
    ready = prepare(mechanism, data, privacy, part(progress, 0.0, 0.5))
    share, value = part(progress, 0.5, 1.0), released
    if value is None:
        drawn = simulated_values(mechanism, data, privacy, runs=1, seed=seed, progress=share)
        value = float(drawn[0, 0])
    return dataclasses.replace(
        _released(data, value),
        records=records_along(data, project(data)),
        truth=np.array([[float(ready.diagnostics["true_value"][0])]]),
        simulated=released is None,
    )


def _released(source: Space, released: float | None) -> Cloud:
    # what is released is any number among the records; the truth beside it is their median
    return Cloud(along_columns(source).directions, noun="median", released=np.array([[released]]))
