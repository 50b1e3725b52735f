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


def place_synthetic_points(
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
    """Return released points, among the records.

    Parameters
    ----------
    mechanism : SyntheticPoints or PerturbedPoints
    data : Points
        Of a release without the records, what is public about them is enough.
    privacy : PrivacyLike
    across, up : int
        The coordinates that are drawn, by number.
    seed : int
        Of a simulated release.
    released : Release, optional
        To be shown in the place of a simulated one, within its own bounds.
    records : bool
        Whether the data are to be seen.
    progress : Progress

    Returns
    -------
    Cloud

    Examples
    --------
    As many points as were asked for:

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, SyntheticPoints
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> cloud = place_synthetic_points(SyntheticPoints(), data, Privacy(1.0))
    >>> cloud.records.n, cloud.released.shape[1]
    (1000, 2)
    """
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
