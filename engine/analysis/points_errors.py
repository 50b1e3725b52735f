"""How far releases of a mechanism on points typically fall from what they estimate."""

from __future__ import annotations

import numpy as np

from engine.analysis.expected_error import ErrorEstimate, ExpectedError
from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import simulated_values, true_value
from engine.data.points import Points
from engine.mechanisms import PointsMechanism
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent

RUNS = 400
"""Simulated releases from which a typical error is taken."""


def estimate_points_error(
    mechanism: PointsMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    runs: int = RUNS,
    seed: int = 1,
    progress: Progress = silent,
) -> ErrorEstimate:
    """Simulate releases of a mechanism on points, and return how far they fall from the truth (private).

    Parameters
    ----------
    mechanism : PointsMechanism
    data : Points
    privacy : PrivacyLike
    runs : int
        Fewer are made where each takes long.
    seed : int
        The same seed gives the same errors.
    progress : Progress, optional

    Returns
    -------
    ErrorEstimate
        Errors in the metric of outputs, none of which is larger than ``width``, of the releases that
        are answered; ``width`` where none is.

    Raises
    ------
    ParameterError
        If the mechanism does not fit.

    Examples
    --------
    Laplace noise of scale 2/(1000 epsilon) in each of two columns:

    >>> import numpy as np
    >>> from engine import Box, NoisyAverage, Points, Privacy
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> found = estimate_points_error(NoisyAverage(), data, Privacy(1.0)).errors
    >>> 0.001 < found.typical < found.most < 0.02
    True
    """
    privacy = as_privacy(privacy)
    truth = true_value(mechanism, data, privacy, part(progress, 0.0, 0.4))
    share = part(progress, 0.4, 1.0)
    values = simulated_values(mechanism, data, privacy, runs=runs, seed=seed, progress=share)
    errors = mechanism.errors(values, truth, data.domain)
    answered = errors[~np.isnan(errors)]
    ready, diameter = prepare(mechanism, data, privacy), mechanism.space(data.domain).diameter
    typical, most = np.quantile(answered if answered.size else diameter, [0.5, 0.95])
    return ErrorEstimate(
        errors=ExpectedError(float(typical), float(most), private=True),
        smooth=ready.diagnostics.get("smooth"),
        global_=diameter,
        width=diameter,
        neighbours=mechanism.relation,
        answers=answered.size / errors.size,
        exact=float(np.mean(answered == 0)) if answered.size else None,
        noise=ready.noise,
    )
