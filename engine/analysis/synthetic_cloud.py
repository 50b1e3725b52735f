"""Points that stand for records, among those: functions that return a `Cloud`."""

from __future__ import annotations

import numpy as np

from engine.analysis.clouds import Cloud
from engine.analysis.shared.projections import along_columns, distinct_axes
from engine.analysis.shared.shown_answers import show_answer
from engine.analysis.shared.shown_histograms import released_space, some_records_along
from engine.data.points import Points
from engine.mechanisms.points import PointsMechanism
from engine.mechanisms.release import Release
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, silent


def synthetic_scene(
    mechanism: PointsMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> Cloud:
    """Return released points, among the records."""
    privacy = as_privacy(privacy)
    value, _ = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    space = data if released is None else released_space(data, released)
    seen = along_columns(space, distinct_axes((across, up), space.domain.dimension))
    return Cloud(
        seen.directions,
        noun=mechanism.noun,
        records=some_records_along(data, seen) if records else None,
        released=np.atleast_2d(seen.points(value)),
        simulated=released is None,
    )
