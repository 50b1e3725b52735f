"""Released quantiles beside the true ones, as pictures show them."""

from __future__ import annotations

from engine.analysis.shared.shown_answers import show_answer
from engine.data.points import Points
from engine.mechanisms.categories.numbers import CategoryNumbers
from engine.mechanisms.histograms import Quantiles
from engine.mechanisms.release import Release
from engine.privacy import Privacy
from engine.progress import Progress, silent


def show_quantiles(
    mechanism: Quantiles,
    data: Points,
    privacy: Privacy,
    *,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> CategoryNumbers:
    """Return quantiles that a mechanism gives, beside the true ones.

    Parameters
    ----------
    mechanism : Quantiles
    data : Points
        Of a release without the truth, what is public about them is enough.
    privacy : Privacy
    seed : int
        Of a simulated release.
    released : Release, optional
        To be shown in the place of a simulated one.
    records : bool
        Whether the truth is to be seen.
    progress : Progress

    Returns
    -------
    CategoryNumbers

    Examples
    --------
    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, Quantiles
    >>> data = Points(np.arange(101.0)[:, np.newaxis], Box.of([0], [100]))
    >>> found = show_quantiles(Quantiles(parts=4), data, Privacy(1.0))
    >>> found.labels, found.truth.tolist()
    (('25 %', '50 %', '75 %'), [25.0, 50.0, 75.0])
    """
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    true = None if answer is None else answer.true_value
    return mechanism.numbers(value).compared(true, simulated=released is None)
